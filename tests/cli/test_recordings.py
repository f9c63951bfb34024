"""Commands that ask a recording: lists as they were, the history of a record, recordings themselves."""

from __future__ import annotations

import json
import os
import re
import sqlite3
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from console.base.zone import zone_of
from console.recording import recorder
from console.recording.format import open_to_write
from console.recording.kind_writer import KindWriter
from tests.cli.conftest import Console, profile
from tests.identities import recording_of_desk

MINUTE = 60_000


@pytest.fixture
def began(home: Path) -> int:
    """Write a recording of ten minutes, an hour ago: two calls, and a gap in the middle."""
    profile(home, "http://127.0.0.1:9/core", 'time_zone = "Europe/Madrid"')
    now = round(datetime.now().timestamp() * 1000)
    at = now - 60 * MINUTE
    db = open_to_write(recording_of_desk(), {"profile": "desk", "version": "1"})
    for start, end, reason in ((at, at + 4 * MINUTE, "the console ended"), (at + 6 * MINUTE, at + 10 * MINUTE, "")):
        db.execute("INSERT INTO span (start_ms, end_ms, reason) VALUES (?, ?, ?)", (start, end, reason))
    calls, health = KindWriter("calls"), KindWriter(".health")
    health.whole(at, {"calls": b'{"state":"live","proven":0}'})
    calls.whole(at, {"a": row("a", "ringing"), "b": row("b", "queued")})
    calls.change(at + MINUTE, {"a": row("a", "connected")})
    calls.flush(db, at)
    calls.whole(at + 6 * MINUTE, {"a": row("a", "held"), "c": row("c", "queued")})
    calls.flush(db, at)
    health.flush(db, at)
    db.close()
    return at


def row(key: str, state: str) -> bytes:
    return json.dumps({"id": key, "state": state, "caller": f"svc-user:{key}"}).encode()


def typed(at_ms: int) -> str:
    return f"{datetime.fromtimestamp(at_ms / 1000, zone_of('Europe/Madrid')):%Y-%m-%d %H:%M:%S}"


def states(text: str) -> Mapping[str, str]:
    return {each["id"]: each["state"] for each in json.loads(text)}


def test_recordings_that_cannot_be_listed_are_not_taken_for_none(offline: Console, home: Path):
    (home / "state").mkdir()
    (home / "state" / "recordings").write_text("")
    ended = offline("recordings", "list")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == f"console: cannot read {home}/state/recordings: Not a directory\n"


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_recording_that_cannot_be_read_is_listed_and_a_failure(
    began: int, offline: Console, home: Path, form: tuple[str, ...]
):
    assert offline("recordings", "list", *form).code == 0
    (home / "state" / "recordings" / "torn.rec").write_text("not a database")
    ended = offline("recordings", "list", *form)
    assert (ended.code, ended.err) == (1, "")
    assert "desk" in ended.out
    assert "torn.rec is not a recording" in ended.out


def test_a_recording_is_read_whatever_bytes_its_name_has(began: int, offline: Console, tmp_path: Path):
    file = tmp_path / os.fsdecode(b"\xff ?#%41\n.rec")
    file.write_bytes(recording_of_desk().read_bytes())
    assert offline("recordings", "verify", str(file)).code == 0


def test_a_name_that_is_too_long_for_a_file_is_reported(offline: Console):
    ended = offline("recordings", "verify", "a" * 300)
    assert (ended.code, ended.err) == (1, f"console: cannot use {'a' * 300}: File name too long\n")


def test_a_list_is_printed_as_it_was(offline: Console, began: int):
    for minutes, expected in ((0.5, {"a": "ringing", "b": "queued"}), (2, {"a": "connected", "b": "queued"})):
        found = offline(
            "list", "calls", "--at", typed(began + round(minutes * MINUTE) + 999), "--json", "--columns=all"
        )
        assert found.code == 0, found.err
        assert states(found.out) == expected
        assert found.err == ""
    found = offline("list", "calls", "--at", "-52m", "--filter", "state:queued", "--json", "--columns=all")
    assert states(found.out) == {"c": "queued"}


def test_in_a_gap_the_last_known_rows_are_printed_with_their_age(offline: Console, began: int):
    found = offline("list", "calls", "--at", typed(began + 5 * MINUTE + 500), "--json", "--columns=all")
    assert states(found.out) == {"a": "connected", "b": "queued"}
    assert "older than that: not recorded: the console ended" in found.err


