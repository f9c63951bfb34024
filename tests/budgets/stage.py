"""The console as `runner.run` opens it, on a clock that moves by hand: the same work in every run, on every machine.

Its threads are the real ones. The engine's runs until nothing is left to do; those of computed lists and of the
recorder make one round when they are told to. Nothing waits for real time, not even a timer of Textual, and only one
thread works at a time.
"""

from __future__ import annotations

import asyncio
import concurrent.futures.thread as pool
import os
import random
import sys
import threading
import time
import traceback
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from unittest.mock import Mock, patch

from tests.budgets.paper_service import CORE, EVENTS, PaperService
from tests.manual_clock import ManualClock

TURNS = 40
"""Turns of an event loop after which it has nothing to do: a key takes about twenty."""
STEP_SECONDS = 0.02
BEAT_SECONDS = 0.1
MOST_BEATS = 50
SIZE = (160, 48)
NOW_MS = 1_763_545_337_000


class Rounds:
    """An event that is never set: a thread that waits for it is at rest, and goes on by `step`."""

    def __init__(self) -> None:
        self._resting, self._going = threading.Semaphore(0), threading.Semaphore(0)

    def is_set(self) -> bool:
        return False

    def set(self) -> None: ...

    def wait(self, _seconds: float | None = None) -> bool:
        self._resting.release()
        self._going.acquire()
        return False

    def arrive(self) -> None:
        """Wait until the thread is at rest."""
        self._resting.acquire()

    def step(self) -> None:
        """Let the thread make one round."""
        self._going.release()
        self._resting.acquire()


def finish_jobs_at_once() -> None:
    """Let a thread that gives a job to a pool of threads wait until the job is done, so that no two work at once."""
    within: Any = pool
    submit, run = within.ThreadPoolExecutor.submit, within._WorkItem.run
    done = threading.Semaphore(0)

    def submitted(*given: Any, **named: Any) -> Any:
        future = submit(*given, **named)
        done.acquire()
        return future

    def worked(*given: Any) -> None:
        try:
            run(*given)
        finally:
            done.release()

    within.ThreadPoolExecutor.submit, within._WorkItem.run = submitted, worked


