"""Numbers over time."""

from __future__ import annotations

from console.live.history import History, status_values
from console.records.traffic import CallCounts, StatusSummary
from tests.manual_clock import ManualClock


def test_a_series_contains_the_last_sample_of_each_interval_and_gaps() -> None:
    clock = ManualClock()
    history = History(clock)
    for value in (1, 2, 3, 4):
        history.add({"calls": value})
        clock.advance(1.0)
    clock.advance(2.0)
    history.add({"calls": 7})
    assert history.series("calls", 8.0, 8) == [None, 1, 2, 3, 4, None, None, 7]
    assert history.series("calls", 6.0, 3) == [4, None, 7]
    assert history.series("other", 4.0, 2) == [None, None]
    assert history.latest("calls") == 7


def test_the_history_is_limited() -> None:
    clock = ManualClock()
    history = History(clock, kept=3)
    for value in range(5):
        history.add({"x": value})
        clock.advance(1)
    assert history.series("x", 10.0, 10).count(None) == 7


def test_a_value_keeps_its_interval_as_time_goes_on() -> None:
    clock = ManualClock()
    history = History(clock)
    clock.advance(1000)
    history.add({"calls": 5})
    places: list[int] = []
    for _ in range(20):
        places.append(list(history.series("calls", 100.0, 10)).index(5))
        clock.advance(1.0)
    assert places == [9] * 10 + [8] * 10


def test_a_day_is_kept_by_the_highest_value_of_each_minute_in_bounded_memory() -> None:
    clock = ManualClock()
    history = History(clock)
    for second in range(0, 30 * 3600, 2):
        history.add({"waiting": 9 if second % 3600 == 1800 else 1})
        clock.advance(2.0)
    hours = history.series("waiting", 86_400.0, 24 * 60)
    assert None not in hours[:-1]
    assert [place % 60 for place, value in enumerate(hours) if value == 9] == [29] * 24
    assert list(history.series("waiting", 86_400.0, 24))[:-1] == [9] * 23
    assert len(history.samples("waiting")) == 2_000
    assert set(history.series("waiting", 3600.0, 60)) <= {1, 9, None}


def test_a_status_becomes_named_numbers() -> None:
    values = status_values(StatusSummary(active_calls=("a", "b"), calls=CallCounts(last15=3), uptime=60))
    assert (values["active_calls"], values["calls_last15"], values["calls_last30"]) == (2, 3, None)
