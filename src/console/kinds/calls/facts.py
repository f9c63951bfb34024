"""Facts about calls: waiting and failed ones (contract 2.6)."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from console.kinds.calls.states import STATES
from console.records import state_words
from console.records.extent import Extent
from console.records.moments import LATEST_MS, LEAST_MS
from console.records.raw import WireStruct, decoder
from console.records.state_words import normalized
from console.views import wording
from console.views.index import Derived
from console.views.timeline import reason_in

if TYPE_CHECKING:
    from console.live.delta import Delta
    from console.records.traffic import Call
    from console.views.render_context import RenderContext


FAILED_MINUTES = 5
"""How long a failed call counts: lists keep ended calls for unknown times."""
_MINUTE_MS = 60_000
_LONGEST_QUEUE = 200
_TALKING = state_words.CONNECTED | state_words.HELD


def begun(call: Call) -> float | None:
    """Return when the call started, in ms since the epoch."""
    began = call.date
    # Nearly always so, and read for thousands of calls at once.
    if type(began) is int and LEAST_MS <= began < LATEST_MS:
        return began
    began = wording.at(began)
    return began if began is not None else wording.at(call.from_)


def over(call: Call) -> bool:
    """Return whether the call has ended."""
    return wording.at(call.to) is not None or normalized(call.state or "") in state_words.CALL_OVER


def waiting(call: Call) -> bool:
    """Return whether the caller waits for an answer."""
    state = call.state
    return state is not None and normalized(state) in state_words.WAITING and wording.at(call.to) is None


def waits_if_known(call: Call) -> bool | None:
    """Return whether the caller waits; None if the state does not say so, and the call has not ended."""
    state = normalized(call.state or "")
    if state in state_words.WAITING or state not in state_words.CALL:
        return (True if state in state_words.WAITING else None) if wording.at(call.to) is None else False
    return False


def urgency(call: Call) -> int:
    """Return the group of a call in lists: 0 waiting, 1 active otherwise, 2 failed, 3 ended otherwise."""
    state = normalized(call.state or "")
    if wording.at(call.to) is not None or state in state_words.CALL_OVER:
        return 2 if state in state_words.SERVER_ERROR else 3
    return 0 if state in state_words.WAITING else 1


def talking(call: Call) -> bool:
    """Return whether the call is answered and has not ended."""
    return normalized(call.state or "") in _TALKING and wording.at(call.to) is None


def ringing(call: Call) -> bool:
    """Return whether the call rings."""
    return normalized(call.state or "") in state_words.RINGING and wording.at(call.to) is None


def unanswered(call: Call) -> bool:
    """Return whether the call ended without an answer."""
    return normalized(call.state or "") in state_words.UNANSWERED


def answered_at(call: Call) -> float | None:
    """Return when the call was answered, in ms since the epoch, if its attempts have it."""
    return max(
        (at for attempt in call.attempts if (at := wording.at(attempt.get("answeredAt"))) is not None), default=None
    )


def total_ms(call: Call, render: RenderContext) -> float | None:
    """Return the duration of the call so far, including waiting."""
    return _lasted(call, begun(call), render)


def _lasted(call: Call, start: float | None, render: RenderContext) -> float | None:
    end = wording.at(call.to)
    return None if end is None and over(call) else render.lasted(start, end)


def answered(call: Call) -> float | None:
    """Return when the call was answered, by its attempts or its second time; None if it was not."""
    by_attempts = answered_at(call)
    if by_attempts is not None:
        return by_attempts
    start, dated = wording.at(call.from_), wording.at(call.date)
    rank = STATES.look(call.state).rank
    if start is None or rank in {1, 2, 6}:
        return None
    return start if dated is None or start != dated or rank == 3 else None


def talk_ms(call: Call, render: RenderContext) -> float | None:
    """Return the talk time so far, from the answer on."""
    return _lasted(call, answered(call), render)


def failed(call: Call) -> bool:
    """Return whether the call failed because of the service."""
    return normalized(call.state or "") in state_words.SERVER_ERROR


class _Asking(WireStruct, frozen=True):
    """The part of a context or of data that names a skill."""

    skill: str | None = None


class _QueueRow(WireStruct, frozen=True):
    """The part of a call's row that tells its queue."""

    target: str | None = None
    context: _Asking | None = None
    data: _Asking | None = None


_queue_row = decoder(_QueueRow)


def requested_skill(call: Call) -> str | None:
    """Return the skill that a call asks for, in its context or its data."""
    row = call.partly(_queue_row)
    if row is not None:
        return (row.context and row.context.skill) or (row.data and row.data.skill) or None
    for texts in (call.context, call.data):
        skill = (texts or {}).get("skill")
        if isinstance(skill, str) and skill:
            return skill
    return None


