"""A recording in place of a service: all lists as they were at one moment."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
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
from console.live.history import History
from console.recording.own import own_changes
from console.recording.past_history import PastHistory
from console.recording.recording import NOT_RECORDED, ListRecording
from console.records.episodes import Episode
from console.records.moments import at
from console.records.people import CurrentUser
from console.records.record import Record

SPEEDS = (0, 1, 10, 60)
"""How fast time passes: not at all, as it did, and faster."""
_FOLLOWED_MS = 10_000
"""How far what is known of the end of the recording may be behind, while it is written."""
_AHEAD_MS = 10_000
"""How far in both directions the lists are read ahead: what a step goes."""
READ_AHEAD = "console-read-ahead"
"""The name of the thread that does it."""
_LOADED_MS = 30_000
"""Longest time at the beginning of a recording in which the lists are still loading."""


class PastClock(SystemClock):
    """The moment that is shown. Ages and waits are those of that moment."""

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
        self._ahead = threading.Thread()

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
                self._ahead = threading.Thread(target=self._read_ahead, args=(at_ms,), name=READ_AHEAD, daemon=True)
                self._ahead.start()

    def _read_ahead(self, at_ms: int) -> None:
        """Read what the next step needs. Runs in a thread of its own."""
        for kind in [*self._lists]:
            for value in (at_ms + _AHEAD_MS, at_ms - _AHEAD_MS):
                self.recording.prepare(kind, value)

    def _bring(self, kind: str, collection: Collection[Any]) -> None:
        rows = self.recording.rows(kind, self._shown_ms)
        if rows is self._rows.get(kind):
            return
        self._rows[kind], known = rows, collection.copy()
        changed = {key: record for key, record in rows.items() if known.get(key) is not record}
        collection.change(changed, [key for key in known if key not in rows])

    # -- what mattered -----------------------------------------------------------------------------------------------

    def episodes(self) -> Sequence[Episode]:
        """Return all episodes that the recording knows at its end."""
        last = self.span[1]
        if last - self._episodes[0] > _FOLLOWED_MS:
            all_episodes = cast("Mapping[str, Episode]", self.recording.rows("episodes", last))
            self._episodes = last, tuple(all_episodes.values())
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
            me = self.me
            name = me.user.username or me.user.id if me is not None else ""
            own_figures = own_changes(self.recording.commands(first, last))
            self._own = last, [PastEvent(own_figures.at_ms, own_figures.said(name), "•") for own_figures in own_figures]
        return self._own[1]

    def events(self) -> list[PastEvent]:
        """Return what mattered in the order of time: episodes that began, own changes, gaps, and their ends."""
        past_events = [*self._own_events()]
        for episode in self.episodes():
            if (began := at(episode.began_at)) is not None:
                past_events.append(PastEvent(int(began), _said(episode), _SIGNS.get(episode.rule or "", "")))
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
            rows = self._lists.get(kind)
            if rows is None:
                feed = FEEDS.get(kind)
                made = Collection[Any](feed.apart, feed.states) if feed is not None else Collection[Any]()
                rows = self._lists[kind] = made
                self._bring(kind, rows)
            return rows

    def delta(self, kind: str, since: int) -> Delta[Any]:
        """Return the changes after a version."""
        return self._list(kind).delta(since, self.health(kind))

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


def _said(episode: Episode) -> str:
    return f"{episode.title or episode.rule or ''}: {episode.words or ''}"


def _past(health: Health) -> Health:
    """Return a freshness that was, as it is: nothing of the past is live."""
    return replace(health, state=Freshness.PAST) if health.state in CURRENT else health
