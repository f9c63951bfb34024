"""Tell a person about the episodes of all open profiles."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from console.notices.schedule import Schedule
from console.notices.ways.lane import Lane
from console.notices.ways.terminal import Bell, Title

if TYPE_CHECKING:
    from console.live.delta import Delta
    from console.notice_settings import NoticeSettings
    from console.notices.notice import Notice
    from console.notices.ways.way import Way

FLASH = "flash"
"""The way that the screen itself is."""


@dataclass
class _Profile:
    """A profile whose episodes are told."""

    changes: Callable[[int], Delta[Any]]
    schedule: Schedule
    zone: ZoneInfo
    version: int = 0


class Notifier:
    """Takes the episodes of profiles, and tells what is due. Not safe for several threads."""

    def __init__(self, settings: NoticeSettings, ways: Iterable[Way | Lane], now: Callable[[], float]) -> None:
        """Use these ways, all of which are available; `now` returns seconds on a clock that only goes forward."""
        self._settings = settings
        self._ways: Mapping[str, Way | Lane] = {
            (each.way if isinstance(each, Lane) else each).name: each for each in ways
        }
        self._now = now
        self._profiles: dict[str, _Profile] = {}

    def follow(self, profile: str, changes: Callable[[int], Delta[Any]], zone: ZoneInfo) -> None:
        """Tell about the episodes of a profile; `changes` returns those since a version."""
        if profile not in self._profiles:
            self._profiles[profile] = _Profile(changes, Schedule(profile, self._settings.repeat), zone)

    def beat(self, wall_ms: float) -> list[Notice]:
        """Tell what is due, and return what the screen must show; call it about ten times a second."""
        now = self._now()
        due: list[tuple[str, Notice]] = []
        for name, profile in self._profiles.items():
            delta = profile.changes(profile.version if profile.schedule.begun else 0)
            profile.version = delta.version
            if not profile.schedule.begun or delta.whole or delta.upserts or delta.removes:
                profile.schedule.take(delta, now)
            due += [(name, each) for each in profile.schedule.due(now)]
        rung = False
        shown: list[Notice] = []
        for name, notice in due:
            ways = () if notice.silent else self._ways_of(notice, self._profiles[name].zone, wall_ms)
            for way in ways:
                if way != Bell.name or not rung:
                    self._tell(way, notice)
                rung |= way == Bell.name
            if notice.silent or FLASH in ways:
                shown.append(notice)
        return shown

    def _ways_of(self, notice: Notice, zone: ZoneInfo, wall_ms: float) -> Sequence[str]:
        found = self._settings.ways_of(notice.severity)
        moment = datetime.fromtimestamp(wall_ms / 1000, zone)
        if self._settings.is_quiet(moment.hour * 60 + moment.minute):
            return [each for each in found if each in self._settings.quiet_ways]
        return found

    def _tell(self, name: str, notice: Notice) -> None:
        way = self._ways.get(name)
        if isinstance(way, Lane):
            way.put(notice)
        elif way is not None:
            way.tell(notice)

    # -- what a person has seen ----------------------------------------------------------------------------------------

    def was_shown(self, notice: Notice) -> None:
        """Note that a notice is visible on the screen."""
        for each in self._profiles.values():
            each.schedule.was_shown(notice, self._now())

    def is_unseen(self, notice: Notice) -> bool:
        """Return whether a person has not seen all episodes of a notice that still apply."""
        return any(each.schedule.is_unseen(notice) for each in self._profiles.values())

    def key_pressed(self) -> None:
        """Note that a person pressed a key: what was visible is seen."""
        for each in self._profiles.values():
            each.schedule.key_pressed(self._now())
        self._settle()

    def looked_at(self, profile: str, kind: str, keys: Collection[str]) -> None:
        """Note that a person has the focus on records of a profile."""
        found = self._profiles.get(profile)
        if found is not None and found.schedule.unseen:
            found.schedule.looked_at(kind, keys)
            self._settle()

    def _settle(self) -> None:
        """Take the notice out of the title of the window once everything is seen."""
        title = self._ways.get(Title.name)
        if isinstance(title, Title) and not any(each.schedule.unseen for each in self._profiles.values()):
            title.nothing_unseen(next(iter(self._profiles), ""))

    # -- ways ----------------------------------------------------------------------------------------------------------

    def failures(self) -> list[str]:
        """Return which ways began to fail since the last call, and why."""
        lanes = [each for each in self._ways.values() if isinstance(each, Lane)]
        return [f"Notices by {each.way.name} do not arrive: {why}" for each in lanes if (why := each.failure())]

    def close(self, seconds: float = 0.0) -> None:
        """Restore the terminal, and wait for what is under way, at most this long."""
        for each in self._ways.values():
            if isinstance(each, Lane):
                each.close(seconds)
            else:
                each.close()
