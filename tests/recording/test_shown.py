"""What the screens of a console showed at random moments of a night with faults is what they show of its recording.

The console, its rules and its recorder are real, and so are the screens: they are drawn at each moment, and drawn again
later from the file. `make night` draws 500 moments of a busier one.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import Future
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest

from console.api.errors import NotOffered
from console.api.request import Request
from console.commands.action import IN_THE_PAST
from console.config.notice_settings import NoticeSettings
from console.config.paths import places, resource_dir
from console.config.schema import Config, Profile
from console.live.backend_api import BackendApi, CommandsApi, NoCommands
from console.live.delta import Freshness, Health
from console.live.history import History
from console.recording.cutting import cut
from console.recording.past import Past
from console.recording.recording import NOT_RECORDED, ListRecording
from console.records.people import CurrentUser
from console.rules.reading import SHIPPED_FILE, read_rules
from console.ui.app import ConsoleApp
from console.ui.runner import replaying_app
from console.ui.screens import preload
from console.ui.screens.app_context import AppContext
from console.ui.screens.history_section import HistorySection
from console.ui.textual_compat.testing import painted
from tests.faults.figures import count
from tests.live.until import settled
from tests.night.console import ZONE, Console
from tests.night.recording import NightRecorder
from tests.night.service import NightService
from tests.snapshots.pictures import Sitter
from tests.surroundings import SILENT

LONG = count("NIGHT_COUNT", 0) > 0
MOMENTS, WORLD = (500, "busy") if LONG else (10, "quiet")
SCREENS = ("1", "2", "3", "4", "5", "6", "7")
WIDTH, HEIGHT = 120, 40
BAR = 2
"""Lines that the past has and the present has not: the bar of the recorded time."""


class OnScreen(BackendApi):
    """A console of a night as the backend of screens."""

    def __init__(self, console: Console) -> None:
        self._console = console

    @property
    def link(self) -> Health:
        return self._console.link

    @property
    def me(self) -> CurrentUser | None:
        return self._console.me

    @property
    def history(self) -> History:
        return self._console.history

    @property
    def revision(self) -> int:
        return self._console.revision

    def delta(self, kind: str, since: int) -> Any:
        return self._console.delta(kind, since)

    def records(self, kind: str) -> Any:
        return self._console.records(kind)

    def health(self, kind: str) -> Health:
        return self._console.health(kind)

    def show(self, kinds: frozenset[str]) -> None: ...

    def ask(self, request: Request[Any]) -> Future[Any]:
        """Refuse as a recording does: only lists are recorded."""
        answer: Future[Any] = Future()
        answer.set_exception(NotOffered(NOT_RECORDED))
        return answer

    @property
    def commands(self) -> CommandsApi:
        return NoCommands(IN_THE_PAST)

    async def change_password(self, username: str, password: str, new: str) -> None:
        raise AssertionError(username)


@dataclass
class Shown:
    """A screen as it was drawn."""

    screen: str
    at_ms: int
    freshness: Freshness
    lines: list[str]


@dataclass
class Night:
    """A night with a console on a screen, and what it showed."""

    service: NightService
    console: Console
    recorder: NightRecorder
    app: ConsoleApp
    eva: Sitter
    shown: list[Shown] = field(default_factory=list[Shown])
    lot: Random = field(default_factory=lambda: Random(11))
    next_fault: int = 60

    async def step(self) -> None:
        """Let a second pass, in which the connection may be lost or come back."""
        if self.service.seconds == self.next_fault:
            self.next_fault += self.lot.randint(5, 40)
            if self.service.reachable:
                self.service.go()
            else:
                self.service.come_back(restarted=self.lot.random() < 0.5)
        self.service.step()
        await settled(15)
        self.console.beat()
        self.recorder.step()

    async def look(self, screen: str) -> None:
        """Draw a screen, and note what it shows: again if something arrived while it was drawn, in the same moment."""
        lines, revision = list[str](), -1
        while revision != self.console.revision:
            revision = self.console.revision
            lines = await drawn(self.eva, screen)
        self.shown.append(Shown(screen, self.service.clock.now_ms(), self.console.link.state, lines))


async def drawn(eva: Sitter, screen: str) -> list[str]:
    """Go to a screen, and return its lines without the top line, and without the messages and keys below the lists."""
    await eva.press("end", screen, "home")
    await eva.hold_still()
    lines = [alike(strip.text) for strip in painted(eva.app.screen)]
    return lines[1 : HEIGHT - BAR - 2]


def alike(line: str) -> str:
    """Return a line without what differs by intent."""
    # The axis of a chart ends now, or at the moment.
    line = re.sub(r"(\d(?:m| h) +\d\d:\d\d) +(now|\d\d:\d\d)", r"\1", line)
    # When the service started is known from its uptime and the moment of the answer, which is not in the file.
    line = re.sub(r"22:00:0\d(?=  )", "22:00:0.", line)
    # A list without focus keeps its cursor at a record, which is the one that was first when the list was opened.
    return line.replace("›", " ").rstrip()


@asynccontextmanager
async def night(folder: Path) -> AsyncGenerator[Night]:
    service = NightService(WORLD, 3)
    rules = read_rules([SHIPPED_FILE]).rules
    console = Console(service, "eva", rules, NoticeSettings())
    recorder = NightRecorder(console, folder / "night.rec")
    console.start()
    context = AppContext(
        backend=OnScreen(console),
        config=Config(notices=SILENT),
        profile_name="night",
        profile=Profile(core="http://night.example/core"),
        clock=service.clock,
        zone=ZONE,
        places=places({"CONSOLE_HOME": str(folder / "home")}),
        watch=console.watch,
    )
    preload.load()
    app = ConsoleApp(context, resource_dir("themes"))
    app.animation_level = "none"
    try:
        async with app.run_test(size=(WIDTH, HEIGHT - BAR)) as pilot:
            yield Night(service, console, recorder, app, Sitter(pilot))
            recorder.end()
    finally:
        await console.stop()
        service.platform.close()


@asynccontextmanager
async def replayed(file: Path, folder: Path) -> AsyncGenerator[Callable[[Shown], Any]]:
    with ListRecording.open(file, finished=True) as recording:
        past = Past(recording, 0)
        app = replaying_app(
            Config(), "night", Profile(core="http://night.example/core"), past, places({"CONSOLE_HOME": str(folder)})
        )
        app.animation_level = "none"
        async with app.run_test(size=(WIDTH, HEIGHT)) as pilot:
            eva = Sitter(pilot)

            async def again(shown: Shown) -> list[str]:
                past.move(shown.at_ms, 0)
                return await drawn(eva, shown.screen)

            yield again
        past.stop()


async def draw_again(file: Path, folder: Path, shown: list[Shown]) -> None:
    """Assert that a recording shows the same; tell the lines that are others, each with its screen and moment."""
    found: list[str] = []
    async with replayed(file, folder) as again:
        for each in shown:
            now = await again(each)
            found += [
                f"{each.screen} {each.at_ms} {number}\n  was {then!r}\n  is  {line!r}"
                for number, (then, line) in enumerate(zip(each.lines, now, strict=True))
                if then != line
            ]
    assert not found, "\n".join(found[:40])


@pytest.mark.timeout(240)
async def test_screens_at_random_moments_are_drawn_again_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Both read the history of a record from the file, when they have time for it.
    monkeypatch.setattr(HistorySection, "is_on", False)
    # Both clocks move by hand: whether a beat came while the cursor passed would decide what is beside a list.
    monkeypatch.setattr(HistorySection, "stands", True)
    lot, file, killed = Random(7), tmp_path / "night.rec", tmp_path / "killed"
    killed_ms = 0
    async with night(tmp_path) as played:
        for _ in range(30):
            await played.step()
        while len(played.shown) < MOMENTS:
            for _ in range(lot.randint(1, 12)):
                await played.step()
            await played.look(lot.choice(SCREENS))
            if not killed_ms and len(played.shown) > MOMENTS // 2:
                # What is on the disk in this moment is what a killed process leaves.
                killed_ms = played.service.clock.now_ms()
                shutil.copytree(tmp_path, killed, ignore=shutil.ignore_patterns("home"))
    shown = played.shown
    assert {each.freshness for each in shown} >= {Freshness.LIVE, Freshness.OFFLINE}
    await draw_again(file, tmp_path / "away", shown)

    before = [each for each in shown if each.at_ms < killed_ms - 1000]
    await draw_again(killed / "night.rec", tmp_path / "away", before[-4:])

    # Home is left out: the charts of a part begin with it.
    inside = [each for each in shown[MOMENTS // 4 : MOMENTS * 3 // 4] if each.screen != "1"]
    with ListRecording.open(file, finished=True) as whole:
        cut(whole, inside[0].at_ms, inside[-1].at_ms, tmp_path / "part.rec", None, force=False)
    await draw_again(tmp_path / "part.rec", tmp_path / "away", inside[-4:])
