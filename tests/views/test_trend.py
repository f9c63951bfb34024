"""The sparkline of recent events."""

from __future__ import annotations

from typing import Any

import pytest

from console.kinds.alarms.columns import TABLE as ALARMS
from console.records.traffic import CallAlarm
from console.views.trend import lately, spark
from tests.kinds.wild import NOW, render_context


def alarm(number: int, ago_ms: float | None, codec: str = "opus") -> CallAlarm:
    row: dict[str, Any] = {"id": f"q{number}", "domain": "a.example", "urgency": "critical"}
    row |= {"payload": {"callid": "c1", "value": {"ssrc": [{"CodecName": codec}, {"CodecName": codec}]}}}
    return CallAlarm.model_validate(row | ({} if ago_ms is None else {"timestamp": NOW - ago_ms}))


def test_moments_are_counted_by_their_age_and_those_outside_are_ignored() -> None:
    moments = [NOW, NOW - 9, NOW - 10, NOW - 29, NOW - 30, NOW + 5, None, float("-inf")]
    assert lately(moments, 10, 3, render_context()) == [1, 1, 2]


@pytest.mark.parametrize(
    ("values", "drawn"), [([], ""), ([None], ""), ([0, 0], "··"), ([0, None, 7], "· █"), ([3, 3], "··"), ([1, 2], "·█")]
)
def test_values_are_drawn_between_the_lowest_and_the_highest(values: list[float | None], drawn: str) -> None:
    assert spark(values) == drawn


def test_counts_are_drawn_from_zero() -> None:
    assert spark([0, 1, 80], from_zero=True) == "·░█", "one is not none"
    assert spark([4, 8], from_zero=True) == "▒█"
    assert spark([-1e15, -1, 4], from_zero=True) == "··█"
    assert spark([-2, -1], from_zero=True) == "··"


def test_one_alarm_is_no_trend() -> None:
    assert "by 5 min" not in "".join(
        cell.text for cell in ALARMS.totals([alarm(1, 0), alarm(2, None)], render_context())
    )
