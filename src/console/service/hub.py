"""Events from the outbox to those who may see them (protocol: `api/events.py`).

The database tells the hub of each commit; the hub gives each subscriber what its topics and its visibility allow, on
the loop thread, in offset order. A subscriber holds texts that wait to be sent. An event that is too large, and events
that become too many before they are sent, are replaced by one for each topic that says to list it again. So what waits
is bounded, and nothing that anybody stores can close a channel.

What makes many subscribers cheap: a change is judged and encoded once for all who see alike, and those who listen are
woken at most every `PACE_SECONDS`, so that in a burst one write carries many events. Two hundred consoles that hear
250 changes a second cost a core a third of what judging, encoding and writing for each of them does.
"""

from __future__ import annotations

import asyncio
import itertools
import json
from collections import Counter, deque
from collections.abc import Hashable, Iterable, Iterator, Sequence

from console.api.annotations import Variant
from console.api.events import (
    CLOSE_BAD_MESSAGE,
    CLOSE_LOGIN_NEEDED,
    CLOSE_TOO_SLOW,
    Heartbeat,
    Reset,
    Subscribe,
    Subscribed,
)
from console.service.caller import Caller
from console.service.credentials import renewed
from console.service.database import Change, Transaction
from console.service.documents import TOPICS
from console.service.platform import Platform
from console.service.visibility import ADDRESSEES

MOST_QUEUED = 1024 * 1024
"""Bytes that may wait for one subscriber."""
LARGEST_EVENT = MOST_QUEUED // 2
"""Bytes of an event that is sent as it is: enough for every record whose texts are as long as they may be."""
LONGEST_REPLAY = 2000
"""Events; who missed more lists again, which is cheaper for both."""
MOST_CHANNELS = 64
"""Event channels of one user."""
PACE_SECONDS = 0.01
"""How long an event may wait for others to share a write with; the first after a pause does not wait."""


def places() -> Iterator[float]:
    """Yield places from 0 to 1 of which any that follow each other are spread evenly: steps of the golden section.

    Drawn by lot, two hundred would leave gaps and crowds.
    """
    return (number * 0.6180339887 % 1 for number in itertools.count())


class Subscriber:
    """One event channel: who listens to what, how far it has been told, and what waits to be sent."""

    def __init__(self, caller: Caller, place: float = 0.0) -> None:
        self.caller = caller
        self.place = place
        """Where it stands among all subscribers, from 0 to 1."""
        self.wanted: tuple[str, ...] = ()
        """The topics that were asked for, whether or not they are granted."""
        self.visibilities: dict[str, Hashable] = {}
        """The topics that are listened to, and what of the caller decides what is seen of each."""
        self.subscribed = False
        self.position = 0
        """The offset up to which all has been decided."""
        self.after = 0
        """The offset of the last event it was sent, or where it subscribed."""
        self.closing: tuple[int, str] | None = None
        self.closed = asyncio.Event()
        self._waiting: deque[bytes] = deque()
        self._bases: list[bytes] = []
        """Those of the texts that wait which say from where on events follow."""
        self._unsent: dict[str, int] = {}
        """The topics of the events that wait since the last of them, each with the offset of its last one."""
        self._unsent_after = 0
        """The offset of the event before the first that waits."""
        self._bytes = 0
        self._bell = asyncio.Event()

    def listen(self, topics: Iterable[str]) -> None:
        """Listen to these topics and no others, with the visibility that the caller has now."""
        self.visibilities = {topic: TOPICS[topic].rule.visibility(self.caller) for topic in topics}

    def tell(self, telling: Telling) -> None:
        """Let the event of a change wait for the next `wake`, if it is any of the subscriber's business."""
        change = telling.change
        self.position = change.offset
        if change.topic not in self.visibilities:
            return
        text = telling.to(self, self.visibilities[change.topic])
        if text is None:
            return
        if not self._unsent:
            self._unsent_after = self.after
        self._unsent[change.topic] = self.after = change.offset
        self._queue(text)

    def base(self, message: Subscribed | Reset) -> None:
        """Say from where on events follow."""
        self._unsent.clear()
        text = message.model_dump_json().encode()
        self._bases.append(text)
        self._queue(text)
        self.wake()

    def beat(self, heartbeat: Heartbeat) -> None:
        """Say that all has been told."""
        self._queue(heartbeat.model_dump_json().encode())
        self.wake()

    def _queue(self, text: bytes) -> None:
        if self.closing is not None:
            return
        self._waiting.append(text)
        self._bytes += len(text)
        if self._bytes > MOST_QUEUED:
            self._drop_events()

    def _drop_events(self) -> None:
        """Replace the events that wait by one for each of their topics, which says that it must be listed again."""
        self._waiting.clear()
        self._waiting.extend(self._bases)
        after = self._unsent_after
        for topic, offset in sorted(self._unsent.items(), key=lambda each: each[1]):
            self._waiting.append(_relist(after, offset, topic))
            after = offset
        self._bytes = sum(map(len, self._waiting))
        if self._bytes > MOST_QUEUED // 2:
            # It subscribes again and again and reads nothing.
            self.close(CLOSE_TOO_SLOW, "too slow")

    def wake(self) -> None:
        """Have what waits be sent."""
        if self._waiting:
            self._bell.set()

    def close(self, code: int, reason: str) -> None:
        """Close the channel; what still waits is dropped. The first reason stands."""
        if self.closing is None:
            self.closing = (code, reason)
            self._waiting.clear()
            self._bases.clear()
            self._unsent.clear()
            self.closed.set()

    async def next(self) -> list[bytes]:
        """Return all messages that wait, once there are any."""
        while not self._waiting:
            self._bell.clear()
            await self._bell.wait()
        texts = list(self._waiting)
        self._waiting.clear()
        self._bases.clear()
        self._unsent.clear()
        self._bytes = 0
        return texts


