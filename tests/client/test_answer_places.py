"""A routes file says where rows, pages and fields of answers are; records and lists are the same as by the contract."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from console.api.errors import BadAnswer
from console.api.operations.people import CreateUser, GetCurrentUser, GetUser, PageGroups, PageUsers
from console.api.operations.sip import PageSipMappings
from console.api.operations.traffic import GetCall, ListCalls, ListConferencesAsObject
from console.api.request import Request
from console.api.shape import differences
from console.cli.lists.resources import all_rows
from console.client.client import Client
from console.client.endpoint import Presentation
from console.kinds.catalogue import FEEDS
from console.live.bounds import Bounds
from console.live.listing import Lister
from tests.client.answering import Deployment


async def ids(client: Client, request: Request[Any]) -> list[str]:
    """Return the ids of the rows on all pages, as an administrator's list has them."""
    return list((await all_rows(client, request, Bounds())).rows)


async def followed(client: Client, kind: str) -> list[str]:
    """Return the ids of the rows of a list that is kept up to date."""

    async def no_pause(_seconds: float) -> None:
        pass

    return list((await Lister(FEEDS[kind], client, pause=no_pause).list()).fresh)


async def test_rows_are_found_where_the_route_says(deployment: Deployment) -> None:
    routes = '"calls.list" = { route = "GET /calls", rows = "result.items" }'
    client = deployment.client(routes, lambda _: {"result": {"items": [{"id": "a"}, {"id": "b"}]}})
    assert [each.id for each in await client.send(ListCalls())] == ["a", "b"]
    assert await ids(client, ListCalls()) == await followed(client, "calls") == ["a", "b"]


async def test_a_name_with_a_dot_is_found(deployment: Deployment) -> None:
    client = deployment.client(
        '"calls.list" = { route = "GET /calls", rows = "odata.value", next = "@odata.nextLink" }',
        lambda request: (
            {"odata.value": [{"id": "b"}]}
            if "$skip" in request.url.params
            else {"odata.value": [{"id": "a"}], "@odata.nextLink": "https://elsewhere.example/x?$skip=1"}
        ),
    )
    assert await ids(client, ListCalls()) == ["a", "b"]


async def test_a_missing_list_names_the_member_and_what_came_instead(deployment: Deployment) -> None:
    client = deployment.client('"calls.list" = { route = "GET /calls", rows = "calls" }', lambda _: {"call": []})
    with pytest.raises(BadAnswer, match=r"no 'calls' \(rows of its route\), only 'call' .*GET /core/calls"):
        await client.send(ListCalls())


async def test_a_record_is_found_where_the_route_says(deployment: Deployment) -> None:
    routes = '"users.get" = { route = "GET /users/{id}", rows = "data", fields = { id = "uid", username = "login" } }'
    client = deployment.client(routes, lambda _: {"data": {"uid": "u-1", "login": "ana", "extra": 7}})
    user = await client.send(GetUser(id="u-1"))
    assert (user.id, user.username, user.model_extra) == ("u-1", "ana", {"extra": 7})


async def test_a_record_is_put_together_from_members(deployment: Deployment) -> None:
    fields = '{ "user.id" = "uid", "user.username" = "login", "metadata.isAtRootDomain" = "place.root" }'
    client = deployment.client(
        f'"users.current" = {{ route = "GET /me", fields = {fields} }}',
        lambda _: {"uid": "u-1", "login": "ana", "place": {"root": True}},
    )
    me = await client.send(GetCurrentUser())
    assert (me.user.id, me.user.username, me.metadata.is_at_root_domain) == ("u-1", "ana", True)


async def test_fields_have_the_names_of_the_deployment(deployment: Deployment) -> None:
    client = deployment.client(
        '"calls.list" = { route = "GET /calls", fields = { id = "callId", caller = "from.uri", callee = "caller" } }',
        lambda _: [
            {"callId": "a", "from": {"uri": "svc-user:1"}, "caller": "svc-user:2", "n": 12345678901234567890},
            7,
        ],
    )
    first, second = await client.send(ListCalls())
    assert (first.id, first.caller, first.callee) == ("a", "svc-user:1", "svc-user:2")
    assert first.model_extra["n"] == 12345678901234567890
    assert not second.identified


async def test_a_field_is_read_only_from_the_member_that_is_named(deployment: Deployment) -> None:
    client = deployment.client(
        '"calls.list" = { route = "GET /calls", fields = { caller = "from.uri", from = "none", state = "phase" } }',
        lambda _: [{"id": "a", "from": {"uri": "svc-user:1"}, "state": "Madrid"}],
    )
    (call,) = await client.send(ListCalls())
    assert (call.caller, call.from_, call.state) == ("svc-user:1", None, None)


