"""Keeps one kind up to date: lists it, joins the events without a gap, and lists it again when in doubt."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from itertools import filterfalse
from math import inf
from operator import methodcaller
from typing import TYPE_CHECKING, Any

from console.api.errors import (
    ApiError,
    Away,
    BadAnswer,
    BadCertificate,
    BadRequest,
    Forbidden,
    LoginNeeded,
    NotFound,
    NotOffered,
    TimedOut,
    Unreachable,
)
from console.api.events import Event, Point
from console.base.clock import Clock
from console.base.delay_queue import DelayQueue
from console.base.frozen import replace
from console.live import gc_tuning
from console.live.backoff import REFUSED_FIRST_SECONDS, REFUSED_SECONDS, Backoff
from console.live.bounds import CUT_SECONDS, SHRUNK_FROM
from console.live.collection import Collection, KnownRows
from console.live.feeds import Feed
from console.live.freshness import LIVE_SECONDS, KindFacts
from console.live.listing import EventsMeanwhile, Listed, Lister, PageTag
from console.live.resync import Resync
from console.live.waiting import wait_or_sleep
from console.records.bounded import LARGEST_TEXT
from console.records.raw import STAND_IN
from console.records.record import Record, read_all

if TYPE_CHECKING:
    from console.live.channel import Channel
    from console.live.engine import Engine

HINT_SECONDS = 0.3
"""Shortest interval from list to list after hints, however many arrive."""
HINT_SHARE = 2.0
"""The same as a multiple of a list's duration."""
_has_stand_in = methodcaller("startswith", STAND_IN)
MANY = 200
"""Number of rows from which records are created off the loop."""


