"""A recording in place of a service: all lists as they were at one moment."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from itertools import compress, filterfalse
from operator import is_not
from typing import Any, NamedTuple, cast

from console.api.errors import NotOffered, ReadOnly
from console.api.request import Request
from console.base.clock import SystemClock
from console.base.frozen import replace
from console.commands.action import IN_THE_PAST
from console.kinds.catalogue import FEEDS
from console.live.backend_api import BackendApi, CommandsApi, NoCommands
from console.live.collection import Collection
from console.live.delta import CURRENT, Delta, Freshness, Health
from console.live.history import FINE_SECONDS, History, Series
from console.recording.journaled_changes import journaled_changes
from console.recording.recording import NOT_RECORDED, ListRecording
from console.records.episodes import Episode
from console.records.moments import at
from console.records.people import CurrentUser, name_of
from console.records.record import Record
from console.views.chart import CHANGE

Read = Callable[[int, int], Iterator[tuple[int, Mapping[str, float | None]]]]
"""Yields the samples after a moment until another, with their moments in ms since the epoch."""
_HOUR_MS = 3_600_000


class _Hour:
    """The samples of an hour by name, with their times in seconds since the epoch."""

    def __init__(self, start_ms: int) -> None:
        self.until_ms = start_ms - 1
        """The last moment that was read."""
        self.series: dict[str, Series] = {}

    def read(self, read: Read, until_ms: int) -> None:
        for at_ms, values in read(self.until_ms, until_ms):
            for name, value in values.items():
                if value is not None:
                    self.series.setdefault(name, Series()).add(at_ms / 1000, value)
        self.until_ms = until_ms


class PastHistory(History):
    """Reads each hour once, so that a step costs little. Those before the last two are read by a thread of its own."""

    def __init__(
        self, read: Read, now_ms: Callable[[], int], end_ms: Callable[[], int], has_more: Callable[[], object]
    ) -> None:
        """`now_ms` returns the moment that is shown, `end_ms` until when there are samples.

        `has_more` is called by the thread when it has read an hour.
        """
        super().__init__(SystemClock())
        self._read, self._now_ms, self._end_ms, self._has_more = read, now_ms, end_ms, has_more
        self._hours: dict[int, _Hour] = {}
        self._reading = threading.Lock()
        self._reader = ThreadPoolExecutor(1, "console-past-charts")
        self._asked: set[int] = set()

    def close(self) -> None:
        """Read nothing more."""
        self._reader.shutdown(wait=False, cancel_futures=True)

    def names(self) -> tuple[str, ...]:
        """Return the names that have samples in the last hour."""
        return tuple({name: None for hour in self._last_hours() for name in hour.series})

    def latest(self, name: str) -> float | None:
        """Return the newest value of the last hour, of any age, or None."""
        samples = self.samples(name)
        return samples[-1][1] if samples else None

    def samples(self, name: str) -> list[tuple[float, float]]:
        """Return the samples of the last hour, each with its time in seconds since the epoch."""
        return list(self._known(name, _HOUR_MS / 1000))

    def _now(self) -> float:
        return self._now_ms() / 1000

    def _version(self) -> object:
        return self._added, self._now_ms()

    def _known(self, name: str, span: float) -> Iterable[tuple[float, float]]:
        now = self._now()
        first, fine = now - span, span <= FINE_SECONDS
        for hour in self._last_hours() if fine else self._all_hours(int(first * 1000)):
            series = hour.series.get(name)
            if series is not None:
                yield from ((at, value) for at, value in series.known(fine) if first < at <= now)

    def _last_hours(self) -> list[_Hour]:
        """Return the hour of the moment and the one before, read until the moment."""
        now = self._now_ms()
        last = now // _HOUR_MS
        return [self._hour(last - 1, now), self._hour(last, now)]

    def _all_hours(self, first_ms: int) -> list[_Hour]:
        """Return the hours that were read, from one on, and let the others be read."""
        last = self._now_ms() // _HOUR_MS
        hours = self._last_hours()
        for number in range(last - 2, first_ms // _HOUR_MS - 1, -1):
            hour = self._hours.get(number)
            if hour is not None:
                hours.insert(0, hour)
            if (hour is None or hour.until_ms < (number + 1) * _HOUR_MS - 1) and number not in self._asked:
                self._asked.add(number)
                with suppress(RuntimeError):  # It was closed.
                    self._reader.submit(self._read_ahead, number)
        return hours

    def _read_ahead(self, number: int) -> None:
        self._hour(number, (number + 1) * _HOUR_MS)
        self._asked.discard(number)
        self._has_more()

    def _hour(self, number: int, until_ms: int) -> _Hour:
        """Return an hour, read at least until a moment if there are samples until then."""
        with self._reading:
            hour = self._hours.get(number) or _Hour(number * _HOUR_MS)
            until = min((number + 1) * _HOUR_MS - 1, self._end_ms())
            if hour.until_ms < min(until_ms, until):
                hour.read(self._read, until)
                self._added += 1
            self._hours[number] = hour
            return hour


SPEEDS = (0, 1, 10, 60)
"""How fast time passes: not at all, as it did, and faster."""
_FOLLOWED_MS = 10_000
"""How far what is known of the end of the recording may be behind, while it is written."""
_AHEAD_MS = 10_000
"""How far in both directions the lists are read ahead: what a step goes."""
READ_AHEAD = "console-read-ahead"
"""The name of the thread that does it."""
_DRAWN_SECONDS = 0.1
"""Time for the screen to draw a step: reading ahead would share the interpreter with it."""
_LOADED_MS = 30_000
"""Longest time at the beginning of a recording in which the lists are still loading."""


class PastClock(SystemClock):
    """The moment that is shown, from which ages and waits are computed."""

    def __init__(self, at_ms: int) -> None:
        self._at_ms = at_ms
        self._speed = 0
        self._since = 0.0

    @property
    def speed(self) -> int:
        """How many seconds pass in one second."""
        return self._speed

    def now_ms(self) -> int:
        """Return the moment in ms since the epoch."""
        if not self._speed:
            return self._at_ms
        return self._at_ms + round((self.monotonic() - self._since) * 1000 * self._speed)

    def put(self, at_ms: int, speed: int) -> None:
        """Go to a moment, from which on time passes at this speed."""
        self._at_ms, self._speed, self._since = at_ms, speed, self.monotonic()


class PastEvent(NamedTuple):
    """Something that mattered: an episode began, somebody changed something here, or recording stopped or went on."""

    at_ms: int
    words: str
    sign: str = ""
    """Its sign in the bar of the recorded time; episodes have none, but for restarts and lost connections."""


_SIGNS = {"service-restarted": "│", "link-lost": "×"}
"""Signs of episodes, by rule."""


class Past(BackendApi):
    """The lists of a recording at the moment of its clock. Any thread reads; one thread moves."""

    def __init__(self, recording: ListRecording, at_ms: int) -> None:
        """Show a moment. Lists are read on first use."""
        self.recording = recording
        self.clock = PastClock(at_ms)
        self.mark_ms: int | None = None
        """The moment with which another one is compared."""
        self._shown_ms = at_ms
        self._lock = threading.RLock()
        self._lists: dict[str, Collection[Any]] = {}
        self._rows: dict[str, Mapping[str, Record]] = {}
        self._health: dict[str, Health] = {}
        self._history = PastHistory(recording.samples, lambda: self._shown_ms, lambda: self.span[1], self._has_more)
        self._revision = 1
        self._episodes: tuple[int, Sequence[Episode]] = (0, ())
        self._own: tuple[int, list[PastEvent]] = (0, [])
        self._damages = 0
        self._ahead = threading.Timer(_DRAWN_SECONDS, self._read_ahead)

    # -- moving ----------------------------------------------------------------------------------------------------

    @property
    def span(self) -> tuple[int, int]:
        """The first and the last recorded moment."""
        return self.recording.span or (self._shown_ms, self._shown_ms)

    def move(self, at_ms: int, speed: int | None = None) -> None:
        """Go to a moment within the recording, and play from there at a speed; None keeps the speed."""
        first, last = self.span
        self.clock.put(min(max(at_ms, first), last), self.clock.speed if speed is None else speed)
        self._bring_all(self.clock.now_ms())

    def beginning(self) -> int:
        """Return the moment to begin with: the first thing that mattered, otherwise when the lists were loaded."""
        events = self.events()
        if events:
            return events[0].at_ms
        first, last = self.span
        moments = range(first, min(last, first + _LOADED_MS) + 1, 1000)
        return next((at for at in moments if self._knew_the_link(at)), first)

    def _knew_the_link(self, at_ms: int) -> bool:
        link = self.recording.link(at_ms)
        return link.state is not Freshness.LOADING and link.reason != NOT_RECORDED

    def update(self) -> None:
        """Bring the lists to the moment that the clock has reached; stop at the end of the recording."""
        if not self.clock.speed:
            return
        now, last = self.clock.now_ms(), self.span[1]
        if now >= last:
            self.clock.put(last, 0)
        self._bring_all(min(now, last))

    def _bring_all(self, at_ms: int) -> None:
        with self._lock:
            if at_ms == self._shown_ms:
                return
            self._shown_ms = at_ms
            self._health.clear()
            for kind, collection in self._lists.items():
                self._bring(kind, collection)
            self._revision += 1
            if not self._ahead.is_alive():
                self._ahead = threading.Timer(_DRAWN_SECONDS, self._read_ahead)
                self._ahead.name, self._ahead.daemon = READ_AHEAD, True
                self._ahead.start()

    def _read_ahead(self) -> None:
        """Read what the next step needs. Runs in a thread of its own."""
        for kind in [*self._lists]:
            for distance in (_AHEAD_MS, -_AHEAD_MS):
                self.recording.prepare(kind, self._shown_ms + distance)

    def _bring(self, kind: str, collection: Collection[Any]) -> None:
        rows = self.recording.rows(kind, self._shown_ms)
        if rows is self._rows.get(kind):
            return
        self._rows[kind], known = rows, collection.copy()
        differ = map(is_not, rows.values(), map(known.get, rows))
        collection.change(dict(compress(rows.items(), differ)), [*filterfalse(rows.__contains__, known)])

    # -- what mattered -----------------------------------------------------------------------------------------------

    def episodes(self) -> Sequence[Episode]:
        """Return all episodes that the recording knows at its end."""
        last = self.span[1]
        if last - self._episodes[0] > _FOLLOWED_MS:
            self._episodes = last, tuple(cast("Mapping[str, Episode]", self.recording.rows("episodes", last)).values())
        return self._episodes[1]

    def severities(self) -> tuple[tuple[float, float, str], ...]:
        """Return beginning, end and severity of all episodes, in ms since the epoch."""
        last = self.span[1]
        return tuple(
            (began, at(episode.ended_at) or last, episode.worst or episode.severity or "notice")
            for episode in self.episodes()
            if (began := at(episode.began_at)) is not None
        )

    def _own_events(self) -> list[PastEvent]:
        """Return the own changes that the recording knows at its end."""
        first, last = self.span
        if last - self._own[0] > _FOLLOWED_MS:
            name = name_of(self.me)
            changes = journaled_changes(self.recording.commands(first, last))
            self._own = last, [PastEvent(change.at_ms, change.said(name), CHANGE) for change in changes]
        return self._own[1]

    def events(self) -> list[PastEvent]:
        """Return what mattered in the order of time: episodes that began, own changes, gaps, and their ends."""
        past_events = [*self._own_events()]
        for episode in self.episodes():
            if (began := at(episode.began_at)) is not None:
                rule = episode.rule or ""
                words = f"{episode.title or rule}: {episode.words or ''}"
                past_events.append(PastEvent(int(began), words, _SIGNS.get(rule, "")))
        for gap in self.recording.gaps:
            text = f"recording stops: {gap.reason}" if gap.reason else "recording stops"
            past_events.append(PastEvent(gap.start_ms, text, "×"))
            past_events.append(PastEvent(gap.end_ms, "recording goes on"))
        first, last = self.span
        return sorted(event for event in past_events if first <= event.at_ms <= last)

    def new_damage(self) -> str:
        """Return what could not be read since the last call, empty if all could."""
        damage = self.recording.damage[self._damages :]
        self._damages += len(damage)
        return "; ".join(damage)

    # -- lists -------------------------------------------------------------------------------------------------------

    def _list(self, kind: str) -> Collection[Any]:
        with self._lock:
            collection = self._lists.get(kind)
            if collection is None:
                feed = FEEDS.get(kind)
                collection = Collection[Any](feed.apart, feed.states) if feed is not None else Collection[Any]()
                self._lists[kind] = collection
                self._bring(kind, collection)
            return collection

    def delta(self, kind: str, since: int) -> Delta[Any]:
        """Return the changes after a version."""
        return self._list(kind).delta(since)

    def records(self, kind: str) -> Mapping[str, Record]:
        """Return the records of a kind."""
        return self._list(kind).snapshot()

    def health(self, kind: str) -> Health:
        """Return the freshness that the kind had; one that was not recorded says so."""
        with self._lock:
            health = self._health.get(kind)
            if health is None:
                health = self._health[kind] = _past(self.recording.health(kind, self._shown_ms))
            return health

    @property
    def link(self) -> Health:
        """The state that the connection had."""
        return _past(self.recording.link(self._shown_ms))

    @property
    def me(self) -> CurrentUser | None:
        """The user who was logged in."""
        return self.recording.me(self._shown_ms)

    @property
    def revision(self) -> int:
        """Increases with every move."""
        return self._revision

    @property
    def commands(self) -> CommandsApi:
        """None can be submitted."""
        return NoCommands(IN_THE_PAST)

    @property
    def history(self) -> History:
        """The samples until the moment."""
        return self._history

    def _has_more(self) -> None:
        self._revision += 1

    # -- what needs a service ------------------------------------------------------------------------------------------

    def stop(self, timeout: float = 2.0) -> None:
        """Close the file."""
        self._ahead.cancel()
        self._history.close()
        self.recording.close()

    def show(self, kinds: frozenset[str]) -> None:
        """All lists are as fresh as they were."""

    def ask(self, request: Request[Any]) -> Future[Any]:
        """Return an error: only lists are recorded."""
        answer: Future[Any] = Future()
        answer.set_exception(NotOffered(NOT_RECORDED))
        return answer

    async def change_password(self, username: str, password: str, new: str) -> None:
        """Raise ReadOnly."""
        raise ReadOnly(IN_THE_PAST)


def _past(health: Health) -> Health:
    """Return a freshness that was, as it is: nothing of the past is live."""
    return replace(health, state=Freshness.PAST) if health.state in CURRENT else health
