"""Facts about calls: waiting and failed ones (contract 2.6)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, NamedTuple, cast

from console.records import state_words
from console.records.extent import Extent
from console.records.moments import LATEST_MS, LEAST_MS
from console.records.state_words import plain
from console.views import wording
from console.views.index import Derived
from console.views.ladder import reason_in

if TYPE_CHECKING:
    from console.records.traffic import Call
    from console.views.render_context import RenderContext


_LONGEST_QUEUE = 200
_TALKING = state_words.CONNECTED | state_words.HELD


def begun(call: Call) -> float | None:
    """Return when the call started, in ms since the epoch."""
    began = wording.at(call.date)
    return began if began is not None else wording.at(call.from_)


def over(call: Call) -> bool:
    """Return whether the call has ended."""
    return wording.at(call.to) is not None or plain(call.state or "") in state_words.CALL_OVER


def waiting(call: Call) -> bool:
    """Return whether the caller waits for an answer."""
    state = call.state
    return state is not None and plain(state) in state_words.WAITING and wording.at(call.to) is None


def waits_if_known(call: Call) -> bool | None:
    """Return whether the caller waits; None if the state does not say so, and the call has not ended."""
    state = plain(call.state or "")
    if state in state_words.WAITING or state not in state_words.CALL:
        return (True if state in state_words.WAITING else None) if wording.at(call.to) is None else False
    return False


def urgency(call: Call) -> int:
    """Return the group of a call in lists: 0 waiting, 1 active otherwise, 2 failed, 3 ended otherwise."""
    state = plain(call.state or "")
    if wording.at(call.to) is not None or state in state_words.CALL_OVER:
        return 2 if state in state_words.SERVER_ERROR else 3
    return 0 if state in state_words.WAITING else 1


def talking(call: Call) -> bool:
    """Return whether the call is answered and has not ended."""
    return plain(call.state or "") in _TALKING and wording.at(call.to) is None


def ringing(call: Call) -> bool:
    """Return whether the call rings."""
    return plain(call.state or "") in state_words.RINGING and wording.at(call.to) is None


def unanswered(call: Call) -> bool:
    """Return whether the call ended without an answer."""
    return plain(call.state or "") in state_words.UNANSWERED


def answered_at(call: Call) -> float | None:
    """Return when the call was answered, in ms since the epoch, if its attempts tell."""
    return max(
        (at for attempt in call.attempts if (at := wording.at(attempt.get("answeredAt"))) is not None), default=None
    )


def failed(call: Call) -> bool:
    """Return whether the call failed because of the service."""
    return plain(call.state or "") in state_words.SERVER_ERROR


def skill_told(call: Call) -> str | None:
    """Return the skill that a call asks for, if its context or its data tell one."""
    for texts in (call.context, call.data):
        skill = (texts or {}).get("skill")
        if isinstance(skill, str) and skill:
            return skill
    return None


def queue_of(call: Call) -> str | None:
    """Return the queue of a call: its target, otherwise its skill, at most 200 characters."""
    queue = call.target or skill_told(call)
    return queue[:_LONGEST_QUEUE] if queue else None


def abandoned(call: Call) -> bool:
    """Return whether the caller gave up waiting: by the state, or because an unanswered call for a skill was cancelled.

    Services without a state for this cancel the call.
    """
    state = plain(call.state or "")
    if state in state_words.CANCELLED_CALL:
        return skill_told(call) is not None and answered_at(call) is None
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


def calls_of(user_id: str, render: RenderContext) -> Iterator[Call]:
    """Iterate over the known calls of a user."""
    address = wording.user_address(user_id, render)
    for call in cast("Iterator[Call]", iter(render.lookup("calls").values())):
        if address in (call.caller, call.callee) or user_id in call.users or address in call.users:
            yield call


def ended_at(call: Call) -> float | None:
    """Return when the call ended, otherwise when it started, in ms since the epoch."""
    ended = wording.at(call.to)
    return ended if ended is not None else begun(call)


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
        """Return the duration of the wait in ms."""
        return None if self.since is None else max(0, now_ms - self.since)


class Waits(NamedTuple):
    """All known waits."""

    many: int
    longest: Wait | None
    """Waits of unknown durations count as the shortest."""


def waits_exact(render: RenderContext) -> bool:
    """Return whether all waits are known: the list of calls is complete, and no state of a call is without meaning."""
    return render.extent("calls") is Extent.WHOLE and not _in_doubt(render)


def _in_doubt(render: RenderContext) -> bool:
    others = cast("Collection[Call]", render.in_other_state("calls", state_words.CALL))
    return any(waits_if_known(call) is None for call in others)


def _waits(render: RenderContext) -> Waits:
    calls = cast("Collection[Call]", render.in_state("calls", *state_words.WAITING))
    # There may be thousands, and most began at a time in milliseconds, which needs no function.
    places = [
        (False, date, call.id, call) if LEAST_MS <= (date := call.date or 0) < LATEST_MS else _place(call)
        for call in calls
        if call.to is None or waiting(call)
    ]
    if not places:
        return _NO_WAITS
    is_unknown, since, key, call = min(places)
    return Waits(len(places), Wait(key, None if is_unknown else since, call))


def _place(call: Call) -> tuple[bool, float, str, Call]:
    """Return the sort key of a waiting call: the longest wait first, unknown durations last."""
    since = begun(call)
    return since is None, since or 0, call.id, call


_NO_WAITS = Waits(0, None)
_WAITS = Derived("calls", _waits)


def waits(render: RenderContext) -> Waits:
    """Return how many calls are known to wait, and the longest wait."""
    known = _WAITS.of(render)
    return _NO_WAITS if known.many and render.extent("calls") is Extent.UNKNOWN else known


def failures(render: RenderContext) -> list[Call]:
    """Return the calls that failed because of the service."""
    calls = cast("Collection[Call]", render.in_state("calls", *state_words.SERVER_ERROR))
    return [call for call in calls if failed(call)]


def failures_since(ms: float, render: RenderContext) -> list[Call]:
    """Return the calls that failed because of the service, and ended at this time or later."""
    calls = cast("Collection[Call]", render.in_state("calls", *state_words.SERVER_ERROR))
    # Most ended long ago: in milliseconds, one comparison tells.
    return [call for call in calls if not LEAST_MS <= (call.to or 0) < ms and (ended_at(call) or 0) >= ms]
