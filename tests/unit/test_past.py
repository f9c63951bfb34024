"""Past moments as people type them."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from console.views.past import past_ms, past_times
from tests.for_each import for_each

MADRID = ZoneInfo("Europe/Madrid")
NOW = round(datetime(2025, 11, 19, 10, 42, 17, tzinfo=MADRID).timestamp() * 1000)


@for_each(
    "typed, expected",
    [
        ("10:42", "2025-11-19 10:42:00"),
        ("1042", "2025-11-19 10:42:00"),
        ("9:05", "2025-11-19 09:05:00"),
        ("104203", "2025-11-19 10:42:03"),
        ("10:42:03", "2025-11-19 10:42:03"),
        ("22:10", "2025-11-18 22:10:00"),
        ("yesterday 22:10", "2025-11-18 22:10:00"),
        ("yesterday 0930", "2025-11-18 09:30:00"),
        ("yesterday", "2025-11-18 00:00:00"),
        ("-15m", "2025-11-19 10:27:17"),
        ("-1h 30m", "2025-11-19 09:12:17"),
        ("2025-11-17 08:00", "2025-11-17 08:00:00"),
        ("2025-11-17T08:00:01", "2025-11-17 08:00:01"),
        ("2025-11-17", "2025-11-17 00:00:00"),
        (" NOW ", "2025-11-19 10:42:17"),
    ],
)
def test_a_moment_is_understood(typed: str, expected: str):
    found = past_ms(typed, NOW, MADRID)
    assert found is not None
    assert f"{datetime.fromtimestamp(found / 1000, MADRID):%Y-%m-%d %H:%M:%S}" == expected


@for_each("typed", ["", "soon", "25:00", "10:60", "-", "2025-13-01", "2025-11-20", "yesterday x", "1", "-5x"])
def test_anything_else_is_not(typed: str):
    assert past_ms(typed, NOW, MADRID) is None


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        ("22:00", "06:00", "18 22:00 to 19 06:00"),
        ("08:00", "now", "19 08:00 to 19 10:42"),
        ("08:00", "09:30", "19 08:00 to 19 09:30"),
        ("08:00", "16:00", "19 08:00 to 19 10:42"),
        ("yesterday 14:00", "22:00", "18 14:00 to 18 22:00"),
        ("8h", "now", "19 02:42 to 19 10:42"),
        ("-8h", "06:00", "18 22:00 to 19 06:00"),
        ("2025-11-17 22:00", "2025-11-18 06:00", "17 22:00 to 18 06:00"),
    ],
)
def test_a_shift_is_understood(first: str, last: str, expected: str):
    found = past_times(first, last, NOW, MADRID)
    assert found is not None
    start, end = (datetime.fromtimestamp(each / 1000, MADRID) for each in found)
    assert f"{start:%d %H:%M} to {end:%d %H:%M}" == expected


@pytest.mark.parametrize(("first", "last"), [("noon", "now"), ("0h", "now"), ("09:00", "noon"), ("09:00", "yesterday")])
def test_what_is_no_shift_is_refused(first: str, last: str):
    assert past_times(first, last, NOW, MADRID) is None
