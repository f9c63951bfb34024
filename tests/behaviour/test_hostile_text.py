"""Hostile texts from a service: on Home, and in messages about commands.

`tests/faults/test_hostile_overlays.py` covers everything that opens from a list.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from pathlib import Path

import pytest
import pytest_asyncio

from console.base.text import cells, clean
from console.service.domain.alerts import ALERTS
from console.ui.screens.specs import SCREENS
from console.ui.textual_compat.testing import painted
from tests.background import Running
from tests.behaviour.driver import Seat, seat
from tests.behaviour.service_base import Base
from tests.services import Services, world

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.usefixtures("every_frame")]

HOSTILE = Path(__file__).parents[1] / "data" / "hostile.toml"
KINDS = [kind for spec in SCREENS for kind in spec.kinds]


@pytest.fixture(scope="module")
def hostile(services: Services) -> Generator[Running]:
    with services.anew(world(HOSTILE)) as running:
        yield running


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def guest(hostile: Running, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Seat]:
    """The supervisor of the scenario `hostile`, at a terminal where every record opens over the whole screen."""
    async with seat(hostile, tmp_path_factory.mktemp("hostile"), size=(80, 24)) as seated:
        yield seated


def assert_clean(who: Seat) -> str:
    """Assert that the screen contains only allowed output, and return its text."""
    screen = who.app.screen
    width, height = screen.size
    strips = painted(screen)
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


async def test_hostile_text_is_clean_on_home(hostile: Running, tmp_path_factory: pytest.TempPathFactory) -> None:
    async with seat(hostile, tmp_path_factory.mktemp("wide"), size=(120, 40)) as who:
        await who.until(lambda: "␛" in who.screen_text())
        assert "␛" in assert_clean(who), "home names what needs attention"


async def test_hostile_text_is_clean_in_results_and_refusals(guest: Seat, hostile: Running) -> None:
    base = Base(hostile)
    title = "\x1b[2J[bold red]Fire[/][@click=app.quit]!\u202e"
    done = base.alert(sender="eva", title=title)
    refused = base.alert(sender="eva", receivers=("ana",), title=title)
    for alert, key in ((done, "x"), (refused, "a")):
        await guest.look_at("alerts", alert)
        await guest.press(key)
        if key == "x":
            await guest.sees("[bold red]Fire[/][@click=app.quit]!")
            assert_clean(guest)
            await guest.confirm("ctrl+y")
        await guest.until(lambda alert=alert: "√" in guest.screen_text() or "refused" in guest.screen_text())
        assert "[bold red]Fire[/]" in assert_clean(guest)
    assert base.stored(ALERTS, done)["state"] == "canceled"
    await guest.press("ctrl+l")
    await guest.sees("[bold red]")
    assert_clean(guest)
    await guest.press("enter")
    await guest.sees("[bold red]Fire[/]")
    assert_clean(guest)
