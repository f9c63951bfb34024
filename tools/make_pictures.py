"""Make the pictures of the README: the scenario `busy` after an hour, and a recorded night, at fixed moments.

    python -m tools.make_pictures [FOLDER]

Scenario, seed and clock determine everything visible, so that a picture changes only when the program does.
"""

from __future__ import annotations

import asyncio
import html
import re
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch
from zoneinfo import ZoneInfo

from textual.pilot import Pilot

from console.client.endpoint import Endpoint
from console.config.paths import places, resource_dir
from console.config.schema import Config, Profile
from console.kinds.catalogue import FEEDS
from console.live.backend import Backend
from console.live.delta import Freshness
from console.live.history import History, status_values
from console.recording.past import Past
from console.recording.recording import ListRecording
from console.records.queues import Queue
from console.records.traffic import MemoryUsage
from console.rules.reading import load_rules
from console.rules.watching import watch_by
from console.service.domain import status
from console.service.scenarios.fill import fill
from console.service.simulator.simulator import Simulator
from console.ui.app import ConsoleApp
from console.ui.runner import replaying_app
from console.ui.screens.app_context import AppContext
from tests.background import Running, start_background
from tests.manual_clock import ManualClock
from tests.night.service import EVENING_MS
from tools.record_night import HOURS, record_night

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "pictures"
WORLD = "busy"
PASSWORD = "demo"
ZONE = ZoneInfo("Europe/Madrid")
OPENED = datetime(2026, 9, 21, 10, 0, tzinfo=ZONE)
MINUTES = 60
STEP_SECONDS = 5
TIMEOUT_SECONDS = 60.0
MEMORY = MemoryUsage(rss=96_000_000, heap_total=71_000_000, heap_used=58_000_000)
"""The memory of the process is the only visible value that seed and clock do not determine."""


@dataclass(frozen=True)
class Picture:
    """A picture: its size, its theme, and the keys pressed before it."""

    name: str
    keys: tuple[tuple[str, ...], ...]
    """Groups of keys; the screen settles before each group."""
    shows: str
    """Words on the screen once it is ready."""
    size: tuple[int, int] = (120, 34)
    theme: str = "dark"
    who: str = "eva"


PICTURES: tuple[Picture, ...] = (
    Picture("home", (), "Needs attention", (120, 30)),
    Picture("calls", (("2",), ("down",) * 4), "Context"),
    Picture("alerts", (("6",), ("a",)), "sending in"),
    Picture(
        "groups", (("7",), ("slash", *"owner:eva", "enter"), ("tab", "down", "down"), ("-",)), "Removed", (120, 24)
    ),
    Picture("transfer", (("c",), ("t",)), "Transfer", who="ana"),
    Picture("light", (("2",), ("slash", *"state:queued,ringing", "enter")), "queued,ringing", (100, 20), "light"),
    Picture("mono", (("2",),), "queued", (80, 24), "mono"),
)
PAST = Picture("past", (), "RECORDING", (120, 40))
"""The picture of the recorded night."""
PAST_SECONDS = 42 * 60
"""The moment that it shows, since the evening."""


def make(folder: Path, minutes: int = MINUTES, night_hours: float = HOURS) -> None:
    """Simulate so many minutes and a night, then write each picture as `NAME.svg` into the folder."""
    with patch.object(status, "memory_usage", lambda: MEMORY):
        _make_present(folder, minutes)
        _make_past(folder, night_hours)


def _make_past(folder: Path, hours: float) -> None:
    with tempfile.TemporaryDirectory(prefix="console-pictures-") as directory:
        home = Path(directory)
        asyncio.run(record_night(home / "night.rec", hours))
        past = Past(ListRecording.open(home / "night.rec"), 0)
        try:
            past.move(EVENING_MS + PAST_SECONDS * 1000, 0)
            svg = asyncio.run(_draw_past(past, home))
        finally:
            past.stop()
    (folder / f"{PAST.name}.svg").write_text(svg, encoding="utf-8")


async def _draw_past(past: Past, home: Path) -> str:
    profile = Profile(core="http://recording.invalid/core")
    app = replaying_app(Config(theme=PAST.theme), "night", profile, past, places({"CONSOLE_HOME": str(home)}))
    async with app.run_test(size=PAST.size) as pilot:
        return _plain(await _settled(app, pilot, PAST.shows))


