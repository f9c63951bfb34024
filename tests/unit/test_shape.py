"""Differences between an answer and its declaration are reported by place and kind, never by value."""

from __future__ import annotations

import json
from typing import Any

from console.api.catalogue import find
from console.api.shape import ShapeDifference, differences
from tests.for_each import for_each


def of(operation: str, answer: object) -> tuple[ShapeDifference, ...]:
    return differences(find(operation), json.dumps(answer).encode())


AS_DECLARED: list[tuple[str, Any]] = [
    ("calls.list", []),
    ("calls.list", [{"id": "c", "calle": "a", "state": "never heard of", "more": {"x": 1}}]),
    ("calls.list", [{"id": "c", "callee": None}]),
    ("alarms.list", [{"id": "a", "payload": {"value": {"ssrc": [{"packetesReceived": 3}]}}}]),
    ("sessions.list", [{"id": "s", "registered": 1}]),
    ("agents.list", {"agents": [{"id": "a"}]}),
    ("agents.list", [{"id": "a"}]),
    ("users.page", {"data": [{"id": "u"}], "meta": {"page": {"total": 1}}}),
    ("status.get", {"uptime": 3}),
    ("calls.list", [{"id": 7, "calle": 34600, "queueposition": "3", "date": "2026-09-21T14:13:20Z", "users": None}]),
    ("gateway.username", "4711"),
    ("gateway.username", 4711),
]


@for_each("operation, answer", AS_DECLARED)
def test_answers_read_without_loss_match_their_declaration(operation: str, answer: object) -> None:
    assert of(operation, answer) == ()


DIFFERENT: list[tuple[str, Any, str, str]] = [
    ("calls.list", {"calls": []}, "", "should be a valid list, but is an object"),
    ("calls.list", [{"id": "c", "calle": [7]}], "[].calle", "should be a valid string, but is a list"),
    ("calls.list", [{"id": "c", "date": {"$date": 1}}], "[].date", "should be a valid number, but is an object"),
    ("calls.list", [7], "[]", "should be a valid object: Call, but is a number"),
    ("calls.list", [{"caller": "a"}], "[].id", "is missing"),
    (
        "alarms.list",
        [{"id": "a", "payload": {"value": {"ssrc": [{"packetsSent": "many"}]}}}],
        "[].payload.value.ssrc[].packetsSent",
        "should be a valid number, but is a text",
    ),
    ("agents.list", {"people": []}, "", "has no field agents, only people"),
    ("users.current", {"uid": "u", "name": "ana"}, "", "has none of the fields of CurrentUser, only uid, name"),
    ("users.page", {"data": [{"username": "u"}]}, "data[].id", "is missing"),
    ("users.page", {"data": {"a": 1}}, "data", "should be a valid list, but is an object"),
    ("alerts.list", {"active": [{"title": "x"}]}, "active[].alertId", "is missing"),
    ("gateway.username", {"name": "x"}, "", "should be a valid string, but is an object"),
]


@for_each("operation, answer, place, words", DIFFERENT)
def test_a_difference_is_reported_with_its_path(operation: str, answer: object, place: str, words: str) -> None:
    assert of(operation, answer) == (ShapeDifference(place, words),)


def test_the_same_difference_in_many_rows_is_reported_once() -> None:
    rows = [{"id": str(number), "caller": [number]} for number in range(50)]
    assert of("calls.list", rows) == (ShapeDifference("[].caller", "should be a valid string, but is a list", 50),)


def test_invalid_json_is_reported() -> None:
    (found,) = differences(find("calls.list"), b"[{]")
    assert found.words.startswith("is not JSON")
    (found,) = differences(find("calls.list"), b"<html>")
    assert found.words == "should be a valid list, but is a text"


def test_no_value_is_repeated() -> None:
    (found,) = of("sessions.list", [{"id": "s", "token": [123456]}])
    assert "123456" not in found.words