@pytest.mark.parametrize(
    ("health", "words"),
    [
        (b'{"state":"loading"}', "the calls were not known at that time: loading"),
        (b'{"state":"stale","reason":"late","proven":0}', "older than that: late"),
        (b'{"state":"live","proven":0,"cut":"the first 2 of 5"}', "calls: the first 2 of 5"),
    ],
    ids=["not known", "stale", "cut"],
)
def test_rows_that_may_be_missing_in_the_past_meet_no_expectation(
    offline: Console, began: int, health: bytes, words: str
):
    db = open_to_write(recording_of_desk(), {"profile": "desk", "version": "1"})
    freshness = KindWriter(".health")
    freshness.whole(began + 7 * MINUTE, {"calls": health})
    freshness.flush(db, began)
    db.close()
    for minutes, code in ((1, 0), (8, 1)):
        found = offline(
            "list", "calls", "--at", typed(began + minutes * MINUTE), "--filter", "state:ended", "--expect", "none"
        )
        assert found.code == code, found.err
    assert words in found.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["list", "calls", "--at", "2001-01-01"], "nothing was recorded at that time"),
        (["list", "agents", "--at", "-52m"], "the agents were not loaded"),
        (["list", "calls", "--at", "soon"], "--at 'soon' is not a past moment such as 10:42"),
        (["list", "cals", "--at", "-52m"], "did you mean calls?"),
    ],
)
def test_what_cannot_be_told_is_said(offline: Console, began: int, arguments: list[str], words: str):
    found = offline(*arguments)
    assert words in found.err
    assert found.code != 0


def test_the_life_of_a_record_is_printed_field_by_field(offline: Console, began: int):
    found = offline("history", "calls", "a", "--json")
    told: list[Any] = [json.loads(line) for line in found.out.splitlines()]
    assert [(each["at"] - began, each["change"], each["fields"].get("state")) for each in told] == [
        (0, "listed", [None, "ringing"]),
        (MINUTE, "changed", ["ringing", "connected"]),
        (6 * MINUTE, "changed", ["connected", "held"]),
    ]
    assert "state: ringing -> connected" in offline("history", "calls", "a").out
    assert offline("history", "calls", "b").out.splitlines()[-1].endswith("went")
    assert offline("history", "calls", "nobody").code == 5


def test_a_record_came_only_if_the_list_was_known_before(offline: Console, began: int):
    db = open_to_write(recording_of_desk(), {"profile": "desk", "version": "1"})
    calls = KindWriter("calls")
    calls.whole(began + 7 * MINUTE, {"d": row("d", "queued")})
    calls.change(began + 8 * MINUTE, {"e": row("e", "queued")})
    calls.flush(db, began)
    db.close()
    # The recording began with a, c was found after a gap, and d when the console started again.
    for key, change in (("a", "listed"), ("c", "listed"), ("d", "listed"), ("e", "came")):
        assert json.loads(offline("history", "calls", key, "--json").out.splitlines()[0])["change"] == change


@pytest.mark.parametrize("cut_at", [7 * MINUTE, 7 * MINUTE + 500], ids=["at once", "soon after"])
def test_a_row_that_a_cut_list_does_not_have_any_more_did_not_go(offline: Console, began: int, cut_at: int):
    db = open_to_write(recording_of_desk(), {"profile": "desk", "version": "1"})
    freshness, calls = KindWriter(".health"), KindWriter("calls")
    calls.whole(began + 7 * MINUTE, {"c": row("c", "queued")})
    freshness.whole(began + cut_at, {"calls": b'{"state":"live","proven":0,"cut":"the first 1 of 5"}'})
    calls.change(began + 8 * MINUTE, {"d": row("d", "queued")})
    for writer in (calls, freshness):
        writer.flush(db, began)
    db.close()

    def told(key: str) -> list[str]:
        return [json.loads(line)["change"] for line in offline("history", "calls", key, "--json").out.splitlines()]

    assert (told("a")[-1], told("b")[-1], told("c"), told("d")) == ("unlisted", "went", ["listed"], ["listed"])


