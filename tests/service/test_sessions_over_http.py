"""Logging in, staying logged in, and logging out."""

from __future__ import annotations

import hashlib

import httpx
import sqlalchemy as sa

from console.api.annotations import Variant
from console.service.domain.sessions import ENDED, SESSIONS
from console.service.domain.tokens import tokens
from tests.background import Running
from tests.manual_clock import ManualClock
from tests.service.jobs import run_jobs
from tests.service.over_http import LogIn, Serve, data, grant, log_in, token_of


def _refreshed(client: httpx.Client, token: str) -> httpx.Response:
    return client.post("/oauth2/token", json={"grant_type": "refresh_token", "refresh_token": token})


def test_a_wrong_password_and_an_unknown_user_are_refused_in_the_same_way(as_user: LogIn) -> None:
    nobody = as_user("nobody")
    wrong = grant(nobody, "eva", "no")
    unknown = grant(nobody, "nobody", "no")
    assert (wrong.status_code, wrong.json()) == (unknown.status_code, unknown.json())
    assert wrong.status_code == 401
    assert wrong.headers["WWW-Authenticate"] == "Bearer"


def test_too_many_failures_get_429_with_a_time_to_wait(as_user: LogIn) -> None:
    nobody = as_user("nobody")
    for _ in range(10):
        assert grant(nobody, "eva", "no").status_code == 401
    refused = grant(nobody, "eva")
    assert refused.status_code == 429
    assert 0 < int(refused.headers["Retry-After"]) <= 60


def test_no_token_is_stored_in_plain_text(service: Running) -> None:
    token = token_of(service.base_url, "eva")
    with service.database.read() as tx:
        rows = tx.rows(sa.select(tokens))
        assert hashlib.sha256(token.encode()).hexdigest() in {row.hash for row in rows}
        assert token not in str(rows)
        assert token not in str(SESSIONS.bodies(tx))


def test_a_refresh_token_can_be_used_once_and_its_reuse_ends_the_family(as_user: LogIn) -> None:
    nobody = as_user("nobody")
    first = data(grant(nobody, "ana"))
    second = data(_refreshed(nobody, first["refresh_token"]))
    assert nobody.post("/sessions/start", json={"token": first["access_token"]}).status_code == 401
    assert _refreshed(nobody, first["refresh_token"]).status_code == 401
    assert nobody.post("/sessions/start", json={"token": second["access_token"]}).status_code == 401
    assert _refreshed(nobody, second["refresh_token"]).status_code == 401


def test_a_revoked_session_is_refused_no_longer_listed_but_still_readable(as_user: LogIn, service: Running) -> None:
    eva, ana = as_user("eva"), as_user("ana")
    (session,) = data(ana.get("/sessions/own"))
    ended = data(ana.post("/sessions/revoke", json={"id": session["id"]}))
    assert ended["to"] >= ended["from"]
    assert ana.get("/sessions/own").status_code == 401
    assert session["id"] not in {each["id"] for each in data(eva.get("/sessions"))}
    assert data(eva.get(f"/sessions/{session['id']}"))["to"] == ended["to"]
    assert [each["id"] for each in data(eva.get("/sessions", params={"to": ended["to"]}))] == [session["id"]]
    with service.database.read() as tx:
        assert ENDED.row(tx, session["id"]) is not None


def test_a_session_expires(serve: Serve) -> None:
    clock = ManualClock()
    service = serve(clock, session_seconds=60)
    with log_in(service, "ana") as ana:
        assert ana.get("/users/current").status_code == 200
        clock.advance(61)
        assert ana.get("/users/current").status_code == 401
        run_jobs(service.platform)
        with service.database.read() as tx:
            assert SESSIONS.count(tx) == 0
            assert ENDED.count(tx) == 1


def test_resuming_keeps_the_token_and_replaces_the_context(as_user: LogIn) -> None:
    ana = as_user("ana")
    token = ana.headers["Authorization"].removeprefix("Bearer ")
    again = data(as_user("nobody").post("/sessions/resume", json={"token": token, "context": {"src": "desk"}}))
    assert again["access_token"] == token
    assert again["token_type"] == "SvcSessionToken"
    assert data(ana.get("/sessions/own"))[0]["context"] == {"src": "desk"}


def test_a_guest_is_deleted_with_the_last_session(as_user: LogIn) -> None:
    guest, eva = as_user("guest"), as_user("eva")
    me = data(guest.get("/users/current"))["user"]
    assert me["role"] == "anonymous"
    assert [each["id"] for each in data(eva.get("/users", params={"registered": "false"}))] == [me["id"]]
    (session,) = data(guest.get("/sessions/own"))
    data(guest.post("/sessions/revoke", json={"id": session["id"]}))
    assert data(eva.get("/users", params={"registered": "false"})) == []


def test_guests_can_be_disabled(serve: Serve) -> None:
    with log_in(serve(allow_guests=False), "nobody") as nobody:
        assert nobody.post("/sessions/start", json={"token": ""}).status_code == 403
        assert nobody.post("/oauth2/token", json={"grant_type": "anonymous"}).status_code == 403


