"""Daily tasks by keys, checked in the service's database and at a second console."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any, cast

import pytest

from console.live.rest import Rest
from console.records.support import Alert
from console.ui.app import BUSY_BEATS
from console.ui.dialogs import HelpDialog
from console.ui.screens.console_screen import ConsoleScreen
from console.ui.textual_compat.testing import before_closing
from console.ui.widgets.clean_input import CleanInput
from console.ui.widgets.filter_bar import FilterBar
from tests.background import Running
from tests.behaviour.driver import Seat, seat

pytestmark = pytest.mark.asyncio(loop_scope="module")


def accepted(seated: Seat) -> set[str]:
    """Return the accepted alerts as this console knows them."""
    alerts = (each for each in seated.backend.records("alerts").values() if isinstance(each, Alert))
    return {each.alert_id for each in alerts if each.state == "accepted"}


async def test_a_filter_narrows_the_calls_and_shows_the_number_of_matches(eva: Seat) -> None:
    await eva.look_at("calls")
    await eva.press("slash")
    await eva.type("state:queued")
    await eva.sees("16 of 120")
    await eva.press("enter")
    await eva.press("enter")
    await eva.sees("Position")


@contextmanager
def busy_worker(eva: Seat) -> Generator[None]:
    """Keep the thread that reads texts from it."""
    free = Event()
    eva.app.context.worker.submit(free.wait)
    try:
        yield
    finally:
        free.set()


async def test_letters_are_answered_while_the_texts_of_a_long_list_are_read(
    eva: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("console.ui.screens.list_pane.LARGE", 1)
    await eva.look_at("calls")
    with busy_worker(eva):
        await eva.press("slash")
        await eva.type("queued")
        assert eva.app.screen.query_one(CleanInput).value == "queued"
        await eva.sees("120 of 120")
    await eva.sees("16 of 120")
    await eva.press("escape")
    with busy_worker(eva):
        await eva.press("slash")
        await eva.type("queued")
        await eva.press("enter")
        await eva.sees("16 of 120")
    await eva.press("escape")
    await eva.sees("120 calls")
    with busy_worker(eva):
        await eva.press("slash")
        await eva.type("nothing:1")
        await eva.press("enter", "slash")
    await eva.until(lambda: eva.app.context.worker.submit(str).result() == "")
    await eva.press("left")
    assert eva.app.screen.query_one(FilterBar).typing
    assert "No field" not in eva.screen_text()
    await eva.press("escape")


async def test_tab_completes_a_field_and_the_value_that_most_rows_have(eva: Seat) -> None:
    await eva.look_at("calls")
    await eva.press("slash")
    await eva.type("sta")
    await eva.sees("tab state:")
    await eva.press("tab")
    await eva.sees("tab connected 37")
    await eva.type("q")
    await eva.sees("tab queued 16")
    await eva.press("tab")
    await eva.sees("16 of 120")
    await eva.press("tab", "escape")
    await eva.sees("120 calls")


async def test_a_term_without_its_value_filters_nothing_and_the_terms_before_it_do(eva: Seat) -> None:
    await eva.look_at("calls")
    await eva.press("slash")
    await eva.type("state")
    await eva.sees("Nothing matches state.")
    await eva.type(":")
    await eva.sees("tab connected 37")
    await eva.sees("+34943653587")
    await eva.type("queued")
    await eva.sees("16 of 120")
    await eva.type(" callee:")
    await eva.sees("needs a value")
    await eva.sees("16 of 120")


async def test_without_an_event_channel_everything_works_and_polling_is_shown(floor: Running, tmp_path: Path) -> None:
    async with seat(floor, tmp_path, events=False, size=(80, 24)) as eva:
        await eva.sees("POLLING")
        await eva.press("6")
        await eva.until(lambda: eva.cursor)
        chosen = eva.cursor
        await eva.press("a")
        await eva.until(lambda: chosen in accepted(eva))


async def test_every_screen_opens_by_its_digit_and_has_help(eva: Seat) -> None:
    await eva.go_to("home")
    for digit in "23456781":
        await eva.press(digit)
        await eva.until(lambda digit=digit: getattr(getattr(eva.app.screen, "spec", None), "digit", "") == digit)
        assert isinstance(eva.app.screen, ConsoleScreen)
        await eva.open_dialog("question_mark")
        assert isinstance(eva.app.screen, HelpDialog)
        await eva.sees("Close")
        await eva.press("escape")
        await eva.until(lambda: len(eva.app.screen_stack) == 1)


async def test_under_endless_changes_the_screen_rests_between_frames_but_alarms_do_not(
    eva: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    await eva.go_to("home")
    app, frames, looks = cast("Any", eva.app), list[bool](), list[int]()
    monkeypatch.setattr(eva.app.screen, "beat", frames.append)
    monkeypatch.setattr(app, "_update_notices", lambda: looks.append(0))
    monkeypatch.setattr(app, "_rest", Rest(times=1e9, longest=1e9))
    monkeypatch.setattr(app, "_fresh_beats", 0)
    monkeypatch.setattr(type(eva.backend), "revision", property(lambda _: len(looks)))
    for _ in range(BUSY_BEATS + 30):
        app._beat()
    assert len(looks) >= BUSY_BEATS + 30
    assert frames.count(True) == BUSY_BEATS + 1
    app._rest = Rest()
    app._beat()
    assert frames.count(True) == BUSY_BEATS + 2


async def test_a_tick_while_or_after_the_screens_are_removed_draws_nothing(floor: Running, tmp_path: Path) -> None:
    async with seat(floor, tmp_path, size=(80, 24)) as eva:
        await eva.look_at("calls")
        await eva.press("slash")

        async def beat() -> None:
            await eva.app.screen.query(FilterBar).first().remove_children()
            cast("Any", eva.app)._beat()

        before_closing(eva.app, beat)
        await eva.type("+34")
    assert not eva.app.is_running
    cast("Any", eva.app)._beat()
