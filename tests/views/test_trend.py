"""The sparkline of recent events."""

from __future__ import annotations

from typing import Any

from console.kinds.alarms.columns import TABLE as ALARMS
from console.records.traffic import CallAlarm
from console.views.trend import EIGHTHS, lately, spark
from tests.for_each import for_each
from tests.kinds.wild import NOW, render_context


def alarm(number: int, ago_ms: float | None, codec: str = "opus") -> CallAlarm:
    row: dict[str, Any] = {"id": f"q{number}", "domain": "a.example", "urgency": "critical"}
    row |= {"payload": {"callid": "c1", "value": {"ssrc": [{"CodecName": codec}, {"CodecName": codec}]}}}
    return CallAlarm.model_validate(row | ({} if ago_ms is None else {"timestamp": NOW - ago_ms}))


def test_moments_are_counted_by_their_age_and_those_outside_are_ignored() -> None:
    moments = [NOW, NOW - 9, NOW - 10, NOW - 29, NOW - 30, NOW + 5, None, float("-inf")]
    assert lately(moments, 10, 3, render_context()) == [1, 1, 2]


@for_each(
    "values, full, plain, text",
    [
        ([], "", "", ""),
        ([None], "", "", ""),
        ([0, 0], "··", "··", ".."),
        ([0, None, 7], "· █", "· █", ". #"),
        ([58, 71, 40, 35], "▇█▅▄", "▓█▒▒", "*#=="),
        ([0, 1, 80], "·▁█", "·░█", ".-#"),
        ([-1e15, -1, 4], "··█", "··█", "..#"),
    ],
)
def test_values_are_drawn_in_proportion_to_the_highest(
    values: list[float | None], full: str, plain: str, text: str
) -> None:
    assert [spark(values, symbols) for symbols in ("full", "plain", "ascii")] == [full, plain, text]


def test_small_counts_are_drawn_as_eighths() -> None:
    assert spark([*range(9)], "full", EIGHTHS) == "·▁▂▃▄▅▆▇█"
    assert spark([1, 2, None, 3], "full", EIGHTHS) == "▁▂ ▃"
    assert spark([2, 16], "full", EIGHTHS) == "▁█", "more than eight are drawn in proportion"


def test_one_alarm_is_no_trend() -> None:
    assert "by 5 min" not in "".join(
        cell.text for cell in ALARMS.totals([alarm(1, 0), alarm(2, None)], render_context())
    )