def target_of(call: Call) -> str | None:
    """Return the target of a call."""
    row = call.partly(_queue_row)
    return call.target if row is None else row.target


def queue_of(call: Call) -> str | None:
    """Return the queue of a call: its target, otherwise its skill, at most 200 characters."""
    queue = target_of(call) or requested_skill(call)
    return queue[:_LONGEST_QUEUE] if queue else None


def abandoned(call: Call) -> bool:
    """Return whether the caller gave up waiting: by the state, or because an unanswered call for a skill was cancelled.

    Services without a state for this cancel the call.
    """
    state = normalized(call.state or "")
    if state in state_words.CANCELLED_CALL:
        return requested_skill(call) is not None and answered_at(call) is None
    return state in state_words.ABANDONED


def reason(call: Call) -> str | None:
    """Return why the call ended, or why its last attempt failed, as the service words it; None if it does not tell."""
    text = reason_in(call.data) if call.data else None
    return reason_in(call.attempts[-1]) if text is None and call.attempts else text


def is_recording(call: Call) -> bool:
    """Return whether the call is being recorded, by `data.recording`: a flag, or an object with one."""
    recording = (call.data or {}).get("recording")
    return (cast("dict[str, object]", recording).get("active") if isinstance(recording, dict) else recording) is True


def collects_statistics(call: Call, user: str | None = None) -> bool | None:
    """Return whether the statistics of a call, or of a user in it, are collected; None if the call does not tell."""
    switch = (call.data or {}).get("statistics")
    if not isinstance(switch, dict):
        return None
    states = cast("dict[str, object]", switch)
    users = states.get("users")
    own = cast("dict[str, object]", users).get(user) if user is not None and isinstance(users, dict) else None
    state = own if isinstance(own, bool) else states.get("enabled")
    return state if isinstance(state, bool) else None


def ended_at(call: Call) -> float | None:
    """Return when the call ended, otherwise when it started, in ms since the epoch."""
    ended = wording.at(call.to)
    return ended if ended is not None else begun(call)


def in_state_since(call: Call, _render: RenderContext) -> float | None:
    """Return when the call ended, or when one in progress started; None for one that ended at an unknown time."""
    ended = wording.at(call.to)
    if ended is not None:
        return ended
    return None if normalized(call.state or "") in state_words.CALL_OVER else begun(call)


class Wait(NamedTuple):
    """A waiting caller."""

    key: str
    """The key of the call."""
    since: float | None
    """When the wait started, in ms since the epoch; None if unknown."""
    call: Call

    @property
    def target(self) -> str:
        """The target of the call; empty if unknown. Read when somebody looks: lists count waits without it."""
        return self.call.target or ""

    def ms(self, now_ms: int) -> float | None:
        """Return the duration of the wait in ms; negative before its start, as after a clock was set back."""
        return None if self.since is None else now_ms - self.since


Place = tuple[bool, float, str]
"""Sort key of a wait: the longest first, unknown durations last."""


def _place(wait: Wait) -> Place:
    return wait.since is None, wait.since or 0, wait.key


def longest_first(calls: Iterable[Call]) -> list[Call]:
    """Return waiting calls in the order of their waits, unknown durations last."""
    return sorted(calls, key=lambda call: _place(Wait(call.id, begun(call), call)))


def _in_doubt(render: RenderContext) -> int:
    others = cast("Collection[Call]", render.in_other_state("calls", state_words.CALL))
    return sum(waits_if_known(call) is None for call in others)


_IN_DOUBT: Derived[int] = Derived("calls", _in_doubt)
"""The number of calls whose state has no meaning: each row of a list of queues asks."""


def may_wait(render: RenderContext) -> int:
    """Return the number of calls of which it is not known whether they wait: each may be in a queue of its own."""
    return _IN_DOUBT.of(render)


def waits_exact(render: RenderContext) -> bool:
    """Return whether all waits are known: the list of calls is complete, and no state of a call is without meaning."""
    return render.extent("calls") is Extent.WHOLE and not _IN_DOUBT.of(render)


def longest_exact(waits: Sequence[Wait], render: RenderContext) -> bool:
    """Return whether none waits longer than the first of these waits: all are known, and since when."""
    return waits_exact(render) and not (waits and waits[-1].since is None)


def waits(render: RenderContext) -> list[Wait]:
    """Return all known waits, the longest first, unknown durations last."""
    if render.extent("calls") is Extent.UNKNOWN:
        return []
    return sorted(_known_waits(render), key=_place)


def _known_waits(render: RenderContext) -> list[Wait]:
    calls = cast("Collection[Call]", render.in_state("calls", *state_words.WAITING))
    return [Wait(call.id, begun(call), call) for call in calls if call.to is None or wording.at(call.to) is None]