class Follower:
    """The state of one kind. Belongs to the engine's loop; `collection` and `facts` may be read from any thread."""

    def __init__(
        self,
        feed: Feed,
        lister: Lister,
        channel: Channel,
        engine: Engine,
        clock: Clock,
    ) -> None:
        self.feed = feed
        self.collection: Collection[Any] = Collection(feed.apart, feed.states)
        self.facts = KindFacts(interval=feed.hidden_seconds)
        self.wanted = False
        self.shown = False
        self._lister = lister
        self._channel = channel
        self._engine = engine
        self._clock = clock
        self._backoff = Backoff()
        self._wake = asyncio.Event()
        self._dirty = False
        self._rows = KnownRows()
        self._unnamed: list[str] = []
        """Stand-in keys of listed rows without a key: no event changes them, so they are listed as if polled."""
        self._etags: tuple[PageTag, ...] | None = None
        self._floor: Point | None = None
        self._relist = (0, 0)
        """The channel's generation, and the offset from which a list contains changes that were too large to send."""
        self._meanwhile: EventsMeanwhile | None = None
        """The events since a list was requested; None between lists."""
        self._pending: list[Event] = []
        self._flushing = False
        self._loose = False
        """Whether rows of events are shown without proof, because nothing joins them to the last list."""
        self._started = -HINT_SECONDS
        """When the last list was requested."""
        self._expiries = DelayQueue()
        """When the list stops showing records without an event."""
        self._resync = Resync()
        self._due = 0.0
        self._good_since: float | None = None
        self._took = 0.0
        self._settled = 0.0
        self._refused_wait = REFUSED_FIRST_SECONDS

    # -- calls from outside ---------------------------------------------------------------------------------------

    def want(self, *, shown: bool | None = None) -> None:
        """Load this kind if necessary; `shown` tells whether it is on the screen."""
        if shown is not None and shown != self.shown:
            self.shown = shown
            self._pace()
            self._resync.pace(shown=shown)
            self._wake.set()
            if shown and not self.facts.error and self.facts.proved is not None:
                self._try_at(min(self._due, self.facts.proved + self.facts.interval))
        if not self.wanted and shown is not False:
            self.wanted = True
            self.refresh()

    def refresh(self) -> None:
        """List again at once, in full. The current rows stay until the new list is complete."""
        if self.wanted:
            self._etags = None
            self._dirty = True
            self._try_at(0.0)
            self._wake.set()

    def doubt(self, proof: float, *, at_once: bool = False) -> None:
        """Note that events may be missing since `proof`: list again soon, or `at_once`, to become live again."""
        self._pending.clear()
        now = self._clock.monotonic()
        if self.facts.joined:
            self.facts = replace(self.facts, joined=False, proved=max(self.facts.proved or 0.0, proof))
        if self.wanted:
            self._dirty = True
            soon = now if at_once else now + self._backoff.failed(self._healthy_for(now))
            self._try_at(max(self._due, soon) if self.facts.error and not at_once else soon)
            self._wake.set()

    def suspect(self) -> None:
        """List in full soon, because data was damaged in transit, and rows may have been undetected."""
        self._resync.suspect(self._clock.monotonic())
        self._wake.set()

    def hint(self) -> None:
        """List soon, because something changed: as soon as possible, but only once for many hints."""
        listing = self._meanwhile is not None
        if not self.wanted or (self.facts.error and not listing):
            # It is listed when it is wanted, or tried again.
            return
        self._dirty = True
        soon = max(self._clock.monotonic(), self._started + max(HINT_SECONDS, HINT_SHARE * self._took))
        # While a list is requested, the time of the next one is not set yet.
        self._try_at(soon if listing else min(self._due, soon))
        self._wake.set()

    def _try_at(self, moment: float) -> None:
        """Set the time of the next list, which is also shown as the next attempt after an error."""
        self._due = moment
        if self.facts.error:
            self.facts = replace(self.facts, retry_at=moment if moment < inf else None)

    def heard(self, offset: int) -> None:
        """Note the service's latest offset: a list with a later point cannot be trusted."""
        floor = self._floor
        if floor is None or not self.facts.joined or offset >= floor.offset:
            return
        if self._clock.monotonic() - self._settled >= LIVE_SECONDS:
            self.doubt(self.facts.proved or 0.0)

    def take(self, events: Sequence[Event]) -> None:
        """Apply events of this kind, in order."""
        if self._meanwhile is not None:
            self._meanwhile.add(events)
        if "relist" in {event.kind for event in events}:
            self._relist = (self._channel.generation, events[-1].offset)
            self.doubt(self._clock.monotonic())
            self._engine.changed()
        elif self.facts.joined or self._loose:
            self._pending += events
            if not self._flushing:
                # All events that arrive before the loop turns are applied as one change.
                self._flushing = True
                asyncio.get_running_loop().call_soon(self._flush)

    # -- listing --------------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Keep the kind up to date until cancelled, or until a fatal error."""
        while True:
            self._drop_expired()
            wait = self._seconds_to_wait()
            if wait is None or wait > 0:
                soonest = self._expiries.soonest
                expiry = None if soonest is None else max(0.0, (soonest - self._clock.now_ms()) / 1000)
                sooner = min((value for value in (wait, expiry) if value is not None), default=None)
                self._wake.clear()
                await wait_or_sleep(self._wake, self._clock, sooner)
                self._wake.clear()
                continue
            try:
                await self.list_once()
            except ApiError as error:
                if not self._failed(error):
                    return

    def _seconds_to_wait(self) -> float | None:
        if not self.wanted or self._due == inf:
            return None
        due = self._resync.due if self.facts.joined and not self._dirty and not self._unnamed else self._due
        return due - self._clock.monotonic() if due < inf else None

    def _note_expiries(self, records: Mapping[str, Record]) -> None:
        expires = self.feed.expires
        if expires is None:
            return
        soonest = self._expiries.soonest
        for key, record in records.items():
            self._expiries.put(key, expires(record))
        if self._expiries.soonest != soonest:
            self._wake.set()

    def _drop_expired(self) -> None:
        """Remove the records that a new list would not contain."""
        expired = self._expiries.take(self._clock.now_ms())
        for key in expired:
            self._rows.drop(key)
        if self.collection.change({}, expired):
            self._etags = None
            self._engine.changed()

    async def list_once(self) -> None:
        """List, and join the events if there is no gap. Raise `api.errors`."""
        self._dirty = False
        generation = self._channel.generation
        self._meanwhile = meanwhile = EventsMeanwhile()
        started = self._started = self._clock.monotonic()
        full = self._resync.due <= started
        try:
            # Events continue to change the data while rows are compared, possibly in another thread.
            self._flush()
            had = self._rows.copy()
            # After an error, the next list is requested in full, because the ETag may be the cause.
            etags, self._etags = None if full else self._etags, None
            listed = await self._lister.list(had, etags, full=full)
            doubtful = self._lister.doubtful
            if self._shrunk(listed) or (listed.rows is None and meanwhile.all_keys()):
                # Suspicious: much shorter, or the same bytes despite events in the meantime.
                listed = await self._lister.list(had)
            self._settle(listed, meanwhile, started, generation)
            if etags is None:
                self._resync.listed(started, self._settled, shown=self.shown)
            if doubtful:
                self.suspect()
        finally:
            self._meanwhile = None
        self._engine.answered()
        self._engine.changed()

    def _shrunk(self, listed: Listed) -> bool:
        had = len(self.collection)
        return listed.rows is not None and had >= SHRUNK_FROM and len(listed.rows) * 2 < had

    def _settle(self, listed: Listed, meanwhile: EventsMeanwhile, started: float, generation: int) -> None:
        """Apply the list and the events after it in one step."""
        self._pending.clear()
        self._dirty |= bool(meanwhile.dropped)
        joined = not listed.cut and not meanwhile.dropped and self._may_join(listed.point, generation)
        self._loose = not joined and not listed.cut and (listed.point is None or self._channel.base is None)
        before, upserts = self._rows, listed.fresh
        rows = before if listed.rows is None else KnownRows(listed.rows)
        if rows is not before:
            for key in meanwhile.all_keys():
                # An event may have changed it in the meantime; the list's row applies.
                if key in rows and key not in upserts:
                    upserts[key] = self.feed.read(rows.by_key[key], key)
        later: list[Event] = []
        if joined and listed.point is not None:
            later = [event for event in meanwhile.events if event.offset > listed.point.offset]
        elif self._loose:
            # The list may be older or newer than these rows; the next one shows it.
            later = meanwhile.events
        self._apply(later, rows, upserts)
        known = [event.key for event in later] if rows is before else before.by_key
        removes = [*filterfalse(rows.by_key.__contains__, known)]
        self._rows = rows
        self._unnamed = [key for key in {*self._unnamed, *filter(_has_stand_in, upserts)} if key in rows]
        polls = not joined or any(tag.etag for tag in listed.etags)
        self._etags = listed.etags if polls and not later else None
        self._floor = listed.point if joined else None
        if listed.cut:
            # In between, a row that is not listed any more must not look as if it was gone.
            self.facts = replace(self.facts, cut=listed.cut, total=listed.total)
        self.collection.change(upserts, removes)
        self._note_expiries(upserts)
        if len(upserts) > MANY:
            gc_tuning.settle()
        now = self._clock.monotonic()
        self._took = now - started
        self._settled = now
        self._refused_wait = REFUSED_FIRST_SECONDS
        self.facts = KindFacts(proved=started, joined=joined, cut=listed.cut, total=listed.total)
        if self._good_since is None:
            self._good_since = now
        self._pace()
        if not self._dirty:
            self._try_at(now + self.facts.interval)

    def _may_join(self, point: Point | None, generation: int) -> bool:
        base = self._channel.base
        return (
            point is not None
            and base is not None
            and self._channel.covers(self.feed.kind)
            and generation == self._channel.generation
            and point.epoch == base.epoch
            and point.offset >= base.offset
            and (generation != self._relist[0] or point.offset >= self._relist[1])
        )

    def _flush(self) -> None:
        """Apply the events since the last turn of the loop."""
        self._flushing = False
        events, self._pending, floor = self._pending, [], self._floor
        if floor is not None:
            events = [event for event in events if event.offset > floor.offset]
        if not events or (floor is None and not self._loose):
            return
        upserts: dict[str, Record] = {}
        removes = self._apply(events, self._rows, upserts)
        self._etags = None
        if self.collection.change(upserts, removes):
            self._note_expiries(upserts)
            self._engine.changed()
        bounds = self._lister.bounds
        if len(self._rows) > bounds.rows or self._rows.memory > bounds.memory:
            # Events have made the list too long; the next list decides which rows to keep.
            self.facts = replace(self.facts, joined=False, cut=bounds.cut_words(bounds.rows))
            self._pace()
            self._dirty = True
            self._try_at(self._clock.monotonic() + self.facts.interval)
            self._wake.set()

    def _apply(self, events: Iterable[Event], rows: KnownRows, upserts: dict[str, Record]) -> list[str]:
        """Apply the last event of each key to the raw rows and the changed records; return the removed keys."""
        latest = {event.key: event for event in events}
        removes = [key for key, event in latest.items() if event.kind == "remove"]
        for key in removes:
            del latest[key]
            rows.drop(key)
            upserts.pop(key, None)
        sent = {key: bytes(event.body) for key, event in latest.items()}
        for key, row in sent.items():
            if len(row) > LARGEST_TEXT:
                sent[key] = self.feed.bounded(row, key)
        changed = rows.update(sent)
        upserts.update(zip(changed, read_all(self.feed.record, [*changed.values()], changed), strict=True))
        return removes

    def _failed(self, error: ApiError) -> bool:
        """Note why the list failed, and when to retry; return False for a fatal error."""
        now = self._clock.monotonic()
        never = self.facts.proved is None
        refused = isinstance(error, Forbidden | NotOffered) or (isinstance(error, NotFound) and never)
        if isinstance(error, BadCertificate | LoginNeeded):
            self.facts = replace(self.facts, error=error.reason, unreachable=True, retry_at=None)
            self._engine.fatal(error)
            return False
        unreachable = isinstance(error, Unreachable)
        if not unreachable:
            self._engine.answered()
        odd = isinstance(error, BadAnswer | BadRequest | Forbidden | NotFound | NotOffered | TimedOut)
        if odd and not never and not self.facts.error:
            # The list worked until now.
            self._engine.suspect()
        if refused:
            # Permissions change, and gateways are temporary; an extension that was never offered is not tried again.
            absent = never and self.feed.extension and not isinstance(error, Forbidden)
            wait = inf if absent else REFUSED_SECONDS if never else self._refused_wait
            self._refused_wait = min(REFUSED_SECONDS, 2 * self._refused_wait)
        else:
            away = isinstance(error, Away)
            wait = self._backoff.failed(self._healthy_for(now), away=away, at_least=error.retry_after)
        self._dirty = True
        self.facts = replace(
            self.facts,
            joined=self.facts.joined and not refused,
            error=error.reason,
            unreachable=unreachable,
            refused=refused,
        )
        self._try_at(now + wait)
        self._engine.changed()
        return True

    def _healthy_for(self, now: float) -> float:
        """Return for how long nothing has failed, and note a failure."""
        since, self._good_since = self._good_since, None
        return 0.0 if since is None else now - since

    def _pace(self) -> None:
        """Set the interval of polling: slow lists are requested less often."""
        usual = self.feed.shown_seconds if self.shown else self.feed.hidden_seconds
        interval = max(usual, 5.0 * self._took, CUT_SECONDS if self.facts.cut else 0.0)
        self.facts = replace(self.facts, interval=interval)