@pytest.fixture
def damaged(began: int) -> int:
    """Make the last part of the recording unreadable."""
    with sqlite3.connect(recording_of_desk()) as db:
        db.execute("UPDATE segment SET frame = 'damaged' WHERE id = (SELECT max(id) FROM segment WHERE kind = 'calls')")
    db.close()
    return began


@pytest.mark.parametrize(
    ("version", "words"), [("1", "an older console (version 1) in format 1"), ("3", "a newer console")]
)
def test_a_recording_of_another_format_is_said_to_be_one(offline: Console, began: int, version: str, words: str):
    with sqlite3.connect(recording_of_desk()) as db:
        db.execute("UPDATE meta SET value = ? WHERE name = 'format'", (version,))
    db.close()
    assert f"{recording_of_desk()} was written by {words}" in offline("recordings", "verify").err


def test_a_folder_in_place_of_the_recording_is_not_taken_for_none(offline: Console, began: int):
    recording_of_desk().unlink()
    recording_of_desk().mkdir()
    found = offline("history", "calls", "a")
    assert (found.code, found.err) == (1, f"console: {recording_of_desk()} is not a file\n")


def test_lists_of_a_damaged_recording_are_not_said_to_be_not_loaded(offline: Console, began: int):
    with sqlite3.connect(recording_of_desk()) as db:
        db.execute("DROP TABLE segment")
    db.close()
    found = offline("list", "calls", "--at", typed(began + MINUTE))
    assert (found.code, found.out) == (1, "")
    assert f"{recording_of_desk()} is damaged: no such table" in found.err
    assert "the calls cannot be read" in found.err


RULE = '[rules.{state}]\nlist = "calls"\nfilter = "state:{state}"\n'


def test_what_can_be_read_of_a_damaged_recording_is_printed_and_the_command_fails(
    offline: Console, damaged: int, home: Path
):
    def told(*arguments: str) -> str:
        ended = offline(*arguments)
        assert (ended.code, f"{recording_of_desk()} is damaged: the rows of calls at 2" in ended.err) == (1, True), (
            arguments,
            ended,
        )
        assert "nothing is recorded" not in ended.err
        assert "would not have begun" not in ended.err
        return ended.out

    assert "state: ringing -> connected" in told("history", "calls", "a")
    assert told("history", "calls", "nobody") == ""
    began, later = typed(damaged + 1000), typed(damaged + 8 * MINUTE)
    comparison = json.loads(told("recordings", "changes", "--from", began, "--to", later, "--json"))
    (calls,) = comparison["lists"]
    assert calls["unknown"].startswith("the recording is damaged at "), "no call is known to have gone"
    told("list", "calls", "--at", later, "--expect", "none")
    (home / "rules.toml").write_text("".join(RULE.format(state=state) for state in ("queued", "held")))
    assert "still on" in told("rules", "test", "queued", "--since", "2h")
    assert told("rules", "test", "held", "--since", "2h") == ""


def test_what_changed_between_two_moments_is_printed_with_labels_and_numbers(offline: Console, began: int):
    found = offline("recordings", "changes", "--from", typed(began + 1000), "--to", typed(began + 9 * MINUTE))
    assert found.code == 0, found.err
    lines = [" ".join(each.split()) for each in found.out.splitlines()]
    assert lines[0].startswith("1 record came, 1 went, 1 changed from ")
    assert "Calls 1 1 1 State 1" in lines
    assert any(re.fullmatch(r"≠ changed Calls a → unknown ◊ ringing . held –", each) for each in lines)
    assert any(each.startswith("● came Calls c") for each in lines)
    assert any(each.startswith("○ went Calls b") for each in lines)


def test_what_changed_is_told_as_json_with_the_values_as_they_came(offline: Console, began: int):
    moments = ("--from", typed(began + 1000), "--to", typed(began + 2 * MINUTE))
    found = json.loads(offline("recordings", "changes", *moments, "--kind", "calls", "--json").out)
    assert found["lists"] == [{"list": "calls", "came": 0, "went": 0, "changed": 1}]
    (change,) = found["changes"]
    assert (change["key"], change["field"], change["label"]) == ("a", "state", "State")
    assert (change["before"], change["after"]) == ("ringing", "connected")
    csv = offline("recordings", "changes", *moments, "--csv").out
    assert "changed,Calls,a → unknown,◊ ringing,● connected," in csv
    assert offline("recordings", "changes", *moments, "--csv=excel").out.splitlines()[0].startswith("\ufeff")


