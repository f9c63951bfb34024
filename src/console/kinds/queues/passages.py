"""Which calls wait, how each of them leaves its queue, and the numbers of both per minute in bounded memory."""

from __future__ import annotations

from array import array
from collections.abc import Container, Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

from console.kinds.calls import facts
from console.kinds.queues.facts import NO_QUEUE
from console.live.delta import Delta
from console.records.traffic import Call

MINUTES = 60
STEP = 5
"""Minutes per value of the trend."""
_UNSEEN = 0xFFFF
"""A minute in which nothing was observed."""


class What(StrEnum):
    """End of a call's wait in a queue."""

    WAITS = "waits"
    RINGS = "rings"
    """It left the queue for now: it may wait again, be answered or end."""
    SERVED = "served"
    ABANDONED = "abandoned"
    """It ended while it waited."""
    UNKNOWN = "unknown"
    """It left while nothing was observed, or the service lists it no more."""


class Waiting(NamedTuple):
    """The wait of a call."""

    queue: str
    since: float | None
    """When it began, in ms since the epoch; None if unknown."""
    skill: str | None = None
    """The skill that the call asks for."""


class Passage(NamedTuple):
    """A change of a call in a queue."""

    what: What
    key: str
    wait: Waiting
    waited_ms: float | None = None
    """How long it waited until the end, if known."""


class Passages:
    """Follows the changes of all calls. A change costs the same however many calls there are."""

    def __init__(self, queues: Container[str]) -> None:
        """Begin without calls. A call that was never seen to wait counts only if its target is one of `queues`."""
        self._queues = queues
        self._waiting: dict[str, Waiting] = {}
        self._ringing: dict[str, Waiting] = {}
        """Calls that waited before, and ring."""
        self._settled: dict[str, None] = {}
        """Keys of calls that were answered or ended; they may wait again. A set would take twice the memory."""

    def follow(self, delta: Delta[Call], now_ms: float, *, observed: bool) -> Iterator[Passage]:
        """Yield what happened to calls. Ends and answers that nobody observed are `UNKNOWN`."""
        removes = delta.removes
        if delta.whole:
            known = self._waiting.keys() | self._ringing.keys() | self._settled.keys()
            removes = frozenset(known - delta.upserts.keys())
        for key in removes:
            yield from self.changed(key, None, now_ms, observed=observed)
        for key, call in delta.upserts.items():
            yield from self.changed(key, call, now_ms, observed=observed)

    def changed(self, key: str, call: Call | None, now_ms: float, *, observed: bool) -> Iterable[Passage]:
        """Return what happened to a call, which is not listed any more if it is None."""
        if call is None:
            self._settled.pop(key, None)
            wait = self._left(key)
            return () if wait is None else (Passage(What.UNKNOWN, key, wait),)
        if facts.waiting(call):
            return self._waits(key, call, now_ms, observed)
        return () if key in self._settled else self._moves(key, call, now_ms, observed)

    def _left(self, key: str) -> Waiting | None:
        wait = self._waiting.pop(key, None)
        return self._ringing.pop(key, None) if wait is None else wait

    def _waits(self, key: str, call: Call, now_ms: float, observed: bool) -> Iterator[Passage]:
        queue, began = facts.queue_of(call) or NO_QUEUE, facts.begun(call)
        before = self._waiting.get(key)
        if before is not None and before.queue == queue and (began is None or before.since == began):
            return
        wait = Waiting(queue, now_ms if began is None and observed else began, facts.requested_skill(call))
        if before is not None:
            yield Passage(What.RINGS, key, before)
        self._settled.pop(key, None)
        self._ringing.pop(key, None)
        self._waiting[key] = wait
        yield Passage(What.WAITS, key, wait)

    def _moves(self, key: str, call: Call, now_ms: float, observed: bool) -> Iterator[Passage]:
        """Handle a call that does not wait, and was neither answered nor over before."""
        ended = facts.over(call)
        if facts.ringing(call):
            wait = self._waiting.pop(key, None)
            if wait is not None:
                self._ringing[key] = wait
                yield Passage(What.RINGS, key, wait)
            return
        wait = self._left(key)
        if wait is None and not (ended or facts.talking(call)):
            return
        self._settled[key] = None
        if not observed:
            if wait is not None:
                yield Passage(What.UNKNOWN, key, wait)
            return
        answered = facts.answered_at(call)
        if wait is not None:
            yield _ending(key, wait, call, answered, now_ms)
        elif (call.target or "") in self._queues:
            yield from _passed(key, call, answered, now_ms)


def _ending(key: str, wait: Waiting, call: Call, answered: float | None, now_ms: float) -> Passage:
    if answered is not None or facts.talking(call):
        until = now_ms if answered is None else answered
        # An answer before the wait, as by a clock that was set back, does not tell how long it was.
        return Passage(What.SERVED, key, wait, None if wait.since is None or until < wait.since else until - wait.since)
    return Passage(What.ABANDONED if facts.over(call) else What.UNKNOWN, key, wait)


