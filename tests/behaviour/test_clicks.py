"""What the top line and the line of lists name is reached by a click."""

from __future__ import annotations

import pytest
from textual.events import MouseScrollDown

from console.ui.screens.admin import AdminScreen
from console.ui.screens.console_screen import ConsoleScreen
from console.ui.screens.list_screen import ListScreen
from tests.behaviour.driver import Seat

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def click(who: Seat, row: int, words: str) -> None:
    """Click on the first of these words in a row of the screen."""
    await who.until(lambda: words in who.screen_text().splitlines()[row])
    await who.pilot.click(offset=(who.screen_text().splitlines()[row].index(words) + 1, row))


async def here(who: Seat, name: str) -> ConsoleScreen:
    """Wait until a screen is in front, and return it."""
    await who.until(lambda: isinstance(who.app.screen, ConsoleScreen) and who.app.screen.spec.name == name)
    assert isinstance(who.app.screen, ConsoleScreen)
    return who.app.screen


async def test_a_click_on_the_open_alerts_shows_them(eva: Seat) -> None:
    await eva.go_to("home")
    await click(eva, 0, "▲")
    await here(eva, "alerts")


async def test_a_click_on_the_longest_wait_goes_to_the_call(eva: Seat) -> None:
    await eva.go_to("home")
    await click(eva, 0, "wait")
    screen = await here(eva, "calls")
    await eva.until(lambda: bool(screen.cursor_key))


async def test_a_click_on_the_name_of_a_list_shows_it(eva: Seat) -> None:
    await eva.go_to("calls")
    await click(eva, 2, "Queues")
    await eva.until(lambda: isinstance(eva.app.screen, ListScreen) and eva.app.screen.pane.kind == "queues")


def row_of(who: Seat, title: str) -> int:
    """Return the row of an item in the tree of Admin; -1 if it is not visible."""
    return next((at for at, line in enumerate(who.screen_text().splitlines()) if line[3:24].strip() == title), -1)


async def test_the_tree_scrolls_by_the_wheel_and_stays_under_a_click(eva: Seat) -> None:
    await eva.go_to("admin")
    screen = eva.app.screen
    assert isinstance(screen, AdminScreen)
    await eva.until(lambda: row_of(eva, "Users") > 0)
    assert row_of(eva, "SIP identities") < 0
    tree = screen.tree_pane
    for _ in range(2):
        tree.post_message(MouseScrollDown(tree, 1, 1, 0, 1, 0, False, False, False))
    await eva.until(lambda: row_of(eva, "SIP identities") > 0)
    row = row_of(eva, "SIP identities")
    await eva.pilot.click(offset=(4, row))
    await eva.until(lambda: screen.pane.kind == "sip-identities")
    await eva.until(lambda: screen.focused is screen.pane.live_table)
    assert row_of(eva, "SIP identities") == row
