"""The history of a record: each change with its moment, what an operator did of it, and what was not recorded."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from console.base.frozen import replace
from console.base.text import SafeText
from console.kinds.tables import TABLES
from console.recording import history_reader
from console.recording.history_reader import HistoryReader
from console.recording.recording import ListRecording
from console.ui.screens.background import Stopped
from console.views.record_history import RecordHistory, history_lines
from console.views.render_context import RenderContext
from tests.recording.film import AT, MINUTE, Film, film

RENDER = RenderContext(now_ms=AT + 10 * MINUTE, zone=ZoneInfo("Europe/Madrid"))
ALERT = {"id": "a", "alertId": "a", "title": "Line down", "state": "active"}


def intent(key: str, at: int, **more: Any) -> dict[str, Any]:
    step = {"words": "accepted Line down", "operation": "AcceptAlert", "key": key}
    return {"what": "intent", "command": f"c-{at}", "at": AT + at, "who": "eva", "action": "alerts.accept"} | {
        "title": "Accept",
        "steps": [step],
        **more,
    }


def read(reader: HistoryReader, kind: str, key: str, until: int | None = None) -> RecordHistory:
    return reader.read(
        TABLES[kind],
        key,
        None if until is None else AT + until,
        lambda at_ms: replace(RENDER, now_ms=at_ms),
        lambda: None,
    )


def told(found: RecordHistory, at: int = 10 * MINUTE, symbols: str = "full") -> list[str]:
    lines = history_lines(found, "older", replace(RENDER, now_ms=AT + at, symbols=symbols))
    return ["".join(cell.text for cell in line).rstrip() for line in lines]


def of(path: Path, kind: str, key: str, until: int | None = None) -> list[str]:
    found = read(HistoryReader(path, finished=True), kind, key, until)
    return told(found, 10 * MINUTE if until is None else until)


def alert(made: Film, at: int, **changes: Any) -> None:
    made.change("alerts", at, ALERT | changes)


@pytest.fixture
def night(tmp_path: Path) -> Path:
    """An alert comes, is accepted by eva, escalates during a gap, ends and goes."""
    path = tmp_path / "night.rec"
    with film(path) as made:
        made.known(0, "alerts")
        made.whole("alerts", 0, [])
        alert(made, 2 * MINUTE)
        made.command(2 * MINUTE + 10_000, intent("a", 2 * MINUTE + 10_000))
        made.command(2 * MINUTE + 10_500, {"what": "result", "command": f"c-{2 * MINUTE + 10_000}", "stage": "done"})
        alert(made, 2 * MINUTE + 11_000, state="accepted", acceptedBy="eva")
        alert(made, 3 * MINUTE, state="accepted", acceptedBy="eva", retriesLeft=1)
        made.span(0, 4 * MINUTE, "the console ended")
        made.whole("alerts", 6 * MINUTE, [ALERT | {"state": "resolved", "acceptedBy": "eva", "retriesLeft": 1}])
        made.change("alerts", 8 * MINUTE, gone=["a"])
        made.span(6 * MINUTE, 10 * MINUTE, "the console ended")
    return path


def test_a_history_has_the_states_with_changes_own_commands_and_gaps_in_between(night: Path):
    assert of(night, "alerts", "a") == [
        "10:42:00  ▲ active",
        "          │ listed",
        "10:42:10  │ you: accepted Line down",
        "          │ 0:11",
        "10:42:11  √ accepted",
        "          │ Accepted by: – → eva",
        "10:43:00  │ Retries left: – → 1",
        "10:44:00  │ not recorded until 10:46:00: the console ended",
        "          │ 3:49",
        "10:46:00  · resolved",
        "          │ 2:00",
        "10:48:00  × not listed any more",
    ]


def test_in_the_past_nothing_later_is_known(night: Path):
    assert of(night, "alerts", "a", 2 * MINUTE + 5_000) == [
        "10:42:00  ▲ active",
        "          │ listed",
        "          │ 0:05",
    ]
    assert of(night, "alerts", "a", 5 * MINUTE)[-2:] == [
        "10:44:00  │ not recorded from here on: the console ended",
        "          │ 2:49",
    ]
    assert of(night, "alerts", "a", MINUTE) == []
    whole = read(HistoryReader(night, finished=True), "alerts", "a")
    assert told(whole, 2 * MINUTE + 5_000) == of(night, "alerts", "a", 2 * MINUTE + 5_000)


def test_one_reader_goes_back_and_forth(night: Path):
    reader = HistoryReader(night, finished=True)
    for until in (10, 2, 9, 5, 3, 10, 7, 8, 0, 10):
        found = read(reader, "alerts", "a", until * MINUTE)
        assert told(found, until * MINUTE) == of(night, "alerts", "a", until * MINUTE)


def test_a_record_is_followed_while_it_is_recorded(tmp_path: Path):
    path = tmp_path / "day.rec"
    with film(path) as made:
        made.known(0, "alerts")
        made.span(0, 10 * MINUTE)
        made.whole("alerts", 0, [ALERT])
        reader = HistoryReader(path)
        assert told(read(reader, "alerts", "a"))[:2] == ["10:40:00  ▲ active", "          │ the recording begins"]
        alert(made, MINUTE, state="accepted")
        assert told(read(reader, "alerts", "a"))[2:] == ["          │ 1:00", "10:41:00  √ accepted", "          │ 9:00"]


def test_counters_of_a_queue_are_no_changes(tmp_path: Path):
    path = tmp_path / "day.rec"
    with film(path) as made:
        made.whole("queues", 0, [{"id": "q", "queue": "q", "waiting": 1, "served15": 0}])
        for second in range(1, 30):
            made.change("queues", second * 1_000, {"id": "q", "queue": "q", "waiting": 1, "served15": second})
        made.change("queues", MINUTE, {"id": "q", "queue": "q", "waiting": 2, "served15": 30})
        made.span(0, 10 * MINUTE)
    assert of(path, "queues", "q")[1:2] == ["10:41:00  │ Waiting: 1 → 2"]


def test_a_long_life_begins_with_the_newest_changes_and_says_so(tmp_path: Path):
    path = tmp_path / "day.rec"
    with film(path) as made:
        made.whole("alerts", 0, [ALERT])
        for second in range(1, history_reader.MOST + 50):
            made.change("alerts", second * 1_000, ALERT | {"retriesLeft": second})
        made.span(0, 10 * MINUTE)
    lines = of(path, "alerts", "a")
    assert (lines[:2], len(lines)) == (["older", "          ▲ active"], history_reader.MOST + 2)
    assert f"│ Retries left: {history_reader.MOST + 48} → {history_reader.MOST + 49}" in lines[-1]


def test_reading_ends_when_nobody_waits_for_it(night: Path):
    reader = HistoryReader(night, finished=True)

    def stop() -> None:
        raise Stopped

    with pytest.raises(Stopped):
        reader.read(TABLES["alerts"], "a", None, lambda _: RENDER, stop)
    assert of(night, "alerts", "a") == told(read(reader, "alerts", "a"))


def test_commands_of_others_and_those_that_failed_say_so(tmp_path: Path):
    path = tmp_path / "day.rec"
    with film(path) as made:
        made.known(0, "alerts")
        made.whole("alerts", 0, [ALERT])
        made.command(1_000, intent("a", 1_000, who="bob"))
        made.command(
            1_500, {"what": "outcome", "command": "c-1000", "step": 0, "stage": "refused", "reason": "too late"}
        )
        made.command(2_000, intent("other", 2_000))
        made.command(
            3_000, intent("a", 3_000, action="skills.update", steps=[{"operation": "UpdateSkill", "key": "a"}])
        )
        made.command(4_000, intent("a", 4_000))
        made.span(0, 10 * MINUTE)
    assert [line[10:] for line in of(path, "alerts", "a")[2:-1]] == [
        "│ bob: accepted Line down (refused: too late)",
        "│ you: accepted Line down (outcome unknown)",
    ]


@pytest.mark.parametrize("entry", [{"what": "intent"}, {"what": "intent", "at": "x", "steps": {}}, {"what": 3}])
def test_odd_entries_of_the_journal_are_left_out(night: Path, tmp_path: Path, entry: dict[str, Any]):
    path = tmp_path / "odd.rec"
    with film(path) as made:
        made.whole("alerts", 0, [ALERT])
        made.command(1_000, entry | {"command": "c"})
        made.span(0, MINUTE)
    assert len(of(path, "alerts", "a")) == 3


def test_hostile_values_are_cleaned_and_fit_ascii_terminals(tmp_path: Path):
    path = tmp_path / "day.rec"
    with film(path) as made:
        made.known(0, "alerts")
        made.whole("alerts", 0, [ALERT])
        made.command(500, intent("a", 500, steps=[{"key": "a", "words": "ac\x1b[31mcepted\n", "operation": []}]))
        alert(made, 1_000, state="bro\x1bken\n", note={"x": ["\x9b", {}]}, **{"na\x1bme\n": "\x07"})
        made.span(0, 10 * MINUTE)
    found = read(HistoryReader(path, finished=True), "alerts", "a")
    for line in history_lines(found, "older", RENDER):
        assert all(isinstance(cell.text, SafeText) for cell in line)
        assert "".join(cell.text for cell in line).isprintable()
    assert any(line.lstrip().startswith("|") for line in told(found, symbols="ascii"))


def test_what_cannot_be_read_says_why(tmp_path: Path):
    assert "no recording" in read(HistoryReader(tmp_path / "none.rec"), "alerts", "a").fault
    path = tmp_path / "day.rec"
    with film(path) as made:
        made.whole("alerts", 0, [ALERT])
        alert(made, MINUTE, state="accepted")
        made.span(0, 2 * MINUTE)
        made.execute("UPDATE tail SET changes = x'00'")
        made.execute("UPDATE block SET changes = x'00'")
    assert of(path, "alerts", "a")[0] == "10:40:00  ▲ active"


def test_it_tells_the_same_changes_as_the_command_line(night: Path):
    with ListRecording.open(night, finished=True) as recording:
        moments = [each.at_ms for each in recording.history("alerts", "a")]
    events = read(HistoryReader(night, finished=True), "alerts", "a").events
    assert {*moments} <= {each.at_ms for each in events}
