"""The charts of a recorded moment are those that were shown then, also of a day, and a step reads nothing again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from console.live.history import History
from console.recording.past import PastHistory
from tests.live.until import until
from tests.manual_clock import ManualClock
from tests.recording.film import AT

HOUR_MS = 3_600_000
HOUR, DAY = 3600.0, 86_400.0


class Recorded:
    """Samples every two seconds, and a moment that is shown."""

    def __init__(self, hours: float) -> None:
        lot = Random(5)
        self.known = [
            (AT + at, {"rows.calls": float(lot.randrange(50)), "gaps": None if lot.random() < 0.5 else 1.0})
            for at in range(0, int(hours * HOUR_MS), 2000)
        ]
        self.read = 0
        self.more = 0
        self.moment = self.known[-1][0]
        self.end = self.known[-1][0]
        self.history = PastHistory(self._samples, lambda: self.moment, lambda: self.end, self._has_more)

    def _samples(self, after_ms: int, until_ms: int) -> Iterator[tuple[int, Mapping[str, float | None]]]:
        for each in self.known:
            if after_ms < each[0] <= min(until_ms, self.end):
                self.read += 1
                yield each

    def _has_more(self) -> None:
        self.more += 1

    def then(self, moment: int) -> History:
        """Return what a console had at a moment."""
        clock = ManualClock(AT)
        found = History(clock)
        for at, values in self.known:
            if at <= moment:
                clock.advance((at - clock.now_ms()) / 1000)
                found.add(values)
        clock.advance((moment - clock.now_ms()) / 1000)
        return found


def test_the_hour_before_a_moment_is_what_was_shown_then() -> None:
    recorded, lot = Recorded(3), Random(1)
    for _ in range(12):
        recorded.moment = AT + lot.randrange(3 * HOUR_MS)
        then = recorded.then(recorded.moment)
        for name in ("rows.calls", "gaps"):
            assert recorded.history.series(name, HOUR, 40) == then.series(name, HOUR, 40)
            assert recorded.history.latest(name) == then.latest(name)
        assert set(recorded.history.names()) == set(then.names())


def test_a_step_reads_nothing_again() -> None:
    recorded = Recorded(3)
    recorded.history.series("rows.calls", HOUR, 40)
    before = recorded.read
    for _ in range(50):
        recorded.moment -= 10_000
        recorded.history.series("rows.calls", HOUR, 40)
    assert recorded.read == before


def test_the_day_before_comes_when_it_is_read_and_is_what_was_shown_then() -> None:
    recorded = Recorded(26)
    recorded.moment = AT + 25 * HOUR_MS
    recorded.history.series("rows.calls", DAY, 48)
    until(lambda: recorded.more >= 23)
    then = recorded.then(recorded.moment).series("rows.calls", DAY, 48)
    # The oldest minute may begin before the day.
    assert list(recorded.history.series("rows.calls", DAY, 48))[1:] == list(then)[1:]
    assert None not in then


def test_a_recording_that_grows_is_read_on() -> None:
    recorded = Recorded(2)
    recorded.end = recorded.moment = AT + HOUR_MS + 60_000
    recorded.history.series("rows.calls", HOUR, 40)
    recorded.end = recorded.moment = AT + HOUR_MS + 120_000
    assert recorded.history.series("rows.calls", HOUR, 40) == recorded.then(recorded.moment).series(
        "rows.calls", HOUR, 40
    )
    assert recorded.read <= 2 * 1800, "nothing is read twice"


def test_nothing_is_read_after_the_end() -> None:
    recorded = Recorded(3)
    recorded.history.close()
    assert recorded.history.series("rows.calls", DAY, 48)[-1] is not None, "the last hour is read at once"
    assert recorded.more == 0
