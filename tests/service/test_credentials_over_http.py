"""Credentials, and the settings that programs store for users."""

from __future__ import annotations

import secrets
from typing import Any

import httpx

from tests.service.over_http import DOMAIN, LogIn, data

SECRET = "hush, this is secret"


def _credential(type: str, **values: Any) -> dict[str, Any]:
    return {"source": "desk", "type": type, "domain": DOMAIN, "lease": 0, "data": {}, **values}


def test_credentials_are_found_by_id_type_user_and_data(as_user: LogIn) -> None:
    eva, ana = as_user("eva"), as_user("ana")
    made = data(ana.post("/credentials", json=_credential("ims", data={"username": "1001"})))
    short = made["id"].partition("@")[0]

    def found(client: httpx.Client, **query: str) -> list[str]:
        return [each["id"] for each in data(client.get("/credentials", params=query))]

    assert found(ana, id=made["id"]) == found(ana, id=short) == found(ana, type="ims") == [made["id"]]
    assert found(ana, data="1001") == found(eva, user="ana", data="1001") == [made["id"]]
    assert found(ana, data="100") == found(eva, data="1001") == found(eva, user="nobody") == []
    assert ana.get("/credentials", params={"user": "eva"}).status_code == 403


def test_a_token_credential_starts_sessions_until_it_is_deleted(as_user: LogIn) -> None:
    ana, nobody = as_user("ana"), as_user("nobody")
    token = secrets.token_urlsafe(32)
    made = data(ana.post("/credentials", json=_credential("token", data={"token": token})))
    login = data(nobody.post("/sessions/start", json={"token": token}))
    assert login["session"]["user"] == "ana"
    assert as_user("bob").post("/credentials", json=_credential("token", data={"token": token})).status_code == 409
    changed = {"data": {"token": secrets.token_urlsafe(32)}}
    data(ana.put(f"/credentials/{made['id'].partition('@')[0]}", json=changed))
    assert nobody.post("/sessions/start", json={"token": token}).status_code == 401
    assert nobody.get("/users/current", headers={"Authorization": f"Bearer {token}"}).status_code == 401


def test_an_admin_transfers_a_credential_to_another_user(as_user: LogIn) -> None:
    eva, ana, bob = as_user("eva"), as_user("ana"), as_user("bob")
    made = data(ana.post("/credentials", json=_credential("ims", data={"username": "1001", "password": SECRET})))
    short = made["id"].partition("@")[0]
    assert ana.put(f"/credentials/{short}", json={"user": "bob"}).status_code == 403
    moved = data(eva.put(f"/credentials/{short}", json={"user": "bob", "source": "pbx"}))
    assert (moved["id"], moved["user"]) == (f"{short}@pbx", "bob")
    assert ana.get(f"/credentials/{short}").status_code == 403
    assert data(bob.get(f"/credentials/{short}"))["data"] == {"username": "1001"}
    assert eva.get(f"/credentials/{made['id']}").status_code == 404
    assert eva.put(f"/credentials/{short}", json={"user": "nobody"}).status_code == 400


def test_sessions_are_found_by_the_gateway_username(as_user: LogIn) -> None:
    eva, ana = as_user("eva"), as_user("ana")
    (mine,) = data(ana.get("/sessions/own"))
    assert data(eva.get("/sessions", params={"signalingUser": "1001"})) == []
    data(ana.post("/credentials", json=_credential("svc-ims", data={"username": "1001"})))
    assert [each["id"] for each in data(eva.get("/sessions", params={"signalingUser": "1001"}))] == [mine["id"]]
    assert [each["id"] for each in data(ana.get("/sessions/own", params={"signalingUser": "1001"}))] == [mine["id"]]
    assert data(ana.get("/sessions/own", params={"signalingUser": "1002"})) == []


# -- settings ---------------------------------------------------------------------------------------------------------


def test_settings_are_separate_by_user_and_source(as_user: LogIn) -> None:
    ana, bob, eva = as_user("ana"), as_user("bob"), as_user("eva")
    web = data(ana.post("/settings", json={"source": "web", "key": "theme", "value": "dark"}))
    data(ana.post("/settings", json={"source": "mobile", "key": "theme", "value": "light"}))
    data(bob.post("/settings", json={"source": "web", "key": "theme", "value": "blue"}))
    assert ana.post("/settings", json={"source": "web", "key": "theme", "value": "x"}).status_code == 409
    assert [each["value"] for each in data(ana.get("/settings"))] == ["light", "dark"]
    assert ana.put(f"/settings/{web['id']}", json={"source": "mobile"}).status_code == 409
    moved = data(ana.put(f"/settings/{web['id']}", json={"source": "tv", "value": "black"}))
    assert moved["id"] == web["id"].replace("@web", "@tv")
    assert ana.get(f"/settings/{web['id']}").status_code == 404
    assert data(eva.get(f"/settings/{moved['id']}"))["value"] == "black"
    assert bob.get(f"/settings/{moved['id']}").status_code == 403
    assert data(ana.post("/settings", json={"key": "plain"}))["source"] == "user"
