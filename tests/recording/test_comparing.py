"""Two moments are compared: numbers of records by list, then what came, went and changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from console.kinds.tables import TABLES
from console.live.delta import Freshness
from console.recording import comparing
from console.recording.comparing import Comparison, compare, summary
from console.recording.format import HEALTH
from console.recording.recording import ListRecording
from console.views.render_context import RenderContext
from tests.recording.film import AT, MINUTE, film

RENDER = RenderContext(now_ms=AT, zone=ZoneInfo("Europe/Madrid"))


def compared(path: Path, first: int, last: int, kinds: Sequence[str] = ("calls",)) -> Comparison:
    with ListRecording.open(path, finished=True) as recording:

        def render_at(at_ms: int) -> RenderContext:
            names = {"users": recording.rows("users", at_ms)}
            return RenderContext(now_ms=at_ms, zone=ZoneInfo("Europe/Madrid"), lookup=lambda kind: names.get(kind, {}))

        return compare(recording, kinds, (AT + first, AT + last), render_at)


@pytest.fixture
def hour(tmp_path: Path) -> Path:
    path = tmp_path / "hour.rec"
    with film(path) as made:
        made.known(0, "calls")
        made.whole(
            "calls", 0, [{"id": "a", "state": "queued", "note": "x", "caller": "1"}, {"id": "b", "state": "ringing"}]
        )
        made.change("calls", 2 * MINUTE, {"id": "c", "state": "queued"}, gone=["b"])
        made.change("calls", 2 * MINUTE, {"id": "a", "note": "y", "caller": "2", "state": "connected"})
        made.span(0, 5 * MINUTE, "the console ended")
        made.span(7 * MINUTE, 9 * MINUTE, "the console ended")
    return path


def test_numbers_are_those_of_records_and_the_state_is_the_first_field(hour: Path):
    found = compared(hour, 0, 3 * MINUTE)
    (calls,) = found.lists
    assert (calls.came, calls.went, calls.changed) == (1, 1, 1)
    assert summary(found, RENDER) == "1 record came, 1 went, 1 changed"
    told = [(each.subject, each.change, each.before, each.after) for each in found.rows]
    assert told == [
        ("a", "changed", "≡ queued", "● connected"),
        ("c", "came", None, "≡ queued"),
        ("b", "went", "◊ ringing", None),
    ]
    first, *others = found.rows[0].fields
    assert (first.label, first.before, first.after) == ("State", "≡ queued", "● connected")
    assert {each.label for each in others} == {"Note", "Caller"}


def test_the_earlier_moment_is_the_first_one(hour: Path):
    assert compared(hour, 3 * MINUTE, 0) == compared(hour, 0, 3 * MINUTE)


def test_rows_above_the_limit_are_counted(hour: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(comparing, "MOST", 2)
    found = compared(hour, 0, 3 * MINUTE)
    assert (len(found.rows), found.left_out, found.lists[0].went) == (2, 1, 1)


def test_a_list_with_many_differences_leaves_room_for_those_of_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(comparing, "MOST", 9)
    path = tmp_path / "day.rec"
    with film(path) as made:
        for kind in ("calls", "users", "agents"):
            made.whole(kind, 0, [])
        made.known(0, "calls", "users", "agents")
        made.change("calls", MINUTE, *({"id": f"c{number}"} for number in range(20)))
        made.change("agents", MINUTE, *({"id": f"a{number}"} for number in range(7)))
        made.change("users", MINUTE, {"id": "u"})
        made.span(0, 2 * MINUTE)
    found = compared(path, 0, 2 * MINUTE, ("calls", "users", "agents"))
    assert [each.subject for each in found.rows] == ["c0", "c1", "c2", "c3", "u", "a0", "a1", "a2", "a3"]
    assert found.left_out == 28 - 9


@pytest.mark.parametrize("moments", [(-MINUTE, MINUTE), (MINUTE, -MINUTE)])
def test_a_list_that_was_not_recorded_at_one_of_the_moments_says_so(hour: Path, moments: tuple[int, int]):
    found = compared(hour, *moments, kinds=("calls", "agents"))
    assert [each.unknown for each in found.lists] == ["not recorded at 10:39:00", "not recorded"]
    assert found.rows == ()


def test_numbers_are_least_ones_beside_lists_that_cannot_be_compared(hour: Path):
    found = compared(hour, 0, 3 * MINUTE, kinds=("calls", "agents"))
    assert summary(found, RENDER) == "≥ 1 record came, ≥ 1 went, ≥ 1 changed"
    unknown = compared(hour, 0, 3 * MINUTE, kinds=("agents",))
    assert summary(unknown, RENDER) == "– records came, – went, – changed"
    total = TABLES["changed-lists"].column("total")
    assert [total.cell(each, RENDER).text for each in found.lists] == ["3", "–"]


@pytest.mark.parametrize("moment", [0, 2 * MINUTE], ids=["earlier", "later"])
def test_a_list_of_which_only_the_first_rows_were_listed_is_not_compared(tmp_path: Path, moment: int):
    path = tmp_path / "day.rec"
    live = {"id": "calls", "state": "live", "proven": 0}
    with film(path) as made:
        made.known(0, "calls")
        made.whole("calls", 0, [{"id": "a", "state": "queued"}])
        made.change(HEALTH, moment, live | {"cut": "only the first 1 are shown"})
        made.change(HEALTH, moment + MINUTE, live)
        made.change("calls", MINUTE, {"id": "b", "state": "queued"}, gone=["a"])
        made.span(0, 3 * MINUTE)
    (calls,) = compared(path, 0, 2 * MINUTE).lists
    assert (calls.unknown or "").startswith("only its first rows were listed at 10:")


@pytest.mark.parametrize("came", [True, False])
def test_a_list_that_was_not_current_at_a_moment_says_of_when_its_rows_are(tmp_path: Path, came: bool):
    path = tmp_path / "day.rec"
    with film(path) as made:
        made.known(0, "calls")
        made.whole("calls", 0, [{"id": "a", "state": "queued"}])
        if came:
            made.change("calls", MINUTE, {"id": "b", "state": "queued"})
        stale = {"id": "calls", "state": "offline", "proven": (AT + MINUTE) // 1000}
        made.change(HEALTH, MINUTE, stale)
        made.span(0, 3 * MINUTE)
    found = compared(path, 0, 2 * MINUTE)
    (calls,) = found.lists
    assert (calls.came, calls.outdated) == (int(came), "not current at 10:42:00, rows of 10:41:00")
    many = "1 record came" if came else "0 records came"
    assert summary(found, RENDER) == f"{many}, 0 went, 0 changed; last known: calls"
    assert compared(path, 0, MINUTE // 2).lists == ()


def test_a_list_that_is_unknown_only_at_the_later_moment_says_so(tmp_path: Path):
    path = tmp_path / "day.rec"
    with film(path) as made:
        made.known(0, "calls")
        made.whole("calls", 0, [{"id": "a", "state": "queued"}])
        made.span(0, MINUTE, "the console ended")
        made.known(2 * MINUTE)
        made.span(2 * MINUTE, 3 * MINUTE, "the console ended")
    assert [each.unknown for each in compared(path, 0, 3 * MINUTE).lists] == ["not recorded at 10:43:00"]


def test_each_value_is_told_as_it_was_seen_at_its_moment(tmp_path: Path):
    path = tmp_path / "day.rec"
    with film(path) as made:
        made.known(0, "alerts", "users")
        made.whole("users", 0, [{"id": "u1", "username": "ana", "alias": "Ana Old"}])
        made.whole("alerts", 0, [{"id": "a", "alertId": "a", "acceptedBy": "svc-user:u1"}])
        made.change("users", MINUTE, {"id": "u1", "username": "ana", "alias": "Ana New"})
        made.change("alerts", MINUTE, {"id": "a", "alertId": "a", "acceptedBy": "svc-user:u2"})
        made.span(0, 2 * MINUTE, "the console ended")
    found = compared(path, 0, 2 * MINUTE, kinds=("alerts",))
    (alert,) = found.rows
    assert [(each.before, each.after) for each in alert.fields if each.field == "acceptedBy"] == [("Ana Old", "u2")]


@pytest.mark.parametrize("read_first", [True, False])
def test_a_damaged_list_is_not_current_whether_or_not_its_rows_were_read(tmp_path: Path, read_first: bool):
    path = tmp_path / "day.rec"
    with film(path) as made:
        made.known(0, "calls", "agents")
        made.whole("calls", 0, [{"id": "a", "state": "queued"}])
        made.whole("agents", 0, [{"id": "ana"}])
        made.change("calls", MINUTE, {"id": "b", "state": "queued"})
        made.span(0, 3 * MINUTE)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("UPDATE segment SET frame = 'damaged' WHERE kind = 'agents'")
        for table in ("block", "tail"):
            db.execute(
                f"UPDATE {table} SET changes = 'damaged' WHERE segment IN (SELECT id FROM segment WHERE kind = 'calls')"
            )
    with ListRecording.open(path, finished=True) as recording:
        if read_first:
            assert [len(recording.rows(kind, AT + 2 * MINUTE)) for kind in ("calls", "agents")] == [1, 0]
        calls, agents = (recording.health(kind, AT + 2 * MINUTE) for kind in ("calls", "agents"))
        assert (calls.state, calls.reason, agents.state) == (
            Freshness.OFFLINE,
            "the recording is damaged",
            Freshness.LOADING,
        )
    (calls,) = compared(path, 0, 2 * MINUTE).lists
    assert (calls.outdated or "").startswith("not current at 10:42:00")