def test_session_lists_can_be_filtered(as_user: LogIn) -> None:
    eva, ana = as_user("eva"), as_user("ana")
    (mine,) = data(ana.get("/sessions/own"))
    for query in (
        {"user": "ana"},
        {"users": ["ana", "pat"]},
        {"id": mine["id"]},
        {"token": ana.headers["Authorization"].removeprefix("Bearer ")},
        {"createdSince": mine["from"], "createdUntil": mine["from"], "user": "ana"},
        {"sort": "-createdAt", "limit": 1, "users": ["ana"]},
        {"expiresIn": 43_200, "user": "ana"},
    ):
        assert [each["id"] for each in data(eva.get("/sessions", params=query))] == [mine["id"]], query
    assert data(eva.get("/sessions", params={"domain": "other.example"})) == []
    assert data(eva.get("/sessions", params={"expiresIn": 0})) == []
    assert data(eva.get("/sessions", params={"pushToken": "x"})) == []


def test_updating_sessions_is_all_or_nothing_and_marks_them_open(as_user: LogIn) -> None:
    eva = as_user("eva")
    (mine,) = data(eva.get("/sessions/own"))
    body = {"ids": [mine["id"], "nothing"], "data": {"registered": "7"}}
    assert eva.post("/sessions/update", json=body).status_code == 404
    assert "registered" not in data(eva.get("/sessions/own"))[0]
    (changed,) = data(eva.post("/sessions/update", json={**body, "ids": [mine["id"]]}))
    assert (changed["registered"], changed["to"]) == ("7", -1)
    for bad in ({"registered": 7}, {"nothing": 1}, {"context": 3}, {"domain": 3}, {"from": "x"}):
        assert eva.post("/sessions/update", json={"ids": [mine["id"]], "data": bad}).status_code == 400, bad


def test_the_earlier_variant_has_its_own_names_for_sessions_and_tokens(serve: Serve) -> None:
    with log_in(serve(variant=Variant.EARLIER), "nobody") as nobody:
        token = data(grant(nobody, "eva"))["access_token"]
        refused = nobody.post("/sessions/start", json={"token": token, "provider": "elsewhere"})
        assert refused.status_code == 400
        login = data(nobody.post("/sessions/start", json={"token": token, "provider": "local"}))
        nobody.headers["Authorization"] = f"Bearer {login['access_token']}"
        listed = data(nobody.get("/oauth2/tokens", params={"username": "eva"}))
        assert (len(listed["accessTokens"]), listed["refreshTokens"]) == (1, [])


def test_tokens_are_listed_inspected_revoked_and_deleted(as_user: LogIn) -> None:
    nobody, ana, pat = as_user("nobody"), as_user("ana"), as_user("pat")
    pair = data(grant(nobody, "ana@desk.example"))
    listed = data(ana.get("/oauth2/tokens", params={"username": "ana"}))
    assert list(listed) == ["accessTokens"]
    assert all("token" not in each for each in listed["accessTokens"])
    info = data(pat.get("/oauth2/tokeninfo", params={"access_token": pair["access_token"]}))
    assert (info["user_id"], info["scope"], info["audience"]) == ("ana", "user", "console")
    assert pat.post("/oauth2/revoke", json={"token": pair["access_token"]}).status_code == 403
    assert data(ana.post("/oauth2/revoke", json={"token": pair["access_token"]}))["code"] == 200
    assert data(ana.post("/oauth2/revoke", json={"token": "never heard of"}))["code"] == 200
    assert pat.get("/oauth2/tokeninfo", params={"token": pair["access_token"]}).status_code == 400
    assert list(data(ana.delete("/oauth2/tokens", params={"username": "ana", "type_hint": "all"}))) == ["message"]
    assert data(ana.get("/oauth2/tokens", params={"username": "ana", "type_hint": "all"})) == {
        "accessTokens": [],
        "refreshTokens": [],
    }


def test_deleting_tokens_returns_the_number_of_listed_ones(as_user: LogIn) -> None:
    nobody, ana = as_user("nobody"), as_user("ana")
    # The login of `ana` has one token of each kind; a refreshed pair is invalid, as are revoked ones.
    pairs = [data(grant(nobody, "ana")) for _ in range(3)]
    data(_refreshed(nobody, pairs[0]["refresh_token"]))
    data(ana.post("/oauth2/revoke", json={"token": pairs[1]["access_token"]}))
    for hint in ("access_token", "all"):
        listed = data(ana.get("/oauth2/tokens", params={"username": "ana", "type_hint": hint}))
        count = sum(len(each) for each in listed.values())
        deleted = data(ana.delete("/oauth2/tokens", params={"username": "ana", "type_hint": hint}))
        assert deleted["message"] == f"{count} tokens deleted"
        assert count > 0


def test_a_bearer_token_alone_is_accepted(as_user: LogIn) -> None:
    nobody = as_user("nobody")
    token = data(grant(nobody, "pat"))["access_token"]
    answer = nobody.get("/users/current", headers={"Authorization": f"Bearer {token}"})
    assert data(answer)["user"]["id"] == "pat"


def test_invalid_credentials_are_no_login(as_user: LogIn) -> None:
    nobody = as_user("nobody")
    for header in ("", "Bearer", "Basic eva:demo", "Bearer " + "x" * 5000, "Bearer ünï"):
        headers = [(b"Authorization", header.encode("latin-1"))]
        assert nobody.get("/users/current", headers=headers).status_code == 401, header


def test_all_faults_of_a_request_are_reported_at_once(as_user: LogIn) -> None:
    short = as_user("nobody").get("/sessions/validate", params={"username": "an", "token": "x" * 32})
    assert {each["dataPath"] for each in short.json()["validationErrors"]} == {"username", "token"}
