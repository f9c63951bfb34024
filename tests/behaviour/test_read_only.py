"""In a read-only profile no change is sent, whatever is pressed, clicked or chosen."""

from __future__ import annotations

import string
from collections.abc import AsyncGenerator, Callable, Generator
from typing import Any

import pytest
import pytest_asyncio
from textual.widgets import Input

from console.api.annotations import Access, Effect, Variant
from console.api.catalogue import catalogue
from console.api.outgoing import Outgoing
from console.api.request import Request
from console.api.route import Route
from console.client import client
from console.ui.screens.console_screen import ConsoleScreen
from console.ui.screens.list_screen import ListScreen
from console.ui.screens.palette import ConsoleCommands
from console.ui.screens.specs import SCREENS
from tests.background import Running
from tests.behaviour.driver import Seat, seat
from tests.faults.figures import count, record

pytestmark = pytest.mark.asyncio(loop_scope="module")

LONG = count("SAFETY_COUNT", 0) >= 10
KINDS = [kind for spec in SCREENS for kind in spec.kinds] if LONG else ["alerts"]
LEAVING = {"q", "ctrl+q", "ctrl+c", "ctrl+z", "Quit"}
"""Keys that end or suspend the console."""
KEYS = [
    *string.ascii_letters,
    *string.digits,
    *("exclamation_mark", "at", "number_sign", "dollar_sign", "percent_sign", "ampersand", "asterisk", "plus", "minus"),
    *("comma", "full_stop", "slash", "colon", "semicolon", "less_than_sign", "greater_than_sign", "question_mark"),
    *("left_square_bracket", "right_square_bracket", "backslash", "underscore", "equals_sign", "quotation_mark"),
    *("enter", "space", "tab", "shift+tab", "delete", "backspace", "insert", "home", "end"),
    *("up", "down", "left", "right"),
    *(f"ctrl+{letter}" for letter in string.ascii_lowercase),
    *(f"f{number}" for number in range(1, 13)),
    *("shift+up", "shift+down", "ctrl+up", "ctrl+down", "alt+enter", "shift+delete", "ctrl+delete"),
]  # fmt: skip
TRIED = [key for key in KEYS if key not in LEAVING][:: 1 if LONG else 8]
ACROSS, DOWN = (6, 2) if LONG else (50, 13)
"""Distance between two clicks in cells."""


def changes() -> frozenset[str]:
    """Return the names of the operations that change something, except logging in and out."""
    return frozenset(
        name
        for name, request in catalogue().items()
        if request.operation.effect is Effect.CHANGE and request.operation.access is not Access.ANYONE
    )


@pytest.fixture(scope="module")
def sent() -> Generator[list[str]]:
    """Collect the operations that are sent."""
    found: list[str] = []
    usual = client.outgoing

    def outgoing(request: Request[Any], route: Route, variant: Variant) -> Outgoing:
        found.append(request.operation.name)
        return usual(request, route, variant)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(client, "outgoing", outgoing)
        yield found


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def reader(floor: Running, sent: list[str], tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Seat]:
    async with seat(floor, tmp_path_factory.mktemp("reader"), size=(120, 40), read_only=True) as seated:
        yield seated
        sent.clear()


async def back_to(reader: Seat, kind: str) -> None:
    """Go back to the list of a kind, unless it has the focus."""
    screen = reader.app.screen
    if not isinstance(screen, ListScreen) or screen.kind_in_focus() != kind or isinstance(reader.app.focused, Input):
        await reader.look_at(kind)


async def agreed(reader: Seat) -> None:
    """Confirm an opened dialog as far as possible, and close it."""
    for _ in range(3):
        over = reader.app.screen
        if isinstance(over, ConsoleScreen):
            return
        await reader.until(lambda over=over: getattr(over, "listening", True))
        await reader.press("enter")


def assert_nothing_changed(reader: Seat, sent: list[str], tried: str) -> None:
    wrong = [name for name in sent if name in changes()]
    record("O6", not wrong, f"{len(wrong)} sent by {tried}", "0 sent")
    assert not wrong
    assert not reader.backend.commands.tickets()


@pytest.mark.timeout(120 + 300 * len(KINDS))
async def test_no_key_of_any_screen_sends_a_change_in_a_read_only_profile(reader: Seat, sent: list[str]) -> None:
    for kind in KINDS:
        for key in TRIED:
            await back_to(reader, kind)
            await reader.press(key)
            await agreed(reader)
    assert_nothing_changed(reader, sent, f"{len(TRIED)} keys on {len(KINDS)} lists")


@pytest.mark.timeout(120 + 300 * len(KINDS))
async def test_no_click_sends_a_change_in_a_read_only_profile(reader: Seat, sent: list[str]) -> None:
    clicks = 0
    for kind in KINDS:
        for y in range(0, 40, DOWN):
            for x in range(0, 120, ACROSS):
                await back_to(reader, kind)
                if "quit" in reader.screen_text().splitlines()[y][max(0, x - 8) : x + 8]:
                    continue
                await reader.pilot.click(offset=(x, y))
                clicks += 1
                await agreed(reader)
    assert_nothing_changed(reader, sent, f"{clicks} clicks")


def entries(reader: Seat) -> list[tuple[str, str, Callable[[], object]]]:
    """Return the entries of the palette on the current screen."""
    return list(ConsoleCommands(reader.app.screen)._commands())  # pyright: ignore[reportPrivateUsage] - all entries


@pytest.mark.timeout(120 + 300 * len(KINDS))
async def test_no_palette_entry_sends_a_change_in_a_read_only_profile(reader: Seat, sent: list[str]) -> None:
    chosen = 0
    for kind in KINDS:
        await back_to(reader, kind)
        names = [name for name, _, _ in entries(reader) if name not in LEAVING]
        for name in names[:: 1 if LONG else 16]:
            await back_to(reader, kind)
            next(do for each, _, do in entries(reader) if each == name)()
            await reader.pilot.pause()
            chosen += 1
            await agreed(reader)
    palette = ConsoleCommands(reader.app.screen)
    operations = list(palette._operations(palette.matcher("(run")))  # pyright: ignore[reportPrivateUsage] - as above
    for _, _, do in operations if LONG else operations[::100]:
        await back_to(reader, "alerts")
        do()
        await reader.pilot.pause()
        chosen += 1
        await agreed(reader)
    assert_nothing_changed(reader, sent, f"{chosen} entries of the palette")
