"""Answers as frameworks of other platforms write them: HAL, PHP, protobuf, and character sets before UTF-8."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import httpx
import pytest

from console.api.errors import BadAnswer, NotFound
from console.api.operations.people import ListGroups, PageUsers
from console.api.operations.support import ListAlerts
from console.api.operations.traffic import ListCalls
from console.client.http import in_utf8
from tests.client.test_answer_places import Deployment, followed, ids

CALLS = '"calls.list" = { route = "GET /calls", rows = "_embedded.calls", total = "page.totalElements" }'


async def calls(deployment: Deployment, routes: str, answer: object) -> list[str]:
    return await ids(deployment.client(routes, lambda _: answer), ListCalls())


@pytest.mark.parametrize(
    ("rows", "answer"),
    [
        ("_embedded.calls", {"_links": {"self": {"href": "/calls"}}}),
        ("result.calls", {"page": {"totalElements": 0}}),
        ("calls", {}),
        ("calls", {"calls": {}}),
        ("calls", {"calls": None}),
    ],
)
async def test_an_empty_list_may_be_left_out(deployment: Deployment, rows: str, answer: object) -> None:
    routes = CALLS.replace("_embedded.calls", rows)
    assert await calls(deployment, routes, answer) == []


@pytest.mark.parametrize(
    "answer", [httpx.Response(204), httpx.Response(404, json={"message": "none"}), httpx.Response(200, content=b"null")]
)
async def test_an_empty_list_may_be_no_answer_if_its_route_says_so(deployment: Deployment, answer: object) -> None:
    routes = """
"calls.list" = { route = "GET /calls", empty = true }
"alerts.list" = { route = "GET /alerts", empty = true }
"""
    assert await calls(deployment, routes, answer) == []
    assert await followed(deployment.client(routes, lambda _: answer), "calls") == []
    assert await followed(deployment.client(routes, lambda _: answer), "alerts") == []
    with pytest.raises((BadAnswer, NotFound)):
        await deployment.client("", lambda _: answer).send(ListCalls())


@pytest.mark.parametrize(
    "answer",
    [{"_embedded": {"anrufe": []}}, {"page": {"totalElements": 1}, "anrufe": []}, {"anrufe": []}],
)
async def test_a_list_in_another_place_is_not_called_empty(deployment: Deployment, answer: Any) -> None:
    routes = CALLS if "_embedded" in answer else CALLS.replace("_embedded.calls", "calls")
    with pytest.raises(BadAnswer, match="the answer has no "):
        await calls(deployment, routes, answer)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ({"0": {"id": "a"}, "2": {"id": "b"}}, ["a", "b"]),
        ({"id": "a", "state": "queued"}, ["a"]),
        ({"first": {"id": "a"}, "second": {"id": "b"}}, ["a", "b"]),
        ({"a": {"state": "queued"}, "b": {}}, ["a", "b"]),
    ],
)
async def test_a_table_in_place_of_a_list_is_its_rows(
    deployment: Deployment, answer: Mapping[str, Any], expected: list[str]
) -> None:
    routes = '"calls.list" = { route = "GET /calls", rows = "calls" }'
    assert await calls(deployment, routes, {"calls": answer}) == expected


async def test_a_table_by_position_needs_no_route(deployment: Deployment) -> None:
    answer = {"data": {"0": {"id": "a"}, "7": {"id": "b"}}}
    assert await ids(deployment.client("", lambda _: answer), PageUsers(page_size=20)) == ["a", "b"]
    with pytest.raises(BadAnswer):
        await deployment.client("", lambda _: {"data": {"7": {"id": "a"}, "0": {}}}).send(ListCalls())


async def test_the_lists_of_an_answer_may_have_other_names(deployment: Deployment) -> None:
    fields = '{ active = "open", accepted = "taken", alertId = "nr", createdAt = "raised.at" }'
    routes = f'"alerts.list" = {{ route = "GET /alerts", rows = "_embedded", fields = {fields} }}'
    answer = {"_embedded": {"open": [{"nr": 1, "raised": {"at": 5}}], "taken": [{"nr": 2}], "expired": None}}
    client = deployment.client(routes, lambda _: answer)
    assert await followed(client, "alerts") == ["1", "2"]
    found = await client.send(ListAlerts())
    assert [(each.alert_id, each.created_at) for each in found.active] == [("1", 5)]
    assert [each.alert_id for each in found.accepted] == ["2"]
    assert found.expired == ()


@pytest.mark.parametrize(
    ("charset", "codec"),
    [
        ("; charset=ISO-8859-1", "iso-8859-1"),
        ('; charset="windows-1252"', "cp1252"),
        ("; charset=utf-16", "utf-16"),
        ("", "utf-8-sig"),
        ("", "utf-16"),
        ("; charset=utf-8", "utf-8"),
    ],
)
@pytest.mark.parametrize("media", ["application/json", "text/html"])
async def test_names_are_read_in_the_character_set_of_the_answer(
    deployment: Deployment, charset: str, codec: str, media: str
) -> None:
    body = json.dumps({"groupList": [{"groupId": "g", "name": "Süd"}]}, ensure_ascii=False).encode(codec)
    answer = httpx.Response(200, content=body, headers={"Content-Type": media + charset})
    (group,) = await deployment.client("", lambda _: answer).send(ListGroups())
    assert group.name == "Süd"


@pytest.mark.parametrize("charset", ["unicode_escape", "punycode", "rot13", "zlib", "no-such", "utf-7", "x" * 5_000])
def test_a_hostile_character_set_changes_nothing(charset: str) -> None:
    body = '{"name":"\\u0041 Süd"}'.encode()
    assert in_utf8(body, f"application/json; charset={charset}") is body


async def test_followed_lists_may_be_tables_and_nothing(deployment: Deployment) -> None:
    answer = {"active": {"0": {"alertId": "a"}, "4": {"alertId": "b"}}, "accepted": None, "expired": {}}
    assert await followed(deployment.client("", lambda _: answer), "alerts") == ["a", "b"]
    pages = {"data": {"0": {"id": "a"}, "7": {"id": "b"}}}
    assert await followed(deployment.client("", lambda _: pages), "users") == ["a", "b"]


async def test_states_may_be_numbers(deployment: Deployment) -> None:
    client = deployment.client(
        "", lambda _: [{"id": "a", "state": 3}, {"id": "b", "state": 4}], states={"calls": {"3": "talking"}}
    )
    first, second = await client.send(ListCalls())
    assert (first.state, second.state) == ("talking", "4")
    assert first.model_extra["console:state"] == 3
