"""A recorder keeps what the lists of a backend were, when they were so, and when it did not know."""

from __future__ import annotations

import json
import random
import sqlite3
import stat
import threading
from pathlib import Path
from typing import Any, cast

import pytest

from console.base.clock import SystemClock
from console.kinds.catalogue import FEEDS
from console.live.delta import Freshness, Health
from console.live.journal import Journal
from console.recording.format import CALLER, HEALTH, RecordingFault, unpacked
from console.recording.messages import Beat, Begin
from console.recording.recording import ListRecording
from console.recording.writing import Writing
from console.records.people import CurrentUser
from console.records.traffic import Call
from tests.live.until import until
from tests.recording.desk import LIVE, Desk, Sampler, plan_of, recorded, recorder_of


def now() -> int:
    return SystemClock().now_ms()


def test_rows_are_equal_to_those_shown_while_it_is_written_and_afterwards(tmp_path: Path):
    desk, plan, lot = Desk("calls", "agents"), plan_of(tmp_path), random.Random(3)
    sampler = Sampler(desk.lists)
    ended = threading.Event()

    def play() -> None:
        while not ended.is_set():
            kind, key = lot.choice(("calls", "agents")), f"k{lot.randrange(30)}"
            if lot.random() < 0.2:
                desk.remove(kind, key)
            else:
                desk.put(kind, id=key, state=lot.choice(("a", "b", "c")), n=lot.randrange(9))
            ended.wait(0.002)

    desk.put("calls", id="early", state="ringing")
    player = threading.Thread(target=play)
    with recorded(desk, plan):
        player.start()
        with ListRecording.open(plan.file) as live:
            while len(sampler.samples) < 300:
                sampler.take()
                if len(sampler.samples) > 40 and lot.random() < 0.1:
                    kind, at_ms, rows = sampler.samples[-40]
                    until(lambda at_ms=at_ms: (live.span or (0, 0))[1] >= at_ms)
                    assert dict(live.rows(kind, at_ms)) == rows
        ended.set()
        player.join()
    with ListRecording.open(plan.file) as found:
        assert set(found.kinds) == {"calls", "agents"}
        wrong = [at_ms for kind, at_ms, rows in sampler.samples if dict(found.rows(kind, at_ms)) != rows]
        assert wrong == []
        assert found.damage == ()


def test_freshness_and_its_reason_are_known_at_every_moment(tmp_path: Path):
    desk, plan = Desk("calls"), plan_of(tmp_path)
    with recorded(desk, plan), ListRecording.open(plan.file) as read:
        until(lambda: read.health("calls", now()).state is Freshness.LIVE)
        live_at = now()
        desk.healths["calls"] = Health(Freshness.STALE, 30.0, "the event channel is silent")
        desk.link = Health(Freshness.OFFLINE, 40.0, "no route")
        until(lambda: read.link(now()).state is Freshness.OFFLINE)
        assert read.health("calls", live_at) == LIVE
        assert read.link(now()).reason == "no route"
        assert read.health("calls", now()).reason == "the event channel is silent"
        until(lambda: 29 < (read.health("calls", now()).age or 0) < 36)


class Beats:
    """A writer that keeps what it is sent."""

    def __init__(self) -> None:
        self.all: list[Beat] = []

    def begin(self, _begin: Begin) -> None: ...

    def write(self, beat: Beat) -> None:
        self.all.append(beat)


def test_freshness_and_caller_are_sent_to_the_writer_only_when_they_change() -> None:
    desk, beats, ended = Desk("calls"), Beats(), threading.Event()
    desk.me = CurrentUser.model_validate({"user": {"id": "u-1"}})
    writing = Writing(cast(Any, desk), cast(Any, beats), SystemClock(), ended, lambda: True)
    thread = threading.Thread(target=lambda: writing.run("", lambda: None))

    def kinds() -> list[str]:
        return [kind for beat in list(beats.all) for _, kind, _ in beat.notes]

    def further_beats() -> None:
        known = len(beats.all)
        until(lambda: len(beats.all) > known + 3)

    thread.start()
    further_beats()
    assert kinds() == [HEALTH, CALLER]
    desk.healths["calls"] = Health(Freshness.POLLING, 0.0, "the event channel is closed")
    further_beats()
    assert kinds() == [HEALTH, CALLER, HEALTH]
    desk.me = CurrentUser.model_validate({"user": {"id": "u-2"}})
    further_beats()
    ended.set()
    thread.join()
    assert kinds() == [HEALTH, CALLER, HEALTH, CALLER]


