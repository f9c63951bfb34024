"""Screens at a moment of the past: the badge, the bar of the recorded time, and refused actions."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from console.recording.recording import ListRecording
from console.records.episodes import Episode
from console.ui.screens.detail import DetailScreen
from console.ui.screens.list_screen import ListScreen
from console.ui.widgets.detail_pane import DetailPane
from tests.identities import recording_of_busy
from tests.idle.backend import IdleBackend
from tests.idle.world import NOW_MS, StillWorld
from tests.live.until import until
from tests.manual_clock import ManualClock
from tests.recording.desk import Desk, plan_of, prompt, recorded
from tests.recording.film import MINUTE, film
from tests.snapshots.conftest import Picture
from tests.snapshots.pictures import IN_LOOKS, SMALL, USUAL, Sitter, Size

EPISODES = (
    ("notice", -170, -150),
    ("warning", -140, -110),
    ("critical", -118, -112),
    ("critical", -30, -22),
    ("critical", -4, -1),
)
"""Severity, and the minutes from now at which each episode begins and ends."""


def _at(minute: float) -> int:
    return round(NOW_MS + minute * 60_000)


def _episode(number: int, minute: int) -> Episode:
    severity, begins, ends = EPISODES[number]
    return Episode(
        id=f"e{number}",
        rule="alert",
        state="ended" if minute == ends else "active",
        title="alert",
        words="Line down",
        severity=severity,
        worst=severity,
        began_at=_at(begins),
        ended_at=_at(ends) if minute == ends else None,
    )


def record_three_hours(folder: Path, world: StillWorld) -> None:
    """Record a world's records for three hours, but for half an hour in which nobody recorded."""
    shown = {kind: dict(rows) for kind, rows in world.records.items() if rows}
    desk, clock = Desk(*shown.keys() | {"episodes"}), ManualClock(_at(-180))
    desk.me = world.me
    for kind, rows in shown.items():
        desk.lists[kind].change(rows)
    plan = plan_of(folder, file=recording_of_busy(folder))
    turns = sorted((minute, number) for number, each in enumerate(EPISODES) for minute in each[1:])

    def until_minute(minute: int) -> None:
        clock.advance((_at(minute) - clock.now_ms()) / 1_000)

    def play(first: int, last: int) -> None:
        until_minute(first)
        with recorded(desk, plan, clock), ListRecording.open(plan.file) as recording:

            def written() -> None:
                now = clock.now_ms()
                until(lambda: recording.span is not None and recording.span[1] >= now - 1_000)

            written()
            for minute, number in turns:
                if first <= minute < last:
                    until_minute(minute)
                    desk.lists["episodes"].change({f"e{number}": _episode(number, minute)})
                    written()
            until_minute(last)
            written()

    with prompt():
        play(-180, -90)
        play(-60, 0)


def is_read(sitter: Sitter) -> bool:
    """Return whether the detail beside a list has the history of its record, if there is such a detail."""
    screen = cast(ListScreen, sitter.app.screen)
    screen.beat(True)
    return not screen.beside.display or "the recording begins" in screen.detail.words


@IN_LOOKS
def test_the_past(picture: Picture, busy: StillWorld, tmp_path: Path, size: Size, theme: str):
    record_three_hours(tmp_path, busy)

    async def go_back(sitter: Sitter) -> None:
        await sitter.press("T", *"-2m", "enter")
        await sitter.until(lambda: sitter.app.screen_stack[-1].query("TimeBar").first().region.height > 0)

    async def to_calls(sitter: Sitter) -> None:
        await sitter.press("2")
        await sitter.until(lambda: is_read(sitter))

    async def to_the_gap(sitter: Sitter) -> None:
        await sitter.press("T", "T", *"-75m", "enter", "x")

    walk = {"home": go_back, "calls": to_calls, "gap": to_the_gap}
    picture(IdleBackend(busy), size=size, themes=[theme], walk=walk)


def record_an_alert(folder: Path) -> None:
    """Record an alert that is accepted by eva, changes, is not watched for a while, and ends."""
    alert = {"id": "a1", "alertId": "a1", "title": "Line down", "state": "active", "retriesLeft": 3}
    file = recording_of_busy(folder)
    file.parent.mkdir(parents=True, exist_ok=True)
    with film(file, began=_at(-20)) as made:
        made.known(0, "alerts")
        made.whole("alerts", 0, [])
        made.change("alerts", 2 * MINUTE, alert)
        step = {"words": "accepted Line down", "operation": "AcceptAlert", "key": "a1"}
        intent = {"what": "intent", "command": "c", "action": "alerts.accept", "who": "eva", "steps": [step]}
        made.command(3 * MINUTE, intent | {"at": _at(-17)})
        made.command(3 * MINUTE, {"what": "result", "command": "c", "stage": "done"})
        made.change("alerts", 3 * MINUTE + 400, alert | {"state": "accepted", "acceptedBy": "svc-user:eva"})
        later = {"state": "accepted", "acceptedBy": "svc-user:eva", "retriesLeft": 2, "note": "The carrier was called."}
        made.change("alerts", 5 * MINUTE, alert | later)
        made.span(0, 6 * MINUTE, "the console ended")
        made.whole("alerts", 9 * MINUTE, [alert | later | {"state": "expired"}])
        made.span(9 * MINUTE, 20 * MINUTE)


@pytest.mark.parametrize(
    ("size", "theme", "symbols"),
    [(SMALL, "mono", "ascii"), (USUAL, "dark", "full")],
    ids=["80x24-mono", "120x40-dark"],
)
def test_the_history_of_a_record(
    picture: Picture, busy: StillWorld, tmp_path: Path, size: Size, theme: str, symbols: str
):
    record_an_alert(tmp_path)

    async def open_the_history(sitter: Sitter) -> None:
        await sitter.press("T", *"-5m", "enter", "6", "enter")
        detail = cast(DetailScreen, sitter.app.screen)

        def is_there() -> bool:
            detail.beat(True)
            return "Line down" in detail.query_one(DetailPane).words and "listed" in detail.query_one(DetailPane).words

        await sitter.until(is_there)
        await sitter.press("left_square_bracket")

    picture(IdleBackend(busy), size=size, themes=[theme], walk={"open": open_the_history}, symbols=symbols)
