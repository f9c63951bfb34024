"""The process that writes a recording ends with its console, knows no secret, and may die without harm."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from console.base.clock import SystemClock
from console.recording import writer_process
from console.recording.recording import ListRecording
from tests.live.until import until
from tests.recording.desk import Desk, plan_of, recorded, recorder_of


def writers() -> list[int]:
    """Return the ids of the processes that write recordings for this one."""
    ids: list[int] = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == os.getpid() and b"console.recording.writer_process" in (folder / "cmdline").read_bytes():
                ids.append(int(folder.name))
        except OSError:
            continue
    return ids


def now() -> int:
    return SystemClock().now_ms()


def test_it_writes_what_is_shown_and_ends_with_the_recorder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CONSOLE_PASSWORD", "canary-17")
    desk, plan = Desk("calls"), plan_of(tmp_path)
    desk.put("calls", id="early", state="ringing", number=2**40, text="ö\ud83d\ude00")
    with recorded(desk, plan, apart=True):
        (writer,) = writers()
        assert os.getsid(writer) == writer
        assert b"canary-17" not in Path(f"/proc/{writer}/environ").read_bytes()
        desk.put("calls", id="late", state="queued")
        desk.remove("calls", "early")
        last = now()
        with ListRecording.open(plan.file) as read:
            until(lambda: (read.span or (0, 0))[1] > last)
            assert dict(read.rows("calls", last)) == desk.lists["calls"].copy()
            assert [change.key for change in read.history("calls", "early")] == ["early", "early"]
    assert writers() == []
    with ListRecording.open(plan.file) as read:
        assert read.damage == ()


def test_after_its_death_the_recording_goes_on_with_a_gap(tmp_path: Path):
    desk, plan = Desk("calls"), plan_of(tmp_path)
    desk.put("calls", id="a", state="ringing")
    with recorded(desk, plan, apart=True), ListRecording.open(plan.file) as read:
        until(lambda: "a" in read.rows("calls", now()))
        known = now()
        until(lambda: (read.span or (0, 0))[1] > known)
        os.kill(writers()[0], signal.SIGKILL)
        desk.put("calls", id="b", state="ringing")
        until(lambda: {*read.rows("calls", now())} == {"a", "b"})
        (gap,) = read.gaps
        assert gap.reason == "the process that writes the recording ended"
        assert gap.start_ms >= known
        assert {*read.rows("calls", known)} == {"a"}
        assert desk.recording_fault == ""


def test_one_that_does_not_answer_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(writer_process, "ANSWER_SECONDS", 0.5)
    desk, plan = Desk("calls"), plan_of(tmp_path)
    with recorded(desk, plan, apart=True):
        (writer,) = writers()
        os.kill(writer, signal.SIGSTOP)
        # More than a pipe holds.
        desk.put("calls", id="a", text="x" * 300_000)
        until(lambda: writer not in writers() and desk.recorded and not desk.recording_fault and writers())
        with ListRecording.open(plan.file) as read:
            until(lambda: "a" in read.rows("calls", now()))


def test_a_fault_of_the_file_is_told_in_words(tmp_path: Path):
    desk, plan = Desk("calls"), plan_of(tmp_path)
    plan.file.mkdir()
    recorder = recorder_of(desk, plan, apart=True)
    recorder.start()
    try:
        until(lambda: desk.recording_fault)
        assert "directory" in desk.recording_fault.lower()
    finally:
        recorder.stop()
