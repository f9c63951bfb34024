"""The event channel of the backend: one connection for all kinds, proof of completeness, reconnecting.

Each event and heartbeat contains the offset of the previous event (`after`). Only if it equals the last received offset
is the data proven fresh; otherwise events were lost, and all kinds list again. Data is never repaired in part.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from console.api.errors import (
    ApiError,
    Away,
    BadAnswer,
    BadCertificate,
    Forbidden,
    LoginNeeded,
    NotOffered,
)
from console.api.errors import Unreachable as NoAnswer
from console.api.events import Damaged, Event, Heartbeat, Hint, Point, Reset, Subscribed
from console.base.clock import Clock
from console.base.frozen import replace
from console.live import gc_tuning
from console.live.backoff import Backoff
from console.live.freshness import DEAD_SECONDS, ChannelFacts
from console.live.resync import CALM_SECONDS
from console.live.waiting import wait_or_sleep

if TYPE_CHECKING:
    from console.client.dialect import Message
    from console.live.engine import Engine
    from console.live.follower import Follower

FLOOD = 200
"""Size of a batch of messages from which the channel pauses between batches while keys are pressed."""
RENEWED_SECONDS = 60.0
REOPENED_SECONDS = 30.0
"""Interval of retries if a channel that was open before is no longer offered: it may be under repair."""


class Channel:
    """Keeps the event channel open and passes events to the followers. Belongs to the engine's loop."""

    def __init__(
        self,
        engine: Engine,
        followers: Mapping[str, Follower],
        topics: tuple[str, ...],
        clock: Clock,
        *,
        wanted: bool = True,
        quiet: float | None = None,
    ) -> None:
        """Prepare without effect until `run`.

        `quiet` are the seconds of silence after which a channel of another protocol is reopened; None for our own,
        which must prove that nothing was lost.
        """
        self._engine = engine
        self._followers = followers
        self._clock = clock
        self._topics = topics
        self._backoff = Backoff()
        self._quiet = quiet
        self._last = 0
        self._heard = 0.0
        self._arrived = 0.0
        """When anything was received."""
        self._worked = False
        """Whether a channel of another protocol was open before."""
        self._renewed = -RENEWED_SECONDS
        self._stopped = False
        self._again = asyncio.Event()
        self.tried = asyncio.Event()
        """Set after the first attempt to open the channel: an earlier list would have to be repeated."""
        self._facts = ChannelFacts(wanted=wanted, since=clock.monotonic())
        self.generation = 0
        """Increases when data may be incomplete: a list started under an older generation cannot be joined."""
        self.base: Point | None = None
        """Events after this point arrive, or arrived, without a gap."""
        self.granted: frozenset[str] = frozenset()
        """The topics whose events the service sends."""
        self._most_granted: frozenset[str] = frozenset()
        self._ask_again_at: float | None = None
        """When to reopen the channel, because topics are missing that were granted before."""

    @property
    def facts(self) -> ChannelFacts:
        """The current state of the channel. May be read from any thread."""
        facts = self._facts
        # Events update the proof thousands of times a second, readers ask ten times.
        return replace(facts, proof=max(facts.proof, self._heard), retry_at=None) if facts.open else facts

    def covers(self, kind: str) -> bool:
        """Return whether events of a kind arrive."""
        return self._facts.open and kind in self.granted

    def try_again(self) -> None:
        """Retry at once, also if no channel was found."""
        self._backoff.reset()
        self._again.set()

    def revive(self) -> None:
        """Prepare for `run` after a permanent error."""
        self._stopped = False
        self.tried.clear()
        self._state(wanted=True, open=False)

    async def run(self) -> None:
        """Keep the channel open until cancelled, or until a permanent error (reported to the engine)."""
        try:
            await self._run()
        finally:
            if self.facts.open:
                self.generation += 1
                self._state(open=False, since=self._clock.monotonic())
                self._engine.closed(self.facts.proof)

    async def _run(self) -> None:
        while True:
            started: float | None = None
            wait: float | None = 0.0
            try:
                async with self._engine.client.stream(self._topics) as stream:
                    started = self._clock.monotonic()
                    if self._quiet is not None:
                        self._connected()
                    await self._serve(stream)
            except ApiError as error:
                wait = await self._fell(error, started, self.facts.open)
            if self._stopped:
                return
            await self._rest(wait)

    def _connected(self) -> None:
        """A channel of another protocol is open: what happened before is unknown."""
        self._worked = True
        self.tried.set()
        self._state(reason="")
        self._hint(self._topics)
        self._engine.changed()

    async def _rest(self, seconds: float | None) -> None:
        self._again.clear()
        await wait_or_sleep(self._again, self._clock, seconds)
        self._again.clear()
        if not self.facts.wanted:
            self._state(wanted=True)

    async def _fell(self, error: ApiError, started: float | None, opened: bool) -> float | None:
        """Note why the channel is closed; return the seconds to the next attempt, or None to wait for `try_again`.

        `started` is when the service accepted the connection, or None; `opened` tells whether it accepted the
        subscription.

        Without a channel, the kinds are polled until `try_again`; if there was one before, it is retried periodically.
        """
        now = self._clock.monotonic()
        self.tried.set()
        if isinstance(error, BadAnswer):
            self._engine.suspect()
        if opened:
            self.generation += 1
        reason = error.reason
        # Without offsets, the channel says nothing about the connection: the lists do.
        since = now if opened or self._quiet is None else None
        if isinstance(error, BadCertificate):
            self._stopped = True
            self._state(open=False, since=since, reason=reason)
            self._engine.fatal(error)
            return None
        if isinstance(error, LoginNeeded) and now - self._renewed >= RENEWED_SECONDS:
            self._state(open=False, since=since, reason=reason)
            if opened:
                self._engine.closed(self.facts.proof)
            self._renewed = now
            if not await self._engine.renew_login():
                self._stopped = True
                return None
        elif isinstance(error, NotOffered | Forbidden | LoginNeeded):
            self._state(wanted=False, open=False, since=since, reason=reason, retry_at=None)
            if opened:
                self._engine.closed(self.facts.proof)
            self._engine.changed()
            return REOPENED_SECONDS if self.facts.proof > 0 or self._worked else None
        accepted = started is not None or not isinstance(error, NoAnswer)
        lasted = now - started if started is not None and (opened or self._quiet is not None) else 0.0
        wait = self._backoff.failed(lasted, accepted=accepted, away=isinstance(error, Away), at_least=error.retry_after)
        now = self._clock.monotonic()
        since = None if since is None else now
        self._state(open=False, since=since, reason=reason, retry_at=now + wait)
        if opened:
            self._engine.closed(self.facts.proof)
        self._engine.changed()
        return wait

    async def _serve(self, stream: AsyncIterable[Sequence[Message]]) -> None:
        """Read until the stream ends or falls silent; always raise an ApiError."""
        self._heard = self._arrived = self._clock.monotonic()
        reader = asyncio.ensure_future(self._read(stream))
        guard = asyncio.ensure_future(self._guard())
        try:
            await asyncio.wait({reader, guard}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (reader, guard):
                task.cancel()
            outcomes = await asyncio.gather(reader, guard, return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, Exception):
                raise outcome
        raise NoAnswer("the event channel ended", operation="events")

    async def _read(self, stream: AsyncIterable[Sequence[Message]]) -> None:
        async for messages in stream:
            self._arrived = self._clock.monotonic()
            self.take(messages)
            if len(messages) >= FLOOD and (seconds := gc_tuning.way()):
                # In real time, independently of the clock: this is about processor time.
                await asyncio.sleep(seconds)

    async def _guard(self) -> None:
        """Close a channel without proof of freshness, or after the machine was suspended."""
        clock = self._clock
        known = clock.breaks.look()
        while True:
            await clock.sleep(1.0)
            now = clock.monotonic()
            if broken := clock.breaks.after(known):
                raise NoAnswer(broken[0].reason, operation="events")
            if self._ask_again_at is not None and now >= self._ask_again_at and self.facts.open:
                raise NoAnswer("the service sends events of fewer lists than before", operation="events")
            if self._quiet is None and now - self._heard >= DEAD_SECONDS:
                raise NoAnswer("no message on the event channel for nine seconds", operation="events")
            if self._quiet is not None and now - self._arrived >= self._quiet:
                text = f"no message on the event channel for {self._quiet:g} seconds"
                raise NoAnswer(text, operation="events")

    def take(self, messages: Sequence[Message]) -> None:
        """Process a batch of messages: check the chain of offsets, pass on events in order."""
        now = self._clock.monotonic()
        events: list[Event] = []
        ours = self._quiet is None
        for message in messages:
            # The usual case, thousands of times a second: the next event in order.
            if isinstance(message, Event) and message.after == self._last < message.offset and self.base is not None:
                self._last = message.offset
                events.append(message)
                continue
            if not ours and isinstance(message, Event) and (self.base is None or message.offset == 0):
                # A row of a protocol without offsets.
                events.append(message)
                continue
            self._pass_on(events, now)
            events = []
            self._take(message, now)
        self._pass_on(events, now)

    def _pass_on(self, events: Sequence[Event], now: float) -> None:
        """Give each kind its events, in order. Notices belong to no list."""
        if not events:
            return
        self._heard = now
        topics: dict[str, list[Event]] = {}
        for event in events:
            if event.kind != "notice":
                topics.setdefault(event.topic, []).append(event)
        for topic in topics.keys() & self._followers.keys():
            self._followers[topic].take(topics[topic])

    def _hint(self, kinds: Iterable[str]) -> None:
        """List these kinds again soon; unknown names are ignored."""
        for kind in self._followers.keys() & set(kinds):
            self._followers[kind].hint()

    def _take(self, message: Message, now: float) -> None:
        match message:
            case Subscribed():
                self._grant(frozenset(message.topics), now)
                self._backoff.place = message.place
                self._begin(Point(epoch=message.epoch, offset=message.offset), now)
            case Reset():
                self.granted = self.granted or frozenset(self._topics)
                self._begin(Point(epoch=message.epoch, offset=message.offset), now)
            case Event():
                self._out_of_order(message, now)
            case Heartbeat():
                self._heartbeat(message, now)
            case Damaged():
                self._engine.suspect()
            case Hint():
                self._facts = replace(
                    self._facts,
                    frames=self._facts.frames + message.frames,
                    skipped=self._facts.skipped + message.skipped,
                )
                if message.lists:
                    self._hint(message.lists)

    def _grant(self, topics: frozenset[str], now: float) -> None:
        """Store the granted topics; if some are missing, subscribe once more, because a name may have been damaged."""
        fewer = not self._most_granted <= topics and self._ask_again_at is None
        self._ask_again_at = now + CALM_SECONDS if fewer else None
        self._most_granted = self._most_granted if fewer else topics
        self.granted = topics

    def _begin(self, point: Point, now: float) -> None:
        before = self.facts.proof
        self.base, self._last = point, point.offset
        self._heard = now
        self.tried.set()
        self.generation += 1
        self._state(open=True, proof=now, since=now, reason="")
        self._engine.subscribed(before)

    def _out_of_order(self, event: Event, now: float) -> None:
        """Process an event that was sent before, or one after a gap."""
        if self.base is None or event.offset <= self._last:
            return
        self._lose(Point(epoch=self.base.epoch, offset=max(event.after, self._last)))
        self._last = event.offset
        self._pass_on((event,), now)

    def _heartbeat(self, beat: Heartbeat, now: float) -> None:
        if self.base is None:
            return
        if beat.epoch != self.base.epoch:
            self._last = beat.offset
            self._lose(Point(epoch=beat.epoch, offset=beat.offset))
        elif beat.after > self._last:
            self._last = beat.after
            self._lose(Point(epoch=beat.epoch, offset=beat.after))
        elif beat.after < self._last or beat.offset < self._last:
            return
        self._heard = now
        for follower in self._followers.values():
            follower.heard(beat.offset)

    def _lose(self, base: Point) -> None:
        self.base = base
        self.generation += 1
        self._engine.suspect()
        self._engine.lost(self.facts.proof)

    def _state(self, *, retry_at: float | None = None, **changes: bool | float | str | None) -> None:
        """Replace the parts of the state that are not None; `retry_at` is cleared by the next change of state."""
        known = {name: value for name, value in changes.items() if value is not None}
        self._facts = replace(self.facts, retry_at=retry_at, **known)