def _relist(after: int, offset: int, topic: str) -> bytes:
    """Return the event that says that a topic must be listed again."""
    event = {"type": "event", "after": after, "offset": offset, "topic": topic, "key": "", "kind": "relist"}
    return json.dumps(event, separators=(",", ":")).encode()


class Telling:
    """One change as sent to subscribers, encoded once for all of equal visibility and equal place in the stream."""

    def __init__(self, change: Change, variant: Variant) -> None:
        self.change = change
        self._documents = TOPICS.get(change.topic)
        self._variant = variant
        self._ends: dict[Hashable, bytes | None] = {}
        self._texts: dict[tuple[Hashable, int], bytes | None] = {}

    def to(self, subscriber: Subscriber, visibility: Hashable) -> bytes | None:
        """Return the message for a subscriber, or None when the change is none of its business."""
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
        """Return all but the beginning, which says where the subscriber is in the stream.

        Who could see the row before but can no longer is told that it went.
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


class Hub:
    """All event channels of one service instance."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform
        self._subscribers: set[Subscriber] = set()
        self._places = places()
        self._detach = lambda: None
        self._woken = 0.0
        self._waking: asyncio.TimerHandle | None = None

    def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to hear of commits; they may come from any thread and are handled on this loop."""

        def heard(changes: Sequence[Change]) -> None:
            loop.call_soon_threadsafe(self._deliver, tuple(changes))

        self._detach = self._platform.database.on_commit(heard)

    def detach(self, code: int, reason: str) -> None:
        """Hear no more, and close all channels."""
        self._detach()
        if self._waking is not None:
            self._waking.cancel()
        for subscriber in tuple(self._subscribers):
            subscriber.close(code, reason)

    def join(self, caller: Caller) -> Subscriber:
        """Add a channel; it comes closed when the user has too many."""
        subscriber = Subscriber(caller, next(self._places))
        if Counter(each.caller.id for each in self._subscribers)[caller.id] >= MOST_CHANNELS:
            subscriber.close(CLOSE_BAD_MESSAGE, "too many event channels")
        self._subscribers.add(subscriber)
        return subscriber

    def leave(self, subscriber: Subscriber) -> None:
        """Forget a channel."""
        self._subscribers.discard(subscriber)

    def subscribe(self, subscriber: Subscriber, asked: Subscribe) -> None:
        """Start, or change, what a channel hears; resume where it says if nothing is missing since then."""
        database = self._platform.database
        subscriber.subscribed = True
        with database.read() as tx:
            topics = self._granted(tx, subscriber, asked.topics)
            subscriber.listen(topics)
            head = tx.head
            missed: list[Change] = []
            gone = ""
            if asked.resume is not None:
                if asked.resume.epoch != database.epoch:
                    gone = "another epoch"
                elif not database.oldest_resumable(tx) <= asked.resume.offset <= head:
                    gone = "this point is not available"
                else:
                    missed = database.events_after(tx, asked.resume.offset, LONGEST_REPLAY + 1)
                    if len(missed) > LONGEST_REPLAY or sum(len(each.body or "") for each in missed) > MOST_QUEUED // 2:
                        gone = "too far behind"
        start = head if asked.resume is None or gone else asked.resume.offset
        subscriber.position = subscriber.after = start
        if gone:
            subscriber.base(Reset(epoch=database.epoch, offset=start, reason=gone))
            return
        subscriber.base(Subscribed(epoch=database.epoch, offset=start, topics=topics, place=subscriber.place))
        self._offer(subscriber, self._tellings(missed))
        subscriber.wake()
        subscriber.position = head

    def _granted(self, tx: Transaction, subscriber: Subscriber, wanted: Sequence[str]) -> tuple[str, ...]:
        """Return the topics that there are of those wanted, and that the subscriber's domain offers."""
        subscriber.wanted = tuple(wanted)
        offers, caller = self._platform.offers, subscriber.caller
        return tuple(topic for topic in wanted if topic in TOPICS and offers.has_topic(tx, caller, topic))

    def beat(self, subscriber: Subscriber) -> None:
        """Send a heartbeat to a channel that has subscribed."""
        if subscriber.subscribed:
            heartbeat = Heartbeat(
                epoch=self._platform.database.epoch, offset=subscriber.position, after=subscriber.after
            )
            subscriber.beat(heartbeat)

    def check(self, subscriber: Subscriber) -> None:
        """Close a channel whose login has ended; have it list again when its user may see something else now."""
        caller = renewed(self._platform, subscriber.caller)
        if caller is None:
            subscriber.close(CLOSE_LOGIN_NEEDED, "the login has ended")
            return
        before, subscriber.caller = subscriber.caller, caller
        with self._platform.read() as tx:
            granted = self._granted(tx, subscriber, subscriber.wanted)
        changed = (before.user.role, before.user.domain) != (caller.user.role, caller.user.domain)
        if subscriber.subscribed and (changed or granted != tuple(subscriber.visibilities)):
            subscriber.listen(granted)
            subscriber.after = subscriber.position
            reset = Reset(epoch=self._platform.database.epoch, offset=subscriber.position, reason="access changed")
            subscriber.base(reset)

    def _deliver(self, changes: Sequence[Change]) -> None:
        ended = {each.key for each in changes if each.topic == "sessions" and each.kind == "remove"}
        tellings = self._tellings(changes)
        for subscriber in tuple(self._subscribers):
            if ended and subscriber.caller.session_id in ended:
                subscriber.close(CLOSE_LOGIN_NEEDED, "the login has ended")
            elif subscriber.subscribed:
                self._offer(subscriber, tellings)
        self._wake_soon()

    def _tellings(self, changes: Sequence[Change]) -> list[Telling]:
        return [Telling(change, self._platform.variant) for change in changes]

    def _offer(self, subscriber: Subscriber, tellings: Sequence[Telling]) -> None:
        for telling in tellings:
            if telling.change.offset > subscriber.position:
                subscriber.tell(telling)

    def _wake_soon(self) -> None:
        if self._waking is None:
            loop = asyncio.get_running_loop()
            self._waking = loop.call_at(self._woken + PACE_SECONDS, self._wake)

    def _wake(self) -> None:
        self._waking = None
        self._woken = asyncio.get_running_loop().time()
        for subscriber in self._subscribers:
            subscriber.wake()
