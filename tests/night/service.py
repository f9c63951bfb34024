"""The embedded service on a simulated clock, in one process with its consoles: no sockets, no threads, no real time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import Any, cast

from console.api.errors import Unreachable
from console.api.events import Point, Subscribe
from console.api.request import Request
from console.client.client import Client, Fetched
from console.client.dialect import Target
from console.client.dialect_runner import DialectRunner
from console.client.endpoint import Endpoint
from console.client.stream import Stream
from console.service.auth.caller import Caller
from console.service.auth.passwords import Cost
from console.service.domain.people import USERS
from console.service.events.hub import EncodedChange, Hub, Subscriber
from console.service.events.stream import start_of
from console.service.periodic_jobs import JOBS
from console.service.platform import Platform, ServiceSettings
from console.service.scenarios.fill import fill
from console.service.simulator.simulator import Simulator
from console.service.store.outbox import OutboxEntry
from tests.idle.world import answer_of
from tests.manual_clock import ManualClock

EVENING_MS = 1_790_020_800_000
"""Monday, 21 September 2026, 22:00 in Madrid, in ms since the epoch."""
STEP_SECONDS = 1
_HEARTBEAT_SECONDS = 3


class NightService:
    """A scenario with its simulated day. `step` moves the clock, and sends the events to the open channels."""

    def __init__(self, world: str, seed: int) -> None:
        self.clock = ManualClock(EVENING_MS)
        self.platform = Platform(clock=self.clock, settings=ServiceSettings(password_cost=Cost.cheap()))
        self.simulator = Simulator(self.platform, fill(self.platform, world), seed)
        self.reachable = True
        self.seconds = 0
        """Simulated seconds since the evening."""
        self._hub = Hub(self.platform)
        self._subscribers: list[Subscriber] = []
        self._changes: list[OutboxEntry] = []
        self.platform.database.on_commit(self._changes.extend)

    def caller(self, name: str) -> Caller:
        """Return a user as a caller."""
        with self.platform.read() as tx:
            return Caller(USERS.need(tx, name))

    def step(self) -> None:
        """Simulate one step, and send its events."""
        self.clock.advance(STEP_SECONDS)
        self.seconds += STEP_SECONDS
        self.simulator.step(STEP_SECONDS)
        for each in JOBS:
            if self.seconds % max(1, round(each.seconds)) == 0:
                each.job(self.platform)
        changes = [EncodedChange(each, self.platform.variant) for each in self._changes]
        self._changes.clear()
        for subscriber in self._subscribers:
            for change in changes:
                if change.change.offset > subscriber.position:
                    subscriber.offer(change)
            if self.seconds % _HEARTBEAT_SECONDS == 0:
                self._hub.beat(subscriber)
            subscriber.wake()

    def go(self) -> None:
        """Become unreachable: close all channels, and refuse connections until `come_back`."""
        self.reachable = False
        for each in tuple(self._subscribers):
            each.close(1001, "going away")

    def come_back(self, *, restarted: bool) -> None:
        """Become reachable again, as the same instance or as a new one with the same database."""
        self.reachable = True
        if restarted:
            self.platform.forget()
            self.platform.started_ms = self.platform.now_ms()

    # -- what a client asks ------------------------------------------------------------------------------------------

    def fetch(self, caller: Caller, request: Request[Any]) -> Fetched:
        """Answer a request. Raise `api.errors`."""
        if not self.reachable:
            raise Unreachable("connection refused", operation=request.operation.name)
        with self.platform.read() as tx:
            point = Point(epoch=self.platform.database.epoch, offset=tx.head)
            return Fetched(answer_of(self.platform, caller, request), point, None)

    @asynccontextmanager
    async def channel(
        self, caller: Caller, topics: tuple[str, ...], resume: Point | None, runner: DialectRunner
    ) -> AsyncGenerator[Stream]:
        """Open an event channel. Raise Unreachable."""
        if not self.reachable:
            raise Unreachable("connection refused", operation="events")
        subscriber = self._hub.join(caller)
        start = partial(start_of, self.platform, caller, Subscribe(topics=topics, resume=resume))
        await self._hub.subscribe(subscriber, start)
        self._subscribers.append(subscriber)
        try:
            yield Stream(_Connection(subscriber), runner, {}, {})
        finally:
            self._subscribers.remove(subscriber)
            self._hub.leave(subscriber)


class _Connection:
    """The texts that the hub has for a subscriber."""

    def __init__(self, subscriber: Subscriber) -> None:
        self._subscriber = subscriber

    async def texts(self) -> list[bytes]:
        some = asyncio.ensure_future(self._subscriber.next())
        closed = asyncio.ensure_future(self._subscriber.closed.wait())
        try:
            await asyncio.wait({some, closed}, return_when=asyncio.FIRST_COMPLETED)
            if some.done():
                return some.result()
        finally:
            some.cancel()
            closed.cancel()
        raise Unreachable("closed", operation="events")

    async def send(self, message: str, /) -> None: ...

    async def close(self) -> None: ...


class NightClient(Client):
    """The client of a console, of which requests and channel go to the service in this process."""

    def __init__(self, service: NightService, who: str) -> None:
        super().__init__(Endpoint("http://night", events="ws://night/events"), service.clock)
        self._service, self._caller = service, service.caller(who)

    async def fetch(
        self, request: Request[Any], *, once: str | None = None, etag: str | None = None, exact: bool = False
    ) -> Fetched:
        return self._service.fetch(self._caller, request)

    def stream(self, topics: tuple[str, ...], resume: Point | None = None) -> AbstractAsyncContextManager[Stream]:
        return cast("AbstractAsyncContextManager[Stream]", self._open(topics, resume))

    @asynccontextmanager
    async def _open(self, topics: tuple[str, ...], resume: Point | None) -> AsyncGenerator[Stream]:
        runner = DialectRunner(self.endpoint.channel)
        await runner.begin(Target("ws://night/events", {}, ""))
        async with self._service.channel(self._caller, topics, resume, runner) as stream:
            yield stream
