"""Screens at a moment of the past: the badge, the bar of the recorded time, and refused actions."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from console.clock import ManualClock
from console.paths import places
from console.recording.files import file_of
from console.recording.recording import Recording
from console.records.episodes import Episode
from console.screens.list_screen import ListScreen
from tests.idle.backend import IdleBackend
from tests.idle.world import NOW_MS, StillWorld
from tests.live.until import until
from tests.recording.desk import Desk, plan_of, prompt, recorded
from tests.snapshots.conftest import Picture
from tests.snapshots.pictures import SMALL, USUAL, Sitter, Size

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
    plan = plan_of(folder, file=file_of(places({"CONSOLE_HOME": str(folder)}), "busy"))
    turns = sorted((minute, number) for number, each in enumerate(EPISODES) for minute in each[1:])

    def until_minute(minute: int) -> None:
        clock.advance((_at(minute) - clock.now_ms()) / 1_000)

    def play(first: int, last: int) -> None:
        until_minute(first)
        with recorded(desk, plan, clock), Recording.open(plan.file) as recording:

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


@pytest.mark.parametrize("size", [SMALL, USUAL], ids=["80x24", "120x40"])
def test_the_past(picture: Picture, busy: StillWorld, tmp_path: Path, size: Size):
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
    picture(IdleBackend(busy), size=size, themes=["dark", "mono"], walk=walk)
