"""Own changes are known also where the lists are not: those of the journal that were made in a gap."""

from __future__ import annotations

import itertools
import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from console.kinds.tables import TABLES
from console.live import journal as journal_module
from console.live.journal import Journal
from console.recording.history_reader import HistoryReader
from console.recording.messages import RecordingPlan
from console.recording.past import Past
from console.recording.recording import ListRecording
from console.report.report import report
from console.report.sections import sections
from console.views.record_history import history_lines
from console.views.render_context import RenderContext
from tests.live.until import until
from tests.manual_clock import ManualClock
from tests.recording.desk import Desk, plan_of, recorded
from tests.recording.film import AT, MINUTE

ZONE = ZoneInfo("Europe/Madrid")


def change(journal: Journal, name: str, at: int, *keys: str, stage: str = "done", where: str = "http://core") -> None:
    """Write a change to the journal as a console does: when it was decided, how its steps ended, and its result."""
    steps = [{"words": f"accepted {key}", "operation": "AcceptAlert", "key": key} for key in keys]
    intent = {"what": "intent", "command": name, "at": AT + at, "who": "eva", "where": where}
    journal.append({**intent, "action": "alerts.accept", "title": "Accept", "steps": steps})
    for number, _ in enumerate(keys):
        journal.append({"what": "outcome", "command": name, "step": number, "at": AT + at + 200, "stage": stage})
    journal.append({"what": "result", "command": name, "stage": stage})


def play(plan: RecordingPlan, desk: Desk, start: int, length: int = MINUTE) -> None:
    """Record from one moment to another."""
    clock = ManualClock(AT + start)
    with recorded(desk, plan, clock), ListRecording.open(plan.file) as read:
        desk.put("alerts", id="a", alertId="a", title="Line down", state="active", n=start)
        until(lambda: any(each.at_ms >= AT + start for each in read.changes("alerts", AT + start - 1, AT + start)))
        clock.advance(length / 1000)
        until(lambda: read.span is not None and read.span[1] >= AT + start + length - 100)


def told(entries: Sequence[Any]) -> list[tuple[str, str]]:
    return [(str(each["what"]), str(each["command"])) for each in entries]


@pytest.fixture
def plan(tmp_path: Path) -> RecordingPlan:
    """A recording of two minutes with a gap of eight in between, in which two alerts were accepted."""
    found, desk, journal = plan_of(tmp_path), Desk("alerts"), Journal(tmp_path / "journal.jsonl")
    change(journal, "before", -MINUTE, "a")
    play(found, desk, 0)
    change(journal, "gap", 3 * MINUTE, "a", "b")
    change(journal, "elsewhere", 4 * MINUTE, "a", where="http://other")
    change(journal, "refused", 5 * MINUTE, "a", stage="refused")
    play(found, desk, 9 * MINUTE)
    return found


def test_changes_made_in_a_gap_are_recorded_once_when_recording_goes_on(plan: RecordingPlan):
    play(plan, Desk("alerts"), 12 * MINUTE)
    with ListRecording.open(plan.file) as found:
        assert told(found.commands(0, AT + 20 * MINUTE)) == [
            ("intent", "gap"),
            ("outcome", "gap"),
            ("outcome", "gap"),
            ("result", "gap"),
            ("intent", "refused"),
            ("outcome", "refused"),
            ("result", "refused"),
        ]
        # A result has no moment of its own: it belongs to the time of its change.
        assert told(found.commands(AT + 2 * MINUTE, AT + 4 * MINUTE))[-1] == ("result", "gap")


def test_what_was_not_yet_written_when_the_console_was_killed_is_added(plan: RecordingPlan):
    with closing(sqlite3.connect(plan.file)) as db, db:
        db.execute("DELETE FROM command WHERE id > 3")
    play(plan, Desk("alerts"), 12 * MINUTE)
    with ListRecording.open(plan.file) as found:
        assert [each["what"] for each in found.commands(AT, AT + 20 * MINUTE)].count("result") == 2


def test_files_of_the_journal_that_were_put_aside_are_read_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    found, desk = plan_of(tmp_path), Desk("alerts")
    journal = Journal(found.journal, largest=1_500)
    play(found, desk, 0)
    for number in range(6):
        change(journal, f"c{number}", (2 + number) * MINUTE, "a")
    assert len(journal_module.put_aside(found.journal)) > 1
    play(found, desk, 9 * MINUTE)
    with ListRecording.open(found.file) as read:
        names = [name for what, name in told(read.commands(AT, AT + 20 * MINUTE)) if what == "intent"]
    assert names == [f"c{number}" for number in range(6)]


@pytest.mark.parametrize("at", [True, -5, 10**30, "x", None])
def test_an_entry_with_an_odd_moment_stops_nothing(tmp_path: Path, at: object):
    found, desk, journal = plan_of(tmp_path), Desk("alerts"), Journal(tmp_path / "journal.jsonl")
    play(found, desk, 0)
    journal.append({"what": "intent", "command": "odd", "at": at, "where": found.service})
    change(journal, "fine", 3 * MINUTE, "a")
    play(found, desk, 9 * MINUTE)
    with ListRecording.open(found.file) as read:
        assert ("result", "fine") in told(read.commands(AT, AT + 20 * MINUTE))


def test_jumps_lead_to_changes_made_in_a_gap(plan: RecordingPlan):
    with ListRecording.open(plan.file) as found:
        events = Past(found, AT).events()
    assert [(each.at_ms - AT, each.words) for each in events if each.words.startswith("eva")] == [
        (3 * MINUTE, "eva: accepted a, and 1 more"),
        (5 * MINUTE, "eva: accepted a (refused)"),
    ]
    assert all(one.at_ms <= other.at_ms for one, other in itertools.pairwise(events))


def test_the_life_of_a_record_tells_changes_made_in_a_gap(plan: RecordingPlan):
    render = RenderContext(now_ms=AT + 10 * MINUTE, zone=ZONE)
    history = HistoryReader(plan.file).read(TABLES["alerts"], "a", None, lambda _: render, lambda: None)
    lines = ["".join(cell.text for cell in line).rstrip() for line in history_lines(history, "older", render)]
    assert [line for line in lines if "accepted" in line] == [
        "10:43:00  │ eva: accepted a",
        "10:45:00  │ eva: accepted a (refused)",
    ]


def test_the_report_tells_changes_made_in_a_gap(plan: RecordingPlan):
    render = RenderContext(now_ms=AT + 10 * MINUTE, zone=ZONE)
    with ListRecording.open(plan.file) as found:
        made = report(found, AT, AT + 10 * MINUTE, render)
    own = next(each for each in sections(made, render, ()) if each.id == "own")
    assert [row.cells for row in own.tables[0].rows] == [
        ("10:43:00", "eva", "accepted a, and 1 more", "done", ""),
        ("10:45:00", "eva", "accepted a", "refused", ""),
    ]
    assert json.dumps([each.key for each in made.own]) == '["a", "a"]'
