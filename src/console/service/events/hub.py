"""Distribute events from the outbox to subscribers (protocol: `api/events.py`).

The database notifies the hub of each commit. The hub queues an event for each subscriber with a matching topic and
visibility, on the event loop's thread, in the order of offsets. Events that are too large, or too many, are replaced by
one event per topic, which requires listing it again. So queues are bounded, and no stored data can close a channel.

Many subscribers are cheap for two reasons: a change is filtered and encoded once per visibility, and subscribers are
woken at most every `PACE_SECONDS`, so that one write contains many events of a burst. For two hundred consoles with 250
changes a second, this takes a third of the processor time of single writes.
"""

from __future__ import annotations

import asyncio
import itertools
import json
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

from starlette.websockets import WebSocket

from console.api.annotations import Variant
from console.api.events import (
    CLOSE_BAD_MESSAGE,
    CLOSE_LOGIN_NEEDED,
    CLOSE_TOO_SLOW,
    Heartbeat,
    Reset,
    Subscribed,
)
from console.base.frozen import Frozen
from console.records.raw import encode
from console.service.auth.caller import Caller
from console.service.events.visibility import ADDRESSEES
from console.service.http.connections import TEXTS
from console.service.platform import Platform
from console.service.store.documents import TOPICS
from console.service.store.outbox import OutboxEntry

MOST_QUEUED = 1024 * 1024
"""Most bytes in the queue of a subscriber."""
LARGEST_EVENT = MOST_QUEUED // 2
"""Largest event that is sent unchanged, in bytes: enough for every record with texts of maximum length."""
MOST_CHANNELS = 64
"""Most event channels of one user."""
TAKE_SECONDS = 30.0
"""Timeout for a peer to take one write of at most `MOST_QUEUED` bytes."""
PACE_SECONDS = 0.01
"""Longest delay of an event, to combine writes. The first event after a pause is not delayed."""


def places() -> Iterator[float]:
    """Yield numbers from 0 to 1 of which any consecutive ones are evenly distributed: multiples of the golden ratio.

    Random numbers would leave gaps and clusters.
    """
    return (number * 0.6180339887 % 1 for number in itertools.count())


class Subscriber:
    """One event channel: its subscription, position and queue, which it sends."""

    def __init__(self, caller: Caller, place: float = 0.0) -> None:
        self.caller = caller
        self.place = place
        """Its place among all subscribers, from 0 to 1."""
        self.wanted: tuple[str, ...] = ()
        """The requested topics, granted or not."""
        self.visibilities: dict[str, Hashable] = {}
        """The granted topics, with the visibility of each."""
        self.subscribed = False
        self.position = 0
        """The offset up to which all events are processed."""
        self.after = 0
        """The offset of the last event sent to it, or of its subscription."""
        self.changing = asyncio.Lock()
        """Held while the subscription is changed or checked."""
        self.held: list[EncodedChange] | None = None
        """The changes since a new subscription began to be read; None otherwise."""
        self.closing: tuple[int, str] | None = None
        self.closed = asyncio.Event()
        self._waiting: deque[bytes] = deque()
        self._bases: list[bytes] = []
        """The queued `subscribed` and `reset` messages."""
        self._unsent: dict[str, int] = {}
        """Topics of the events queued after the last of them, each with the offset of its last event."""
        self._unsent_after = 0
        """The offset of the event before the first queued one."""
        self._bytes = 0
        self._bell = asyncio.Event()

    def listen(self, topics: Iterable[str]) -> None:
        """Replace the subscribed topics, with the current visibility of the caller."""
        self.visibilities = {topic: TOPICS[topic].rule.visibility(self.caller) for topic in topics}

    def offer(self, encoded: EncodedChange) -> None:
        """Queue the event of a change until the next `wake`, if it is visible to the subscriber."""
        change = encoded.change
        self.position = change.offset
        if change.topic not in self.visibilities:
            return
        text = encoded.to(self, self.visibilities[change.topic])
        if text is None:
            return
        if not self._unsent:
            self._unsent_after = self.after
        self._unsent[change.topic] = self.after = change.offset
        self._queue(text)

    def begin(self, message: Subscribed | Reset) -> None:
        """Queue the message with the point after which events follow."""
        self._unsent.clear()
        text = encode(message)
        self._bases.append(text)
        self._queue(text)
        self.wake()

    def beat(self, heartbeat: Heartbeat) -> None:
        """Queue a heartbeat."""
        self._queue(encode(heartbeat))
        self.wake()

    def _queue(self, text: bytes) -> None:
        if self.closing is not None:
            return
        self._waiting.append(text)
        self._bytes += len(text)
        if self._bytes > MOST_QUEUED:
            self._drop_events()

    def _drop_events(self) -> None:
        """Replace all queued events by one for each topic, which requires listing it again."""
        self._waiting.clear()
        self._waiting.extend(self._bases)
        after = self._unsent_after
        for topic, offset in sorted(self._unsent.items(), key=lambda each: each[1]):
            self._waiting.append(_relist(after, offset, topic))
            after = offset
        self._bytes = sum(map(len, self._waiting))
        if self._bytes > MOST_QUEUED // 2:
            # The client subscribes repeatedly and reads nothing.
            self.close(CLOSE_TOO_SLOW, "too slow")

    def wake(self) -> None:
        """Start sending queued messages."""
        if self._waiting:
            self._bell.set()

    def close(self, code: int, reason: str) -> None:
        """Close the channel, and discard queued messages. Later calls do not change the reason."""
        if self.closing is None:
            self.closing = (code, reason)
            self._waiting.clear()
            self._bases.clear()
            self._unsent.clear()
            self.closed.set()

    async def next(self) -> list[bytes]:
        """Wait for messages, and return all queued ones."""
        while not self._waiting:
            self._bell.clear()
            await self._bell.wait()
        texts = list(self._waiting)
        self._waiting.clear()
        self._bases.clear()
        self._unsent.clear()
        self._bytes = 0
        return texts

    async def send_to(self, websocket: WebSocket) -> None:
        """Send queued messages, all at once if the server can, until the peer does not take them in time."""
        at_once = TEXTS in websocket.scope.get("extensions", {})
        while True:
            texts = await self.next()
            try:
                async with asyncio.timeout(TAKE_SECONDS):
                    if at_once:
                        await websocket.send({"type": "websocket.send", TEXTS: texts})
                    else:
                        for text in texts:
                            await websocket.send_text(text.decode())
            except TimeoutError:
                self.close(CLOSE_TOO_SLOW, "too slow")
                return


