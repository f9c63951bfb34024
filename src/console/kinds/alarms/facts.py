"""Facts about call alarms: the violated rule, the call, its loss (contract 2.7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from console.kinds.calls.quality import worst_loss

if TYPE_CHECKING:
    from console.records.traffic import AlarmCondition, CallAlarm


def condition(alarm: CallAlarm) -> AlarmCondition | None:
    """Return the violated rule."""
    return alarm.payload.alarm if alarm.payload else None


def call_of(alarm: CallAlarm) -> str | None:
    """Return the id of the call."""
    return alarm.payload.call_id if alarm.payload else None


def loss(alarm: CallAlarm) -> float | None:
    """Return the highest loss among the streams, in percent."""
    return worst_loss(alarm.payload.value if alarm.payload else None)
