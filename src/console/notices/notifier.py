"""Notifies a person of the episodes of all open profiles."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple, Protocol
from zoneinfo import ZoneInfo

from console.notices.schedule import Schedule
from console.notices.ways.lane import Lane
from console.notices.ways.terminal import Bell, Title

if TYPE_CHECKING:
    from console.config.notice_settings import NoticeSettings
    from console.live.delta import Delta
    from console.notices.claims import Claims
    from console.notices.notice import Notice, Severity
    from console.notices.ways.way import Way
    from console.records.episodes import Episode

FLASH = "flash"
"""The way that the screen itself is."""


class SentNotice(NamedTuple):
    """A notice, and the ways in which it was delivered."""

    notice: Notice
    ways: tuple[str, ...]

    @property
    def on_screen(self) -> bool:
        """Whether the screen has to show it."""
        return FLASH in self.ways


class Source(Protocol):
    """A profile with its episodes."""

    profile: str
    zone: ZoneInfo

    @property
    def whose(self) -> str:
        """Service and user: equal for all consoles of a person."""
        ...

    def changes(self, since: int) -> Delta[Episode]:
        """Return the changes of the list of episodes after a version."""
        ...

    def known(self) -> Collection[str]:
        """Return the lists whose rules were evaluated once."""
        ...

    def saw(self, episodes: Mapping[str, int]) -> None:
        """Note that the person has seen episodes, by their ids, with the times of the seen renewals in ms."""
        ...


@dataclass
class _Profile:
    """A profile whose episodes are reported."""

    source: Source
    schedule: Schedule
    version: int = 0
    known: int = 0
    """Number of lists whose rules were evaluated once."""

    def take(self, now: float) -> bool:
        """Take the changes of its episodes. Return whether a list was evaluated for the first time."""
        delta = self.source.changes(self.version)
        self.version = delta.version
        known = self.source.known()
        self.schedule.take(delta, known, now)
        begun, self.known = len(known) > self.known, len(known)
        return begun


class Notifier:
    """Takes the episodes of profiles, and sends the notices that are due. Not safe for several threads."""

    def __init__(
        self,
        settings: NoticeSettings,
        ways: Iterable[Way | Lane],
        now: Callable[[], float],
        claims: Claims | None = None,
    ) -> None:
        """Use these ways, all of which are available; `now` returns seconds on a clock that only goes forward."""
        self._settings = settings
        self._ways: Mapping[str, Way | Lane] = {(way.way if isinstance(way, Lane) else way).name: way for way in ways}
        self._now = now
        self._claims = claims
        self._profiles: dict[str, _Profile] = {}

    def follow(self, source: Source) -> bool:
        """Notify of the episodes of a profile from now on. Return whether it is a new one."""
        if source.profile in self._profiles:
            return False
        self._profiles[source.profile] = _Profile(source, Schedule(source.profile, self._settings.repeat))
        return True

    def beat(self, wall_ms: float) -> list[SentNotice]:
        """Send the notices that are due, and return them; call it several times a second."""
        now = self._now()
        sent_notices: list[SentNotice] = []
        for profile in self._profiles.values():
            if profile.take(now) and self._claims is not None:
                self._claims.join(profile.source.whose)
            for due in profile.schedule.due(now):
                notice = due
                if not self._settings.ways_of(notice.severity):
                    # Nobody is notified of this severity, so nobody has to see it.
                    profile.schedule.seen(notice.episodes)
                    continue
                ways = self._ways_of(notice, profile.source.zone, wall_ms)
                if set(ways) - {FLASH} and self._claims is not None:
                    ours = self._claim(notice, profile, self._claims)
                    left = profile.schedule.unseen_of(notice)
                    if left is None:
                        continue
                    notice, ways = left, ways if ours else [way for way in ways if way == FLASH]
                if any(Bell.name in sent_notice.ways for sent_notice in sent_notices):
                    # Several notices of the same moment ring once.
                    ways = [way for way in ways if way != Bell.name]
                for way in ways:
                    self._send(way, notice)
                sent_notices.append(SentNotice(notice, tuple(ways)))
        self._settle()
        return sent_notices

    def _claim(self, notice: Notice, profile: _Profile, shared: Claims) -> bool:
        """Return whether this console has to send this, as no other has. Note what was seen in others."""
        claims = profile.schedule.claims_of(notice.episodes)
        granted = shared.take(profile.source.whose, frozenset(claims.values()))
        elsewhere = profile.schedule.seen([key for key, claim in claims.items() if claim in granted.seen])
        if elsewhere:
            profile.source.saw({value: claims[value].renewed_ms for value in elsewhere})
        return bool(granted.mine)

    def _ways_of(self, notice: Notice, zone: ZoneInfo, wall_ms: float) -> list[str]:
        """Return the ways that the configuration names now, and that there are."""
        named = self._settings.ways_of(notice.severity)
        ways = [value for value in named if value == FLASH or (value in self._ways and not notice.silent)]
        moment = datetime.fromtimestamp(wall_ms / 1000, zone)
        if self._settings.is_quiet(moment.hour * 60 + moment.minute):
            return [value for value in ways if value in self._settings.quiet_ways]
        return ways

    def _send(self, name: str, notice: Notice) -> None:
        way = self._ways.get(name)
        if isinstance(way, Lane):
            way.put(notice)
        elif way is not None:
            way.send(notice)

    # -- what a person has seen ----------------------------------------------------------------------------------------

    def was_shown(self, notice: Notice) -> None:
        """Note that a notice is visible on the screen."""
        for profile in self._profiles.values():
            profile.schedule.was_shown(notice, self._now())

    def is_unseen(self, notice: Notice) -> bool:
        """Return whether a person has not seen all episodes of a notice that still apply."""
        return any(profile.schedule.is_unseen(notice) for profile in self._profiles.values())

    def as_now(self, notice: Notice) -> Notice | None:
        """Return a notice without the episodes that have ended or are muted; None if there are no others."""
        left = (profile.schedule.as_now(notice) for profile in self._profiles.values())
        return next(filter(None, left), None)

    @property
    def unseen(self) -> list[Severity]:
        """The severities of the episodes of all profiles of which a person was notified, and which are not seen."""
        return [severity for profile in self._profiles.values() for severity in profile.schedule.unseen]

    def key_pressed(self) -> None:
        """Note that a person pressed a key: visible notices count as seen."""
        for profile in self._profiles.values():
            self._saw(profile, profile.schedule.key_pressed(self._now()))

    def looked_at(self, profile: str, kind: str, keys: Collection[str]) -> None:
        """Note that a person has the focus on records of a profile."""
        found = self._profiles.get(profile)
        if found is not None and found.schedule.unseen:
            self._saw(found, found.schedule.looked_at(kind, keys))

    def _saw(self, profile: _Profile, episodes: Collection[str]) -> None:
        if not episodes:
            return
        claims = profile.schedule.claims_of(episodes)
        profile.source.saw({episode: claim.renewed_ms for episode, claim in claims.items()})
        if self._claims is not None:
            self._claims.saw(profile.source.whose, frozenset(claims.values()))
        self._settle()

    def _settle(self) -> None:
        """Take the notice out of the title of the window once everything is seen, or has ended."""
        title = self._ways.get(Title.name)
        if not isinstance(title, Title) or not title.has_notice:
            return
        if not any(profile.schedule.unseen for profile in self._profiles.values()):
            title.nothing_unseen(next(iter(self._profiles), ""))

    # -- ways ----------------------------------------------------------------------------------------------------------

    def failures(self) -> list[str]:
        """Return which ways began to fail since the last call, and why."""
        lanes = [way for way in self._ways.values() if isinstance(way, Lane)]
        return [f"Notices by {lane.way.name} do not arrive: {why}" for lane in lanes if (why := lane.failure())]

    def close(self, seconds: float = 0.0) -> None:
        """Restore the terminal, and wait for what is under way, at most this long."""
        for way in self._ways.values():
            if isinstance(way, Lane):
                way.close(seconds)
            else:
                way.close()
