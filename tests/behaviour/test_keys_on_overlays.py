"""Keys that work everywhere also work on what is open over a screen; other keys of the list say where they work."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from textual import events

from console.api.operations.people import GetCurrentUser
from console.ui.screens.app_context import AppContext
from console.ui.screens.calls import QualityScreen
from console.ui.screens.console_screen import ConsoleScreen
from console.ui.screens.operations import AnswerScreen
from console.ui.screens.overlay import Overlay
from console.ui.screens.report import ReportScreen
from console.ui.screens.skill_grid import SkillGridScreen
from console.ui.screens.specs import spec_of
from console.ui.screens.wallboard import WallboardScreen
from tests.behaviour.idle_console import SharedSitter
from tests.behaviour.test_dead_keys import body, keys_here

pytestmark = pytest.mark.asyncio(loop_scope="module")

OVERLAYS: dict[str, Callable[[AppContext], Overlay]] = {
    "quality": lambda context: QualityScreen(context, "c-1"),
    "answer": lambda context: AnswerScreen(context, GetCurrentUser()),
    "grid": SkillGridScreen,
    "report": lambda context: ReportScreen(context, context.clock.now_ms() - 3_600_000, context.clock.now_ms()),
}
SCROLLS = {"view.pane", "view.pane-back", "view.section", "view.section-back"}
"""Keys that go to another part, if there is more than one."""


async def open_over(who: SharedSitter, kind: str, name: str) -> Overlay:
    """Open an overlay over a list."""
    screen = await who.look_at(kind)
    overlay = OVERLAYS[name](screen.context)
    who.app.push_screen(overlay)
    await who.settle()
    assert who.app.screen is overlay
    return overlay


async def answers(who: SharedSitter, overlay: Overlay, key: str) -> bool:
    """Press a key on an overlay; return whether the screen shows an effect or a reason."""
    before = body(who)
    await who.press(key)
    try:
        await who.until(lambda: who.app.screen is not overlay or body(who) != before, seconds=1)
    except AssertionError:
        return False
    return True


@pytest.mark.parametrize(
    ("kind", "name", "only"),
    [
        ("calls", "quality", ()),
        ("agents", "grid", ("agents.transfer", "view.sort-right", "a screen")),
        ("users", "answer", ("users.make-agent", "view.sort-right", "a screen")),
        ("alerts", "report", ("alerts.accept", "view.next-wait", "the palette")),
    ],
)
async def test_no_key_of_the_list_is_ignored_on_an_overlay(
    still: SharedSitter, kind: str, name: str, only: tuple[str, ...]
) -> None:
    """Try all keys, or `only` some: one method reads the keys of every overlay."""
    silent: list[str] = []
    keys = {**keys_here(await still.look_at(kind)), "a screen": "8", "the palette": "ctrl+p"}
    for identifier, key in {each: keys[each] for each in only or keys}.items():
        if identifier not in SCROLLS and not await answers(still, await open_over(still, kind, name), key):
            silent.append(f"{identifier} ({key})")
    assert not silent


async def test_the_longest_wait_is_reached_from_an_overlay(still: SharedSitter) -> None:
    await open_over(still, "alerts", "report")
    await still.press("w")
    screen = still.app.screen
    assert isinstance(screen, ConsoleScreen)
    assert screen.spec.name == "calls"


async def test_the_palette_of_an_overlay_offers_what_works_everywhere(still: SharedSitter) -> None:
    await open_over(still, "alerts", "quality")
    await still.press("ctrl+p", *"longest wait", "enter")
    await still.until(lambda: isinstance(still.app.screen, ConsoleScreen))
    screen = still.app.screen
    assert isinstance(screen, ConsoleScreen)
    assert screen.spec.name == "calls"


async def test_planned_skills_are_not_dropped_by_a_key_that_leads_elsewhere(still: SharedSitter) -> None:
    grid = await open_over(still, "agents", "grid")
    await still.press("space")
    for key in ("w", "8", "colon"):
        await still.press(key)
        assert still.app.screen is grid, key
        assert "1 change planned: enter sends, esc drops." in still.text(), key


@pytest.mark.parametrize(("key", "shown"), [("w", "calls"), ("6", "alerts"), ("question_mark", "keys")])
async def test_a_key_that_works_everywhere_closes_the_wallboard(still: SharedSitter, key: str, shown: str) -> None:
    await still.look_at("users")
    await still.press("W")
    assert isinstance(still.app.screen, WallboardScreen)
    await still.press(key)
    await still.until(lambda: not isinstance(still.app.screen, WallboardScreen))
    front = still.app.screen
    assert shown in (front.spec.name if isinstance(front, ConsoleScreen) else still.text())


async def test_a_screen_whose_key_was_not_handled_yet_is_waited_for(
    still: SharedSitter, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def press_without_waiting(*keys: str) -> None:
        for key in keys:
            still.app.post_message(events.Key(key, key))

    await still.look_at("calls")
    monkeypatch.setattr(still, "press", press_without_waiting)
    screen = await still.go_to(spec_of("agents"))
    assert screen.spec.name == "agents"
    with pytest.raises(AssertionError, match=r"a screen that is not there did not come within 0 s: .*AgentsScreen"):
        await still.until(lambda: False, seconds=0, missing="a screen that is not there")


async def test_the_head_of_the_skill_grid_is_whole_on_the_smallest_screen(still: SharedSitter) -> None:
    await still.restart((60, 16))
    await open_over(still, "agents", "grid")
    head = still.text().splitlines()[1].strip()
    assert head == "no changes planned  skills 1-2 of 9, agents 1-10 of 40"