def recent_failures(render: RenderContext) -> list[Call]:
    """Return the calls that failed because of the service, and ended in the last five minutes."""
    since = render.now_ms - FAILED_MINUTES * _MINUTE_MS
    calls = cast("Collection[Call]", render.in_state("calls", *state_words.SERVER_ERROR))
    # Most ended long ago: in milliseconds, one comparison tells.
    return [call for call in calls if not LEAST_MS <= (call.to or 0) < since and (ended_at(call) or 0) >= since]


def _without_end(render: RenderContext) -> list[Call]:
    calls = cast("Collection[Call]", render.in_state("calls", *state_words.SERVER_ERROR))
    # As above: nearly all tell their end in milliseconds.
    return [call for call in calls if not LEAST_MS <= (call.to or 0) < LATEST_MS and wording.at(call.to) is None]


_WITHOUT_END: Derived[list[Call]] = Derived("calls", _without_end)
"""The failed calls that do not tell when they ended."""


def failures_exact(render: RenderContext) -> bool:
    """Return whether there are no other recent failures: all states are known, and when each failed call ended."""
    since = render.now_ms - FAILED_MINUTES * _MINUTE_MS
    # A call that began earlier and does not tell its end may have failed since.
    return waits_exact(render) and not any((begun(call) or 0) < since for call in _WITHOUT_END.of(render))


class WaitOrder:
    """Keys of waiting calls. Adding, removing and asking for the longest wait do not search."""

    def __init__(self, waits: Iterable[Wait] = ()) -> None:
        """Begin with these waits."""
        self._places = {key: (since is None, since or 0, key) for key, since, _ in waits}
        self._heap: list[Place] = sorted(self._places.values())
        """The longest wait is on top; an ended one is removed when it reaches the top."""
        self.untimed = sum(map(itemgetter(0), self._heap))
        """Number of waits of unknown duration."""

    def __len__(self) -> int:
        return len(self._places)

    def add(self, key: str, since: float | None) -> None:
        """Add a call that waits since a time, or change the time."""
        place = (since is None, since or 0, key)
        if self._places.get(key) == place:
            return
        self.drop(key)
        self.untimed += since is None
        self._places[key] = place
        heapq.heappush(self._heap, place)
        if len(self._heap) > 2 * len(self._places) + 64:
            self._heap = sorted(self._places.values())

    def drop(self, key: str) -> None:
        """Remove a call, if it waits."""
        place = self._places.pop(key, None)
        self.untimed -= place is not None and place[0]

    def longest(self) -> tuple[str, float | None] | None:
        """Return the key and the beginning of the longest wait, or None."""
        while self._heap:
            untimed, since, key = self._heap[0]
            if self._places.get(key) == self._heap[0]:
                return key, None if untimed else since
            heapq.heappop(self._heap)
        return None


class Waits:
    """All waits, updated by changes: there may be thousands, of which few change between two beats."""

    def __init__(self, changes: Callable[[int], Delta[Any]]) -> None:
        """Create an empty instance; `changes` returns the changes of calls since a version."""
        self._changes = changes
        self._version = 0
        self._calls: object = None
        self._waits: dict[str, Wait] = {}
        self._order = WaitOrder()
        self._ordered: list[Wait] | None = []
        """All waits in order; None until requested."""

    @property
    def untimed(self) -> int:
        """Number of waits of unknown duration, as of the last read of all or the longest."""
        return self._order.untimed

    def all(self, render: RenderContext) -> list[Wait]:
        """Return all known waits, the longest first."""
        self._follow(render)
        if self._waits and render.extent("calls") is Extent.UNKNOWN:
            return []
        if self._ordered is None:
            self._ordered = sorted(self._waits.values(), key=_place)
        return self._ordered

    def longest(self, render: RenderContext) -> Wait | None:
        """Return the longest known wait, or None."""
        self._follow(render)
        longest = self._order.longest()
        return None if longest is None or render.extent("calls") is Extent.UNKNOWN else self._waits[longest[0]]

    def _follow(self, render: RenderContext) -> None:
        calls = render.lookup("calls")
        if calls is self._calls:
            return
        self._calls = calls
        changes = self._changes(self._version)
        self._version = changes.version
        if changes.whole:
            self._ordered = None
            known = _known_waits(render)
            self._waits = {wait.key: wait for wait in known}
            self._order = WaitOrder(known)
            return
        for key in changes.removes & self._waits.keys():
            self._drop(key)
        for key, call in cast("Mapping[str, Call]", changes.upserts).items():
            if waiting(call):
                self._set(Wait(key, begun(call), call))
            elif key in self._waits:
                self._drop(key)

    def _set(self, wait: Wait) -> None:
        self._ordered = None
        self._waits[wait.key] = wait
        self._order.add(wait.key, wait.since)

    def _drop(self, key: str) -> None:
        self._ordered = None
        del self._waits[key]
        self._order.drop(key)
