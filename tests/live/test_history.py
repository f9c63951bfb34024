"""Numbers over time."""

from __future__ import annotations

from console.clock import ManualClock
from console.live.history import History
from console.live.sampling import status_values
from console.records.traffic import CallCounts, StatusSummary


def test_a_series_contains_the_last_sample_of_each_interval_and_gaps() -> None:
    clock = ManualClock()
    history = History(clock)
    for value in (1, 2, 3, 4):
        history.add({"calls": value})
        clock.advance(1.0)
    clock.advance(2.0)
    history.add({"calls": 7})
    assert history.series("calls", 8.0, 8) == [None, None, 1, 2, 3, 4, None, 7]
    assert history.series("calls", 4.0, 2) == [4, 7]
    assert history.series("other", 4.0, 2) == [None, None]
    assert history.latest("calls") == 7


def test_the_history_is_limited() -> None:
    clock = ManualClock()
    history = History(clock, kept=3)
    for value in range(5):
        history.add({"x": value})
        clock.advance(1)
    assert history.series("x", 10.0, 10).count(None) == 7


def test_a_status_becomes_named_numbers() -> None:
    values = status_values(StatusSummary(active_calls=("a", "b"), calls=CallCounts(last15=3), uptime=60))
    assert (values["active_calls"], values["calls_last15"], values["calls_last30"]) == (2, 3, None)
