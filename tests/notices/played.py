"""Episodes for tests, and a schedule with a clock that the test moves."""

from __future__ import annotations

from typing import Any

from console.live.delta import Delta
from console.notices.notice import Notice
from console.notices.schedule import SETTLING_SECONDS, Schedule
from console.records.episodes import Episode

BEGAN_MS = 1_700_000_000_000
LISTS = ("calls", "alerts", "")
"""The lists that are known."""


def episode(key: str, severity: str = "critical", **fields: Any) -> Episode:
    """Return an active episode of the rule `key`."""
    given: dict[str, Any] = {"state": "active", "title": "Long wait", "words": f"call {key} waits", "list": "calls"}
    given |= {"rule": key, "keys": (key,), "about": key, "count": 1, "began_at": BEGAN_MS}
    if fields.get("state") == "ended":
        given["ended_at"] = BEGAN_MS
    return Episode(id=key, severity=severity, **(given | fields))


def delta(*episodes: Episode, removes: frozenset[str] = frozenset(), whole: bool = False) -> Delta[Episode]:
    """Return changes of a list of episodes that is live."""
    upserts = {each.id: each for each in episodes}
    return Delta(1, whole=whole, upserts=upserts, removes=removes)


class Played:
    """A schedule that is asked ten times a second. All lists are known from the beginning."""

    def __init__(self, *before: Episode, repeat: float = 10.0) -> None:
        self.schedule = Schedule("desk", repeat)
        self.now = self.start = 0.0
        self.heard: list[tuple[float, Notice]] = []
        """The notices with their times."""
        self.take(*before)
        self.now = self.start = 2 * SETTLING_SECONDS

    def take(self, *episodes: Episode, removes: frozenset[str] = frozenset(), known: tuple[str, ...] = LISTS) -> None:
        self.schedule.take(delta(*episodes, removes=removes), known, self.now)

    def run(self, seconds: float, shown: bool = True) -> list[Notice]:
        """Let time pass; return the notices. Each is visible at once if `shown`."""
        found: list[Notice] = []
        end = self.now + seconds
        while self.now < end:
            for each in self.schedule.due(self.now):
                found.append(each)
                self.heard.append((round(self.now - self.start), each))
                if shown:
                    self.schedule.was_shown(each, self.now)
            self.now += 0.1
        return found

    @property
    def times(self) -> list[float]:
        """When something was told, in whole seconds since the start."""
        return [at for at, _ in self.heard]
