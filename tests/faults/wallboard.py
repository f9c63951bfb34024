"""A wallboard before a service, both on a clock that a test moves, with faults and changes meanwhile."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import random
import threading
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractContextManager, asynccontextmanager, suppress
from pathlib import Path
from zoneinfo import ZoneInfo

from console.client.endpoint import Endpoint
from console.config.paths import places, resource_dir
from console.config.schema import Config, Profile
from console.config.wallboard_settings import WallboardSettings
from console.kinds.catalogue import FEEDS
from console.live.authentication import LoginDetails
from console.live.backend import Backend
from console.rules.reading import load_rules
from console.rules.watching import watch_by
from console.service.auth.passwords import Cost
from console.service.domain import sessions
from console.service.platform import Platform, ServiceSettings
from console.service.scenarios.fill import fill
from console.service.store.database import Database
from console.ui.app import ConsoleApp
from console.ui.screens import preload
from console.ui.screens.app_context import AppContext
from console.ui.screens.wallboard import WallboardScreen
from console.views.big_text import big
from tests.background import Running, start_background
from tests.faults.proxy import Proxy, answering, closing
from tests.faults.wire import Line
from tests.faults.world import World
from tests.manual_clock import ManualClock
from tests.surroundings import SILENT

STEP_SECONDS = 1.0
PAUSE_SECONDS = 0.004
"""Real time for each step, in which heartbeats and answers arrive."""
SETTINGS = ServiceSettings(password_cost=Cost.cheap(), account_rate=0, address_rate=0)
"""The clock is too fast for limits of requests a second."""
SIZE = (80, 24)
"""A small wall: it is drawn at every step, and `tests/behaviour/test_wallboard.py` looks at the large ones."""
BURST_SECONDS = 60
"""Simulated time between two changes of the service."""
RECOVERY_SECONDS = 600
"""Most simulated time from the end of a fault until everything is correct and live."""


class SharedClock(ManualClock):
    """A clock that moves only on request, for the loops of several threads."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._numbers = itertools.count()
        self._waiting: list[tuple[float, int, asyncio.AbstractEventLoop, asyncio.Event]] = []

    async def sleep(self, seconds: float) -> None:
        """Wait until `advance` has moved this clock far enough."""
        due = asyncio.Event()
        with self._lock:
            entry = self.monotonic() + seconds, next(self._numbers), asyncio.get_running_loop(), due
            heapq.heappush(self._waiting, entry)
        await due.wait()

    def advance(self, seconds: float) -> None:
        """Move both clocks forward and wake due sleepers."""
        with self._lock:
            super().advance(seconds)
            while self._waiting and self._waiting[0][0] <= self.monotonic():
                _, _, loop, due = heapq.heappop(self._waiting)
                with suppress(RuntimeError):  # its loop has ended
                    loop.call_soon_threadsafe(due.set)


def _busy(platform: Platform) -> None:
    fill(platform, "busy")


class Wall:
    """The wallboard, its service, and what is between them."""

    def __init__(self, folder: Path, clock: SharedClock, lot: random.Random) -> None:
        self.clock = clock
        self.lot = lot
        self._file = folder / "desk.db"
        self.port = 0
        """The port of the service, without the proxy."""
        self._entered: AbstractContextManager[Running] | None = None
        self.service: Running
        self.proxy: Proxy
        self.backend: Backend
        self.app: ConsoleApp
        self.world: World

    async def start_service(self) -> None:
        """Start the service on its database, at the same port as before."""
        first = self._entered is None and not self.port
        database = Database(self._file)
        entered = start_background(
            _busy if first else None, settings=SETTINGS, database=database, clock=self.clock, port=self.port
        )
        self.service = await asyncio.to_thread(entered.__enter__)
        self._entered = entered
        self.port = int(self.service.core_url.split(":")[2].split("/")[0])
        self.world = World(self.service, self.lot)
        await self.world.open()

    async def stop_service(self) -> None:
        """Stop it, without a word to the wallboard."""
        assert self._entered is not None
        await self.proxy.refuse()
        self.proxy.reset()
        await self.world.close()
        await asyncio.to_thread(self._entered.__exit__, None, None, None)
        self._entered = None

    async def pass_time(self, seconds: float, until: Callable[[], bool] = lambda: False) -> float:
        """Let simulated time pass, with changes at the service, at most until a condition. Return how much passed."""
        passed = 0.0
        while passed < seconds and not until():
            self.clock.advance(STEP_SECONDS)
            passed += STEP_SECONDS
            if self._entered is not None and self.clock.monotonic() % BURST_SECONDS < STEP_SECONDS:
                self.world.burst()
            if self.app.fault is not None:
                raise self.app.fault
            if isinstance(self.app.screen, WallboardScreen):
                self.app.screen.beat(False)
            await asyncio.sleep(PAUSE_SECONDS)
        return passed

    @property
    def live(self) -> bool:
        """Whether the wall says so in its first line."""
        screen = self.app.screen
        assert isinstance(screen, WallboardScreen), "the wallboard has gone"
        head, word = screen.wall.said.splitlines()[:5], big("LIVE", "full")
        return all(part.rstrip() in line for part, line in zip(word, head, strict=False))

    async def correct(self) -> bool:
        """Return whether the wall knows the calls as another client lists them now."""
        truth = await self.world.truth()
        return dict(self.backend.records("calls")) == dict(truth["calls"])

    async def recovered(self, seconds: float = RECOVERY_SECONDS) -> float:
        """Return after how much simulated time the wall is live and correct. Fail after `seconds`."""
        passed = 0.0
        end = time.monotonic() + 60.0
        while True:
            passed += await self.pass_time(STEP_SECONDS)
            passed += await self.pass_time(20 * STEP_SECONDS, lambda: self.live)
            if self.live and await self.correct():
                return passed
            enough = passed > seconds and time.monotonic() > end
            assert not enough, f"not live and correct again: {self.backend.link}, {self.backend.fatal}"


