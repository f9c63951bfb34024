"""Texts that try to harm a terminal stand in every field of this world; keys go wherever they could be painted."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from pathlib import Path

import pytest
import pytest_asyncio

from console.screens.frame import DeskScreen
from console.screens.list_screen import ListScreen
from console.screens.navigation import SCREENS
from console.service.domain.alerts import ALERTS
from console.service.serve import Running
from console.text import cells, clean
from console.widgets.dialogs import dialog
from console.widgets.dialogs.dialog import Dialog
from tests.behaviour.driver import Seat, seat
from tests.behaviour.ground import Ground
from tests.services import Services, world

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.usefixtures("every_frame")]

HOSTILE = Path(__file__).parents[1] / "data" / "hostile.toml"
KINDS = [kind for spec in SCREENS for kind in spec.kinds]
EVERYWHERE = (*("question_mark", "colon", "ctrl+t", "ctrl+l", "ctrl+p"), *("exclamation_mark", "m", "M", "w", "n"))
SHOWING = [
    *("view.open", "view.section", "view.related", "view.columns", "view.copy", "view.copy-row", "view.export-csv"),
    *("calls.quality", "presence.group-by", "agents.free", "groups.move-down"),
]
"""The keys of the view that show a record, or something of it, in another place than the list."""


@pytest.fixture(scope="module")
def hostile(services: Services) -> Generator[Running]:
    with services.anew(world(HOSTILE)) as running:
        yield running


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def guest(hostile: Running, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Seat]:
    """The supervisor of the hostile world, at a terminal where every record opens over the whole screen."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dialog, "DEAF_SECONDS", 0.001)
        async with seat(hostile, tmp_path_factory.mktemp("hostile"), size=(80, 24)) as seated:
            yield seated


def assert_clean(who: Seat) -> str:
    """Hold what is painted now to what may be painted, and return it as text."""
    screen = who.app.screen
    width, height = screen.size
    strips = screen._compositor.render_strips(screen.size)  # pyright: ignore[reportPrivateUsage] - no public way
    lines = [strip.text for strip in strips[:height]]
    for strip, line in zip(strips, lines, strict=False):
        assert strip.cell_length == cells(line) == width, repr(line)
        assert clean(line, 10 * width) == line, repr(line)
        for segment in strip:
            assert not segment.control, repr(segment)
            meta = segment.style.meta if segment.style else {}
            assert "@click" not in meta, repr(segment)
            assert not (segment.style and segment.style.link), repr(segment)
    assert clean(who.app.title, 200) == who.app.title
    assert clean(who.app.clipboard, 100_000) == who.app.clipboard
    return "\n".join(lines)


async def walk(who: Seat, kind: str) -> set[str]:
    """Press every key of a list that shows a record in another place, and go on into what opens.

    The hostile record meets all keys; the huge one is looked at in the list and opened. Returns which of the signs of
    hostile text were seen on the way: they stand there as they were written.
    """
    seen: list[str] = []

    async def press(key: str) -> None:
        await who.press(key)
        seen.append(assert_clean(who))

    await who.look_at(kind)
    screen = who.app.screen
    assert isinstance(screen, ListScreen)
    ids = [action.id for action in screen.actions_here() if action.kind == kind] + SHOWING
    keys = [who.station.keys[each][0] for each in ids if _works(screen, each)]
    hostile, huge = (next((key for key in who.shown if key.startswith(start)), "") for start in ("h-", "h-huge"))
    tried = [(hostile, key) for key in keys] + [(huge, "enter")] * bool(huge)
    for record, key in tried:
        await who.look_at(kind)
        if record and record in who.shown and who.cursor != record:
            await who.move_to(record)
        await press(key)
        over = who.app.screen
        if isinstance(over, Dialog):
            await who.until(lambda over=over: over.listening)
            await press("enter")
        elif not isinstance(over, DeskScreen):
            await press("end")
    return {sign for sign in ("[bold red]", "␛") if any(sign in each for each in seen)}


def _works(screen: ListScreen, identifier: str) -> bool:
    views = {each.id for each in screen.view_keys()}
    return identifier in views or identifier not in SHOWING


@pytest.mark.parametrize("kind", KINDS)
async def test_nothing_unclean_is_painted_in_a_list_or_what_opens_from_it(guest: Seat, kind: str) -> None:
    signs = await walk(guest, kind)
    assert kind == "sessions" or "␛" in signs, "what would command the terminal is shown as a sign"
    assert kind in {"sessions", "members"} or "[bold red]" in signs, "markup stands there as it was written"


async def test_nothing_unclean_is_painted_beside_a_list_or_at_home(
    hostile: Running, tmp_path_factory: pytest.TempPathFactory
) -> None:
    async with seat(hostile, tmp_path_factory.mktemp("wide"), size=(120, 40)) as who:
        assert "␛" in assert_clean(who), "home names what needs attention"
        for kind in KINDS:
            await who.look_at(kind)
            for record in sorted(key for key in who.shown if key.startswith("h-")):
                await who.move_to(record)
                assert_clean(who)


async def test_nothing_unclean_is_painted_by_what_works_everywhere(guest: Seat) -> None:
    for key in EVERYWHERE:
        await guest.go_to("home")
        await guest.press(key)
        assert_clean(guest)
    await guest.look_at("agents")
    await guest.press("G", "right", "down", "space")
    assert_clean(guest)
    await guest.go_to("home")
    assert_clean(guest)


async def test_nothing_unclean_is_painted_of_what_was_done_and_refused(guest: Seat, hostile: Running) -> None:
    ground = Ground(hostile)
    title = "\x1b[2J[bold red]Fire[/][@click=app.quit]!\u202e"
    done = ground.alert(sender="eva", title=title)
    refused = ground.alert(sender="eva", receivers=("ana",), title=title)
    for alert, key in ((done, "x"), (refused, "a")):
        await guest.look_at("alerts", alert)
        await guest.press(key)
        if key == "x":
            await guest.sees("[bold red]Fire[/][@click=app.quit]!")
            assert_clean(guest)
            await guest.confirm("ctrl+y")
        await guest.until(lambda alert=alert: "✔" in guest.screen_text() or "refused" in guest.screen_text())
        assert "[bold red]Fire[/]" in assert_clean(guest)
    assert ground.stored(ALERTS, done)["state"] == "canceled"
    await guest.press("ctrl+l")
    await guest.sees("[bold red]")
    assert_clean(guest)
    await guest.press("enter")
    await guest.sees("[bold red]Fire[/]")
    assert_clean(guest)
