"""A service in memory with one kind of row, an event channel and injectable faults. No sockets, no clock of its own."""

from __future__ import annotations

import asyncio
import errno
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, cast

import httpx

from console.api.errors import Away, Unreachable
from console.api.events import Event, Heartbeat, Hint, Point, Reset, Subscribed
from console.api.request import Request
from console.client.client import Client, Fetched
from console.client.dialect import Message
from console.client.endpoint import Endpoint
from console.client.stream import Stream
from console.kinds.catalogue import FEEDS
from console.live.bounds import Bounds
from console.live.delta import Freshness
from console.live.engine import Engine
from console.records.raw import Json
from console.records.record import Record
from tests.client.canned import Canned
from tests.live.until import settled
from tests.manual_clock import ManualClock

Queue = asyncio.Queue[Message | Exception]
Answer = Callable[[httpx.Request], httpx.Response | None]


@dataclass
class Channel:
    """A subscriber of the service."""

    queue: Queue
    after: int
    held: list[Message] = field(default_factory=list[Message])


class FakeService:
    """Calls by id. Tests can change its answers and messages."""

    def __init__(self) -> None:
        self.rows: dict[str, dict[str, Any]] = {}
        self.epoch = "one"
        self.offset = 0
        self.channels: list[Channel] = []
        self.connects = 0
        self.lists = 0
        self.offsets = True
        self.lagging = False
        """Whether messages are held back until `flow`."""
        self.gate = asyncio.Event()
        """While it is not set, answers are held back."""
        self.gate.set()
        self.silence: asyncio.Event | None = None
        """If given, opening a channel hangs until it is set."""
        self.reachable = True
        self.place: float | None = None
        """The position among all consoles that the service names; None if consoles draw their own."""
        self.topics: tuple[str, ...] = ("calls", "users", "groups")
        self.greets = True
        """Whether subscriptions are acknowledged."""
        self.closes_with: Callable[[], Exception | None] = lambda: None
        """The exception with which a new channel is closed at once, or None."""
        self.refuse_stream: Callable[[], Exception | None] = lambda: None
        self.answer: Answer = lambda _request: None
        self.bend: Callable[[Event], list[Event]] = lambda event: [event]
        """Replaces an event: by none, by two, or by others."""

    # -- changes and lifetime -------------------------------------------------------------------------------------

    def put(self, key: str, **values: Any) -> None:
        """Store a row and send its event."""
        self.rows[key] = {"id": key, **values}
        self._tell("upsert", key, dict(self.rows[key]))

    def remove(self, key: str) -> None:
        """Remove a row and send its event."""
        if self.rows.pop(key, None) is not None:
            self._tell("remove", key, None)

    def notify(self, key: str, body: dict[str, Any]) -> None:
        """Send a notice about a record."""
        self._tell("notice", key, body)

    def begin_anew(self) -> None:
        """Start a new epoch: rows stay, offsets start again."""
        self.epoch += "+"
        self.offset = len(self.rows)
        for channel in self.channels:
            channel.after = self.offset

    def hint(self, *lists: str, times: int = 1) -> None:
        """Say on every channel that these lists changed."""
        for channel in self.channels:
            for _ in range(times):
                self._send(channel, Hint(lists))

    def _tell(self, kind: Any, key: str, body: Any) -> None:
        self.offset += 1
        for channel in self.channels:
            told = Json(json.dumps(body).encode())
            event = Event(offset=self.offset, after=channel.after, topic="calls", kind=kind, key=key, body=told)
            channel.after = self.offset
            for sent in self.bend(event):
                self._send(channel, sent)

    def beat(self) -> None:
        """Send a heartbeat to everybody."""
        for channel in self.channels:
            self._send(channel, Heartbeat(epoch=self.epoch, offset=self.offset, after=channel.after))

    def reset(self) -> None:
        """Send everybody a request to list again."""
        for channel in self.channels:
            channel.after = self.offset
            self._send(channel, Reset(epoch=self.epoch, offset=self.offset))

    def _send(self, channel: Channel, message: Message) -> None:
        if self.lagging:
            channel.held.append(message)
        else:
            channel.queue.put_nowait(message)

    def flow(self, most: int = 1_000_000) -> None:
        """Deliver the messages held back by the channels, or the first `most`."""
        for channel in self.channels:
            arriving, channel.held = channel.held[:most], channel.held[most:]
            for message in arriving:
                channel.queue.put_nowait(message)
        self.lagging = any(channel.held for channel in self.channels)

    def let_lists_through(self) -> None:
        """Deliver the answers that were held back."""
        self.gate.set()

    def hang_up(self, error: Exception | None = None) -> None:
        """Close all channels."""
        channels, self.channels = self.channels, []
        for channel in channels:
            channel.queue.put_nowait(error or Unreachable("closed", operation="events"))

    # -- answers ----------------------------------------------------------------------------------------------------

    def handle(self, request: httpx.Request) -> httpx.Response:
        """Answer an HTTP request."""
        if not self.reachable:
            raise httpx.ConnectError("refused") from ConnectionRefusedError(errno.ECONNREFUSED, "refused")
        bent = self.answer(request)
        if bent is not None:
            return bent
        match request.url.path:
            case "/users/current":
                return httpx.Response(200, json={"user": {"id": "u1", "username": "ana"}})
            case "/calls":
                self.lists += 1
                return self.stamped(list(self.rows.values()))
            case _:
                return httpx.Response(404, json={"message": "no such thing"})

    def stamped(self, data: Any, offset: int | None = None) -> httpx.Response:
        """Return an answer with the position of the data in the event stream."""
        point = {"Event-Epoch": self.epoch, "Event-Offset": str(self.offset if offset is None else offset)}
        return httpx.Response(200, headers=point if self.offsets else {}, content=json.dumps(data).encode())

    @asynccontextmanager
    async def open(self) -> AsyncGenerator[AsyncIterator[list[Message]]]:
        """Open an event channel."""
        self.connects += 1
        if self.silence is not None:
            await self.silence.wait()
        refused = self.refuse_stream()
        if refused is not None or not self.reachable:
            raise refused or Away("refused", operation="events")
        channel = Channel(asyncio.Queue(), self.offset)
        self.channels.append(channel)
        if self.greets:
            greeting = Subscribed(epoch=self.epoch, offset=self.offset, topics=self.topics, place=self.place)
            channel.queue.put_nowait(greeting)
        closing = self.closes_with()
        if closing is not None:
            channel.queue.put_nowait(closing)
        try:
            yield _messages(channel.queue)
        finally:
            if channel in self.channels:
                self.channels.remove(channel)