@asynccontextmanager
async def wallboard(folder: Path, seed: int = 1) -> AsyncGenerator[Wall]:
    """Open a wallboard with nobody before it, and its service."""
    wall = Wall(folder, SharedClock(), random.Random(seed))
    await wall.start_service()
    async with Proxy(wall.port, wall.lot) as proxy:
        wall.proxy = proxy
        address = f"127.0.0.1:{proxy.port}"
        endpoint = Endpoint(
            f"http://{address}/core", events=f"ws://{address}/events", connect_seconds=0.5, answer_seconds=0.5
        )
        login = LoginDetails("eva", "demo")
        wall.backend = Backend(
            endpoint,
            FEEDS.values(),
            journal_path=folder / "journal.jsonl",
            login=login.source,
            clock=wall.clock,
        )
        context = AppContext(
            backend=wall.backend,
            config=Config(notices=SILENT, wallboard=WallboardSettings()),
            profile_name="wall",
            profile=Profile(core=endpoint.core, read_only=True),
            clock=wall.clock,
            zone=ZoneInfo("Europe/Madrid"),
            places=places({"CONSOLE_HOME": str(folder)}),
        )
        preload.load()
        context.watch = watch_by(load_rules(None), wall.backend, context.render_context)
        wall.backend.start()
        wall.app = ConsoleApp(context, resource_dir("themes"), login)
        wall.app.unattended = True
        try:
            async with wall.app.run_test(size=SIZE) as pilot:
                await pilot.pause()
                yield wall
        finally:
            await asyncio.to_thread(wall.backend.stop)
            await wall.stop_service()


# -- faults ------------------------------------------------------------------------------------------------------------

Fault = Callable[[Wall], Awaitable[None]]


async def killed(wall: Wall) -> None:
    """The service ends without a word, and is started again on its database."""
    await wall.stop_service()
    await wall.pass_time(wall.lot.randint(5, 90))
    await wall.start_service()


async def cut(wall: Wall) -> None:
    """The link is cut: connections are reset, and no new ones are taken."""
    await wall.proxy.refuse()
    wall.proxy.reset()
    await wall.pass_time(wall.lot.randint(5, 90))


async def login_ended(wall: Wall) -> None:
    """An administrator ends the session of the wallboard."""
    sessions.revoke(wall.service.platform, wall.backend.session_id)
    await wall.pass_time(10)


async def token_refused(wall: Wall) -> None:
    """Every token and every login is refused for some minutes."""
    _answered(wall, 401)
    await wall.pass_time(wall.lot.randint(30, 200))


async def black_hole(wall: Wall) -> None:
    """Nothing arrives in either direction, and nobody is told."""
    wall.proxy.lines(Line(hole=True), Line(hole=True))
    await wall.pass_time(wall.lot.randint(10, 90))


async def database_restarted(wall: Wall) -> None:
    """The service answers 503 and closes its channels, as while its database is restarted."""
    wall.proxy.messages = lambda _message: [closing(1011, "no store")]
    _answered(wall, 503)
    await wall.pass_time(wall.lot.randint(5, 60))


async def garbage(wall: Wall) -> None:
    """Answers and events are not what they should be."""
    body = wall.lot.choice([b"\x00\xff" * 200, b"<html>", b"[[[[", b'{"data": 7}', b"[1, null]"])
    wall.proxy.answer = lambda asked: None if asked.channel else answering(200, body)
    wall.proxy.messages = lambda _message: [b"\xff" * 64]
    wall.proxy.reset()
    await wall.pass_time(wall.lot.randint(5, 60))


def _answered(wall: Wall, status: int) -> None:
    wall.proxy.answer = lambda _asked: answering(status)
    wall.proxy.reset()


FAULTS: tuple[Fault, ...] = (killed, cut, login_ended, token_refused, black_hole, database_restarted, garbage)


async def struck(wall: Wall, fault: Fault) -> float:
    """Run a fault and end it. Return after how much simulated time the wall is live and correct again."""
    await fault(wall)
    wall.proxy.heal()
    await wall.proxy.refuse()
    await wall.proxy.listen()
    return await wall.recovered()