def _make_present(folder: Path, minutes: int) -> None:
    clock = ManualClock(round(OPENED.timestamp() * 1000))
    with (
        tempfile.TemporaryDirectory(prefix="console-pictures-") as directory,
        start_background(lambda platform: fill(platform, WORLD), clock=clock) as service,
    ):
        home = Path(directory)
        backends = {picture: _backend(picture, service, clock, home) for picture in PICTURES}
        _play(service, clock, minutes, [backend.history for backend in backends.values()])
        for picture, backend in backends.items():
            svg = asyncio.run(_draw(picture, backend, clock.now_ms(), home))
            (folder / f"{picture.name}.svg").write_text(svg, encoding="utf-8")


def _backend(picture: Picture, service: Running, clock: ManualClock, home: Path) -> Backend:
    return Backend(
        Endpoint(core=service.core_url, events=service.events_url),
        FEEDS.values(),
        journal_path=home / f"{picture.name}.jsonl",
        login=lambda: (picture.who, PASSWORD),
        clock=clock,
    )


def _play(service: Running, clock: ManualClock, minutes: int, histories: Iterable[History]) -> None:
    """Advance the simulation; record the history of each minute as an open console does."""
    platform = service.platform
    day = Simulator(platform, service.world)
    for second in range(0, minutes * 60, STEP_SECONDS):
        clock.advance(STEP_SECONDS)
        day.step(STEP_SECONDS)
        if second % 60 == 0:
            with platform.read() as tx:
                values = status_values(status.summary(platform, tx))
            for history in histories:
                history.add(values)
    status.announce(platform)


async def _draw(picture: Picture, backend: Backend, now_ms: int, home: Path) -> str:
    """Open a console, press the keys, and return the picture once the screen has settled."""
    config = Config(theme=picture.theme, bell=False)
    clock = ManualClock(now_ms)
    context = AppContext(
        backend=backend,
        config=config,
        profile_name="demo",
        profile=Profile(core=backend.endpoint.core),
        clock=clock,
        zone=ZONE,
        places=places({"CONSOLE_HOME": str(home)}),
    )
    context.watch = watch_by(load_rules(None), backend, context.render_context)
    backend.start()
    try:
        app = ConsoleApp(context, resource_dir("themes"))
        async with app.run_test(size=picture.size) as pilot:
            await _listed(backend, pilot)
            for keys in picture.keys:
                await _settled(app, pilot)
                await pilot.press(*keys)
            await _settled(app, pilot, picture.shows)
            # Let highlighting of changes end.
            clock.advance(1)
            await _counted(backend, pilot)
            return _plain(await _settled(app, pilot, picture.shows))
    finally:
        await asyncio.to_thread(backend.stop)


_KNOWN = {Freshness.LIVE, Freshness.REFUSED}


async def _listed(backend: Backend, pilot: Pilot[Any]) -> None:
    """Wait until everything that this user may see is listed."""
    for kind in FEEDS:
        backend.records(kind)
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while backend.me is None or any(backend.health(kind).state not in _KNOWN for kind in FEEDS):
            await pilot.pause(0.05)


async def _counted(backend: Backend, pilot: Pilot[Any]) -> None:
    """Wait until the queues tell since when their calls are counted."""
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while any(queue.since_at is None for queue in cast("Iterable[Queue]", backend.records("queues").values())):
            await pilot.pause(0.05)


async def _settled(app: ConsoleApp, pilot: Pilot[Any], words: str = "") -> str:
    """Wait until these words are shown and the screen no longer changes; return it as SVG."""
    before = ""
    try:
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while True:
                await pilot.pause(0.15)
                svg = app.export_screenshot()
                if svg == before and words in _words(svg):
                    return svg
                before = svg
    except TimeoutError:
        raise TimeoutError(f"{words!r} is not on the screen, or it never rests: {_words(before)}") from None


def _words(svg: str) -> str:
    """Return the text of a picture."""
    text = re.sub(r"<style>.*?</style>|<[^>]+>", "", svg, flags=re.DOTALL)
    return html.unescape(text).replace("\N{NO-BREAK SPACE}", " ")


def _plain(svg: str) -> str:
    """Make a picture self-contained: any monospaced font of the reader, no download, and preserved spaces."""
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL).replace("Fira Code, ", "")
    return svg.replace("<svg ", '<svg xml:space="preserve" ', 1)


def main(arguments: list[str]) -> int:
    """Write all pictures."""
    if len(arguments) > 1 or any(each.startswith("-") for each in arguments):
        print(__doc__, file=sys.stderr)
        return 2
    folder = Path(arguments[0]) if arguments else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    make(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