async def _messages(queue: Queue) -> AsyncIterator[list[Message]]:
    while True:
        came = [await queue.get()]
        while not queue.empty():
            came.append(queue.get_nowait())
        messages: list[Message] = []
        for each in came:
            if isinstance(each, Exception):
                yield messages
                raise each
            messages.append(each)
        yield messages


class FakeClient(Client):
    """The real client over the fake service."""

    def __init__(self, service: FakeService, clock: ManualClock) -> None:
        super().__init__(Endpoint("http://fake", events="ws://fake/events"), clock, transport=Canned(service.handle))
        self._service = service

    async def fetch(
        self, request: Request[Any], *, once: str | None = None, etag: str | None = None, exact: bool = False
    ) -> Fetched:
        fetched = await super().fetch(request, once=once, etag=etag, exact=exact)
        await self._service.gate.wait()
        return fetched

    def stream(self, topics: tuple[str, ...], resume: Point | None = None) -> AbstractAsyncContextManager[Stream]:
        return cast("AbstractAsyncContextManager[Stream]", self._service.open())


class Rig:
    """An engine on a fake service, with a clock that moves only on request."""

    def __init__(
        self, *kinds: str, events: bool = True, quiet: float | None = None, bounds: Bounds | None = None
    ) -> None:
        self.clock = ManualClock()
        self.service = FakeService()
        self.engine = Engine(
            lambda: FakeClient(self.service, self.clock),
            self.clock,
            [FEEDS[kind] for kind in kinds or ("calls",)],
            events=events,
            quiet=quiet,
            bounds=bounds,
        )
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Rig:
        self._task = asyncio.ensure_future(self.engine.run())
        await settled()
        return self

    async def __aexit__(self, *_exc: object) -> None:
        self.engine.end()
        assert self._task is not None
        await self._task

    def show(self, kind: str = "calls") -> Rig:
        """Want a list as a screen that shows it does."""
        self.engine.followers[kind].want(shown=True)
        return self

    async def pass_time(self, seconds: float, *, beats: bool = True, step: float = 0.5) -> None:
        """Move the clock in small steps, with heartbeats every three seconds by default."""
        steps = round(seconds / step)
        for number in range(1, steps + 1):
            self.clock.advance(step)
            if beats and number % round(3 / step) == 0:
                self.service.beat()
            await settled(20)
        await settled()

    def shown(self, kind: str = "calls") -> dict[str, Any]:
        """Return the rows of a screen in the wire form."""
        records: dict[str, Record] = dict(self.engine.followers[kind].collection.snapshot())
        return {key: each.model_dump(by_alias=True, exclude_unset=True) for key, each in records.items()}


def at(path: str, answer: Answer) -> Answer:
    """Return a function that answers the requests to a path."""
    return lambda request: answer(request) if request.url.path == path else None


async def live(rig: Rig) -> None:
    """Show the calls and wait until they are live."""
    rig.show()
    await settled(200)
    assert rig.engine.health("calls").state is Freshness.LIVE