def test_the_order_of_the_moments_does_not_matter(offline: Console, began: int):
    one, other = typed(began + 1000), typed(began + 9 * MINUTE)
    forth = offline("recordings", "changes", "--from", one, "--to", other, "--json").out
    assert offline("recordings", "changes", "--from", other, "--to", one, "--json").out == forth


def test_changes_are_filtered_and_lists_that_were_not_recorded_say_so(offline: Console, began: int):
    moments = ("--from", typed(began + 1000), "--to", typed(began + 9 * MINUTE))
    found = json.loads(offline("recordings", "changes", *moments, "--filter", "change:came", "--json").out)
    assert [each["key"] for each in found["changes"]] == ["c"]
    found = json.loads(offline("recordings", "changes", *moments, "--kind", "agents", "--json").out)
    assert found["lists"] == [{"list": "agents", "unknown": "not recorded"}]
    assert "nothing was recorded" in offline("recordings", "changes", "--from", "2001-01-01").err
    assert "did you mean calls?" in offline("recordings", "changes", "--from", "-5m", "--kind", "cals").err


def test_recordings_are_listed_verified_and_shortened(offline: Console, began: int, home: Path):
    (found,) = json.loads(offline("recordings", "list", "--json").out)
    assert (found["profile"], found["from"], found["to"], found["gaps"]) == ("desk", began, began + 10 * MINUTE, 1)
    assert "desk" in offline("recordings", "list").out
    assert offline("recordings", "verify").code == 0
    assert offline("recordings", "prune", "--keep", "53m").out == "1 part removed\n"
    (left,) = json.loads(offline("recordings", "list", "--json").out)
    assert left["from"] > began
    file = recording_of_desk()
    file.write_bytes(file.read_bytes()[: -(file.stat().st_size // 3)])
    found = offline("recordings", "verify")
    assert found.code == 5 or "damaged" in found.err


def test_a_newer_recording_is_refused_with_words(offline: Console, began: int):
    db = open_to_write(recording_of_desk(), {})
    db.execute("UPDATE meta SET value = 9 WHERE name = 'format'")
    db.close()
    found = offline("list", "calls", "--at", "-52m")
    assert "written by a newer console" in found.err
    assert "newer console" in offline("recordings", "list").out


def test_a_rule_is_played_on_what_was_recorded(offline: Console, began: int, home: Path):
    (home / "rules.toml").write_text(
        '[rules.waiting]\nlist = "calls"\nfilter = "state:queued"\ncondition = "any for 30s"\nhold = "1s"\n'
        'words = "{count} wait"\n[rules.never]\nlist = "calls"\ncondition = "count > 9"\n'
        '[rules.staff]\nlist = "agents"\n'
    )
    found = offline("rules", "test", "waiting", "--since", "2h", "--json")
    told: list[Any] = [json.loads(line) for line in found.out.splitlines()]
    assert [round((each["beganAt"] - began) / 1000) for each in told] == [30]
    text = offline("rules", "test", "waiting", "--since", "2h").out
    assert text.count("1 wait") == 1
    assert "still on" in text
    assert offline("rules", "test", "never", "--since", "2h").code == 5
    assert "the agents were not loaded" in offline("rules", "test", "staff", "--since", "2h").err
    assert "nothing was recorded since then" in offline("rules", "test", "waiting", "--since", "5m").err


def test_a_recorder_that_recorded_nothing_fails(unreachable: Console):
    found = unreachable("record", "--for", "4s")
    assert (found.code, "nothing was recorded" in found.err) == (3, True), found.err


def test_a_recorder_that_ends_before_it_began_fails(console: Console):
    found = console("record", "--for", "0.5s")
    assert (found.code, "nothing was recorded" in found.err) == (1, True), found.err


def test_a_recorder_that_cannot_write_fails(console: Console, home: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(recorder, "START_SECONDS", 0.0)
    (home / "state").mkdir(exist_ok=True)
    (home / "state" / "recordings").write_text("no directory")
    found = console("record", "--for", "6s")
    assert (found.code, "nothing was recorded: " in found.err) == (1, True), found.err


def test_a_recorder_that_recorded_succeeds(console: Console, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(recorder, "START_SECONDS", 0.0)
    found = console("record", "--for", "6s")
    assert found.code == 0, found.err
    assert console("recordings", "verify").code == 0
