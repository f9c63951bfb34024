"""Time that nobody observed is a gap: the machine slept, the console was stopped, or the clock was set back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from console.base.clock import Breaks, SystemClock
from console.live.history import History
from console.recording.file_writer import OVERLAP_MS
from console.recording.recording import NOT_RECORDED, ListRecording
from tests.for_each import for_each
from tests.live.until import until
from tests.manual_clock import ManualClock
from tests.recording.desk import Desk, plan_of, prompt, recorded

HOUR = 3_600_000


class Sleeper(ManualClock):
    """What happens to a clock."""

    def sleep_through(self) -> None:
        self.jump(2 * HOUR)

    def be_stopped(self) -> None:
        self.stop(25)

    def be_set_back(self) -> None:
        self.jump(-OVERLAP_MS // 2)

    def be_set_far_back(self) -> None:
        self.jump(-3 * HOUR)


def until_recorded(recording: ListRecording, clock: ManualClock, *keys: str) -> None:
    """Wait until the rows of this moment are in the file."""
    now = clock.now_ms()
    until(lambda: {*recording.rows("calls", now)} == {*keys} and (recording.span or (0, 0))[1] >= now - 100)


@for_each(
    "happens, words",
    [(Sleeper.sleep_through, "slept"), (Sleeper.be_stopped, "stopped")],
)
def test_the_time_in_between_is_a_gap_with_its_reason(happens: Callable[[Sleeper], None], words: str, tmp_path: Path):
    clock, desk = Sleeper(), Desk("calls")
    plan = plan_of(tmp_path / words)
    with prompt(), recorded(desk, plan, clock), ListRecording.open(plan.file) as recording:
        desk.put("calls", id="a", state="queued")
        until_recorded(recording, clock, "a")
        clock.advance(2)
        until_recorded(recording, clock, "a")
        before = clock.now_ms()
        happens(clock)
        after = clock.now_ms()
        desk.put("calls", id="b", state="queued")
        until(lambda: len(recording.spans) == 2)
        until_recorded(recording, clock, "a", "b")
        (gap,) = recording.gaps
        assert words in gap.reason
        assert before - 2_000 <= gap.start_ms <= before + 100
        assert gap.end_ms >= after
        assert recording.health("calls", (before + after) // 2).reason.startswith(NOT_RECORDED)


def test_after_the_clock_was_set_back_a_little_everything_can_be_read_at_once(tmp_path: Path):
    clock, desk, plan = Sleeper(), Desk("calls"), plan_of(tmp_path)
    with prompt(), recorded(desk, plan, clock), ListRecording.open(plan.file) as recording:
        desk.put("calls", id="a", state="queued")
        until_recorded(recording, clock, "a")
        began = clock.now_ms()
        clock.advance(60)
        desk.put("calls", id="b", state="queued")
        until_recorded(recording, clock, "a", "b")
        clock.be_set_back()
        desk.remove("calls", "b")
        until(lambda: recording.span is not None and recording.span[1] <= clock.now_ms())
        until_recorded(recording, clock, "a")
        assert {*recording.rows("calls", began)} == {"a"}
        starts = [start for start, _ in recording.spans]
        ends = [end for _, end in recording.spans]
        assert starts == sorted(starts)
        assert all(start >= end for start, end in zip(starts[1:], ends, strict=False))


def test_a_file_far_ahead_of_the_clock_is_put_aside_whole(tmp_path: Path):
    clock, desk, plan = Sleeper(), Desk("calls"), plan_of(tmp_path)
    with prompt(), recorded(desk, plan, clock) as recorder:
        desk.put("calls", id="a", state="queued")
        with ListRecording.open(plan.file) as recording:
            until_recorded(recording, clock, "a")
        ahead = clock.now_ms()
        recorder.records.clear()
        clock.be_set_far_back()
        until(recorder.records.is_set)
        desk.put("calls", id="b", state="queued")
        with ListRecording.open(plan.file) as recording:
            until_recorded(recording, clock, "a", "b")
            assert recording.span is not None
            assert recording.span[0] >= ahead - 3 * HOUR
        with ListRecording.open(tmp_path / "day-ahead.rec", finished=True) as recording:
            assert {*recording.rows("calls", ahead)} == {"a"}


def test_charts_have_a_gap_where_the_machine_slept_and_go_on_at_the_right_time():
    clock = ManualClock()
    history = History(clock)
    for number in range(30):
        history.add({"calls": 10.0 + number})
        clock.advance(60)
    clock.jump(8 * HOUR)
    history.add({"calls": 99.0})
    assert abs(history.samples("calls")[-1][0] - clock.now_ms() / 1000) < 0.01
    shown = history.series("calls", 3600, 12)
    assert shown[-1] == 99.0
    assert shown[:-1] == [None] * 11


def test_charts_go_on_evenly_when_the_clock_is_set_back():
    clock = ManualClock()
    history = History(clock)
    for number in range(10):
        history.add({"calls": float(number)})
        clock.advance(60)
    clock.jump(-HOUR)
    history.add({"calls": 99.0})
    times = [at for at, _ in history.samples("calls")]
    assert times == sorted(times)
    assert history.series("calls", 3600, 12)[-1] == 99.0


def test_a_stopped_process_notices_it_and_a_running_one_notices_nothing():
    class Steady(SystemClock):
        steady = 1_000.0

        def now_ms(self) -> int:
            return round(self.steady * 1000)

        def monotonic(self) -> float:
            return self.steady

    clock = Steady()
    assert isinstance(clock.breaks, Breaks)
    known = clock.breaks.look()
    for _ in range(10):
        clock.steady += 2.0
        assert clock.breaks.after(known) == ()
    clock.steady += 25.0
    (found,) = clock.breaks.after(known)
    assert "stopped" in found.reason
    assert found.end_ms - found.start_ms == 25_000
    # Whoever asks later is told of the same one, and of nothing twice.
    assert clock.breaks.after(known) == (found,)
    assert clock.breaks.after(clock.breaks.look()) == ()