async def test_what_is_moved_does_not_stay_in_its_old_place(deployment: Deployment) -> None:
    fields = '{ "mapping.username" = "line.name", "mapping.password" = "line.pw.now" }'
    client = deployment.client(
        f'"sip-mappings.page" = {{ route = "GET /m", fields = {fields} }}',
        lambda _: [{"line": {"name": "l-1", "pw": {"now": "S3CRET-4711"}}, "x": {"y": 1}}],
    )
    body = (await client.fetch(PageSipMappings())).body
    assert body.count(b"S3CRET-4711") == 1
    assert json.loads(body) == [{"mapping": {"username": "l-1", "password": "S3CRET-4711"}, "x": {"y": 1}}]


async def test_a_part_of_a_moved_object_has_a_name_of_its_own(deployment: Deployment) -> None:
    client = deployment.client(
        '"groups.page" = { route = "GET /g", fields = { owner = "boss", "owner.id" = "boss.uid", name = "boss.t" } }',
        lambda _: [{"groupId": "g", "boss": {"uid": 7, "t": "T", "more": 1}}],
    )
    assert json.loads((await client.fetch(PageGroups())).body) == [
        {"groupId": "g", "owner": {"more": 1, "id": 7}, "name": "T"}
    ]


@pytest.mark.parametrize("asked", [ListCalls(), ListConferencesAsObject(), PageUsers()])
async def test_an_answer_in_another_form_differs_in_nothing(deployment: Deployment, asked: Request[Any]) -> None:
    client = deployment.client(
        """
        "calls.list" = { route = "GET /calls", rows = "calls", next = "more", cursor = "from" }
        "conferences.list-object" = { route = "GET /rooms", rows = "rooms", next = "more", cursor = "from" }
        "users.page" = { route = "GET /people", rows = "people", next = "page" }
        """,
        lambda _: {"calls": [{"id": "a"}], "rooms": [{"id": "a"}], "people": [{"id": "a"}], "more": "x"},
    )
    assert differences(type(asked), (await client.fetch(asked)).body) == ()


async def test_the_confirmation_of_a_change_needs_no_record(deployment: Deployment) -> None:
    client = deployment.client(
        '"users.create" = { route = "POST /users", rows = "data" }', lambda _: {"result": "ok", "id": "u-1"}
    )
    assert (await client.send(CreateUser(username="ana", domain="d", role="user"))).id == "u-1"


def by_cursor(request: httpx.Request) -> Any:
    number = int(request.url.params.get("from", "0"))
    return {"calls": [{"id": f"c-{number}"}], "page": {"next": number + 1 if number < 2 else None, "of": "3"}}


async def test_a_cursor_is_sent_in_the_input_that_takes_it(deployment: Deployment) -> None:
    routes = '"calls.list" = { route = "GET /calls", rows = "calls", next = "page.next", cursor = "from" }'
    client = deployment.client(routes, by_cursor)
    assert await ids(client, ListCalls(caller="x")) == await followed(client, "calls") == ["c-0", "c-1", "c-2"]
    assert [str(each.url.query) for each in deployment.asked[:2]] == ["b'caller=x'", "b'caller=x&from=1'"]


async def test_the_total_is_read_from_a_member_or_a_header(deployment: Deployment) -> None:
    routes = '"calls.list" = { route = "GET /calls", rows = "calls", total = "page.of" }'
    assert (await all_rows(deployment.client(routes, by_cursor), ListCalls(), Bounds())).total == 3
    client = deployment.client(
        '"calls.list" = { route = "GET /calls", total = "X-Total-Count" }',
        lambda _: httpx.Response(200, json=[{"id": "a"}], headers={"X-Total-Count": "41"}),
    )
    assert (await all_rows(client, ListCalls(), Bounds())).total == 41


async def test_a_cursor_without_an_input_that_takes_it_is_an_error(deployment: Deployment) -> None:
    routes = '"calls.list" = { route = "GET /calls", rows = "calls", next = "page.next" }'
    with pytest.raises(BadAnswer, match="set cursor"):
        await ids(deployment.client(routes, by_cursor), ListCalls())


async def test_the_cursor_of_the_contract_needs_no_name(deployment: Deployment) -> None:
    routes = '"users.page" = { route = "GET /people", rows = "users", next = "more" }'
    client = deployment.client(
        routes,
        lambda request: (
            {"users": [{"id": "b"}]}
            if request.url.params.get("page[after]") == "x/9?"
            else {"users": [{"id": "a"}], "more": "x/9?"}
        ),
    )
    assert await ids(client, PageUsers(page_size=1)) == ["a", "b"]


@pytest.mark.parametrize("how", ["link", "links.next"])
async def test_of_a_next_url_only_the_query_is_used(deployment: Deployment, how: str) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        later = request.url.params.get("start") == "9 a"
        url = "https://elsewhere.example/other/path?start=9%20a&size=3&access_token=theirs"
        return httpx.Response(
            200,
            json={"data": [{"id": "b" if later else "a"}], **({} if later else {"links": {"next": url}})},
            headers={} if later else {"Link": f'</x?start=0>; rel="first", <{url}>; title="a, b"; rel="prev next"'},
        )

    client = deployment.client(
        f'"users.page" = {{ route = "GET /people", next = "{how}", names = {{ "page[size]" = "size" }} }}',
        answer,
        present=Presentation("query", "access_token", ""),
    )
    client.sessions.token = "mine"
    assert await ids(client, PageUsers(page_size=500)) == ["a", "b"]
    assert [each.url.host + each.url.path for each in deployment.asked] == ["desk.example/core/people"] * 2
    assert dict(deployment.asked[1].url.params) == {"size": "3", "start": "9 a", "access_token": "mine"}


