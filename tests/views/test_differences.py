"""What differs between two states of a record, in the words of its table."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from console.base.text import SafeText
from console.kinds.catalogue import LIVE
from console.kinds.tables import TABLES
from console.recording.changes import record_class
from console.records.fields import resolved_fields
from console.records.record import read
from console.views.differences import FieldWords, differing
from tests.examples import EXAMPLES
from tests.for_each import for_each
from tests.kinds.sample_records import render_context_of
from tests.kinds.wild import KINDS, records

RENDER = render_context_of()


def told(kind: str, before: dict[str, Any], after: dict[str, Any]) -> list[tuple[str, str, str]]:
    one, other = (read(record_class(kind), json.dumps({"id": "x", **each}).encode(), "x") for each in (before, after))
    found = FieldWords(TABLES[kind]).differences(one, other, RENDER, RENDER)
    return [(each.label, each.before, each.after) for each in found]


def test_a_field_with_a_column_has_its_title_and_format() -> None:
    assert told("calls", {"state": "queued"}, {"state": "connected"}) == [("State", "≡ queued", "● connected")]
    assert told("agents", {"activity": "busy"}, {"activity": "away"})[0][0] == "Presence"
    assert told("calls", {"to": None}, {"to": 1_790_000_000_000}) == [("End", "–", "14:13:20")]


def test_a_field_whose_column_has_no_title_has_its_name() -> None:
    assert told("episodes", {"count": 2}, {"count": 3})[0][0] == "Count"


def test_a_field_without_a_column_has_its_name_in_words() -> None:
    assert told("alerts", {"retriesLeft": 2}, {"retriesLeft": 1}) == [("Retries left", "2", "1")]
    assert told("calls", {"new": "svc-user:u1"}, {"new": True}) == [("New", "u1", "yes")]


def test_the_parts_of_an_object_are_told_one_by_one_and_in_words() -> None:
    before = {"data": {"a": 1, "recording": {"c": 1, "stoppedAt": 2}}, "attempts": [{"state": "ringing", "who": "x"}]}
    after = {"data": {"a": 1, "recording": {"c": 1, "stoppedAt": 3}}, "attempts": [{"state": "busy", "who": "x"}]}
    expected = [("Recording stopped", "2", "3"), ("Attempt state", "ringing", "busy")]
    assert told("calls", before, after) == expected
    before, after = ({"attempts": [{"state": "missed"}, {"state": state}]} for state in ("ringing", "busy"))
    assert told("calls", before, after) == [("Attempt 2 state", "ringing", "busy")]


def test_no_value_and_an_empty_one_are_the_same() -> None:
    assert told("calls", {"data": None, "note": ""}, {"data": {}}) == []


def test_fields_that_change_by_themselves_are_left_out() -> None:
    assert (
        told("queues", {"queue": "q", "trend": [1], "served15": 3}, {"queue": "q", "trend": [2], "served15": 4}) == []
    )
    assert told("queues", {"waiting": 1}, {"waiting": 2}) == [("Waiting", "1", "2")]


@for_each("kind", sorted(LIVE & TABLES.keys()))
def test_declared_fields_exist(kind: str) -> None:
    wires = {each.wire for each in resolved_fields(record_class(kind)).values()}
    assert {each.shows for each in TABLES[kind].columns if each.shows} <= wires
    assert TABLES[kind].self_changing <= wires


@pytest.mark.parametrize("kind", ["calls", "agents", "queues", "alerts"])
@given(data=st.data())
@settings(max_examples=EXAMPLES // 2, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_any_two_records_are_compared_in_clean_text(kind: str, data: st.DataObject) -> None:
    assert kind in KINDS
    before, after = data.draw(records(kind)), data.draw(records(kind))
    for each in FieldWords(TABLES[kind]).differences(before, after, RENDER, RENDER):
        for text in (each.label, each.before, each.after):
            assert isinstance(text, SafeText)
            assert all(character.isprintable() for character in text)
    assert differing(before, before) == {}
