"""Refusals as other platforms write them: with status 200, with codes of their own, and with problems by field."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from console.api.errors import (
    BadRequest,
    Conflict,
    Forbidden,
    LoginNeeded,
    NotFound,
    NotFromService,
    NotOffered,
    Refused,
    TooMany,
)
from console.api.operations.traffic import ListCalls
from console.api.route import AnswerPlaces, Route
from console.base.frozen import replace
from console.client.client import Client
from console.client.endpoint import Endpoint
from console.client.error_bodies import read_error
from console.client.errors import SentRequest, fault
from console.client.meanings import Meanings
from tests.client.canned import Canned

GET = SentRequest("GET", "http://desk.example/core/calls")


async def answered(body: object, rows: str = "", **settings: Any) -> object:
    """Return what the client makes of an answer with status 200."""
    if rows:
        settings["routes"] = {"calls.list": replace(Route.parse("GET /calls"), answer=AnswerPlaces(rows))}
    transport = Canned(lambda _: httpx.Response(200, json=body))
    client = Client(Endpoint("http://desk.example/core", **settings), transport=transport)
    client.sessions.token = "token-of-eva"
    try:
        return await client.send(ListCalls())
    finally:
        await client.close()


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"code": 401, "msg": "no"}, LoginNeeded),
        ({"success": False, "error": "no", "errno": 403}, Forbidden),
        ({"success": "0", "message": "no", "code": 404}, NotFound),
        ({"ok": 0, "message": "no", "statusCode": 409}, Conflict),
        ({"status": 429, "message": "no"}, TooMany),
        ({"error": {"code": 400, "message": "no"}}, BadRequest),
        ({"success": "false", "message": "no", "code": 7}, Refused),
        ({"result": "error", "message": "no"}, Refused),
    ],
)
async def test_a_refusal_with_status_200_means_what_its_code_says(body: object, expected: type[Refused]) -> None:
    with pytest.raises(expected, match=r"^no|the login has ended"):
        await answered(body)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"success": False, "error": "Sitzung abgelaufen"}, LoginNeeded),
        ({"success": False, "error": "SITZUNG ABGELAUFEN (7)"}, LoginNeeded),
        ({"success": False, "errno": 1001, "error": "x"}, Conflict),
        ({"success": False, "error": {"code": "E_ABSENT", "message": "x"}}, NotOffered),
    ],
)
async def test_a_deployment_says_what_its_refusals_mean(body: object, expected: type[Exception]) -> None:
    said = {"Sitzung abgelaufen": "login", "1001": "conflict", "E_ABSENT": "absent"}
    with pytest.raises(expected):
        await answered(body, meanings=Meanings(refusals=said))
    assert type(fault(400, json.dumps(body).encode(), {}, GET, 0, Meanings(refusals=said))) is expected


async def test_an_ended_login_with_status_200_is_renewed() -> None:
    sessions: list[str] = []

    def service(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/token"):
            sessions.append(f"t{len(sessions)}")
            return httpx.Response(200, json={"access_token": sessions[-1]})
        if request.headers["authorization"] != "Bearer t1":
            return httpx.Response(200, json={"success": False, "error": "Sitzung abgelaufen"})
        return httpx.Response(200, json=[{"id": "a"}])

    meanings = Meanings(refusals={"abgelaufen": "login"})
    endpoint = Endpoint("http://desk.example/core", meanings=meanings, routes={"sessions.start": None})
    endpoint = replace(endpoint, login=replace(endpoint.login, session=False))
    client = Client(endpoint, transport=Canned(service), login=lambda: ("eva", "demo"))
    await client.sessions.log_in("eva", "demo")
    assert [each.id for each in await client.send(ListCalls())] == ["a"]
    await client.close()


@pytest.mark.parametrize(
    "error", ["", "0", "none", "OK", "no error", None, 0, False, [], {}, {"code": 0, "message": "fine"}]
)
async def test_an_error_that_is_none_is_no_refusal(error: object) -> None:
    assert await answered({"error": error, "calls": []}, rows="calls") == ()


async def test_an_answer_with_its_rows_is_no_refusal() -> None:
    assert await answered({"error": "partial: 1 site did not answer", "calls": []}, rows="calls") == ()
    with pytest.raises(Refused, match="partial"):
        await answered({"error": "partial", "anrufe": []}, rows="calls")


@pytest.mark.parametrize(
    ("body", "in_full"),
    [
        ({"title": "No", "violations": [{"field": "userId", "message": "must be set"}]}, "No; userId: must be set"),
        ({"title": "No", "invalid-params": [{"name": "age", "reason": "is old"}]}, "No; age: is old"),
        ({"title": "No", "errors": {"userId": ["must be set", "is odd"]}}, "No; userId: must be set; is odd"),
        ({"detail": [{"loc": ["body", "id"], "msg": "field required"}]}, "field required; body.id: field required"),
        ({"errmsg": "invalid id", "errcode": 40001}, "invalid id"),
        ({"fault": {"faultstring": "Spike arrest", "detail": {"errorcode": "x"}}}, "Spike arrest"),
    ],
)
def test_the_problems_of_a_refusal_are_told(body: object, in_full: str) -> None:
    assert fault(400, json.dumps(body).encode(), {}, GET, 0).in_full.removesuffix("; field required") in in_full


@pytest.mark.parametrize("body", [{"errors": {"a": {"b": ["c"]}}}, {"errors": {"x": 7}}, {"violations": {"y": None}}])
def test_an_odd_table_of_problems_is_left_out(body: object) -> None:
    assert read_error(json.dumps(body).encode()) == ("", ())


def test_a_redirect_to_itself_is_no_new_address() -> None:
    error = fault(302, b"", {"location": "/core/calls?again=1"}, GET, 0)
    assert type(error) is NotFromService
    assert "redirects to the same address" in error.reason
