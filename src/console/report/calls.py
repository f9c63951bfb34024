"""Calls: those offered, answered and abandoned in the queues, the longest waits, and the calls that raised alarms."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import cast

from console.base.frozen import Frozen
from console.kinds.alarms.facts import call_of, loss
from console.kinds.calls import facts
from console.kinds.calls.columns import name as call_name
from console.kinds.queues.columns import called_queue
from console.kinds.queues.facts import breach_ms, share_in_time
from console.kinds.queues.passages import Passage, Passages, What
from console.live.delta import Delta
from console.recording.changes import RecordedChange
from console.records.queues import Queue
from console.records.record import Record
from console.records.traffic import Call, CallAlarm
from console.report.times import Times
from console.views import wording
from console.views.render_context import RenderContext

WORST = 5
"""Longest waits of a queue."""
SLOTS = 48
"""Bars of a chart."""


class LongWait(Frozen):
    """One of the longest waits of a queue."""

    ms: int
    ended_ms: int
    """When it ended, or the end of the report."""
    call: str
    """The key of the call."""
    caller: str
    ending: str
    """`answered`, `abandoned` or `waiting`."""


class QueueFigures(Frozen):
    """A queue. `offered` is the sum of the next five."""

    queue: str
    name: str
    offered: int
    """Calls that waited at the beginning, or came."""
    answered: int
    abandoned: int
    moved: int
    """Calls that went on to wait in another queue."""
    waiting: int
    """Calls that waited or rang at the end."""
    unknown: int
    """Calls that left while nothing was known of them, or the service lists no more."""
    in_time: int
    in_time_percent: float | None
    """Service level: the calls answered in time, of those that were answered after a known time or abandoned; None if
    there were none."""
    in_time_exact: bool
    """Whether all calls that left the queue are in the service level."""
    waits: tuple[LongWait, ...]
    untimed: int
    """Calls that were answered or abandoned, or wait at the end, and of which it is not known how long they waited:
    they may be longest."""


class CallFigures(Frozen):
    """All queues, and the calls that were answered or abandoned over time."""

    queues: tuple[QueueFigures, ...]
    talked: int
    """Number of calls that were answered, in a queue or not."""
    breach_ms: int
    """From this wait on, a call is not answered in time."""
    answered: tuple[int | None, ...]
    """By slot of time; None where nothing was known."""
    abandoned: tuple[int | None, ...]


@dataclass
class _QueueCounts:
    """The numbers of a queue so far."""

    offered: int = 0
    moved: int = 0
    unknown: int = 0
    answered: int = 0
    in_time: int = 0
    abandoned: int = 0
    untimed: int = 0
    untimed_answers: int = 0
    worst: list[tuple[int, int, str, str, str]] = field(default_factory=list[tuple[int, int, str, str, str]])
    """A heap with the shortest of the longest waits on top."""

    def add(self, ms: float, ended: int, call: Call | None, key: str, ending: str) -> None:
        """Note a wait, if it is one of the longest."""
        entry = (int(max(0, ms)), ended, key, (call.caller or "") if call is not None else "", ending)
        if len(self.worst) < WORST:
            heapq.heappush(self.worst, entry)
        else:
            heapq.heappushpop(self.worst, entry)


class CallCounter:
    """Counts while the changes of calls are played. A change costs the same however many calls there are."""

    def __init__(self, render: RenderContext, known: Times, window: tuple[int, int]) -> None:
        self._render = render
        self._known = known
        self._first, self._last = window
        self._breach = breach_ms(render)
        self._names: set[str] = set()
        self._passages = Passages(self._names)
        self._counts: dict[str, _QueueCounts] = {}
        self._open: dict[str, tuple[str, float | None]] = {}
        """Queue and beginning of the wait of each call that waits, or rings after it waited."""
        self._talked = 0
        self._answered: set[str] = set()
        """Keys of the listed calls that are known to be answered."""
        self._slots = [[0] * SLOTS, [0] * SLOTS]

    def begin(self, calls: Mapping[str, Record], queues: Mapping[str, Record], skills: Mapping[str, Record]) -> None:
        """Begin with the lists as they were."""
        self._names |= queues.keys() | skills.keys()
        upserts = cast("Mapping[str, Call]", calls)
        delta = Delta(1, whole=True, upserts=upserts)
        for passage in self._passages.follow(delta, self._first, observed=False):
            self._take(passage, upserts.get(passage.key), self._first)

    def change(self, change: RecordedChange) -> None:
        """Count a change."""
        before, after = cast("Call | None", change.before), cast("Call | None", change.after)
        observed = self._known.holds(change.at_ms)
        for passage in self._passages.changed(change.key, after, change.at_ms, observed=observed):
            self._take(passage, after or before, change.at_ms)
        if after is None:
            self._answered.discard(change.key)
        elif change.key not in self._answered and _talked(after):
            self._answered.add(change.key)
            self._talked += observed and not (before is not None and _talked(before))

    def _take(self, passage: Passage, call: Call | None, at_ms: int) -> None:
        queue, since, key = passage.wait.queue, passage.wait.since, passage.key
        self._names.add(queue)
        counts = self._counts.setdefault(queue, _QueueCounts())
        if passage.what is What.WAITS:
            before = self._open.get(key)
            if before is not None and before[0] != queue:
                self._counts[before[0]].moved += 1
            if before is None or before[0] != queue:
                counts.offered += 1
            self._open[key] = queue, since
            return
        if passage.what is What.RINGS:
            return
        if self._open.pop(key, None) is None:
            counts.offered += 1
        if passage.what is What.SERVED:
            counts.answered += 1
            if passage.waited_ms is None:
                counts.untimed += 1
                counts.untimed_answers += 1
            else:
                counts.in_time += passage.waited_ms < self._breach
                counts.add(passage.waited_ms, at_ms, call, key, "answered")
            self._slots[0][self._slot(at_ms)] += 1
        elif passage.what is What.ABANDONED:
            counts.abandoned += 1
            until = wording.at(call.to) if call is not None else None
            counts.untimed += since is None
            if since is not None:
                counts.add((at_ms if until is None else until) - since, at_ms, call, key, "abandoned")
            self._slots[1][self._slot(at_ms)] += 1
        else:
            counts.unknown += 1

    def _slot(self, at_ms: int) -> int:
        return min(SLOTS - 1, max(0, (at_ms - self._first) * SLOTS // max(1, self._last - self._first)))

    def end(self, calls: Mapping[str, Record]) -> CallFigures:
        """Return the figures, the busiest queue first. `calls` are those at the end."""
        waiting: dict[str, int] = {}
        for key, (queue, since) in self._open.items():
            waiting[queue] = waiting.get(queue, 0) + 1
            call = cast("Call | None", calls.get(key))
            self._counts[queue].untimed += since is None
            if since is not None and call is not None and facts.waiting(call):
                self._counts[queue].add(self._last - since, self._last, call, key, "waiting")
        queue_figures = [self._figures(name, counts, waiting.get(name, 0)) for name, counts in self._counts.items()]
        seen = [
            any(True for _ in self._known.within(*slot_times(self._first, self._last, slot))) for slot in range(SLOTS)
        ]
        answered, abandoned = (
            tuple(many if known else None for many, known in zip(counts, seen, strict=True)) for counts in self._slots
        )
        return CallFigures(
            tuple(sorted(queue_figures, key=lambda queue_figures: (-queue_figures.offered, queue_figures.name))),
            self._talked,
            round(self._breach),
            answered,
            abandoned,
        )

    def _figures(self, name: str, counts: _QueueCounts, waiting: int) -> QueueFigures:
        render = self._render
        waits = sorted(counts.worst, reverse=True)
        return QueueFigures(
            queue=name,
            name=called_queue(Queue(queue=name, group=render.addresses.group_id(name)), render),
            offered=counts.offered,
            answered=counts.answered,
            abandoned=counts.abandoned,
            moved=counts.moved,
            waiting=waiting,
            unknown=counts.unknown,
            in_time=counts.in_time,
            in_time_percent=share_in_time(counts.answered - counts.untimed_answers, counts.in_time, counts.abandoned),
            in_time_exact=not (counts.unknown or counts.untimed_answers),
            waits=tuple(
                LongWait(ms, ended, key, wording.name(caller, render) or "", ending)
                for ms, ended, key, caller, ending in waits
            ),
            untimed=counts.untimed,
        )


def slot_times(first: int, last: int, slot: int) -> tuple[int, int]:
    """Return start and end of a slot of a chart."""
    return first + (last - first) * slot // SLOTS, first + (last - first) * (slot + 1) // SLOTS


def _talked(call: Call) -> bool:
    # The attempts are expensive to read: they are needed only for calls that were answered and ended unseen.
    return facts.talking(call) or (facts.over(call) and facts.answered_at(call) is not None)


MOST_BAD_CALLS = 10


class BadCall(Frozen):
    """A call that raised an alarm."""

    call: str
    name: str
    at_ms: int
    """When it raised the alarm with the highest loss."""
    alarm: str
    loss_percent: float | None


class QualityFigures(Frozen):
    """The alarms of the time."""

    alarms: int
    calls: int
    """Number of calls that raised them, of those that are known."""
    without_call: int
    """Alarms that do not tell their call."""
    undated: int
    """Further alarms, which do not tell when they were raised."""
    talked: int
    """Number of calls that were answered in the time."""
    worst: tuple[BadCall, ...]
    """Those with the highest loss."""

    @property
    def percent(self) -> float | None:
        """Share of the answered calls that are known to have raised alarms; None without any."""
        return min(100.0, 100 * self.calls / self.talked) if self.talked else None


def quality(
    records: Iterable[Record],
    window: tuple[int, int],
    talked: int,
    render: RenderContext,
    calls_at: Callable[[int], Mapping[str, Record]],
) -> QualityFigures:
    """Return the figures of the alarms that were raised between two moments.

    `calls_at` returns the calls of a moment: most of those that raised alarms have ended since.
    """
    first, last = window
    worst: dict[tuple[str, str], tuple[float, CallAlarm, int]] = {}
    alarms = without_call = undated = 0
    for alarm in cast("Iterable[CallAlarm]", records):
        raised = wording.at(alarm.timestamp)
        undated += raised is None
        if raised is None or not first <= raised <= last:
            continue
        alarms += 1
        lost, call = loss(alarm), call_of(alarm) or ""
        without_call += not call
        # Alarms of unknown calls may be of different ones.
        place = call, "" if call else alarm.id
        known = worst.get(place)
        if known is None or (lost or 0) > known[0]:
            worst[place] = lost or 0, alarm, round(raised)
    calls = sorted(worst.items(), key=lambda entry: -entry[1][0])
    return QualityFigures(
        alarms,
        len(worst) - without_call,
        without_call,
        undated,
        talked,
        tuple(
            BadCall(call, _name(call, calls_at(at_ms), render), at_ms, alarm.id, loss(alarm))
            for (call, _), (_, alarm, at_ms) in calls[:MOST_BAD_CALLS]
        ),
    )


def _name(key: str, calls: Mapping[str, Record], render: RenderContext) -> str:
    call = calls.get(key)
    return str(call_name(call, render)) if isinstance(call, Call) else wording.short(key) or "an unknown call"
