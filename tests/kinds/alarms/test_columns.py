"""The totals of call alarms."""

from __future__ import annotations

from typing import Any

from console.kinds.alarms.columns import TABLE as ALARMS
from console.kinds.alarms.columns import TREND_MS
from console.records.traffic import CallAlarm
from tests.kinds.wild import NOW, render_context


def alarm(number: int, ago_ms: float | None, codec: str = "opus") -> CallAlarm:
    row: dict[str, Any] = {"id": f"q{number}", "domain": "a.example", "urgency": "critical"}
    row |= {"payload": {"callid": "c1", "value": {"ssrc": [{"CodecName": codec}, {"CodecName": codec}]}}}
    return CallAlarm.model_validate(row | ({} if ago_ms is None else {"timestamp": NOW - ago_ms}))


def test_alarms_show_the_number_in_each_five_minutes_and_the_most_frequent_codec() -> None:
    alarms = [alarm(n, TREND_MS * 2 + 1) for n in range(6)] + [alarm(7, 0, "g729"), alarm(8, TREND_MS * 99)]
    said = "".join(cell.text for cell in ALARMS.totals(alarms, render_context()))
    assert "·········▆·▁ 1 h by 5 min" in said
    assert "most with opus: 7" in said


def test_a_rule_about_lost_sound_is_in_words_and_others_are_as_the_service_writes_them() -> None:
    render = render_context()
    for rule, text in (
        ({"value": "packetsLost", "cond": ">", "threshold": 0.07, "relative": True}, "over 7 % of sound lost"),
        ({"value": "packetsLost", "cond": ">=", "threshold": 0.125, "relative": True}, "at least 12.5 % of sound lost"),
        ({"value": "packetsLost", "cond": ">", "threshold": 1200}, "over 1 200 packets lost"),
        ({"value": "packetsLost", "cond": ">"}, "packetsLost >"),
        ({"value": "packetsLost", "cond": "=", "threshold": 0.05, "relative": True}, "packetsLost = 0.05 relative"),
        ({"value": "jitter", "cond": ">", "threshold": 30}, "jitter > 30"),
        ({}, "–"),
    ):
        record = CallAlarm.model_validate({"id": "q1", "payload": {"alarm": {"id": "r1", **rule}}})
        assert ALARMS.column("rule").cell(record, render).text == text
        if text != "–":
            assert ALARMS.name(record, render) == f"alarm {text}"


def test_one_alarm_is_no_trend() -> None:
    assert "by 5 min" not in "".join(
        cell.text for cell in ALARMS.totals([alarm(1, 0), alarm(2, None)], render_context())
    )
