"""Registered OAuth2 clients are authenticated when they request tokens, by JSON and by RFC 6749."""

from __future__ import annotations

import httpx
import pytest

from tests.service.over_http import PASSWORD, LogIn, data

Grant = dict[str, str]

GRANT = {"grant_type": "password", "username": "ana", "password": PASSWORD}


@pytest.fixture
def client(as_user: LogIn) -> tuple[str, str]:
    """Return the id and secret of a registered client."""
    made = data(as_user("eva").post("/oauth2/clients", json={"name": "wallboard"}))
    return made["clientId"], made["clientSecret"]


@pytest.fixture
def nobody(as_user: LogIn) -> httpx.Client:
    return as_user("nobody")


def audience(asking: httpx.Client, token: str) -> str | None:
    asked = asking.get("/oauth2/tokeninfo", params={"token": token}, headers={"Authorization": f"Bearer {token}"})
    return data(asked).get("audience")


@pytest.mark.parametrize("encoding", ["json", "data"])
@pytest.mark.parametrize("place", ["header", "body"])
def test_a_client_authenticated_by_its_secret_is_named_by_the_token(
    nobody: httpx.Client, client: tuple[str, str], encoding: str, place: str
) -> None:
    shown = {"client_id": client[0], "client_secret": client[1]} if place == "body" else {}
    auth = httpx.BasicAuth(*client) if place == "header" else httpx.Auth()
    asked = {**GRANT, **shown}
    sent = {"json": asked} if encoding == "json" else {"data": asked}
    answer = data(nobody.post("/oauth2/token", auth=auth, json=sent.get("json"), data=sent.get("data")))
    assert answer["token_type"] == "Bearer"
    assert audience(nobody, answer["access_token"]) == client[0]
    with httpx.Client(base_url=nobody.base_url, headers={"Authorization": f"Bearer {answer['access_token']}"}) as ana:
        (listed,) = data(ana.get("/oauth2/tokens", params={"username": "ana"}))["accessTokens"]
    assert listed["clientId"] == client[0]
    again = {"grant_type": "refresh_token", "refresh_token": answer["refresh_token"]}
    assert nobody.post("/oauth2/token", data=again).status_code == 401, "another client's token is of no use"
    assert data(nobody.post("/oauth2/token", data=again, auth=client))["token_type"] == "Bearer"


@pytest.mark.parametrize("wrong", ["secret", "id", "no secret"])
@pytest.mark.parametrize("place", ["header", "body"])
def test_an_unregistered_client_or_a_wrong_secret_gets_no_token(
    nobody: httpx.Client, client: tuple[str, str], wrong: str, place: str
) -> None:
    name = "unknown" if wrong == "id" else client[0]
    secret = {"secret": "guess", "id": client[1], "no secret": ""}[wrong]
    if place == "header":
        answer = nobody.post("/oauth2/token", auth=(name, secret), data=GRANT)
    else:
        answer = nobody.post("/oauth2/token", data={**GRANT, "client_id": name, "client_secret": secret})
    assert (answer.status_code, "invalid OAuth2 client" in answer.text) == (401, True)


@pytest.mark.parametrize("shown", ["x", "A" * 513, "QTpi" * 2000], ids=len)
def test_a_client_whose_header_names_none_gets_no_token(nobody: httpx.Client, shown: str) -> None:
    answer = nobody.post("/oauth2/token", headers={"Authorization": f"Basic {shown}"}, data=GRANT)
    assert (answer.status_code, "invalid OAuth2 client" in answer.text) == (401, True)


def test_a_client_cannot_be_named_in_two_ways(nobody: httpx.Client, client: tuple[str, str]) -> None:
    answer = nobody.post("/oauth2/token", auth=client, data={**GRANT, "client_id": client[0]})
    assert answer.status_code == 400


def test_guesses_at_the_secrets_of_clients_are_limited(nobody: httpx.Client, client: tuple[str, str]) -> None:
    asked = {**GRANT, "client_id": client[0], "client_secret": "guess"}
    answers = [nobody.post("/oauth2/token", json=asked).status_code for _ in range(101)]
    assert (answers[0], answers[-1]) == (401, 429)


def test_an_invalid_form_is_refused_and_unknown_fields_are_ignored(nobody: httpx.Client) -> None:
    issued = data(nobody.post("/oauth2/token", data={**GRANT, "scope": "all", "refresh_token": ""}))
    assert issued["access_token"]
    headers = {"Content-Type": "application/x-www-form-urlencoded; charset=UTF-8"}
    for content in (b"grant_type=anonymous&grant_type=password", b"grant_type=%ff", b"grant_type=caf\xe9", b""):
        refused = nobody.post("/oauth2/token", content=content, headers=headers)
        assert refused.status_code == 400, content
        assert refused.json()["code"] == 400


def test_forms_are_accepted_where_oauth_sends_them_and_nowhere_else(nobody: httpx.Client, as_user: LogIn) -> None:
    token = data(nobody.post("/oauth2/token", data=GRANT))["access_token"]
    ana = as_user("ana")
    assert data(ana.post("/oauth2/revoke", data={"token": token}))["code"] == 200
    assert nobody.get("/users/current", headers={"Authorization": f"Bearer {token}"}).status_code == 401
    assert ana.post("/sessions", data={"context": "x"}).status_code == 400


@pytest.mark.parametrize(
    ("asked", "status", "error"),
    [
        ({**GRANT, "password": "wrong"}, 401, "invalid_grant"),
        ({**GRANT, "client_id": "unknown", "client_secret": "guess"}, 401, "invalid_client"),
        ({"grant_type": "refresh_token", "refresh_token": "used"}, 401, "invalid_grant"),
        ({"grant_type": "device_code"}, 400, "unsupported_grant_type"),
        ({"grant_type": "password", "username": "ana"}, 400, "invalid_request"),
        ({}, 400, "invalid_request"),
    ],
)
def test_refusals_have_the_format_of_oauth2(nobody: httpx.Client, asked: Grant, status: int, error: str) -> None:
    answer = nobody.post("/oauth2/token", data=asked)
    assert (answer.status_code, answer.json()["error"]) == (status, error)
    assert answer.json()["error_description"] == answer.json()["message"]
