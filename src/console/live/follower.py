"""One kind kept true: list it, join the events to the list without a gap, and list again on any doubt."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from itertools import filterfalse
from math import inf
from typing import Any

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
    Refused,
    ServerFault,
    TimedOut,
    Unreachable,
)
from console.api.events import Event, Point
from console.clock import Clock
from console.frozen import Frozen, replace
from console.live import gc_tuning
from console.live.backoff import Backoff
from console.live.bounds import ROW_COST, memory_of
from console.live.collection import Collection
from console.live.expiry import Expiries
from console.live.feeds import Feed
from console.live.freshness import LIVE_SECONDS, KindFacts
from console.live.listing import Listed, Lister, PageTag
from console.live.resync import Resync
from console.live.surroundings import Events, Surroundings
from console.live.waiting import wait_or_sleep
from console.records.record import Record

MANY = 200
"""Rows to be made into records from which it is done off the loop."""
REFUSED_SECONDS = 60.0
"""How often a kind that was refused is tried again: rights may change."""
REFUSED_FIRST_SECONDS = 5.0
"""How soon what could be listed before is tried again, doubling from there: something in between may have refused."""
MOST_BUFFERED = 100_000
MOST_BUFFERED_BYTES = 16 * 1024 * 1024
"""Events that wait for a list, by number and by size; with more, the list is made again."""
CUT_SECONDS = 30.0
"""How often at most a list is polled that is too long to be shown as a whole."""
SHRUNK_FROM = 10
"""Rows from which a list that lost more than half of them is asked for once more before it is believed."""


class _Made(Frozen):
    """Rows turned into records, ready to be put into the collection as one step."""

    rows: dict[str, bytes]
    upserts: dict[str, Record]


class Follower:
    """The state of one kind. Belongs to the engine's loop; `collection` and `facts` may be read from any thread."""

    def __init__(
        self,
        feed: Feed,
        lister: Lister,
        events: Events,
        around: Surroundings,
        clock: Clock,
        *,
        backoff: Backoff | None = None,
    ) -> None:
        self.feed = feed
        self.collection: Collection[Any] = Collection(feed.apart)
        self.facts = KindFacts(interval=feed.hidden_seconds)
        self.wanted = False
        self.shown = False
        self._lister = lister
        self._events = events
        self._around = around
        self._clock = clock
        self._backoff = backoff or Backoff()
        self._wake = asyncio.Event()
        self._dirty = False
        self._raw: dict[str, bytes] = {}
        self._etags: tuple[PageTag, ...] | None = None
        self._floor: Point | None = None
        self._relist = (0, 0)
        """The channel's generation, and in it the offset from which on a list holds what was too large to be sent."""
        self._memory = 0
        """About how many bytes the rows take."""
        self._buffer: list[Event] | None = None
        self._buffered = 0
        self._pending: list[Event] = []
        self._lost: set[str] = set()
        """Keys of events that were too many to wait for the list."""
        self._flushing = False
        self._expiries = Expiries(feed.expires)
        self._resync = Resync()
        self._due = 0.0
        self._good_since: float | None = None
        self._took = 0.0
        self._settled = 0.0
        self._refused_wait = REFUSED_FIRST_SECONDS

    # -- what others ask of it ------------------------------------------------------------------------------------

    def want(self, *, shown: bool | None = None) -> None:
        """Load this kind if it is not loaded yet; `shown` says whether it is in view."""
        if shown is not None and shown != self.shown:
            self.shown = shown
            self._pace()
            self._resync.pace(shown=shown)
            self._wake.set()
            if shown and not self.facts.error and self.facts.proved is not None:
                self._try_at(min(self._due, self.facts.proved + self.facts.interval))
                self._wake.set()
        if not self.wanted and shown is not False:
            self.wanted = True
            self.refresh()

    def refresh(self) -> None:
        """List again now, in full. What is shown stays until the new list is complete."""
        if self.wanted:
            self._etags = None
            self._dirty = True
            self._try_at(0.0)
            self._wake.set()

    def doubt(self, proof: float, *, at_once: bool = False) -> None:
        """Events may be missing since `proof`: nothing is live before a new list, which comes soon or `at_once`."""
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
        """Something was damaged on the way: list in full soon, for rows may have been damaged without a trace."""
        self._resync.suspect(self._clock.monotonic())
        self._wake.set()

    def _try_at(self, moment: float) -> None:
        """List at a moment, which is also what is said of the next try after a failure."""
        self._due = moment
        if self.facts.error:
            self.facts = replace(self.facts, retry_at=moment if moment < inf else None)

    def heard(self, offset: int) -> None:
        """The service has come as far as `offset`: a list that claimed more, a while ago, cannot be believed."""
        floor = self._floor
        if floor is None or not self.facts.joined or offset >= floor.offset:
            return
        if self._clock.monotonic() - self._settled >= LIVE_SECONDS:
            self.doubt(self.facts.proved or 0.0)

    def take(self, events: Sequence[Event]) -> None:
        """Take events of this kind, in order."""
        if self._buffer is not None:
            self._buffered += sum(memoryview(event.body).nbytes for event in events)
            if len(self._buffer) + len(events) > MOST_BUFFERED or self._buffered > MOST_BUFFERED_BYTES:
                self._dirty = True
                self._lost.update(event.key for event in (*self._buffer, *events))
                self._buffer.clear()
            else:
                self._buffer += events
        if any(event.kind == "relist" for event in events):
            self._relist = (self._events.generation, events[-1].offset)
            self.doubt(self._clock.monotonic())
            self._around.changed()
        elif self.facts.joined:
            self._pending += events
            if not self._flushing:
                # Everything that has come by the time the loop turns is applied as one change.
                self._flushing = True
                asyncio.get_running_loop().call_soon(self._flush)

    # -- listing --------------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Keep the kind true until cancelled, or until only a person can help."""
        while True:
            self._drop_expired()
            wait = self._seconds_to_wait()
            if wait is None or wait > 0:
                expiry = self._expiries.seconds_to_next(self._clock.now_ms())
                sooner = min((each for each in (wait, expiry) if each is not None), default=None)
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
        if not self.wanted:
            return None
        if self._due == inf:
            return None
        due = self._resync.due if self.facts.joined and not self._dirty else self._due
        return due - self._clock.monotonic() if due < inf else None

    def _note_expiries(self, records: Mapping[str, Record]) -> None:
        if self._expiries.note(records):
            self._wake.set()

    def _drop_expired(self) -> None:
        """Drop the records that a fresh list would no longer show."""
        expired = self._expiries.due(self._clock.now_ms(), self.collection.get)
        for key in expired:
            self._forget(key, self._raw)
        if self.collection.change({}, expired):
            self._etags = None
            self._around.changed()

    async def list_once(self) -> None:
        """List, and join the events to it if that can be done without a gap. Raises `api.errors`."""
        self._dirty = False
        generation = self._events.generation
        self._buffer = []
        self._buffered = 0
        self._lost.clear()
        started = self._clock.monotonic()
        full = self._resync.due <= started
        try:
            # What is known goes on changing with events while rows are compared, perhaps on another thread.
            self._flush()
            had = dict(self._raw)
            # A list that fails is asked for in full the next time: its ETag may be what the failure is about.
            etags, self._etags = None if full else self._etags, None
            listed = await self._lister.list(had, etags, full=full)
            doubtful = self._lister.doubtful
            if self._shrunk(listed) or (listed.rows is None and (self._buffer or self._lost)):
                # Too odd to believe at once, or the same bytes in spite of events that came meanwhile.
                listed = await self._lister.list(had)
            made = await self._made(listed)
            self._settle(listed, made, started, generation)
            if etags is None:
                self._resync.listed(started, self._settled, shown=self.shown)
            if doubtful:
                self.suspect()
        finally:
            self._buffer = None
        self._around.answered()
        self._around.changed()

    def _shrunk(self, listed: Listed) -> bool:
        had = len(self.collection)
        return listed.rows is not None and had >= SHRUNK_FROM and len(listed.rows) * 2 < had

    async def _made(self, listed: Listed) -> _Made | None:
        """Make records of the rows that are not byte for byte what they were."""
        if listed.rows is None:
            return None
        new = listed.fresh
        if len(new) > MANY:
            upserts = await asyncio.to_thread(self._read_rows, new, listed.odd)
        else:
            upserts = self._read_rows(new, listed.odd)
        return _Made(listed.rows, upserts)

    def _read_rows(self, rows: Mapping[str, bytes], odd: Mapping[str, Record]) -> dict[str, Record]:
        return {key: odd[key] if key in odd else self.feed.read(row, key) for key, row in rows.items()}

    def _settle(self, listed: Listed, made: _Made | None, started: float, generation: int) -> None:
        """Put the list and the events after it in place, as one step that no reader sees half of."""
        buffered = self._buffer or []
        self._pending.clear()
        joined = not listed.cut and self._may_join(listed.point, generation)
        if made is None:
            rows, upserts = dict(self._raw) if buffered else self._raw, {}
        else:
            rows, upserts = made.rows, made.upserts
            for key in self._lost.union(event.key for event in buffered):
                # It may have been applied meanwhile: the list's row counts again.
                if key in rows and key not in upserts:
                    upserts[key] = self.feed.read(rows[key], key)
        touched = False
        if joined and listed.point is not None:
            for event in buffered:
                if event.offset > listed.point.offset:
                    touched = True
                    self._apply(event, rows, upserts)
        removes = [*filterfalse(rows.__contains__, self._raw)]
        self._raw = rows
        self._memory = memory_of(rows.values())
        polls = not joined or any(tag.etag for tag in listed.etags)
        self._etags = listed.etags if polls and not touched else None
        self._floor = listed.point if joined else None
        self.collection.change(upserts, removes)
        self._note_expiries(upserts)
        if len(upserts) > MANY:
            gc_tuning.settle()
        now = self._clock.monotonic()
        self._took = now - started
        self._settled = now
        self._refused_wait = REFUSED_FIRST_SECONDS
        self.facts = KindFacts(proved=started, joined=joined, cut=listed.cut)
        if self._good_since is None:
            self._good_since = now
        self._pace()
        if not self._dirty:
            self._try_at(now + self.facts.interval)

    def _may_join(self, point: Point | None, generation: int) -> bool:
        base = self._events.base
        return (
            point is not None
            and base is not None
            and not self._lost
            and self._events.covers(self.feed.kind)
            and generation == self._events.generation
            and point.epoch == base.epoch
            and point.offset >= base.offset
            and (generation != self._relist[0] or point.offset >= self._relist[1])
        )

    def _flush(self) -> None:
        """Apply what came since the loop last turned."""
        self._flushing = False
        events, self._pending = self._pending, []
        floor = self._floor
        if not events or floor is None:
            return
        latest = {event.key: event for event in events if event.offset > floor.offset}
        if not latest:
            return
        upserts: dict[str, Record] = {}
        for event in latest.values():
            self._apply(event, self._raw, upserts)
        removes = [key for key, event in latest.items() if event.kind == "remove"]
        self._etags = None
        if self.collection.change(upserts, removes):
            self._note_expiries(upserts)
            self._around.changed()
        bounds = self._lister.bounds
        if len(self._raw) > bounds.rows or self._memory > bounds.memory:
            # Events have made it too long. What is left out is for the list to decide.
            self.facts = replace(self.facts, joined=False, cut=bounds.cut_words(bounds.rows))
            self._pace()
            self._dirty = True
            self._try_at(self._clock.monotonic() + self.facts.interval)
            self._wake.set()

    def _forget(self, key: str, rows: dict[str, bytes]) -> None:
        row = rows.pop(key, None)
        if row is not None:
            self._memory -= len(row) + ROW_COST

    def _apply(self, event: Event, rows: dict[str, bytes], upserts: dict[str, Record]) -> None:
        """Apply one event to raw rows and to the records to be put."""
        before = rows.get(event.key)
        if event.kind == "remove":
            self._forget(event.key, rows)
            upserts.pop(event.key, None)
            return
        row = self.feed.bounded(event.body, event.key)
        if before != row:
            self._memory += len(row) - len(before) if before is not None else len(row) + ROW_COST
            rows[event.key] = row
            upserts[event.key] = self.feed.read(row, event.key)

    def _failed(self, error: ApiError) -> bool:
        """Note why the list failed and when it is tried again; False when only a person can help."""
        now = self._clock.monotonic()
        never = self.facts.proved is None
        refused = isinstance(error, Forbidden | NotOffered) or (isinstance(error, NotFound) and never)
        if isinstance(error, BadCertificate | LoginNeeded):
            self.facts = replace(self.facts, error=error.reason, unreachable=True, retry_at=None)
            self._around.fatal(error)
            return False
        unreachable = isinstance(error, Unreachable)
        if not unreachable:
            self._around.answered()
        odd = isinstance(error, BadAnswer | BadRequest | Forbidden | NotFound | NotOffered | TimedOut)
        if odd and not never and not self.facts.error:
            # It was answered until now.
            self._around.suspect()
        if refused:
            # Rights change, and gateways come and go; an extension that a deployment never had is not asked for again.
            absent = never and self.feed.extension and not isinstance(error, Forbidden)
            wait = inf if absent else REFUSED_SECONDS if never else self._refused_wait
            self._refused_wait = min(REFUSED_SECONDS, 2 * self._refused_wait)
        else:
            at_least = error.retry_after if isinstance(error, Refused | ServerFault) else None
            away = isinstance(error, Away)
            wait = self._backoff.failed(self._healthy_for(now), away=away, at_least=at_least)
        self._dirty = True
        self.facts = replace(
            self.facts,
            joined=self.facts.joined and not refused,
            error=error.reason,
            unreachable=unreachable,
            refused=refused,
        )
        self._try_at(now + wait)
        self._around.changed()
        return True

    def _healthy_for(self, now: float) -> float:
        """Return for how long nothing has failed, and note that something has now."""
        since, self._good_since = self._good_since, None
        return 0.0 if since is None else now - since

    def _pace(self) -> None:
        """Set the seconds between polls: a list that takes long is asked for less often."""
        usual = self.feed.shown_seconds if self.shown else self.feed.hidden_seconds
        interval = max(usual, 5.0 * self._took, CUT_SECONDS if self.facts.cut else 0.0)
        self.facts = replace(self.facts, interval=interval)