def _passed(key: str, call: Call, answered: float | None, now_ms: float) -> Iterator[Passage]:
    """Yield how a call left its queue that passed it between two observations."""
    wait = Waiting(facts.queue_of(call) or NO_QUEUE, facts.begun(call))
    if answered is not None:
        yield _ending(key, wait, call, answered, now_ms)
    elif facts.unanswered(call):
        yield Passage(What.ABANDONED, key, wait)


SPANS = {"15": 15, "60": 60}
"""Names and minutes of the spans before now of which calls are counted, besides today."""
TODAY = "today"
_FIGURES = ("served", "in_time", "abandoned")
"""Counted from the beginning; other figures from the first such call on."""


def _none_counted() -> array[int]:
    return array("L", bytes(array("L").itemsize * MINUTES))


class Windows:
    """Counts per minute of the last hour, and the sums of today. All calls give the current minute since the epoch.

    Sums change with the calls that they count and with the minute, so that reading them costs nothing.
    """

    def __init__(self, minute: int, day: int) -> None:
        """Begin to count."""
        self._minute = minute
        self._day = day
        self._counts = {figure: _none_counted() for figure in _FIGURES}
        self._most = array("H", [_UNSEEN] * MINUTES)
        self.figures: dict[str, int] = {f"{figure}_{span}": 0 for span in (*SPANS, TODAY) for figure in _FIGURES}
        """Numbers of the calls that left the queue, by figure and span, such as `served_15`."""
        self.trend: list[int | None] = [None] * (MINUTES // STEP)
        """The most calls that waited in each five minutes, the current ones last; None where unobserved."""

    @property
    def has_today(self) -> bool:
        """Whether any call was counted since midnight."""
        return any(self.figures[f"{figure}_{TODAY}"] for figure in self._counts)

    def advance(self, minute: int, day: int) -> None:
        """Go to a minute; `day` is the local date as a number. Counts keep their age if a clock is set back."""
        for values in (*self._counts.values(), self._most) if minute < self._minute else ():
            shift = (self._minute - minute) % MINUTES
            values[:] = values[shift:] + values[:shift]
        self._minute = min(self._minute, minute)
        for passed in range(max(self._minute + 1, minute - MINUTES + 1), minute + 1):
            for counts in self._counts.values():
                counts[passed % MINUTES] = 0
            self._most[passed % MINUTES] = _UNSEEN
        self._minute = minute
        for figure, counts in self._counts.items():
            for span, minutes in SPANS.items():
                self.figures[f"{figure}_{span}"] = self._sum(counts, minutes)
            if day != self._day:
                self.figures[f"{figure}_{TODAY}"] = 0
        self._day = day
        first = self._minute // STEP - MINUTES // STEP + 1
        self.trend = [self._highest(step) for step in range(first, first + MINUTES // STEP)]

    def _sum(self, counts: array[int], minutes: int) -> int:
        """Return the sum of the last minutes, at most 60, including the current one."""
        end = self._minute % MINUTES + 1
        first = end - min(minutes, MINUTES)
        earlier = slice(first % MINUTES, MINUTES) if first < 0 else slice(0)
        return sum(counts[max(0, first) : end]) + sum(counts[earlier])

    def _highest(self, step: int) -> int | None:
        """Return the most calls that waited in five minutes."""
        minutes = range(step * STEP, min((step + 1) * STEP, self._minute + 1))
        seen = [most for minute in minutes if (most := self._most[minute % MINUTES]) != _UNSEEN]
        return max(seen, default=None)

    def served(self, *, in_time: bool | None) -> None:
        """Count a call that was answered; `in_time` is None if it waited for an unknown time."""
        self._count("served")
        if in_time is None:
            self._count("unmeasured")
        elif in_time:
            self._count("in_time")

    def abandoned(self) -> None:
        """Count a call that ended while it waited."""
        self._count("abandoned")

    def unknown(self) -> None:
        """Count a call that left the queue in an unknown way."""
        self._count("unknown")

    def _count(self, figure: str) -> None:
        if figure not in self._counts:
            self._counts[figure] = _none_counted()
        self._counts[figure][self._minute % MINUTES] += 1
        for span in (*SPANS, TODAY):
            name = f"{figure}_{span}"
            self.figures[name] = self.figures.get(name, 0) + 1

    def waiting(self, many: int) -> None:
        """Note how many calls wait."""
        place = self._minute % MINUTES
        most = self._most[place]
        if most == _UNSEEN or many > most:
            self._most[place] = most = min(many, _UNSEEN - 1)
            self.trend[-1] = max(self.trend[-1] or 0, most)