async def test_a_next_url_without_a_query_is_an_error(deployment: Deployment) -> None:
    routes = '"calls.list" = { route = "GET /calls", rows = "calls", next = "next" }'
    client = deployment.client(routes, lambda _: {"calls": [], "next": "https://desk.example/core/calls/2"})
    with pytest.raises(BadAnswer, match="no query that can be sent"):
        await client.send(ListCalls())


@pytest.mark.parametrize(
    ("keys", "requests"),
    [
        ('next = "page"', ["", "page=2", "page=3", "page=4"]),
        ('next = "page", cursor = "p", total = "count"', ["", "p=2", "p=3"]),
        ('next = "offset", cursor = "skip"', ["", "skip=2", "skip=4", "skip=5"]),
        ('next = "offset", cursor = "startIndex", total = "count"', ["", "startIndex=3", "startIndex=5"]),
        (
            'next = "offset", cursor = "first", total = "count", always = { first = 1 }',
            ["first=1", "first=3", "first=5"],
        ),
    ],
)
async def test_pages_are_read_by_number_or_offset(deployment: Deployment, keys: str, requests: list[str]) -> None:
    def answer(request: httpx.Request) -> Any:
        values = {name: int(value) for name, value in request.url.params.items()}
        start = values.get("skip", 2 * (values.get("page", values.get("p", 1)) - 1))
        start = values.get("startIndex", values.get("first", start + 1)) - 1
        return {"calls": [{"id": str(each)} for each in range(5)][start : start + 2], "count": 5}

    client = deployment.client(f'"calls.list" = {{ route = "GET /calls", rows = "calls", {keys} }}', answer)
    assert await ids(client, ListCalls()) == [*"01234"]
    assert [each.url.query.decode() for each in deployment.asked] == requests
    assert await followed(client, "calls") == [*"01234"]


async def test_a_page_number_is_sent_in_the_body_of_a_post(deployment: Deployment) -> None:
    def answer(request: httpx.Request) -> Any:
        number = json.loads(request.content).get("page", 1)
        return [{"id": str(number)}] if number < 3 else []

    client = deployment.client('"calls.list" = { route = "POST /find", next = "page" }', answer)
    assert await ids(client, ListCalls()) == ["1", "2"]


async def test_a_deployment_that_ignores_the_page_number_is_an_error(deployment: Deployment) -> None:
    client = deployment.client('"calls.list" = { route = "GET /calls", next = "page" }', lambda _: [{"id": "a"}])
    with pytest.raises(BadAnswer, match="never ends"):
        await ids(client, ListCalls())


@pytest.mark.parametrize(
    "body", [b'{"calls": [{"id": ', b'{"calls": 7}', b'{"calls": "x"}', b"7", b'"x"', b"[[[[", b""]
)
async def test_a_hostile_answer_is_an_error_of_the_answer(deployment: Deployment, body: bytes) -> None:
    routes = (
        '"calls.list" = { route = "GET /calls", rows = "calls", next = "a.b", total = "c", fields = { id = "key" } }'
    )
    client = deployment.client(routes, lambda _: httpx.Response(200, content=body))
    with pytest.raises(BadAnswer):
        await client.send(ListCalls())


async def test_other_operations_are_not_converted(deployment: Deployment) -> None:
    routes = '"calls.list" = { route = "GET /calls", rows = "calls" }'
    client = deployment.client(routes, lambda _: {"id": "a", "calls": {"id": "b"}})
    assert (await client.send(GetCall(id="a"))).id == "a"


@pytest.mark.parametrize(
    "header",
    [
        '</x?start=2>; title="a <b>; rel=next"; rel="prev", </x?start=9>; rel=next',
        '</x?start=2>; title="say \\"</x?start=3>; rel=next\\""; rel=first,</x?start=9>;rel="first  NEXT"',
        "</x?start=2>; rel=last; rel=next, </x?start=9> ; Rel = next ; title*=UTF-8''n%C3%A4chste",
    ],
)
async def test_the_next_page_is_found_in_any_legal_form_of_the_link_header(deployment: Deployment, header: str) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        later = request.url.params.get("start") == "9"
        rows = {"data": [{"id": "b" if later else "a"}]}
        return httpx.Response(200, json=rows, headers={} if later else {"Link": header})

    client = deployment.client('"users.page" = { route = "GET /people", next = "link" }', answer)
    assert await ids(client, PageUsers(page_size=500)) == ["a", "b"]
