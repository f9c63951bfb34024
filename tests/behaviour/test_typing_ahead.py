"""Keys that arrive faster than screens come and go."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from textual import events

from console.ui.dialogs import HelpDialog
from console.ui.screens.board import HomeList
from console.ui.screens.calls import CallsScreen
from console.ui.screens.detail import DetailScreen
from console.ui.screens.panes import PaneTabs
from tests.background import Running
from tests.behaviour.driver import Seat, seat
from tests.behaviour.service_base import Base, fresh

pytestmark = pytest.mark.asyncio(loop_scope="module")


def all_at_once(seated: Seat, keys: str) -> None:
    for key in keys:
        seated.app.post_message(events.Key("slash" if key == "/" else key, key))


async def test_keys_typed_quickly_have_the_same_effect_as_keys_typed_slowly(eva: Seat) -> None:
    before = eva.backend.commands.tickets()
    await eva.look_at("alerts")
    all_at_once(eva, "/vipax")
    await eva.sees("filter vipax")
    await eva.until(lambda: not eva.shown)
    assert eva.backend.commands.tickets() == before


async def test_text_pasted_after_a_key_goes_to_the_widget_opened_by_the_key(eva: Seat) -> None:
    await eva.look_at("alerts")
    all_at_once(eva, "/")
    eva.app.post_message(events.Paste("vip"))
    await eva.sees("filter vip")
    await eva.until(lambda: 0 < len(eva.shown) < len(eva.backend.records("alerts")))
    await eva.pilot.pause()  # The next test clears this filter, which must not arrive after that.


async def test_arrow_keys_take_effect_before_the_keys_typed_after_them(eva: Seat) -> None:
    await eva.look_at("alerts")
    await eva.until(lambda: len(eva.shown) > 3)
    await eva.move_to(eva.shown[0])
    for key in ("down", "down", "space"):
        eva.app.post_message(events.Key(key, " " if key == "space" else None))
    await eva.until(lambda: list(eva.marked) == eva.shown[2:3])


async def test_keys_typed_before_the_first_rows_of_a_long_list_wait_for_them(
    floor: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("console.ui.screens.list_pane.LARGE", 1)
    async with seat(floor, tmp_path) as eva:
        # Otherwise the first rows of Home, and the keys with them, would wait behind the event.
        await eva.until(lambda: eva.app.screen.query_one("#queues", HomeList).rows)
        sorted_now = Event()
        eva.context.worker.submit(sorted_now.wait)
        for key in ("2", "down", "down"):
            eva.app.post_message(events.Key(key, None))
        await eva.until(lambda: isinstance(eva.app.screen, CallsScreen) and "Loading…" in eva.screen_text())
        sorted_now.set()
        await eva.until(lambda: len(eva.shown) > 2)
        await eva.until(lambda: eva.cursor == eva.shown[2])


async def test_keys_work_in_another_list_that_is_chosen_by_mouse_before_the_first_rows(
    floor: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("console.ui.screens.list_pane.LARGE", 1)
    async with seat(floor, tmp_path) as eva:
        # Otherwise the first rows of Home, and the keys with them, would wait behind the event.
        await eva.until(lambda: eva.app.screen.query_one("#queues", HomeList).rows)
        sorted_now = Event()
        eva.context.worker.submit(sorted_now.wait)
        await eva.press("2")
        await eva.until(lambda: isinstance(eva.app.screen, CallsScreen) and "Loading…" in eva.screen_text())
        calls = eva.app.screen
        assert isinstance(calls, CallsScreen)
        await eva.pilot.click(PaneTabs, offset=(calls.pane_tabs.said.index("Queues") + 1, 0))
        sorted_now.set()
        await eva.until(lambda: calls.kind_in_focus() == "queues")
        # Queues without calls are added when their agents are known; they move the last row away from the cursor.
        await eva.until(lambda: eva.shown and {*eva.shown} >= {*eva.backend.records("skills")})
        await eva.press("end")
        await eva.until(lambda: eva.cursor == eva.shown[-1])


async def test_an_arrow_key_between_two_presses_proves_that_the_key_was_released(eva: Seat, base: Base) -> None:
    title = fresh("Storm")
    alerts = {base.alert(title=title) for _ in range(3)}
    await eva.look_at("alerts", filter_text=f"{title} state:active")
    await eva.until(lambda: {*eva.shown} == alerts)
    await eva.move_to(eva.shown[0])
    for key in ("a", "down", "a"):
        eva.app.post_message(events.Key(key, None))
    await eva.until(
        lambda: len(alerts & {step.key for each in eva.backend.commands.tickets() for step in each.command.steps}) == 2
    )


async def test_a_key_that_removes_the_focused_widget_does_not_delay_the_next(eva: Seat) -> None:
    await eva.look_at("alerts")
    await eva.open_dialog("question_mark")
    all_at_once(eva, "q2")
    await eva.until(lambda: isinstance(eva.app.screen, CallsScreen))


async def test_a_dialog_closes_once_and_nothing_below_it_closes(eva: Seat) -> None:
    await eva.look_at("calls")
    await eva.until(lambda: eva.cursor)
    await eva.press("enter")
    await eva.until(lambda: isinstance(eva.app.screen, DetailScreen))
    dialog = HelpDialog("Keys", ())
    await eva.app.push_screen(dialog)
    dialog.dismiss(None)
    dialog.dismiss(None)
    await eva.pilot.pause()
    assert isinstance(eva.app.screen, DetailScreen)


async def test_a_key_can_open_a_record_on_a_screen_that_is_still_being_built(
    floor: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = asyncio.Event()
    mount = CallsScreen.mount_composed_widgets

    async def slowly(screen: CallsScreen, widgets: list[Any]) -> None:
        await made.wait()
        await mount(screen, widgets)

    later = CallsScreen.call_after_refresh
    asked: list[str] = []

    def noted(screen: CallsScreen, callback: Callable[..., Any], *arguments: Any, **options: Any) -> bool:
        asked.append(callback.__name__)
        return later(screen, callback, *arguments, **options)

    monkeypatch.setattr(CallsScreen, "mount_composed_widgets", slowly)
    monkeypatch.setattr(CallsScreen, "call_after_refresh", noted)
    async with seat(floor, tmp_path) as eva:
        eva.app.post_message(events.Key("w", "w"))
        await eva.until(lambda: isinstance(eva.app.screen, CallsScreen) and "show_record" in asked)
        made.set()
        await eva.sees("►  ≡ queued")
