"""What went on during a night, what the person was told of it, and what of that meant nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.night.truth import Thing

TOLD_WITHIN = 10
"""Seconds from the beginning of an event until the person has to be told of it."""
SAME_SECONDS = 300
"""An event that returns within this time is the same event: the person knows of it."""
NOT_REQUIRED = {"soon"}
"""Subjects of which nobody has to be told: a wait follows, of which the person is told."""


@dataclass
class Event:
    """A thing from its beginning to its end. Seconds of the night."""

    thing: Thing
    opened: int
    """When it began, or began again."""
    first: int
    closed: int | None = None
    told: int | None = None
    handled: bool = False
    missed: bool = False


@dataclass
class Count:
    """The notices of one rule."""

    told: int = 0
    """Notices, with repeated ones."""
    seen: int = 0
    repeated: int = 0
    meaningless: int = 0
    missed: int = 0
    """Events of which nobody was told."""
    delays: list[int] = field(default_factory=list[int])
    """Seconds from the beginnings of events to their first notices."""


class Ledger:
    """The events of one person."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.open: dict[Thing, Event] = {}
        self._last: dict[Thing, Event] = {}
        self._expected: set[Thing] = set()
        self._began = False
        """Whether the night has begun: the person has seen what was there before."""

    def observe(self, things: Iterable[Thing], now: int) -> None:
        """Note what goes on now."""
        found = set(things)
        for thing in self.open.keys() - found:
            self.open.pop(thing).closed = now
        for thing in found - self.open.keys():
            event = self._last.get(thing)
            if event is None or (event.closed is not None and now - event.closed > SAME_SECONDS):
                event = self._last[thing] = Event(thing, now, now)
                event.handled = thing in self._expected or not self._began
                event.told = now if event.handled else None
                self.events.append(event)
            event.opened, event.closed = now, None
            self.open[thing] = event
        self._expected -= found
        self._began = True

    def expect(self, things: Iterable[Thing]) -> None:
        """Note what the person has brought about: she knows of it once it begins."""
        self._expected |= set(things)

    def judge_missed(self, now: int, known_since: int) -> list[Event]:
        """Return the events of which the person should know by now, each once."""
        found = [
            each
            for each in self.open.values()
            if each.told is None
            and not each.missed
            and each.thing[0] not in NOT_REQUIRED
            and now - max(each.opened, known_since) > TOLD_WITHIN
        ]
        for each in found:
            each.missed = True
        return found

    def tell(self, things: Iterable[Thing], now: int, *, again: bool) -> tuple[bool, list[int]]:
        """Note that the person is told of these. Return whether that means anything, and the delays of new events."""
        found = [self.open[each] for each in things if each in self.open]
        means = any(not each.handled and (again or each.told is None) for each in found)
        delays: list[int] = []
        for each in found:
            if each.told is None:
                each.told = now
                delays.append(now - each.first)
            soon = self.open.get(("soon", each.thing[1])) if each.thing[0] == "wait" else None
            if soon is not None and soon.told is None:
                soon.told = now
        return means, delays

    def handle(self, things: Iterable[Thing]) -> None:
        """Note that the person has done something about these, and knows of them."""
        for each in things:
            event = self.open.get(each)
            if event is not None:
                event.handled = True
                event.told = 0 if event.told is None else event.told