def test_a_time_without_a_recorder_is_a_gap_with_the_last_known_rows(tmp_path: Path):
    desk, plan = Desk("calls"), plan_of(tmp_path)
    with recorded(desk, plan):
        desk.put("calls", id="a", state="ringing")
    ended = now()
    until(lambda: now() > ended + 50)
    desk.put("calls", id="b", state="ringing")
    desk.remove("calls", "a")
    between = now()
    until(lambda: now() > between)
    with recorded(desk, plan), ListRecording.open(plan.file) as read:
        (gap,) = read.gaps
        assert gap.reason == "the console ended"
        assert gap.start_ms <= between <= gap.end_ms
        assert [*read.rows("calls", between)] == ["a"]
        assert read.health("calls", between).state is Freshness.OFFLINE
        assert read.health("calls", between).reason == "not recorded: the console ended"
        until(lambda: [*read.rows("calls", now())] == ["b"])
        changes = [(each.key, each.after is None) for each in read.changes("calls", gap.start_ms, now())]
        assert changes == [("a", True), ("b", False)]
        assert read.health("calls", gap.start_ms - 60_000).state is Freshness.OFFLINE


def test_only_one_console_of_a_profile_records_and_another_takes_over(tmp_path: Path):
    desk, other, plan = Desk("calls"), Desk("calls"), plan_of(tmp_path)
    second = recorder_of(other, plan)
    with recorded(desk, plan):
        second.start()
        desk.put("calls", id="a", state="ringing")
        with ListRecording.open(plan.file) as read:
            until(lambda: "a" in read.rows("calls", now()))
            assert not second.records.is_set()
            assert other.recording_fault == ""
            until(lambda: desk.recorded and other.recorded)
    try:
        until(second.records.is_set)
        other.put("calls", id="b", state="ringing")
        with ListRecording.open(plan.file) as read:
            until(lambda: "b" in read.rows("calls", now()))
            assert len(read.spans) == 2
    finally:
        second.stop()


def test_more_changes_than_can_be_written_are_a_gap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    desk, plan = Desk("calls"), plan_of(tmp_path)
    monkeypatch.setattr("console.recording.writing.MOST_QUEUED", 50)
    with recorded(desk, plan), ListRecording.open(plan.file) as read:
        for number in range(3_000):
            desk.put("calls", id="a", number=number)
        until(lambda: len(read.spans) > 1)
        until(lambda: (found := read.rows("calls", now()).get("a")) and found.model_extra["number"] == 2_999)
        assert read.gaps == () or read.gaps[0].reason == "too many changes at once"
        assert read.damage == ()


def test_own_commands_at_this_service_are_kept(tmp_path: Path):
    desk, plan = Desk("calls"), plan_of(tmp_path)
    journal = Journal(plan.journal)
    journal.append({"what": "intent", "command": "old", "where": plan.service, "at": now(), "title": "Before"})
    with recorded(desk, plan), ListRecording.open(plan.file) as read:
        for name, where in (("one", plan.service), ("two", "http://elsewhere")):
            journal.append({"what": "intent", "command": name, "where": where, "at": now(), "title": "End call"})
            journal.append({"what": "outcome", "command": name, "at": now(), "stage": "done"})
        until(lambda: len(read.commands(0, now())) == 2)
        assert [(each["what"], each["command"]) for each in read.commands(0, now())] == [
            ("intent", "one"),
            ("outcome", "one"),
        ]


def test_samples_are_kept(tmp_path: Path):
    desk, plan = Desk("calls"), plan_of(tmp_path)
    with recorded(desk, plan), ListRecording.open(plan.file) as read:
        for number in range(3):
            desk.history.add({"rows.calls": 3.0, "unknown": None})
            samples = [{"rows.calls": 3.0, "unknown": None}] * (number + 1)
            until(lambda samples=samples: [values for _, values in read.samples(0, now())] == samples)


