"""Call statistics are stored while they are collected, and the status summary requires an account."""

from __future__ import annotations

from typing import Any

import httpx

from tests.service.over_http import LogIn, data

BAD = [{"id": "1", "packetsReceived": 100, "packetsLost": 50}]


def _call(ana: httpx.Client) -> str:
    return str(data(ana.post("/calls", json={"calle": "svc-user:bob", "caller": "svc-user:ana"}))["id"])


def _send(client: httpx.Client, call: str, message: str) -> str:
    sent: dict[str, Any] = {"message": message, "payload": {"callid": call, "ssrc": BAD}}
    return str(data(client.post("/statistics", json=sent))["message"])


def test_statistics_of_a_call_are_not_stored_while_their_collection_is_off(as_user: LogIn) -> None:
    ana, eva = as_user("ana"), as_user("eva")
    call = _call(ana)
    assert _send(ana, call, "first") == "stored"
    data(eva.post("/statistics/enable", json={"callid": call, "enable": False}))
    assert _send(ana, call, "second").startswith("not stored")
    assert data(ana.get(f"/statistics/{call}"))["type"] == "first"
    assert len(data(eva.get("/alarms"))) == 1
    data(eva.post("/statistics/enable", json={"callid": call, "enable": True}))
    assert _send(ana, call, "third") == "stored"
    assert data(ana.get(f"/statistics/{call}"))["type"] == "third"
    assert len(data(eva.get("/alarms"))) == 2


def test_the_statistics_of_one_user_are_switched_separately(as_user: LogIn) -> None:
    ana, bob = as_user("ana"), as_user("bob")
    call = _call(ana)
    data(ana.post("/statistics/enable", json={"callid": call, "enable": False, "user": "svc-user:bob"}))
    assert _send(bob, call, "of bob").startswith("not stored")
    assert _send(ana, call, "of ana") == "stored"
    data(ana.post("/statistics/enable", json={"callid": call, "enable": False}))
    assert _send(ana, call, "of ana").startswith("not stored")
    data(ana.post("/statistics/enable", json={"callid": call, "enable": True, "user": "bob"}))
    assert _send(bob, call, "of bob") == "stored"
    assert _send(ana, call, "of ana").startswith("not stored")


def test_a_guest_cannot_read_the_health_of_the_service(as_user: LogIn) -> None:
    assert as_user("guest").get("/status").status_code == 403
    assert data(as_user("pat").get("/status"))["uptime"] >= 0
