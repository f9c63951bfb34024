"""Which calls wait, and how each of them leaves its queue."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

from console.kinds.calls import facts
from console.kinds.queues.facts import NO_QUEUE
from console.live.delta import Delta
from console.records.traffic import Call


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
        self._settled: set[str] = set()
        """Keys of calls that were answered or ended; they may wait again."""

    def follow(self, delta: Delta[Call], now_ms: float, *, observed: bool) -> Iterator[Passage]:
        """Yield what happened to calls. Ends and answers that nobody observed are `UNKNOWN`."""
        removes = delta.removes
        if delta.whole:
            known = self._waiting.keys() | self._ringing.keys() | self._settled
            removes = frozenset(known - delta.upserts.keys())
        for key in removes:
            yield from self.changed(key, None, now_ms, observed=observed)
        for key, call in delta.upserts.items():
            yield from self.changed(key, call, now_ms, observed=observed)

    def changed(self, key: str, call: Call | None, now_ms: float, *, observed: bool) -> Iterable[Passage]:
        """Return what happened to a call, which is not listed any more if it is None."""
        if call is None:
            self._settled.discard(key)
            wait = self._left(key)
            return () if wait is None else (Passage(What.UNKNOWN, key, wait),)
        if facts.waiting(call):
            return self._waits(key, call, now_ms, observed)
        return () if key in self._settled else self._moves(key, call, now_ms, observed)

    def _left(self, key: str) -> Waiting | None:
        wait = self._waiting.pop(key, None)
        return self._ringing.pop(key, None) if wait is None else wait

    def _waits(self, key: str, call: Call, now_ms: float, observed: bool) -> Iterator[Passage]:
        began = facts.begun(call)
        wait = Waiting(
            facts.queue_of(call) or NO_QUEUE, now_ms if began is None and observed else began, facts.skill_told(call)
        )
        before = self._waiting.get(key)
        if before is not None and before.queue == wait.queue and (began is None or before.since == began):
            return
        if before is not None:
            yield Passage(What.RINGS, key, before)
        self._settled.discard(key)
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
        self._settled.add(key)
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
        return Passage(What.SERVED, key, wait, None if wait.since is None else max(0, until - wait.since))
    return Passage(What.ABANDONED if facts.over(call) else What.UNKNOWN, key, wait)


def _passed(key: str, call: Call, answered: float | None, now_ms: float) -> Iterator[Passage]:
    """Yield how a call left its queue that passed it between two observations."""
    wait = Waiting(facts.queue_of(call) or NO_QUEUE, facts.begun(call))
    if answered is not None:
        yield _ending(key, wait, call, answered, now_ms)
    elif facts.unanswered(call):
        yield Passage(What.ABANDONED, key, wait)