def test_the_files_are_readable_by_their_owner_only_and_contain_no_secret(tmp_path: Path):
    desk, plan = Desk("calls"), plan_of(tmp_path / "recordings")
    secret = "canary-91"
    with recorded(desk, plan):
        desk.put("calls", id="a", token=secret, inner={"client_secret": secret, "list": [{"PassWord": secret}]})
        for row in (
            f'{{"id":"c","in":{{"to\\u006ben":"{secret}"}}}}',
            f'{{"id":"c","token":"{secret}","x":"\\ud800"}}',
            f'{{"id":"c","token":"{secret}","x"',
        ):
            desk.lists["calls"].change({"c": FEEDS["calls"].read(row.encode(), "c")})
        desk.put("calls", id="a", pin=secret, text="x")
        desk.lists["calls"].change({"b": Call.model_validate({"id": "b", "password": secret})})
        with ListRecording.open(plan.file) as read:
            until(lambda: "b" in read.rows("calls", now()))
            shown = read.rows("calls", now())["a"].model_extra
        assert shown == {"pin": "(secret)", "text": "x"}
        files = [*plan.file.parent.iterdir()]
        assert [file.name for file in files if stat.S_IMODE(file.stat().st_mode) & 0o077] == []
        for file in files:
            assert secret.encode() not in file.read_bytes()
    db = sqlite3.connect(plan.file)
    for (frame,) in db.execute("SELECT frame FROM segment"):
        assert secret.encode() not in unpacked(frame)
    db.close()


def test_a_newer_format_is_refused_with_words(tmp_path: Path):
    desk, plan = Desk("calls"), plan_of(tmp_path)
    with recorded(desk, plan):
        pass
    db = sqlite3.connect(plan.file)
    db.execute("UPDATE meta SET value = '3' WHERE name = 'format'")
    db.commit()
    db.close()
    with pytest.raises(RecordingFault, match="written by a newer console"):
        ListRecording.open(plan.file)
    made = recorder_of(desk, plan)
    made.start()
    until(lambda: "newer console" in desk.recording_fault)
    made.stop()


@pytest.mark.parametrize("text", [b"", b"no database", b"SQLite format 3\x00" + b"\x00" * 100])
def test_a_file_that_is_no_recording_is_refused_with_words(tmp_path: Path, text: bytes):
    (tmp_path / "a.rec").write_bytes(text)
    with pytest.raises(RecordingFault, match="is not a recording"):
        ListRecording.open(tmp_path / "a.rec")
    with pytest.raises(RecordingFault, match="there is no recording"):
        ListRecording.open(tmp_path / "b.rec")


def test_a_damaged_file_is_put_aside_and_another_one_begun(tmp_path: Path):
    desk, plan = Desk("calls"), plan_of(tmp_path)
    plan.file.write_bytes(b"no database" * 100)
    with recorded(desk, plan):
        pass
    with ListRecording.open(plan.file) as read:
        assert read.span is not None
    assert plan.file.with_name("day.rec.damaged").exists()


def test_a_file_that_ends_anywhere_is_read_as_far_as_it_goes(tmp_path: Path):
    desk, plan = Desk("calls"), plan_of(tmp_path)
    with recorded(desk, plan):
        for number in range(400):
            desk.put("calls", id=f"c{number}", state="ringing", text=json.dumps(random.Random(number).random()))
    whole = plan.file.read_bytes()
    damaged = tmp_path / "cut.rec"
    words = 0
    for size in range(0, len(whole), max(1, len(whole) // 40)):
        damaged.write_bytes(whole[:size])
        try:
            read = ListRecording.open(damaged)
        except RecordingFault:
            continue
        with read:
            found = read.rows("calls", now())
            assert read.rows("calls", now()) == found
            assert len(read.history("calls", "c1")) <= 2
            _ = [*read.changes("calls", 0, now())], read.health("calls", now()), read.gaps, read.commands(0, now())
            words += bool(read.damage)
    assert words
