"""Every key in the footer or help has a visible effect, or shows why not."""

from __future__ import annotations

from pathlib import Path

import pytest

from console.kinds.actions import ACTIONS
from console.kinds.view_keys import VIEW_KEYS
from console.ui.screens.console_screen import ConsoleScreen
from console.ui.screens.overlays import help_lines
from console.ui.screens.specs import SCREENS, ScreenSpec, spec_of
from tests.behaviour.idle_console import SharedSitter, shared_console
from tests.idle.backend import IdleBackend
from tests.idle.world import StillWorld, StillWorlds

pytestmark = pytest.mark.asyncio(loop_scope="module")

LEAVES = {"view.quit"}
"""The key that ends the console has tests of its own."""
NO_UNDO = frozenset({"view.undo"})
"""The backend of these tests undoes nothing: a change that was held by an earlier key stays so."""
EVERYWHERE = {each.id for each in VIEW_KEYS if each.where == "everywhere"}
OF_LISTS = {each.id for each in VIEW_KEYS if each.where in {"everywhere", "list", "past"}} - {"view.open"}
ALL_KEYS_ON = {"home", "calls", "groups", "admin"}
"""Screens on which the keys of all lists are tried, too: without a list, with one, with two beside, with a tree."""
ACTIONS_ON = {"home", "calls", "groups"}
"""Screens on which the keys of actions are tried, which have tests of their own."""


def keys_here(screen: object) -> dict[str, str]:
    """Return the first key of everything in help, by id."""
    assert isinstance(screen, ConsoleScreen)
    ids = [action.id for action in screen.actions_here()] + [each.id for each in screen.view_keys()]
    keys = {each: keys[0] for each in ids if (keys := screen.context.keys.get(each)) and each not in LEAVES}
    shown = {key.key for key in screen.footer_keys()}
    assert shown <= {screen.context.key_words(each) for each in ids}, "help shows what the footer shows"
    return keys


def body(who: SharedSitter) -> str:
    """Return the text of the screen without the top line, which shows the age of the data."""
    return who.text().partition("\n")[2]


async def open_list(who: SharedSitter, spec: ScreenSpec, kind: str) -> ConsoleScreen:
    """Go to a list of a screen, or to a screen without lists."""
    return await who.look_at(kind) if kind else await who.go_to(spec)


async def shows_something(who: SharedSitter, key: str, spec: ScreenSpec, kind: str) -> bool:
    """Press a key on a list, and return whether the screen changed."""
    screen = await open_list(who, spec, kind)
    screen.message_line.say([])
    await who.settle()
    before = body(who)
    await who.press(key)
    try:
        await who.until(lambda: who.app.screen is not screen or body(who) != before, seconds=1)
    except AssertionError:
        return False
    return True


async def try_screen(who: SharedSitter, spec: ScreenSpec, but: frozenset[str] = frozenset()) -> None:
    """Try every key of a screen; of its further lists only those that not every list has."""
    await who.restart()
    tried = set[str]() if spec.name == "home" else EVERYWHERE if spec.name in ALL_KEYS_ON else OF_LISTS
    if spec.name not in ACTIONS_ON:
        tried = tried | {action.id for action in ACTIONS}
    for kind in spec.kinds or ("",):
        keys = keys_here(await open_list(who, spec, kind))
        keys = {each: key for each, key in keys.items() if each not in tried | but}
        dead = [f"{each} ({key})" for each, key in keys.items() if not await shows_something(who, key, spec, kind)]
        assert not dead, f"{spec.name}, {kind}: {dead}"
        tried = tried | OF_LISTS


@pytest.mark.parametrize("spec", SCREENS, ids=[spec.name for spec in SCREENS])
async def test_every_key_that_is_shown_works(still: SharedSitter, spec: ScreenSpec) -> None:
    await try_screen(still, spec)


async def test_every_key_works_on_an_empty_list(empty: StillWorld, tmp_path: Path) -> None:
    async with shared_console(IdleBackend(empty), tmp_path) as bare:
        for name in ("home", "groups"):
            await try_screen(bare, spec_of(name))


@pytest.fixture(params=["ana", "pat"])
def others(request: pytest.FixtureRequest, still_worlds: StillWorlds) -> StillWorld:
    """What another person sees on a busy day."""
    return still_worlds.of("busy", request.param)


async def test_every_key_that_is_shown_to_others_works(others: StillWorld, tmp_path: Path) -> None:
    async with shared_console(IdleBackend(others), tmp_path) as other:
        for name in ("home", "agents"):
            await try_screen(other, spec_of(name), NO_UNDO)


async def test_help_lists_the_keys_of_another_list_of_the_screen_which_say_where_they_work(
    still: SharedSitter,
) -> None:
    screen = await still.look_at("groups")
    if screen.kind_in_focus() == "members":
        await still.press("tab")
    lines = ["".join(str(cell.text) for cell in line).strip() for line in help_lines(screen)]
    members = lines[lines.index("With members") :]
    members = members[: members.index("")]
    for key in ("shift+↑  move up", "shift+↓  move down"):
        assert any(line.startswith(key) for line in members), members
    await still.press("shift+up")
    assert "move up works in the list of members: press tab to go there." in still.text()


async def test_a_key_of_another_list_or_of_the_past_says_where_it_works(still: SharedSitter) -> None:
    screen = await still.go_to(spec_of("alerts"))
    for key, says in (
        ("t", "t transfer works in the list of support chats: press : and type support chats to go there."),
        ("f", "f its agents works in the list of queues: press : and type queues to go there."),
        ("equals_sign", "= what changed works in the past: press T to go there."),
    ):
        await still.press(key)
        assert screen.message_line.said == says


async def test_in_the_tree_of_admin_a_key_of_the_rows_leads_to_the_list_beside_it(still: SharedSitter) -> None:
    screen = await still.look_at("users")
    await still.press("tab")
    for key, says in (("e", "e edit"), ("F", "F follow presence"), ("y", "y copy")):
        await still.press(key)
        assert screen.message_line.said == f"{says} works in the list: press enter to go there."


async def test_free_agents_begin_at_the_first_one_and_the_same_key_again_says_that_they_are_shown(
    still: SharedSitter,
) -> None:
    screen = await still.look_at("agents")
    view = screen.pane.view
    await still.press("home", "down", "down", "f")
    assert view.cursor_key == view.keys[0]
    await still.press("f")
    assert screen.message_line.said == "These are the agents who can take work, free ones first."
    await still.press("end", "f")
    assert view.cursor_key == view.keys[0], "from a row far below, too"
    await still.press("escape")
