"""SIP identities and mappings, the gateway's names, and addresses: the effects of operations on each other."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from console.service.domain import push
from tests.background import Running
from tests.service.over_http import LogIn, data


def _pool(eva: httpx.Client, *usernames: str, **more: str) -> None:
    for username in usernames:
        data(eva.post("/sip/identities", json={"username": username, "password": f"of {username}", **more}))


def _identities(client: httpx.Client, **query: Any) -> dict[str, dict[str, Any]]:
    return {each["username"]: each for each in data(client.get("/sip/identities", params=query))}


def _map(eva: httpx.Client, owner: str, username: str, password: str | None = None) -> httpx.Response:
    credential = {"username": username} | ({"password": password} if password else {})
    return eva.put("/sip/mapping", json={"ownerUri": owner, "credential": credential})


def _mapping(client: httpx.Client, owner: str) -> httpx.Response:
    return client.get("/sip/mapping", params={"ownerUri": owner})


def test_an_identity_is_available_unless_a_mapping_uses_it(as_user: LogIn) -> None:
    eva, bob = as_user("eva"), as_user("bob")
    _pool(eva, "7001", "7002")
    assert data(_map(eva, "svc-user:ana", "7001")) == {"username": "7001", "password": "of 7001"}
    assert set(_identities(bob, available="true")) == {"7002"}
    assert set(_identities(bob, available="false")) == {"7001"}
    data(_map(eva, "svc-user:ana", "7002"))
    assert set(_identities(bob, available="true")) == {"7001"}
    data(eva.delete("/sip/mapping", params={"ownerUri": "svc-user:ana"}))
    assert set(_identities(bob, available="true")) == {"7001", "7002"}
    assert _mapping(as_user("ana"), "svc-user:ana").status_code == 404


def test_an_identity_has_one_owner_and_cannot_be_deleted_while_mapped(as_user: LogIn) -> None:
    eva = as_user("eva")
    _pool(eva, "7001")
    data(_map(eva, "svc-group:night", "7001"))
    assert _map(eva, "svc-user:ana", "7001").status_code == 409
    identity = _identities(eva)["7001"]["id"]
    assert eva.delete(f"/sip/identities/{identity}").status_code == 409
    assert eva.put(f"/sip/identities/{identity}", json={"available": True}).status_code == 409
    assert eva.put(f"/sip/identities/{identity}", json={"username": "7009"}).status_code == 409
    data(eva.delete("/sip/mapping", params={"ownerUri": "svc-group:night"}))
    assert data(eva.delete(f"/sip/identities/{identity}")) == "Deleted"


def test_a_withheld_identity_cannot_be_mapped(as_user: LogIn) -> None:
    eva = as_user("eva")
    _pool(eva, "7001")
    data(eva.put(f"/sip/identities/{_identities(eva)['7001']['id']}", json={"available": False}))
    assert _map(eva, "svc-user:ana", "7001").status_code == 409


def test_pool_and_mapping_share_one_password(as_user: LogIn) -> None:
    eva, ana = as_user("eva"), as_user("ana")
    _pool(eva, "7001")
    data(_map(eva, "svc-user:ana", "7001", "given"))
    assert data(_mapping(ana, "svc-user:ana"))["password"] == "given"
    data(eva.put(f"/sip/identities/{_identities(eva)['7001']['id']}", json={"password": "changed"}))
    assert data(_mapping(ana, "svc-user:ana"))["password"] == "changed"


def test_a_mapping_outside_the_pool_keeps_its_own_password_and_joins_the_pool_with_its_name(as_user: LogIn) -> None:
    eva, ana = as_user("eva"), as_user("ana")
    data(_map(eva, "svc-user:ana", "9000", "own"))
    data(_map(eva, "svc-user:ana", "9000"))
    assert data(_mapping(ana, "svc-user:ana")) == {"username": "9000", "password": "own"}
    _pool(eva, "9000")
    assert _identities(eva)["9000"]["available"] is False
    assert data(_mapping(ana, "svc-user:ana")) == {"username": "9000", "password": "of 9000"}


def test_each_domain_has_its_own_pool(as_user: LogIn) -> None:
    eva, otto, ana = as_user("eva"), as_user("otto"), as_user("ana")
    _pool(eva, "7001", targetDomain="other.example")
    _pool(eva, "7001")
    assert [each["domain"] for each in data(eva.get("/sip/identities"))] == ["desk.example", "other.example"]
    theirs = _identities(otto)["7001"]
    assert theirs["domain"] == "other.example"
    assert ana.get(f"/sip/identities/{theirs['id']}").status_code == 404
    assert ana.get(f"/sip/identities/{theirs['id']}", params={"domain": "other.example"}).status_code == 403
    data(_map(eva, "svc-user:otto", "7001"))
    data(_map(eva, "svc-user:ana", "7001"))
    assert _identities(otto)["7001"]["available"] is False


def test_a_user_who_moves_to_another_domain_returns_the_identity_to_its_pool(as_user: LogIn) -> None:
    eva = as_user("eva")
    _pool(eva, "7001", "7002")
    data(_map(eva, "svc-user:ana", "7001"))
    data(_map(eva, "svc-group:night", "7002"))  # a group of hers
    data(eva.put("/users/ana", json={"email": "ana@new.example"}))
    assert set(_identities(eva, available="true")) == set()
    data(eva.put("/users/ana", json={"domain": "other.example"}))
    assert set(_identities(eva, available="true")) == {"7001", "7002"}
    assert _mapping(eva, "svc-user:ana").status_code == 404
    assert _mapping(eva, "svc-group:night").status_code == 404
    data(_map(eva, "svc-user:bob", "7001"))


def test_a_group_that_gets_an_owner_in_another_domain_returns_its_identity(as_user: LogIn) -> None:
    eva = as_user("eva")
    _pool(eva, "7001")
    data(_map(eva, "svc-group:night", "7001"))
    data(as_user("ana").put("/groups/night", json={"owner": {"id": "otto"}}))
    assert set(_identities(eva, available="true")) == {"7001"}


def test_a_user_who_moves_keeps_an_own_password_unless_the_name_is_taken_there(as_user: LogIn) -> None:
    eva = as_user("eva")
    data(_map(eva, "svc-user:ana", "8001", "hers"))
    data(_map(eva, "svc-user:bob", "8002", "his"))
    data(_map(eva, "svc-user:otto", "8002", "another"))
    data(eva.put("/users/ana", json={"domain": "other.example"}))
    assert data(_mapping(eva, "svc-user:ana")) == {"username": "8001", "password": "hers"}
    assert _map(eva, "svc-user:otto", "8001", "x").status_code == 409
    assert eva.put("/users/bob", json={"domain": "other.example"}).status_code == 409
    assert data(eva.get("/users/bob"))["domain"] == "desk.example"


def test_mapping_pages_continue_after_the_last_returned_mapping(as_user: LogIn) -> None:
    eva = as_user("eva")
    owners = ["svc-group:night", "svc-user:ana", "svc-user:bob", "svc-user:carla"]
    for number, owner in enumerate(owners):
        data(_map(eva, owner, f"900{number}", "x"))
    first = data(eva.get("/sip/mappings", params={"limit": "3"}))["mappings"]
    rest = data(eva.get("/sip/mappings", params={"limit": "3", "lastMatch": first[-1]["owner"]}))["mappings"]
    assert [each["owner"] for each in (*first, *rest)] == owners
    for query, found in (
        ({"ownerType": "group"}, owners[:1]),
        ({"ownerType": "user", "ownerId": "bob"}, ["svc-user:bob"]),
        ({"ownerUri": "svc-user:ana"}, ["svc-user:ana"]),
        ({"username": "9003"}, ["svc-user:carla"]),
        ({"username": "900"}, []),
        ({"username[partial]": "00"}, owners),
    ):
        page = data(eva.get("/sip/mappings/page", params=query))
        assert [each["owner"] for each in page["data"]] == found, query


def test_gateway_usernames_are_resolved_to_users_and_back(as_user: LogIn) -> None:
    eva, pat = as_user("eva"), as_user("pat")
    for owner, username in (("svc-user:carla", "9001"), ("svc-user:bob", "9002"), ("svc-user:otto", "9002")):
        data(_map(eva, owner, username, "x"))
    assert data(pat.post("/gateway/username", json={"id": "carla"})) == "9001"
    assert data(pat.post("/gateway/user", json={"value": "9002"})) == "bob"
    assert eva.post("/gateway/user", json={"value": "9002"}).status_code == 400
    assert data(eva.post("/gateway/user", json={"value": "9002", "username": "otto"})) == "otto"
    assert data(as_user("bob").get("/gateway/groups/night"))["gatewayUsernames"] == ["9002", "9001"]
    assert pat.post("/gateway/username", json={"id": "otto"}).status_code == 404


def test_an_address_resolves_in_each_of_its_formats_and_presence_follows(as_user: LogIn, service: Running) -> None:
    eva, pat = as_user("eva"), as_user("pat")
    data(_map(eva, "svc-user:bob", "9002", "x"))
    data(eva.put("/users/ana", json={"landLineNumber": "+34 91 (100) 200-3"}))
    for address, user in (
        ("svc-user:ana", "ana"),
        ("Ana@Desk.Example", "ana"),
        ("+34911002003", "ana"),
        ("0034 911 002 003", "ana"),
        ("tel:+34600000001", "ana"),
        ("9002", "bob"),
        ("sip:9002", "bob"),
    ):
        assert data(pat.post("/addresses/find", json={"addresses": address}))["id"] == user, address
    for nobody in ("ana", "otto@other.example", "svc-user:otto", "+34911002004", "*", "%"):
        assert pat.post("/addresses/find", json={"addresses": nobody}).status_code == 404, nobody
    assert data(pat.get("/addresses")) == {"resolved": [], "subscribed": []}
    lists = data(pat.post("/addresses", json=["9002", "nobody"]))
    assert ([each["id"] for each in lists["resolved"]], lists["subscribed"]) == (["bob"], ["svc-user:bob"])
    assert [each["address"] for each in data(pat.get("/presence"))] == ["svc-user:bob"]
    data(pat.post("/presence/subscriptions", json={"address": "svc-user:carla"}))
    lists = data(pat.get("/addresses"))
    assert lists["subscribed"] == ["svc-user:bob", "svc-user:carla"]
    lists = data(pat.put("/addresses", json={"resolved": ["svc-user:bob"], "subscribed": []}))
    assert ([each["id"] for each in lists["resolved"]], lists["subscribed"]) == (["bob"], [])
    assert data(pat.get("/presence")) == []


def test_a_session_is_found_by_push_token_and_by_gateway_username(as_user: LogIn) -> None:
    eva, ana = as_user("eva"), as_user("ana")
    data(_map(eva, "svc-user:ana", "9001", "x"))
    data(ana.post("/push/tokens", json={"deviceId": "phone", "tokenType": "fcm", "token": "of the phone"}))
    for query in ({"pushToken": "of the phone"}, {"signalingUser": "9001"}):
        assert {each["user"] for each in data(eva.get("/sessions", params=query))} == {"ana"}
    assert data(eva.get("/sessions", params={"pushToken": "another"})) == []


def test_a_device_with_a_new_owner_receives_only_the_pushes_of_the_new_owner(as_user: LogIn) -> None:
    eva, ana, bob = as_user("eva"), as_user("ana"), as_user("bob")
    token = {"deviceId": "phone", "tokenType": "fcm", "token": "of the phone"}
    data(ana.post("/push/tokens", json=token))
    data(bob.post("/push/tokens", json=token))
    push = {"tokenId": "of the phone", "notification": {"title": "Hello"}}
    assert ana.post("/push", json=push).status_code == 403
    assert data(bob.post("/push", json=push)) == "No Content"
    assert ana.post("/push/tokens/delete", json={"deviceId": "phone"}).status_code == 403
    data(eva.post("/push/tokens/delete", json={"deviceId": "phone"}))
    assert bob.post("/push", json=push).status_code == 404


def test_the_log_of_clients_keeps_the_newest_lines(
    as_user: LogIn, service: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(push, "MOST_LOG_LINES", 3)
    pat = as_user("pat")
    for number in range(5):
        data(pat.post("/log", json={"level": "info", "text": f"line {number}"}))
    with service.database.read() as tx:
        lines = tx.rows(sa.select(push.remote_log).order_by(push.remote_log.c.number))
    assert [line.text for line in lines] == ["line 2", "line 3", "line 4"]
