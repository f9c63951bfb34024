"""A console over a small recording, and what it shows."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from console.recording.recording import ListRecording
from console.records.episodes import Episode
from console.ui.screens.console_screen import ConsoleScreen
from tests.identities import recording_of_busy
from tests.idle.backend import IdleBackend
from tests.idle.console import still_console
from tests.idle.world import NOW_MS, StillWorld
from tests.live.until import until
from tests.manual_clock import ManualClock
from tests.recording.desk import Desk, plan_of, prompt, recorded
from tests.snapshots.pictures import Sitter, Size

SIZE = (120, 40)
LINE_DOWN = Episode(id="e1", rule="alert", state="active", title="alert", words="Line down", began_at=NOW_MS - 30_000)


def record(folder: Path) -> None:
    """Record 100 seconds: call `a` from the beginning, `b` in the last 30, in which an episode went on."""
    desk, clock = Desk("calls", "episodes"), ManualClock(NOW_MS - 100_000)
    file = recording_of_busy(folder)
    with prompt(), recorded(desk, plan_of(folder, file=file), clock), ListRecording.open(file) as recording:

        def written(*keys: str) -> None:
            now = clock.now_ms()
            until(lambda: {*recording.rows("calls", now)} == {*keys} and recording.health("calls", now).age is not None)

        desk.put("calls", id="a", caller="tel:+34911000001", state="queued")
        written("a")
        clock.advance(70)
        desk.put("calls", id="a", caller="tel:+34911000001", state="connected")
        desk.put("calls", id="b", caller="tel:+34911000002", state="queued")
        desk.lists["episodes"].change({LINE_DOWN.id: LINE_DOWN})
        written("a", "b")
        clock.advance(30)
        until(lambda: recording.span is not None and recording.span[1] > NOW_MS - 1_000)


@asynccontextmanager
async def seat(world: StillWorld, folder: Path, *keys: str, size: Size = SIZE) -> AsyncGenerator[Sitter]:
    async with still_console(IdleBackend(world), folder).run_test(size=size) as pilot:
        sitter = Sitter(pilot)
        await sitter.hold_still()
        await sitter.press(*keys)
        yield sitter


async def go_back(sitter: Sitter, moment: str) -> None:
    await sitter.press("T")
    await sitter.type(moment)
    await sitter.press("enter")


def screen_of(sitter: Sitter) -> ConsoleScreen:
    screen = sitter.app.screen
    assert isinstance(screen, ConsoleScreen)
    return screen


def top(sitter: Sitter) -> str:
    return screen_of(sitter).top_line.said


def rows(sitter: Sitter) -> set[str]:
    view: Any = sitter.app.screen
    return {*view.pane.view.keys}
