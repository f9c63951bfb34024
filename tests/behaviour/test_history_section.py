"""The detail of a record ends with its history: from the recording, now and in the past."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

from console.records.traffic import Call
from console.ui.screens.detail import DetailScreen
from console.ui.screens.list_screen import ListScreen
from console.ui.screens.updating import Updating
from console.ui.widgets.detail_pane import DetailPane
from tests.behaviour.past import SIZE, go_back, record, screen_of, seat
from tests.behaviour.test_comparison import compare
from tests.behaviour.test_replay import replayed
from tests.identities import recording_of_busy
from tests.idle.backend import IdleBackend
from tests.idle.console import still_console
from tests.idle.world import NOW_MS, StillWorld
from tests.recording.film import MINUTE, film, incident
from tests.snapshots.pictures import Sitter


def history(sitter: Sitter) -> list[str]:
    """Return the lines of the section with the history; none without it."""
    words = sitter.app.screen.query(DetailPane).first().words.splitlines()
    if "History" not in words:
        return []
    lines = [line.strip() for line in words[words.index("History") + 1 :]]
    return lines[: lines.index("")] if "" in lines else lines


async def shows(sitter: Sitter, *lines: str) -> None:
    """Wait until the history has these lines."""

    def is_drawn() -> bool:
        cast(Updating, sitter.app.screen).beat(True)
        return history(sitter) == [*lines]

    await sitter.until(is_drawn)


async def test_the_detail_of_the_past_shows_the_history_until_that_moment(empty: StillWorld, tmp_path: Path):
    record(tmp_path)
    async with seat(empty, tmp_path, "2") as eva:
        assert history(eva) == []
        await go_back(eva, "-50s")
        await eva.press("enter")
        assert isinstance(eva.app.screen, DetailScreen)
        began = ("10:40:37  ≡ queued", "│ the recording begins")
        await shows(eva, *began, "│ 0:50")
        await eva.press("escape", *["full_stop"] * 3)
        await eva.press("enter")
        await shows(eva, *began, "│ 1:10", "10:41:47  ● connected", "│ 0:10")
        await eva.press("escape", "comma", "comma")
        await eva.press("enter")
        await shows(eva, *began, "│ 1:00")


async def test_it_stands_beside_the_list_and_goes_on_with_the_moment(tmp_path: Path):
    path = tmp_path / "incident.rec"
    with film(path) as made:
        made.known(0, "alerts")
        alert = {"id": "a", "alertId": "a", "title": "Line down", "state": "active"}
        made.whole("alerts", 0, [alert, alert | {"id": "b", "alertId": "b"}])
        made.change("alerts", 5 * MINUTE, alert | {"state": "accepted"})
        made.span(0, 10 * MINUTE, "the console ended")
    async with replayed(path, tmp_path / "home", at=4 * MINUTE) as eva:
        await eva.goto("alerts")
        cast(ListScreen, eva.app.screen).show_record("alerts", "a")
        began = ("10:40:00  ▲ active", "│ the recording begins")
        await shows(eva, *began, "│ 4:00")
        await eva.press("T", *"1046", "enter")
        await shows(eva, *began, "│ 5:00", "10:45:00  √ accepted", "│ 1:00")
        cast(ListScreen, eva.app.screen).show_record("alerts", "b")
        await shows(eva, *began, "│ 6:00")


async def test_a_record_that_went_opens_from_the_comparison_as_it_was_last(tmp_path: Path):
    path = tmp_path / "incident.rec"
    with film(path) as made:
        made.known(0, "alerts")
        made.whole("alerts", 0, [{"id": "a", "alertId": "a", "title": "Line down", "state": "active"}])
        made.change("alerts", 5 * MINUTE, gone=["a"])
        made.span(0, 10 * MINUTE, "the console ended")
    async with replayed(path, tmp_path / "home", at=4 * MINUTE) as eva:
        await eva.press("m", "T", *"1046", "enter")
        screen = await compare(eva)
        await eva.press("tab")
        screen.pane.set_filter("change:went")
        await eva.press("enter")
        detail = eva.app.screen
        assert isinstance(detail, DetailScreen)
        await shows(
            eva,
            "10:40:00  ▲ active",
            "│ the recording begins",
            "│ 5:00",
            "10:45:00  × not listed any more",
        )
        assert detail.head.said.startswith("alert Line down")
        assert "no longer listed since 10:45:00" in detail.head.said


async def test_a_record_that_came_later_says_that_it_is_not_listed(tmp_path: Path):
    async with replayed(incident(tmp_path / "incident.rec"), tmp_path / "home", at=9 * MINUTE) as eva:
        await eva.press("m", "T", *"1041", "enter")
        screen = await compare(eva)
        await eva.press("tab")
        screen.pane.set_filter("list=calls")
        await eva.press("enter")
        detail = cast(DetailScreen, eva.app.screen)

        def is_drawn() -> bool:
            detail.beat(True)
            return detail.query_one(DetailPane).words == "Nothing is recorded about it until this moment."

        await eva.until(is_drawn)
        assert "not listed at this moment" in detail.head.said


def listing_a_call(world: StillWorld, **more: Any) -> IdleBackend:
    """Return a backend with the call that `record` has recorded."""
    backend = IdleBackend(world, **more)
    backend.change("calls", Call(id="a", caller="tel:+34911000001", state="connected"))
    return backend


@asynccontextmanager
async def looking_at_the_call(backend: IdleBackend, folder: Path) -> AsyncGenerator[Sitter]:
    async with still_console(backend, folder).run_test(size=SIZE) as pilot:
        sitter = Sitter(pilot)
        await sitter.hold_still()
        await sitter.press("2")
        yield sitter


async def test_now_it_is_shown_while_the_list_is_recorded(empty: StillWorld, tmp_path: Path):
    record(tmp_path)
    backend = listing_a_call(empty, recorded=True)
    async with looking_at_the_call(backend, tmp_path) as eva:
        assert history(eva) == ["Reading the recording…"]
        empty.clock.advance(1)
        lines = ["10:40:37  ≡ queued", "│ the recording begins", "│ 1:10", "10:41:47  ● connected", "│ 0:31"]
        await shows(eva, *lines)
        pane = eva.app.screen.query(DetailPane).first()
        pane.open("history")
        top = pane.scroll_offset.y
        with film(recording_of_busy(tmp_path), began=NOW_MS) as made:
            made.whole("calls", 1_000, [{"id": "a", "caller": "tel:+34911000001", "state": "ended"}])
            made.span(0, 60_000)
        backend.change("calls", Call(id="a", caller="tel:+34911000001", state="ended"))
        empty.clock.advance(2)
        await shows(eva, *lines, "10:42:18  √ ended", "│ 0:02")
        assert pane.scroll_offset.y == top


async def test_without_a_recorder_there_is_none(empty: StillWorld, tmp_path: Path):
    record(tmp_path)
    async with looking_at_the_call(listing_a_call(empty), tmp_path) as eva:
        assert "+34911000001" in eva.app.screen.query(DetailPane).first().words
        assert history(eva) == []


async def test_a_recorder_that_fails_is_told(empty: StillWorld, tmp_path: Path):
    async with looking_at_the_call(listing_a_call(empty, recording_fault="disk full"), tmp_path) as eva:
        assert history(eva) == ["Recording has stopped: disk full"]
        empty.clock.advance(1)
        await eva.settle()
        assert history(eva) == ["Recording has stopped: disk full"]


async def test_a_link_to_a_record_that_has_gone_opens_it_and_tells_when_it_went(tmp_path: Path):
    path = tmp_path / "incident.rec"
    with film(path) as made:
        made.known(0, "calls", "alarms")
        made.whole("calls", 0, [{"id": "a", "caller": "tel:+34911000001", "state": "connected"}, {"id": "b"}])
        made.whole("alarms", 0, [{"id": each, "payload": {"callid": each}} for each in ("a", "never")])
        made.change("calls", 5 * MINUTE, gone=["a"])
        made.span(0, 10 * MINUTE, "the console ended")
    async with replayed(path, tmp_path / "home", at=6 * MINUTE) as eva:
        await eva.goto("alarms")
        await eva.until(lambda: cast(ListScreen, eva.app.screen).pane.view.cursor_record is not None)
        cast(ListScreen, eva.app.screen).show_record("alarms", "a")
        await eva.press("g")

        def is_told() -> bool:
            cast(Updating, eva.app.screen).beat(True)
            here = eva.app.screen
            return isinstance(here, DetailScreen) and "no longer listed since 10:45:00" in here.head.said

        await eva.until(is_told)
        assert "+34911000001" in eva.app.screen.query_one(DetailPane).words
        await eva.press("escape", "escape")
        assert cast(ListScreen, eva.app.screen).pane.kind == "alarms"
        # Of this one, nothing was ever recorded.
        cast(ListScreen, eva.app.screen).show_record("alarms", "never")
        await eva.press("g")
        await eva.until(lambda: "This call is not listed: never" in screen_of(eva).message_line.said)