class Stage:
    """A running console, its service and its clock."""

    def __init__(self, service: PaperService) -> None:
        self.service = service
        self.clock = ManualClock(NOW_MS)
        self.written = 0
        """Bytes written to the terminal."""
        self.app: Any = None
        self.backend: Any = None
        self._derived, self._recorder = Rounds(), Rounds()
        self._post: Any = None
        self._engine_loop: Any = None
        clock: Any = self.clock
        # Also for timers of asyncio and Textual, which imports it by name.
        time.monotonic = lambda: clock._monotonic
        time.thread_time = lambda: 0.0
        # When lists are requested again.
        random.random = lambda: 0.5
        finish_jobs_at_once()

    def run(self, folder: Path, scenario: Callable[[], Awaitable[None]]) -> None:
        """Open the console with the configuration of a new user, and follow a scenario."""
        from console.client.endpoint import Endpoint
        from console.config.paths import places
        from console.config.schema import Config, Profile
        from console.live.authentication import LoginDetails
        from console.ui import runner

        endpoint = Endpoint(CORE, events=EVENTS)
        profile = Profile(core=CORE, username="eva")
        config = Config(profiles={"desk": profile})
        backend_class: Any = runner.Backend

        def backend(*given: Any, **named: Any) -> Any:
            self.backend = backend_class(*given, **named, make_client=lambda: self.service.client(endpoint, self.clock))
            return self.backend

        def play(app: Any) -> None:
            self.app = app
            asyncio.run(self._play(scenario))

        with (
            patch.object(runner, "SystemClock", lambda: self.clock),
            patch.object(runner, "Backend", backend),
            patch.object(runner, "exit_event", return_value=threading.Event()),
            patch.object(runner.ConsoleApp, "run", play),
            patch("console.ui.app.driver_class", self._driver_class),
        ):
            home = places({"CONSOLE_HOME": str(folder)})
            runner.run(config, "desk", profile, endpoint, home, LoginDetails("eva", ""), "token")

    async def _play(self, scenario: Callable[[], Awaitable[None]]) -> None:
        deriving, (recorder,), start = self.backend._deriving, self.backend._companions, self.backend.start
        deriving._wanted = deriving._ended = self._derived
        # Each round is told: there is no wait for a change beside it.
        deriving._outdated = Mock()
        recorder._ended = self._recorder
        started = asyncio.Event()

        def start_and_rest() -> None:
            start()
            self._serve_at_once(vars(self.backend)["_loop"])
            self._engine_rest()
            self._derived.arrive()
            self._recorder.arrive()
            started.set()

        self.backend.start = start_and_rest
        running = asyncio.create_task(self.app.run_async(size=SIZE))
        while not started.is_set():
            # The backend starts after the first frame.
            self.clock.advance(STEP_SECONDS)
            await self._screen_rest()
        try:
            await scenario()
            assert not running.done()
        except BaseException:
            # The threads never end.
            traceback.print_exc(file=sys.__stderr__)
            os._exit(1)

    def _serve_at_once(self, loop: Any) -> None:
        """Let a thread that calls the engine wait until the engine rests, so that no two work at once."""
        self._engine_loop = loop
        post = self._post = loop.call_soon_threadsafe

        def posted(*given: Any, **named: Any) -> Any:
            handle = post(*given, **named)
            # The engine waits for its own jobs.
            if not threading.current_thread().name.startswith(("asyncio", "console-engine")):
                self._engine_rest()
            return handle

        loop.call_soon_threadsafe = posted

    # -- work ----------------------------------------------------------------------------------------------------------

    async def _screen_rest(self) -> None:
        for _ in range(TURNS):
            await asyncio.sleep(0)

    def _engine_rest(self) -> None:
        loop, resting = self._engine_loop, threading.Event()

        def turn(left: int) -> None:
            if left:
                loop.call_soon(turn, left - 1)
            else:
                resting.set()

        self._post(turn, TURNS)
        resting.wait()

    async def rest(self) -> None:
        """Let engine and screen work until nothing is left to do."""
        self._engine_rest()
        await self._screen_rest()

    async def send(self, texts: list[bytes]) -> None:
        """Send events, and let the engine apply them."""
        self._engine_loop.call_soon_threadsafe(self.service.send, texts)

    def derive(self) -> None:
        """Update the computed lists and the episodes once."""
        self._derived.step()

    def record(self) -> None:
        """Write what the recorder has noted."""
        self._recorder.step()

    async def beat(self) -> None:
        """Let the time of a beat pass."""
        for _ in range(round(BEAT_SECONDS / STEP_SECONDS)):
            self.clock.advance(STEP_SECONDS)
            await self.rest()

    def is_live(self) -> bool:
        """Return whether the rows of the calls are up to date."""
        return self.backend.health("calls").state.value == "live"

    async def until(self, condition: Callable[[], bool]) -> None:
        """Let beats pass until a condition is true. Raise TimeoutError."""
        for _ in range(MOST_BEATS):
            if condition():
                return
            await self.beat()
        raise TimeoutError

    def heartbeat(self) -> None:
        """Prove that the channel works."""
        self._engine_loop.call_soon_threadsafe(self.service.heartbeat)

    async def press(self, *keys: str) -> None:
        """Press keys, and draw their frames."""
        from textual.events import Key

        for key in keys:
            self.app.post_message(Key(key, key if len(key) == 1 else None))
            await self.rest()
        self.clock.advance(STEP_SECONDS)
        await self.rest()

    def _driver_class(self) -> Any:
        from textual.driver import Driver
        from textual.events import Resize
        from textual.geometry import Size

        stage = self

        class PaperTerminal(Driver):
            def write(self, data: str) -> None:
                stage.written += len(data.encode())

            def start_application_mode(self) -> None:
                stage.app.post_message(Resize(Size(*SIZE), Size(*SIZE)))

            def disable_input(self) -> None: ...

            def stop_application_mode(self) -> None: ...

        return PaperTerminal
