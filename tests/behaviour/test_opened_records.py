"""What works on a list works on its opened record; every other key of the list says where it works."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio
from textual.widgets import Input

from console.records.people import User
from console.screens.console_screen import ConsoleScreen
from console.screens.detail import DetailScreen
from console.screens.list_screen import ListScreen
from console.service.serve import Running
from console.widgets.dialogs import dialog
from console.widgets.dialogs.fields import FieldsDialog
from tests.behaviour.driver import Seat, seat
from tests.behaviour.test_dead_keys import QUICK, StillClock, keys_here

pytestmark = pytest.mark.asyncio(loop_scope="module")

SCROLLS = {"view.pane", "view.pane-back", "view.section", "view.section-back"}
"""Keys that go to another section of the record, if it has more than fits on the screen."""


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=[(80, 24), (120, 40)], ids=["80x24", "120x40"])
async def still(
    floor: Running, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> AsyncGenerator[Seat]:
    """The supervisor at a console whose time of day stands still and whose dialogs accept keys at once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dialog, "DEAF_SECONDS", QUICK)
        async with seat(floor, tmp_path_factory.mktemp("still"), size=request.param, clock=StillClock()) as seated:
            yield seated


async def open_record(who: Seat, kind: str, key: str = "") -> DetailScreen:
    """Open a record of a list over the whole screen."""
    await who.look_at(kind, key)
    screen = who.app.screen
    assert isinstance(screen, ListScreen)
    await who.until(lambda: who.cursor)
    screen.open_detail()
    await who.until(lambda: isinstance(who.app.screen, DetailScreen) and bool(who.app.screen.head.said))
    assert isinstance(who.app.screen, DetailScreen)
    return who.app.screen


def body(who: Seat) -> str:
    """Return the text of the screen without the top line."""
    return who.screen_text().partition("\n")[2]


async def settled(who: Seat) -> str:
    """Return the text of the screen once it no longer changes."""
    last = ""
    while (now := body(who)) != last:
        last = now
        await who.pilot.pause()
    return now


async def answers(who: Seat, kind: str, key: str) -> bool:
    """Press a key on an opened record; return whether the screen shows an effect or a reason."""
    record = await open_record(who, kind)
    record.toasts.say([])
    before = await settled(who)
    await who.press(key)
    try:
        await who.until(lambda: who.app.screen is not record or body(who) != before, seconds=1)
    except AssertionError:
        return False
    return True


@pytest.mark.parametrize("kind", ["calls", "queues", "alerts", "users"])
async def test_every_key_of_a_list_answers_on_its_opened_record(still: Seat, kind: str) -> None:
    await still.look_at(kind)
    await still.until(lambda: still.cursor)
    keys = {key: each for each, key in keys_here(still).items() if each not in SCROLLS}
    keys |= {"ctrl+p": "palette", "7": "digit"}
    silent = [f"{each} ({key})" for key, each in keys.items() if not await answers(still, kind, key)]
    assert not silent


async def test_a_key_that_concerns_the_rows_says_that_it_works_in_the_list(still: Seat) -> None:
    await open_record(still, "calls")
    await still.press("z")
    await still.sees("z reverse the order works in the list: press esc to go there.")


async def test_a_key_acts_on_the_opened_record_and_not_on_the_selected_ones(still: Seat) -> None:
    await still.look_at("users")
    await still.until(lambda: len(still.shown) > 2)
    opened, *others = still.shown[:3]
    for each in others:
        await still.move_to(each)
        await still.press("space")
    await still.move_to(opened)
    await still.press("enter")
    await still.until(lambda: isinstance(still.app.screen, DetailScreen))
    await still.press("e")
    await still.dialog()
    dialog = still.app.screen
    assert isinstance(dialog, FieldsDialog)
    username = still.known("users", opened, User).username
    assert any(str(each.value) == username for each in dialog.query(Input)), still.screen_text()


async def test_the_longest_wait_leaves_the_record_and_escape_returns_to_its_list(still: Seat) -> None:
    await open_record(still, "alerts")
    await still.press("w")
    await still.until(lambda: isinstance(still.app.screen, ConsoleScreen) and still.app.screen.spec.name == "calls")
    await still.press("escape")
    await still.until(lambda: isinstance(still.app.screen, ConsoleScreen) and still.app.screen.spec.name == "alerts")


async def test_help_of_an_opened_record_lists_the_keys_of_its_list(still: Seat) -> None:
    await open_record(still, "calls")
    await still.press("question_mark")
    await still.dialog()
    for words in ("Go to the longest waiting call.", "Go to a screen or a list by name."):
        await still.sees(words) if words in still.screen_text() else await still.press("pagedown")
    await still.press("escape")
