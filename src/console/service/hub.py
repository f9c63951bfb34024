"""Events from the outbox to those who may see them (protocol: `api/events.py`).

The database tells the hub of each commit; the hub gives each subscriber what its topics and its visibility allow, on
the loop thread, in offset order. A subscriber holds texts that wait to be sent; at 1 MiB it is closed as too slow.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter, deque
from collections.abc import Sequence

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
from console.service.database import Change
from console.service.documents import TOPICS
from console.service.platform import Platform

MOST_QUEUED = 1024 * 1024
"""Bytes that may wait for one subscriber."""
LONGEST_REPLAY = 2000
"""Events; who missed more lists again, which is cheaper for both."""
MOST_CHANNELS = 64
"""Event channels of one user."""


class Subscriber:
    """One event channel: who listens to what, how far it has been told, and what waits to be sent."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller
        self.topics: frozenset[str] = frozenset()
        self.subscribed = False
        self.position = 0
        """The offset up to which all has been decided."""
        self.after = 0
        """The offset of the last event it was sent, or where it subscribed."""
        self.closing: tuple[int, str] | None = None
        self.closed = asyncio.Event()
        self._waiting: deque[str] = deque()
        self._bytes = 0
        self._bell = asyncio.Event()

    def say(self, text: str) -> None:
        """Queue a message; too many of them close the channel."""
        if self.closing is not None:
            return
        self._bytes += len(text)
        if self._bytes > MOST_QUEUED:
            self.close(CLOSE_TOO_SLOW, "too slow")
            return
        self._waiting.append(text)
        self._bell.set()

    def close(self, code: int, reason: str) -> None:
        """Close the channel; what still waits is dropped. The first reason stands."""
        if self.closing is None:
            self.closing = (code, reason)
            self._waiting.clear()
            self.closed.set()

    async def next(self) -> str:
        """Return the next message, when there is one."""
        while not self._waiting:
            self._bell.clear()
            await self._bell.wait()
        text = self._waiting.popleft()
        self._bytes -= len(text)
        return text


class Hub:
    """All event channels of one service instance."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform
        self._subscribers: set[Subscriber] = set()
        self._detach = lambda: None

    def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to hear of commits; they may come from any thread and are handled on this loop."""

        def heard(changes: Sequence[Change]) -> None:
            loop.call_soon_threadsafe(self._deliver, tuple(changes))

        self._detach = self._platform.database.on_commit(heard)

    def detach(self, code: int, reason: str) -> None:
        """Hear no more, and close all channels."""
        self._detach()
        for subscriber in tuple(self._subscribers):
            subscriber.close(code, reason)

    def join(self, caller: Caller) -> Subscriber:
        """Add a channel; it comes closed when the user has too many."""
        subscriber = Subscriber(caller)
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
        subscriber.topics = frozenset(asked.topics) & TOPICS.keys()
        subscriber.subscribed = True
        topics = tuple(topic for topic in asked.topics if topic in subscriber.topics)
        with database.read() as tx:
            head = tx.head
            missed: list[Change] = []
            gone = ""
            if asked.resume is not None:
                if asked.resume.epoch != database.epoch:
                    gone = "another epoch"
                elif not database.oldest_resumable(tx) <= asked.resume.offset <= head:
                    gone = "this point is not, or no longer, kept"
                else:
                    missed = database.events_after(tx, asked.resume.offset, LONGEST_REPLAY + 1)
                    if len(missed) > LONGEST_REPLAY or sum(len(each.body or "") for each in missed) > MOST_QUEUED // 2:
                        gone = "too far behind"
        start = head if asked.resume is None or gone else asked.resume.offset
        subscriber.position = subscriber.after = start
        if gone:
            subscriber.say(Reset(epoch=database.epoch, offset=start, reason=gone).model_dump_json())
            return
        subscriber.say(Subscribed(epoch=database.epoch, offset=start, topics=topics).model_dump_json())
        self._offer(subscriber, missed)
        subscriber.position = head

    def beat(self, subscriber: Subscriber) -> None:
        """Send a heartbeat to a channel that has subscribed."""
        if subscriber.subscribed:
            heartbeat = Heartbeat(
                epoch=self._platform.database.epoch, offset=subscriber.position, after=subscriber.after
            )
            subscriber.say(heartbeat.model_dump_json())

    def check(self, subscriber: Subscriber) -> None:
        """Close a channel whose login has ended; have it list again when its user may see something else now."""
        caller = renewed(self._platform, subscriber.caller)
        if caller is None:
            subscriber.close(CLOSE_LOGIN_NEEDED, "the login has ended")
            return
        before, subscriber.caller = subscriber.caller, caller
        if (before.user.role, before.user.domain) != (caller.user.role, caller.user.domain) and subscriber.subscribed:
            subscriber.after = subscriber.position
            reset = Reset(epoch=self._platform.database.epoch, offset=subscriber.position, reason="access changed")
            subscriber.say(reset.model_dump_json())

    def _deliver(self, changes: Sequence[Change]) -> None:
        ended = {each.key for each in changes if each.topic == "sessions" and each.kind == "remove"}
        for subscriber in tuple(self._subscribers):
            if ended and subscriber.caller.session_id in ended:
                subscriber.close(CLOSE_LOGIN_NEEDED, "the login has ended")
            elif subscriber.subscribed:
                self._offer(subscriber, changes)

    def _offer(self, subscriber: Subscriber, changes: Sequence[Change]) -> None:
        for change in changes:
            if change.offset <= subscriber.position:
                continue
            subscriber.position = change.offset
            if change.topic in subscriber.topics:
                text = self._told(change, subscriber)
                if text is not None:
                    subscriber.say(text)
                    subscriber.after = change.offset

    def _told(self, change: Change, subscriber: Subscriber) -> str | None:
        """Return the message that tells a subscriber of a change, or None when it is none of its business.

        Who could see the row before but can no longer is told that it went.
        """
        documents = TOPICS[change.topic]
        rule, caller = documents.rule, subscriber.caller
        head = (
            f'{{"type":"event","offset":{change.offset},"after":{subscriber.after},'
            f'"topic":"{change.topic}","key":{json.dumps(change.key)},'
        )
        if change.after is not None and rule.holds(caller, change.after) and change.body is not None:
            return f'{head}"kind":"upsert","body":{documents.shown(change.body, self._platform.variant)}}}'
        if change.before is not None and rule.holds(caller, change.before):
            return f'{head}"kind":"remove"}}'
        return None
