"""Call quality: the calls that raised alarms, and the worst of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import cast

from console.base.frozen import Frozen
from console.kinds.alarms.columns import call_of, loss
from console.kinds.calls.columns import name as call_name
from console.records.record import Record
from console.records.traffic import Call, CallAlarm
from console.views import wording
from console.views.render_context import RenderContext

WORST = 10


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
    """Number of calls that raised them."""
    talked: int
    """Number of calls that were answered in the time."""
    worst: tuple[BadCall, ...]
    """Those with the highest loss."""

    @property
    def percent(self) -> float | None:
        """Share of the answered calls that raised alarms; None without any."""
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
    worst: dict[str, tuple[float, CallAlarm, int]] = {}
    alarms = 0
    for alarm in cast("Iterable[CallAlarm]", records):
        raised = wording.at(alarm.timestamp)
        if raised is None or not first <= raised <= last:
            continue
        alarms += 1
        found, call = loss(alarm, render), call_of(alarm) or ""
        known = worst.get(call)
        if known is None or (found or 0) > known[0]:
            worst[call] = found or 0, alarm, round(raised)
    calls = sorted(worst.items(), key=lambda each: -each[1][0])
    return QualityFigures(
        alarms,
        len(worst),
        talked,
        tuple(
            BadCall(call, _name(call, calls_at(at_ms), render), at_ms, alarm.id, loss(alarm, render))
            for call, (_, alarm, at_ms) in calls[:WORST]
        ),
    )


def _name(key: str, calls: Mapping[str, Record], render: RenderContext) -> str:
    call = calls.get(key)
    return str(call_name(call, render)) if isinstance(call, Call) else wording.short(key) or "an unknown call"