def _relist(after: int, offset: int, topic: str) -> bytes:
    """Return the event that requires listing a topic again."""
    event = {"type": "event", "after": after, "offset": offset, "topic": topic, "key": "", "kind": "relist"}
    return json.dumps(event, separators=(",", ":")).encode()


class EncodedChange:
    """A change as sent to subscribers, encoded once for equal visibility and equal position in the stream."""

    def __init__(self, change: OutboxEntry, variant: Variant) -> None:
        self.change = change
        self._documents = TOPICS.get(change.topic)
        self._variant = variant
        self._ends: dict[Hashable, bytes | None] = {}
        self._texts: dict[tuple[Hashable, int], bytes | None] = {}

    def to(self, subscriber: Subscriber, visibility: Hashable) -> bytes | None:
        """Return the message for a subscriber, or None if the change is not visible to it."""
        if self.change.kind == "notice":
            visibility = self._is_for(subscriber.caller)
        place = (visibility, subscriber.after)
        try:
            return self._texts[place]
        except KeyError:
            text = self._texts[place] = self._text(subscriber, visibility)
            return text

    def _text(self, subscriber: Subscriber, visibility: Hashable) -> bytes | None:
        if visibility not in self._ends:
            self._ends[visibility] = self._end(subscriber.caller)
        end = self._ends[visibility]
        return None if end is None else b'{"type":"event","after":%d,' % subscriber.after + end

    def _end(self, caller: Caller) -> bytes | None:
        """Return the message without its beginning, which contains the subscriber's position.

        A subscriber who could see the row only before the change gets its removal.
        """
        change = self.change
        if self._documents is None or (change.kind == "notice" and not self._is_for(caller)):
            return None
        rule = self._documents.rule
        named = f'"offset":{change.offset},"topic":"{change.topic}","key":{json.dumps(change.key)}'
        holds = change.kind == "notice" or (change.after is not None and rule.holds(caller, change.after))
        if holds and change.body is not None:
            body = self._documents.shown(change.body, self._variant)
            text = f'{named},"kind":"{change.kind}","body":{body}}}'.encode()
            return text if len(text) <= LARGEST_EVENT else f'{named},"kind":"relist"}}'.encode()
        if change.before is not None and rule.holds(caller, change.before):
            return f'{named},"kind":"remove"}}'.encode()
        return None

    def _is_for(self, caller: Caller) -> bool:
        return caller.address in (self.change.after or {}).get(ADDRESSEES, ())


class SubscriptionStart(Frozen):
    """Start of a subscription."""

    wanted: tuple[str, ...]
    topics: tuple[str, ...]
    """The granted ones of the wanted topics."""
    offset: int
    head: int
    """The offset up to which all events are known: those after the start are missed ones."""
    gone: str
    """Why the requested point is not available; empty if it is."""
    missed: tuple[OutboxEntry, ...]


