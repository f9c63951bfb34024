"""All four error bodies of the contract (section 7), and others, become the right error."""

from __future__ import annotations

import json
import time
from typing import Any

import httpx
import pytest

from console.api.errors import (
    ApiError,
    BadAnswer,
    BadRequest,
    Conflict,
    Forbidden,
    LoginNeeded,
    NotFound,
    NotFromService,
    NotOffered,
    Problem,
    Refused,
    ServerFault,
    TooMany,
)
from console.api.operations.traffic import GetCall, ListCalls
from console.client.client import Client
from console.client.endpoint import Endpoint
from console.client.error_bodies import read_error
from console.client.errors import SentRequest, fault
from console.client.meanings import Meanings
from tests.client.canned import Canned
from tests.for_each import for_each

CALLS = SentRequest("GET", "http://desk.example/core/calls")
SEND = SentRequest("POST", "http://desk.example/core/alerts")
ENTRY: dict[str, object] = {
    "keyword": "minLength",
    "dataPath": ".alertId",
    "schemaPath": "#/x",
    "params": {},
    "message": "too short",
}


BODIES: list[tuple[Any, str]] = [
    ({"code": 7, "message": "no such call"}, "no such call"),
    ({"error": "bad input", "validationErrors": [ENTRY], "message": [ENTRY]}, "bad input"),
    ({"error": "cannot build"}, "cannot build"),
    ({"message": "tokens are in use"}, "tokens are in use"),
    ("a bare string", "a bare string"),
    ({"validationErrors": [ENTRY]}, "too short"),
    ({"message": [ENTRY]}, "too short"),
    ({"error": "invalid_grant", "error_description": "wrong password"}, "wrong password"),
    ({"type": "about:blank", "title": "Not Found", "status": 404, "detail": "no such call"}, "no such call"),
    ({"type": "about:blank", "title": "Not Found", "status": 404}, "Not Found"),
    ({"error": {"code": 12, "message": "no such call"}}, "no such call"),
    ({"errors": [{"detail": "too short", "pointer": "/alertId"}, "and more"]}, "too short; and more"),
    ([1, 2], ""),
    ({}, ""),
]


@for_each("body, reason", BODIES)
def test_the_reason_is_found_in_every_error_format(body: object, reason: str) -> None:
    assert read_error(json.dumps(body).encode())[0] == reason


def test_the_problems_of_a_validation_error_are_kept() -> None:
    body = json.dumps({"error": "bad input", "validationErrors": [ENTRY], "message": [ENTRY]}).encode()
    error = fault(422, body, {}, SEND, 0)
    assert isinstance(error, BadRequest)
    assert error.problems == (Problem(".alertId", "too short", "minLength"),)
    assert error.in_full == "bad input; .alertId: too short"


def test_repeated_reasons_are_shown_once() -> None:
    body = json.dumps({"code": 400, "message": "alertId: too short", "validationErrors": [ENTRY]}).encode()
    assert fault(400, body, {}, SEND, 0).in_full == "alertId: too short"


def test_the_html_page_of_a_proxy_is_no_reason() -> None:
    assert fault(404, b"<html><h1>nginx</h1>", {}, CALLS, 0).reason == (
        "the service answered 404 with a web page (no content type from desk.example, GET /core/calls)"
    )


@pytest.mark.parametrize("body", [b"", b"{", b"[" * 50_000, b"\xff\xfe", b'{"message": null}'])
def test_unreadable_bodies_still_become_an_error(body: bytes) -> None:
    assert isinstance(fault(400, body, {}, CALLS, 0), BadRequest)


@for_each("status, expected", [
        (302, BadAnswer), (400, BadRequest), (401, LoginNeeded), (403, Forbidden), (404, NotFound), (405, NotOffered),
        (409, Conflict), (410, NotFound), (412, Conflict), (418, Refused), (422, BadRequest), (429, TooMany),
        (500, ServerFault), (501, NotOffered), (503, ServerFault),
    ])  # fmt: skip
def test_each_status_has_its_error_class(status: int, expected: type[ApiError]) -> None:
    error = fault(status, b"", {}, CALLS, 0)
    assert type(error) is expected
    assert error.status == status


@pytest.mark.parametrize(
    ("status", "body", "expected"),
    [
        (403, b"", Forbidden), (503, b"", ServerFault), (302, b"", BadAnswer), (200, b"<html>", NotFromService),
        (200, b'"calls"', BadAnswer), (200, b"[", BadAnswer),
    ],
)  # fmt: skip
async def test_the_error_of_every_answer_names_its_operation(
    status: int, body: bytes, expected: type[ApiError]
) -> None:
    client = Client(
        Endpoint("http://desk.example/core"), transport=Canned(lambda _: httpx.Response(status, content=body))
    )
    client.sessions.token = "t"
    with pytest.raises(expected) as caught:
        await client.send(ListCalls())
    assert (type(caught.value), caught.value.operation) == (expected, "calls.list")


async def test_the_error_of_a_request_that_cannot_be_sent_names_its_operation() -> None:
    with pytest.raises(BadRequest) as caught:
        await Client(Endpoint("http://desk.example/core"), login=None).send(GetCall(id="\ud83d"))
    assert caught.value.operation == "calls.get"


@pytest.mark.parametrize(
    ("status", "meaning", "expected"),
    [
        (440, "login", LoginNeeded),
        (403, "login", LoginNeeded),
        (423, "conflict", Conflict),
        (418, "missing", NotFound),
        (500, "busy", TooMany),
        (302, "login", LoginNeeded),
        (404, "absent", NotOffered),
    ],
)
def test_a_deployment_can_have_its_own_status_codes(status: int, meaning: str, expected: type[ApiError]) -> None:
    assert type(fault(status, b"", {}, CALLS, 0, Meanings({status: meaning}))) is expected
    assert type(fault(400, b"", {}, CALLS, 0, Meanings({status: meaning}))) is BadRequest


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("2", 2.0), ("9999", 60.0), ("-1", None), ("soon", None), ("Thu, 01 Jan 1970 00:00:30 GMT", 20.0)],
)
def test_retry_after_is_parsed_and_capped(value: str, seconds: float | None) -> None:
    error = fault(429, b"", {"retry-after": value}, CALLS, 10_000)
    assert isinstance(error, TooMany)
    assert error.retry_after == seconds


@pytest.mark.parametrize(
    "date", ["Thu, 26 Nov 2026 18:00:30 GMT", "Thursday, 26-Nov-26 18:00:30 GMT", "Thu Nov 26 18:00:30 2026"]
)
def test_a_wait_until_a_date_in_any_form_is_in_utc_whatever_the_zone(
    date: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        error = fault(429, b"", {"retry-after": date}, CALLS, 1_795_716_000_000)
    finally:
        monkeypatch.undo()
        time.tzset()
    assert isinstance(error, TooMany)
    assert error.retry_after == 30


@for_each("status", [300, 304, 305, 399])
@for_each("headers", [{}, {"location": "https://sso.example/login"}])
def test_a_status_that_is_no_redirect_is_not_called_one(status: int, headers: dict[str, str]) -> None:
    error = fault(status, b"", headers, CALLS, 0)
    assert isinstance(error, BadAnswer)
    assert f"status {status}, not with an answer" in error.reason


@for_each("value", ["1e309", "315360000", "-1", "nan", "Wed, 21 Oct 2015 07:28:00 GMT", "soon"])
def test_an_odd_time_to_wait_is_neither_forever_nor_at_once(value: str) -> None:
    waits = fault(429, b"", {"retry-after": value}, CALLS, 1_790_000_000_000).retry_after
    assert waits is None or 0 < waits <= 3600
