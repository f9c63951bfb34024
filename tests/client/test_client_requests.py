"""Requests: routes, variants, credentials, read-only profiles, and one login for concurrent requests."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from console.api.annotations import Access, Effect, Variant
from console.api.catalogue import catalogue
from console.api.errors import (
    Accepted,
    BadAnswer,
    BadRequest,
    Forbidden,
    LoginNeeded,
    NotOffered,
    ReadOnly,
    Unreachable,
)
from console.api.events import Point
from console.api.operations.people import GetCurrentUser, GetGroup
from console.api.operations.presence import ListPresences
from console.api.operations.sessions import InspectToken, IssueToken
from console.api.operations.sip import NewSipCredential, SetSipMapping
from console.api.operations.support import AcceptAlert, SetAgents
from console.api.operations.traffic import GetCall, GetStatus, ListCalls, ListConferences
from console.api.route import Route
from console.client.client import Client
from console.client.endpoint import Endpoint, Presentation, events_beside
from tests.client.canned import Canned
from tests.faults.figures import record
from tests.manual_clock import ManualClock

BASE = "http://desk.example/core"
CHANGES = tuple(
    each
    for each in catalogue().values()
    if each.operation.effect is Effect.CHANGE and each.operation.access is not Access.ANYONE
)
"""Every operation that changes something, except the own login."""


@dataclass
class Service:
    """A service with nothing but logins."""

    valid: set[str] = field(default_factory=set[str])
    refresh: set[str] = field(default_factory=set[str])
    seen: list[httpx.Request] = field(default_factory=list[httpx.Request])
    logins: int = 0
    answer: Callable[[httpx.Request], httpx.Response] = lambda _: httpx.Response(200, json=[])

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.seen.append(request)
        body: Any = json.loads(request.content) if request.content else {}
        match request.url.path.removeprefix("/core"):
            case "/oauth2/token":
                good = body.get("password") == "demo" or body.get("refresh_token") in self.refresh
                self.refresh.discard(body.get("refresh_token"))
                if not good:
                    return httpx.Response(401, json={"code": 1, "message": "wrong password"})
                return httpx.Response(200, json={"access_token": "oauth", "refresh_token": "r"})
            case "/sessions/start":
                self.logins += 1
                token = f"session-{self.logins}"
                self.valid.add(token)
                return httpx.Response(200, json={"access_token": token, "session": {"id": f"id-{self.logins}"}})
            case "/sessions/resume":
                if body.get("token") not in self.valid:
                    return httpx.Response(401, json={"code": 1, "message": "ended"})
                return httpx.Response(200, json={"access_token": body["token"], "session": {"id": "kept"}})
            case "/sessions/revoke" | "/oauth2/revoke":
                return httpx.Response(200, json={})
            case _:
                token = request.headers.get("authorization", "").removeprefix("Bearer ")
                if token not in self.valid:
                    return httpx.Response(401, json={"code": 1, "message": "log in first"})
                return self.answer(request)

    def paths(self) -> list[str]:
        return [request.url.path.removeprefix("/core") for request in self.seen]


def make_client(service: Service, **settings: Any) -> Client:
    login, token = settings.pop("login", None), settings.pop("token", None)
    client = Client(Endpoint(settings.pop("core", BASE), **settings), login=login, transport=Canned(service))
    client.sessions.token = token
    return client


@pytest.mark.parametrize("where", ["/oauth2/token", "/sessions/start"])
@pytest.mark.parametrize("token", ["session-\ufffd", "session-\x01", "session\r\nx: y"])
async def test_a_token_changed_in_transit_is_never_sent(where: str, token: str) -> None:
    service = Service()

    def damaged(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith(where) and service.logins < 2:
            service.logins += 1
            return httpx.Response(200, json={"access_token": token, "session": {"id": "x"}})
        return service(request)

    client = Client(Endpoint(BASE), login=lambda: ("ana", "demo"), transport=Canned(damaged))
    for _ in range(2):
        with pytest.raises(BadAnswer, match="not ASCII"):
            await client.send(ListCalls())
    assert await client.send(ListCalls()) == ()


async def test_a_token_that_no_header_can_contain_is_reported() -> None:
    client = make_client(Service())
    client.sessions.token = "t\u00f6ken\u2028"
    with pytest.raises(Unreachable, match="not ASCII"):
        await client.send(ListCalls())


async def test_values_in_a_path_cannot_change_the_path() -> None:
    service = Service(valid={"t"}, answer=lambda _: httpx.Response(200, json={"id": "x"}))
    client = make_client(service, token="t")
    await client.send(GetCall(id="../../admin?x=1#y"))
    assert service.seen[0].url.raw_path == b"/core/calls/..%2F..%2Fadmin%3Fx%3D1%23y"
    with pytest.raises(BadRequest):
        await client.send(GetGroup(group_id=".."))


async def test_half_a_surrogate_pair_is_refused_before_it_is_sent_in_a_path_or_a_query() -> None:
    service = Service()
    client = make_client(service)
    with pytest.raises(BadRequest, match="cannot be sent"):
        await client.send(GetCall(id="\ud83d"))
    with pytest.raises(BadRequest, match="cannot be sent"):
        await client.send(ListPresences(addresses=("svc-user:\ud83d",)))
    assert not service.seen


async def test_a_routes_file_moves_an_operation() -> None:
    service = Service(valid={"t"}, answer=lambda _: httpx.Response(204))
    client = make_client(service, token="t", routes={"alerts.accept": Route.parse("PUT /sapi/alerts/{alertId}/accept")})
    await client.send(AcceptAlert(alert_id="a/1"))
    assert service.seen[0].method == "PUT"
    assert service.seen[0].url.raw_path == b"/core/sapi/alerts/a%2F1/accept"


async def test_inputs_of_the_other_variant_are_not_sent() -> None:
    service = Service(
        valid={"t"}, answer=lambda request: httpx.Response(200, json=[] if request.method == "GET" else "OK")
    )
    client = make_client(service, token="t", variant=Variant.EARLIER)
    await client.send(SetAgents(user_id="u1", user_ids=("u1",)))
    await client.send(ListConferences(created_at_since=1, created_after=2))
    assert json.loads(service.seen[0].content) == {"userIds": ["u1"]}
    assert dict(service.seen[1].url.params) == {"createdAfter": "2"}


@pytest.mark.parametrize(
    ("present", "header", "query"),
    [
        (Presentation(), ("authorization", "Bearer t"), {}),
        (Presentation(name="X-Session", scheme=""), ("x-session", "t"), {}),
        (Presentation(name="Cookie", scheme="PHPSESSID="), ("cookie", "PHPSESSID=t"), {}),
        (Presentation(place="query", name="sid"), ("authorization", None), {"sid": "t"}),
    ],
)
async def test_credentials_are_sent_as_the_deployment_expects(
    present: Presentation, header: tuple[str, str | None], query: dict[str, str]
) -> None:
    seen: list[httpx.Request] = []

    def service(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, json={})

    client = Client(Endpoint(BASE, present=present), transport=Canned(service))
    client.sessions.token = "t"
    await client.send(GetStatus())
    assert seen[0].headers.get(header[0]) == header[1]
    assert dict(seen[0].url.params) == query


async def test_headers_of_the_profile_are_sent_and_never_shown() -> None:
    seen: list[httpx.Request] = []

    def service(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(403, json={"message": "tenant canary-17 is closed"})

    client = Client(Endpoint(BASE, headers={"X-Tenant": "canary-17"}), transport=Canned(service))
    client.sessions.token = "t"
    with pytest.raises(Forbidden) as caught:
        await client.send(GetStatus())
    assert (seen[0].headers["x-tenant"], seen[0].headers["authorization"]) == ("canary-17", "Bearer t")
    assert "canary" not in caught.value.in_full


async def test_without_an_event_channel_none_is_opened() -> None:
    client = make_client(Service())
    with pytest.raises(NotOffered):
        await client.stream(("calls",)).__aenter__()


async def test_a_hundred_parallel_401s_cause_one_refresh_and_one_retry_each() -> None:
    service = Service(refresh={"r"})
    client = make_client(service)
    await client.sessions.log_in("eva", "demo")
    service.valid.clear()
    answers = await asyncio.gather(*(client.send(ListCalls()) for _ in range(100)))
    refreshes, asked = service.paths().count("/oauth2/token") - 1, service.paths().count("/calls")
    told = f"{refreshes} refresh and {asked} requests for 100 refused calls"
    record("K4", refreshes == 1 and asked <= 200, told, "1 refresh, each call retried once at most")
    assert len(answers) == 100
    assert service.logins == 2
    assert service.paths().count("/oauth2/token") == 2
    assert service.paths().count("/calls") <= 200


async def test_a_dead_refresh_token_falls_back_to_the_login_source() -> None:
    service = Service()
    client = make_client(service, login=lambda: ("eva", "demo"))
    await client.sessions.log_in("eva", "demo")
    service.valid.clear()
    assert await client.send(ListCalls()) == ()
    assert service.logins == 2


async def test_a_failed_login_is_not_repeated_by_every_request() -> None:
    service = Service()
    client = make_client(service, login=lambda: ("eva", "wrong"))
    client.sessions.token = "old"
    results = await asyncio.gather(*(client.send(ListCalls()) for _ in range(20)), return_exceptions=True)
    assert all(isinstance(result, LoginNeeded) for result in results)
    assert service.paths().count("/oauth2/token") == 1


async def test_a_refusal_after_a_fresh_login_means_forbidden() -> None:
    service = Service(answer=lambda _: httpx.Response(401, json={"message": "not for you"}))
    client = make_client(service, login=lambda: ("eva", "demo"))
    await client.sessions.log_in("eva", "demo")
    with pytest.raises(Forbidden):
        await client.send(ListCalls())
    assert service.logins == 2


async def test_a_resumed_session_stays_alive_and_a_new_one_is_revoked() -> None:
    service = Service(valid={"kept-token"})
    client = make_client(service)
    await client.sessions.resume("kept-token")
    await client.sessions.log_out()
    assert "/sessions/revoke" not in service.paths()
    await client.sessions.log_in("eva", "demo")
    await client.sessions.log_out()
    assert json.loads(service.seen[-1].content) == {"id": "id-1"}
    assert client.sessions.token is None


async def test_a_token_without_a_session_is_used_as_is() -> None:
    service = Service(valid={"static"}, answer=lambda _: httpx.Response(200, json={"user": {"id": "u"}}))

    def handler(request: httpx.Request) -> httpx.Response:
        return httpx.Response(404) if request.url.path.endswith("resume") else service(request)

    client = Client(Endpoint(BASE), transport=Canned(handler))
    await client.sessions.resume("static")
    assert (await client.send(GetCurrentUser())).user.id == "u"


async def test_each_change_has_its_own_idempotency_key_also_for_the_retry() -> None:
    service = Service(answer=lambda _: httpx.Response(200, json="OK"))
    client = make_client(service, login=lambda: ("eva", "demo"))
    await client.sessions.log_in("eva", "demo")
    await client.send(AcceptAlert(alert_id="a"))
    service.valid.clear()
    await client.send(AcceptAlert(alert_id="a"))
    keys = [request.headers["idempotency-key"] for request in service.seen if request.url.path.endswith("accept")]
    assert len(keys) == 3
    assert keys[1] == keys[2] != keys[0]


@pytest.mark.parametrize("offset", ["42", "", "x", "-1", "1e3", "9" * 30])
async def test_the_event_offset_comes_with_the_answer_unless_it_is_no_number(offset: str) -> None:
    headers = {"Event-Epoch": "e1", "Event-Offset": offset}
    service = Service(valid={"t"}, answer=lambda _: httpx.Response(200, headers=headers, json=[]))
    client = make_client(service, token="t")
    assert (await client.fetch(ListCalls())).point == (Point("e1", 42) if offset == "42" else None)


async def test_a_token_in_the_query_is_never_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(0)
    service = Service(valid={"t"}, answer=lambda _: httpx.Response(200, json={}))
    client = make_client(service, token="t")
    await client.send(InspectToken(token="canary-1234"))
    assert "canary-1234" not in caplog.text


@pytest.mark.parametrize(
    ("endpoint", "words"),
    [
        (Endpoint("desk.example"), "core"),
        (Endpoint("ftp://desk.example"), "http or https"),
        (Endpoint("http://"), "core"),
        (Endpoint("http://desk.example:99999"), "core"),
        (Endpoint("http://eva:demo@desk.example"), "password"),
        (Endpoint("http://desk.example/?a=b"), "must not contain"),
        (Endpoint(BASE, events="http://desk.example/events"), "events"),
        (Endpoint(BASE, provisioning="x"), "provisioning"),
    ],
)
def test_invalid_urls_are_reported_in_a_sentence(endpoint: Endpoint, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        endpoint.check()


def test_the_default_url_of_the_event_channel_is_beside_the_core_service() -> None:
    assert events_beside("https://desk.example:8443/core") == "wss://desk.example:8443/events"
    assert events_beside("http://127.0.0.1:8080/core/v2") == "ws://127.0.0.1:8080/events"


async def test_a_change_delayed_by_a_slow_login_is_not_sent() -> None:
    clock = ManualClock()
    service = Service(answer=lambda _: httpx.Response(200, json="OK"))

    def slowly() -> tuple[str, str]:
        clock.advance(11)
        return "eva", "demo"

    client = Client(Endpoint(BASE), clock, login=slowly, transport=Canned(service))
    client.sessions.token = "old"
    with pytest.raises(Unreachable, match="timed out before sending"):
        await client.send(AcceptAlert(alert_id="a"))
    assert service.paths().count("/alerts/accept") == 1, "only the one that was refused"
    service.valid.clear()
    service.answer = lambda _: httpx.Response(200, json=[])
    assert await client.send(ListCalls()) == (), "questions may be asked at any time"


async def test_a_secret_repeated_by_the_service_is_not_shown() -> None:
    def repeating(request: httpx.Request) -> httpx.Response:
        said = f"no: {request.content.decode()} {request.headers.get('authorization')} {request.url.query.decode()}"
        body = {"message": said, "validationErrors": [{"dataPath": "token", "message": said}]}
        return httpx.Response(422, json=body)

    client = Client(Endpoint(BASE), transport=Canned(repeating))
    client.sessions.token = "session-canary"
    requests: tuple[Any, ...] = (
        InspectToken(token="canary-1234"),
        IssueToken(grant_type="password", username="eva", password="canary-1234"),
        SetSipMapping(owner_uri="svc-user:u1", credential=NewSipCredential(username="7001", password="canary-1234")),
    )
    for request in requests:
        with pytest.raises(BadRequest) as caught:
            await client.send(request)
        told = f"{caught.value} {caught.value!r} {caught.value.in_full} {caught.value.problems}"
        assert "canary" not in told
        assert "no: " in told


async def test_a_read_only_profile_logs_in_and_sends_no_change_of_any_kind() -> None:
    service = Service()
    client = make_client(service, read_only=True, provisioning="http://desk.example/provisioning")
    await client.sessions.log_in("eva", "demo")
    before = len(service.seen)
    ways = (client.send, client.fetch)
    for way, request_type in itertools.product(ways, CHANGES):
        with pytest.raises(ReadOnly):
            await way(request_type.model_construct())
    sent = service.seen[before:]
    record("O6", not sent, f"{len(CHANGES)} operations by {len(ways)} methods of the client", "0 sent")
    assert not sent


async def test_masking_does_not_reveal_a_password_that_is_a_common_word() -> None:
    client = Client(Endpoint(BASE), transport=Canned(Service()))
    with pytest.raises(LoginNeeded, match="wrong password"):
        await client.sessions.log_in("eva", "wrong")


async def test_a_change_that_was_only_accepted_is_not_reported_as_done() -> None:
    service = Service(valid={"t"}, answer=lambda _: httpx.Response(202, json={"message": "queued"}))
    client = make_client(service, token="t")
    with pytest.raises(Accepted, match="accepted by the service, not done yet"):
        await client.send(AcceptAlert(alert_id="a1"))