class Hub:
    """All event channels of a service instance."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform
        self._subscribers: set[Subscriber] = set()
        self._places = places()
        self.closing: tuple[int, str] | None = None
        """How channels are closed at the end of the service; None before."""
        self._detach = lambda: None
        self._woken = 0.0
        self._waking: asyncio.TimerHandle | None = None

    def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        """Start to receive commits. They may come from any thread, and are processed on this loop."""
        self.closing = None

        def on_commit(changes: Sequence[OutboxEntry]) -> None:
            loop.call_soon_threadsafe(self._deliver, tuple(changes))

        self._detach = self._platform.database.on_commit(on_commit)

    def detach(self, code: int, reason: str) -> None:
        """Stop receiving commits, and close all channels."""
        self._detach()
        if self._waking is not None:
            self._waking.cancel()
        self.close(code, reason)

    def close(self, code: int, reason: str) -> None:
        """Close all channels, and those that join from now on."""
        self.closing = (code, reason)
        for subscriber in tuple(self._subscribers):
            subscriber.close(code, reason)

    @property
    def channels(self) -> int:
        """The number of open channels."""
        return len(self._subscribers)

    def join(self, caller: Caller) -> Subscriber:
        """Add a channel. It is returned closed if the user has too many."""
        subscriber = Subscriber(caller, next(self._places))
        if self.closing is not None:
            subscriber.close(*self.closing)
        if Counter(each.caller.id for each in self._subscribers)[caller.id] >= MOST_CHANNELS:
            subscriber.close(CLOSE_BAD_MESSAGE, "too many event channels")
        self._subscribers.add(subscriber)
        return subscriber

    def leave(self, subscriber: Subscriber) -> None:
        """Remove a channel."""
        self._subscribers.discard(subscriber)

    async def subscribe(self, subscriber: Subscriber, read: Callable[[], SubscriptionStart]) -> None:
        """Start or change the subscription of a channel, from the point that `read` returns."""
        async with subscriber.changing:
            # Events after the start may arrive before it is known here.
            subscriber.held = []
            try:
                self.begin(subscriber, await self._platform.database.run(read))
                self._offer(subscriber, subscriber.held)
                subscriber.wake()
            finally:
                subscriber.held = None

    def begin(self, subscriber: Subscriber, start: SubscriptionStart) -> None:
        """Start or change the subscription of a channel."""
        epoch = self._platform.database.epoch
        subscriber.subscribed = True
        subscriber.wanted = start.wanted
        subscriber.listen(start.topics)
        subscriber.position = subscriber.after = start.offset
        if start.gone:
            subscriber.begin(Reset(epoch=epoch, offset=start.offset, reason=start.gone))
            return
        subscriber.begin(Subscribed(epoch=epoch, offset=start.offset, topics=start.topics, place=subscriber.place))
        self._offer(subscriber, self._encoded(start.missed))
        subscriber.wake()
        subscriber.position = start.head

    def beat(self, subscriber: Subscriber) -> None:
        """Send a heartbeat to a channel that has subscribed."""
        if subscriber.subscribed:
            heartbeat = Heartbeat(
                epoch=self._platform.database.epoch, offset=subscriber.position, after=subscriber.after
            )
            subscriber.beat(heartbeat)

    def _deliver(self, changes: Sequence[OutboxEntry]) -> None:
        ended = {change.key for change in changes if change.topic == "sessions" and change.kind == "remove"}
        encoded = self._encoded(changes)
        for subscriber in tuple(self._subscribers):
            if ended and subscriber.caller.session_id in ended:
                subscriber.close(CLOSE_LOGIN_NEEDED, "the login has ended")
            elif subscriber.held is not None:
                subscriber.held += encoded
            elif subscriber.subscribed:
                self._offer(subscriber, encoded)
        self._wake_soon()

    def _encoded(self, changes: Sequence[OutboxEntry]) -> list[EncodedChange]:
        return [EncodedChange(change, self._platform.variant) for change in changes]

    def _offer(self, subscriber: Subscriber, encoded: Sequence[EncodedChange]) -> None:
        for encoded_change in encoded:
            if encoded_change.change.offset > subscriber.position + 1:
                # Events were deleted before this node has read them.
                subscriber.position = subscriber.after = encoded_change.change.offset - 1
                epoch = self._platform.database.epoch
                subscriber.begin(Reset(epoch=epoch, offset=subscriber.position, reason="too far behind"))
            if encoded_change.change.offset > subscriber.position:
                subscriber.offer(encoded_change)

    def _wake_soon(self) -> None:
        if self._waking is None:
            loop = asyncio.get_running_loop()
            self._waking = loop.call_at(self._woken + PACE_SECONDS, self._wake)

    def _wake(self) -> None:
        self._waking = None
        self._woken = asyncio.get_running_loop().time()
        for subscriber in self._subscribers:
            subscriber.wake()
