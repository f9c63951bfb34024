"""A token from a token endpoint or a command is used directly, renewed in time, and never shown."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

import httpx
import pytest

from console.api.errors import (
    ApiError,
    BadAnswer,
    BadRequest,
    Forbidden,
    LoginNeeded,
    NotFromService,
    NotOffered,
    TooMany,
)
from console.api.operations.traffic import ListCalls
from console.client.client import Client
from console.client.endpoint import Endpoint, LoginMethod, TokenEndpoint
from console.client.stored_login import StoredLogin
from tests.client.canned import Canned
from tests.manual_clock import ManualClock

BASE = "http://desk.example/core"
IDP = "http://idp.example/token"
SECRET = "s3cret/+ of the client"


@dataclass
class Deployment:
    """A service without sessions, and the token endpoint of another host."""

    valid: set[str] = field(default_factory=set[str])
    """Access tokens that the service accepts."""
    refresh: set[str] = field(default_factory=set[str])
    lifetime: object = 3600
    refusal: httpx.Response | None = None
    """The answer of the token endpoint, instead of a token."""
    seen: list[httpx.Request] = field(default_factory=list[httpx.Request])
    issued: int = 0

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.seen.append(request)
        if request.url.path.endswith("/token"):
            return self._issue()
        if request.headers.get("authorization", "").removeprefix("Bearer ") not in self.valid:
            return httpx.Response(401, json={"message": "Unauthorized"})
        return httpx.Response(200, json=[] if request.url.path.endswith("/calls") else {"user": {"id": "u"}})

    def _issue(self) -> httpx.Response:
        form = self.form
        if self.refusal is not None:
            return self.refusal
        if form.get("grant_type") == "refresh_token" and form["refresh_token"] not in self.refresh:
            return httpx.Response(400, json={"error": "invalid_grant"})
        self.issued += 1
        self.valid.add(f"access-{self.issued}")
        self.refresh = {f"refresh-{self.issued}"}
        return httpx.Response(
            200,
            json={
                "access_token": f"access-{self.issued}",
                "refresh_token": f"refresh-{self.issued}",
                "expires_in": self.lifetime,
                "token_type": "Bearer",
            },
        )

    @property
    def form(self) -> dict[str, str]:
        """The parameters of the last request to the token endpoint."""
        content = [each for each in self.seen if each.url.path.endswith("/token")][-1].content.decode()
        return json.loads(content) if content.startswith("{") else dict(parse_qsl(content))

    @property
    def tokens_asked(self) -> int:
        return sum(each.url.path.endswith("/token") for each in self.seen)


def make_client(deployment: Deployment, clock: ManualClock | None = None, **given: object) -> Client:
    found = TokenEndpoint(**{"url": IDP, **given})  # pyright: ignore[reportArgumentType] - the keys of a test
    endpoint = Endpoint(BASE, login=LoginMethod(session=False, endpoint=found))
    return Client(endpoint, clock, login=lambda: ("eva", "demo"), transport=Canned(deployment))


async def test_a_password_is_exchanged_for_a_token_as_oauth2_describes() -> None:
    deployment = Deployment()
    client = make_client(deployment, client_id="desk", client_secret=lambda: SECRET, scope="calls agents")
    await client.sessions.log_in("eva", "pässword&=")
    assert deployment.form == {
        "grant_type": "password",
        "username": "eva",
        "password": "pässword&=",
        "scope": "calls agents",
    }
    sent = deployment.seen[-1].headers
    assert sent["content-type"] == "application/x-www-form-urlencoded"
    pair = base64.b64decode(sent["authorization"].removeprefix("Basic ")).decode()
    assert pair == "desk:s3cret%2F%2B+of+the+client"
    assert await client.send(ListCalls()) == ()
    assert [each.url.path for each in deployment.seen] == ["/token", "/core/calls"]


async def test_client_credentials_need_no_password_and_may_be_sent_in_the_body() -> None:
    deployment = Deployment()
    client = make_client(
        deployment,
        grant="client_credentials",
        client_id="desk",
        client_secret=lambda: SECRET,
        client_in_body=True,
        parameters={"audience": "voice"},
        json=True,
    )
    await client.sessions.log_in("", "")
    assert deployment.form == {
        "grant_type": "client_credentials",
        "client_id": "desk",
        "client_secret": SECRET,
        "audience": "voice",
    }
    assert "authorization" not in deployment.seen[-1].headers
    assert await client.send(ListCalls()) == ()


async def test_a_refused_token_is_renewed_with_the_refresh_token_which_rotates() -> None:
    deployment = Deployment()
    client = make_client(deployment)
    await client.sessions.log_in("eva", "demo")
    for number in (1, 2):
        deployment.valid.clear()
        assert await client.send(ListCalls()) == ()
        assert deployment.form == {"grant_type": "refresh_token", "refresh_token": f"refresh-{number}"}


async def test_a_refresh_token_stays_in_use_if_no_other_is_issued() -> None:
    deployment = Deployment()
    client = make_client(deployment)
    await client.sessions.log_in("eva", "demo")
    for number in (2, 3):
        deployment.valid = {f"access-{number}"}
        deployment.refusal = httpx.Response(200, json={"access_token": f"access-{number}"})
        assert await client.send(ListCalls()) == ()
        assert deployment.form["refresh_token"] == "refresh-1"


@pytest.mark.parametrize("lifetime", [100, "100", 100.0])
async def test_a_token_is_renewed_before_it_ends(lifetime: object) -> None:
    clock = ManualClock()
    deployment = Deployment(lifetime=lifetime)
    client = make_client(deployment, clock)
    await client.sessions.log_in("eva", "demo")
    clock.advance(69)
    await client.send(ListCalls())
    assert deployment.issued == 1
    clock.advance(2)
    await asyncio.gather(*(client.send(ListCalls()) for _ in range(5)))
    assert deployment.issued == 2
    assert deployment.seen[-1].headers["authorization"] == "Bearer access-2"


async def test_while_the_token_endpoint_is_down_the_old_token_is_used() -> None:
    clock = ManualClock()
    deployment = Deployment(lifetime=100)
    client = make_client(deployment, clock)
    await client.sessions.log_in("eva", "demo")
    deployment.refusal = httpx.Response(503)
    clock.advance(71)
    for _ in range(3):
        assert await client.send(ListCalls()) == ()
    assert deployment.tokens_asked == 2


REFUSALS: list[tuple[int, object, type[ApiError], str]] = [
    (400, {"error": "invalid_grant", "error_description": "Bad login"}, LoginNeeded, "wrong user name or password"),
    (401, {"error": "invalid_client"}, BadRequest, "check login.client_id and login.client_secret_command"),
    (400, {"error": "invalid_scope"}, BadRequest, "check login.scope"),
    (400, {"error": "unsupported_grant_type"}, BadRequest, "check login.grant"),
    (400, {"error": "interaction_required"}, LoginNeeded, "interaction_required"),
    (429, {"error": "slow_down"}, TooMany, "slow_down"),
    (200, {"token": "t"}, BadAnswer, "no access_token, only token"),
    (200, {"access_token": 7}, BadAnswer, "no access_token"),
    (200, {"access_token": "a\nb"}, BadAnswer, "not ASCII"),
    (200, [], NotFromService, "POST /token"),
]


@pytest.mark.parametrize(("status", "body", "error", "words"), REFUSALS)
async def test_a_refusal_of_the_token_endpoint_is_told_in_words(
    status: int, body: object, error: type[ApiError], words: str
) -> None:
    deployment = Deployment(refusal=httpx.Response(status, json=body))
    with pytest.raises(error, match=words) as caught:
        await make_client(deployment).sessions.log_in("eva", "demo")
    assert type(caught.value) is error


async def test_a_redirect_of_the_token_endpoint_is_not_followed() -> None:
    deployment = Deployment(refusal=httpx.Response(307, headers={"Location": "https://evil.example/token"}))
    with pytest.raises(BadAnswer, match="redirect"):
        await make_client(deployment).sessions.log_in("eva", "demo")
    assert len(deployment.seen) == 1


async def test_no_error_of_the_token_endpoint_repeats_a_secret() -> None:
    pair = base64.b64encode(b"desk:s3cret%2F%2B+of+the+client").decode()
    deployment = Deployment(
        refusal=httpx.Response(400, json={"error": "x", "error_description": f"pass-word1 {SECRET} {pair}"})
    )
    client = make_client(deployment, client_id="desk", client_secret=lambda: SECRET)
    with pytest.raises(LoginNeeded) as caught:
        await client.sessions.log_in("eva", "pass-word1")
    assert caught.value.reason.count("(secret)") == 3


# -- commands ----------------------------------------------------------------------------------------------------------


def by_command(deployment: Deployment, command: Callable[[], str]) -> Client:
    endpoint = Endpoint(BASE, login=LoginMethod(session=False, command=command))
    return Client(endpoint, login=lambda: ("", ""), transport=Canned(deployment))


async def test_a_command_is_called_again_when_its_token_is_refused() -> None:
    deployment = Deployment(valid={"t1"})
    printed = iter(["t1", "t2"])
    client = by_command(deployment, lambda: next(printed))
    await client.sessions.log_in("", "")
    assert await client.send(ListCalls()) == ()
    deployment.valid = {"t2"}
    assert await client.send(ListCalls()) == ()


async def test_a_command_that_prints_a_refused_token_again_is_not_called_by_every_request() -> None:
    deployment = Deployment()
    called: list[str] = []
    client = by_command(deployment, lambda: (called.append("x"), "t1")[1])
    await client.sessions.log_in("", "")
    for _ in range(5):
        with pytest.raises(LoginNeeded):
            await client.send(ListCalls())
    assert len(called) == 2


async def test_an_operation_refused_with_a_good_token_is_forbidden() -> None:
    deployment = Deployment(valid={"t1"})

    def calls_forbidden(request: httpx.Request) -> httpx.Response:
        return httpx.Response(401) if request.url.path.endswith("/calls") else deployment(request)

    endpoint = Endpoint(BASE, login=LoginMethod(session=False, command=lambda: "t1"))
    client = Client(endpoint, login=lambda: ("", ""), transport=Canned(calls_forbidden))
    await client.sessions.log_in("", "")
    with pytest.raises(Forbidden):
        await client.send(ListCalls())


# -- without sessions --------------------------------------------------------------------------------------------------


async def test_a_token_of_the_service_is_used_directly_and_revoked_at_the_end() -> None:
    deployment = Deployment()

    def service(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/oauth2/revoke"):
            deployment.seen.append(request)
            return httpx.Response(200, json="OK")
        return deployment(request)

    endpoint = Endpoint(BASE, login=LoginMethod(session=False), routes={"sessions.start": None})
    client = Client(endpoint, transport=Canned(service))
    await client.sessions.log_in("eva", "demo")
    assert await client.send(ListCalls()) == ()
    assert await client.sessions.log_out()
    assert [json.loads(each.content)["token"] for each in deployment.seen[-2:]] == ["refresh-1", "access-1"]


async def test_a_stored_token_is_used_without_asking_for_a_session() -> None:
    deployment = Deployment(valid={"kept"})
    client = Client(Endpoint(BASE, login=LoginMethod(session=False)), transport=Canned(deployment))
    await client.sessions.resume("kept")
    assert [each.url.path for each in deployment.seen] == ["/core/users/current"]
    with pytest.raises(LoginNeeded):
        await client.sessions.resume("ended")


async def test_with_sessions_the_token_of_another_issuer_starts_one() -> None:
    started: list[object] = []

    def service(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/token":
            return httpx.Response(200, json={"access_token": "of-idp"})
        started.append(json.loads(request.content)["token"])
        return httpx.Response(200, json={"access_token": "of-session"})

    endpoint = Endpoint(BASE, login=LoginMethod(session=True, endpoint=TokenEndpoint(IDP)))
    client = Client(endpoint, transport=Canned(service))
    await client.sessions.log_in("eva", "demo")
    assert started == ["of-idp"]
    assert client.sessions.token == "of-session"


async def test_a_deployment_that_can_issue_no_token_says_so() -> None:
    endpoint = Endpoint(BASE, login=LoginMethod(session=False), routes={"tokens.issue": None})
    with pytest.raises(NotOffered):
        await Client(endpoint, transport=Canned(Deployment())).sessions.log_in("eva", "demo")


# -- stored logins -----------------------------------------------------------------------------------------------------


@dataclass
class Store:
    """A stored login that two programs use."""

    login: StoredLogin
    now: StoredLogin | None = None
    written: list[StoredLogin] = field(default_factory=list[StoredLogin])
    locked: int = 0

    def lock(self) -> Callable[[], None]:
        self.locked += 1
        return lambda: setattr(self, "locked", self.locked - 1)

    def latest(self) -> StoredLogin | None:
        return self.now or self.login

    def write(self, login: StoredLogin) -> None:
        assert self.locked == 1
        self.now = login
        self.written.append(login)


def stored(deployment: Deployment, token: str, refresh: str = "") -> tuple[Client, Store]:
    endpoint = Endpoint(BASE, login=LoginMethod(session=False, endpoint=TokenEndpoint(IDP)))
    return Client(endpoint, transport=Canned(deployment)), Store(StoredLogin(token, refresh))


async def test_a_login_is_kept_with_its_refresh_token() -> None:
    client = make_client(Deployment())
    await client.sessions.log_in("eva", "demo")
    assert await client.sessions.keep() == StoredLogin("access-1", "refresh-1")


@pytest.mark.parametrize("later", [False, True])
async def test_a_stored_login_that_ended_is_renewed_without_a_password_and_stored_again(later: bool) -> None:
    deployment = Deployment(valid={"old"} if later else set(), refresh={"r"})
    client, store = stored(deployment, "old", "r")
    await client.sessions.resume(store)
    deployment.valid -= {"old"}
    assert await client.send(ListCalls()) == ()
    assert store.written == [StoredLogin("access-1", "refresh-1")]
    deployment.valid.clear()
    assert await client.send(ListCalls()) == ()
    assert (store.written[-1].refresh, store.locked) == ("refresh-2", 0)
    assert await client.sessions.log_out()
    assert "access-2" in deployment.valid


async def test_a_login_that_another_program_renewed_is_used_instead_of_the_spent_refresh_token() -> None:
    deployment = Deployment(valid={"of-another"}, refresh={"next"})
    client, store = stored(deployment, "old", "r")
    store.now = StoredLogin("of-another", "next")
    await client.sessions.resume(store)
    assert await client.send(ListCalls()) == ()
    assert (deployment.tokens_asked, store.written) == (0, [])
    deployment.valid.clear()
    assert await client.send(ListCalls()) == ()
    assert deployment.tokens_asked == 1


async def test_a_stored_login_whose_refresh_token_is_refused_has_ended() -> None:
    client, store = stored(Deployment(), "old", "spent")
    with pytest.raises(LoginNeeded):
        await client.sessions.resume(store)
    assert (store.written, store.locked, client.sessions.token) == ([], 0, None)


async def test_without_a_refresh_token_a_stored_login_is_only_read() -> None:
    deployment = Deployment()
    client, store = stored(deployment, "old")
    with pytest.raises(LoginNeeded):
        await client.sessions.resume(store)
    assert deployment.tokens_asked == 0


async def test_a_stored_session_is_replaced_by_one_that_stays() -> None:
    revoked: list[str] = []

    def service(request: httpx.Request) -> httpx.Response:
        path, sent = request.url.path.removeprefix("/core"), json.loads(request.content or b"{}")
        if path == "/oauth2/token":
            assert sent["refresh_token"] == "r"
            return httpx.Response(200, json={"access_token": "a", "refresh_token": "r2"})
        if path == "/sessions/start":
            return httpx.Response(200, json={"access_token": "s2", "session": {"id": "second"}})
        if path.endswith("revoke"):
            revoked.append(path)
        known = request.headers.get("authorization") == "Bearer s2"
        return httpx.Response(200, json=[]) if known else httpx.Response(401)

    started: list[str] = []
    client = Client(Endpoint(BASE), transport=Canned(service))
    client.sessions.started = started.append
    store = Store(StoredLogin("s1", "r", "first"))
    await client.sessions.resume(store)
    assert store.written == [StoredLogin("s2", "r2", "second")]
    assert await client.send(ListCalls()) == ()
    await client.sessions.log_out()
    assert (revoked, started) == ([], [])
