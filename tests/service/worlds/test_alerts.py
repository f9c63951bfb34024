"""Alerts and templates over HTTP, and the expiry of alerts."""

from __future__ import annotations

from typing import Any

from tests.service.over_http import data
from tests.service.worlds.conftest import World

TEMPLATE: dict[str, Any] = {
    "templateId": "fire",
    "title": "Fire",
    "payload": "Leave the building",
    "numberOfRetries": 2,
    "timeInMsBetweenRetries": 10_000,
    "timeToExpire": 30_000,
}


def _prepare(world: World, *receivers: str, **changes: Any) -> None:
    assert world["eva"].post("/alert-templates", json=TEMPLATE | changes).json() == "Created"
    if receivers:
        data(world["eva"].post("/alert-templates/fire/receivers", json={"userIds": list(receivers)}))


def _send(world: World, who: str, alert_id: str = "f-1") -> None:
    assert data(world[who].post("/alerts", json={"templateId": "fire", "alertId": alert_id})) == "OK"


def _find(world: World, who: str, alert_id: str = "f-1", **spans: int) -> tuple[str, dict[str, Any]] | None:
    for state, alerts in data(world[who].get("/alerts", params=spans)).items():
        for each in alerts:
            if each["alertId"] == alert_id:
                return state, each
    return None


def _alert(world: World) -> dict[str, Any]:
    found = _find(world, "eva", canceledSince=10**9)
    assert found is not None
    assert found[1]["state"] == found[0]
    return found[1]


def test_an_alert_is_visible_to_sender_receivers_and_admins(busy: World) -> None:
    _prepare(busy, "ana", "bob")
    head = busy.head()
    _send(busy, "pat")
    found = _find(busy, "ana")
    assert found is not None
    state, alert = found
    now = busy.clock.now_ms()
    assert state == "active"
    assert alert == {
        "alertId": "f-1",
        "from": "pat",
        "title": "Fire",
        "payload": "Leave the building",
        "createdAt": now,
        "state": "active",
        "retriesLeft": 2,
        "nextRetryAt": now + 10_000,
        "expiresAt": now + 50_000,
        "templateId": "fire",
    }
    assert _find(busy, "pat") == _find(busy, "eva") == found
    assert _find(busy, "carla") is None
    assert [each.key for each in busy.events("alerts", head)] == ["f-1"]


def test_retries_and_expiry_happen_on_time_and_are_announced(busy: World) -> None:
    _prepare(busy, "ana")
    _send(busy, "pat")
    began = busy.clock.now_ms()
    stands: list[tuple[int, int, int | None]] = []
    for _ in range(4):
        head = busy.head()
        busy.pass_time(10)
        alert = _alert(busy)
        announced = [each for each in busy.events("alerts", head) if each.key == "f-1"]
        due = alert.get("nextRetryAt")
        stands.append((alert["retriesLeft"], len(announced), None if due is None else due - began))
    assert stands == [(1, 1, 20_000), (0, 1, None), (0, 0, None), (0, 0, None)]
    assert _alert(busy)["state"] == "active"
    busy.pass_time(9.999)
    assert _alert(busy)["state"] == "active"
    busy.pass_time(0.001)
    expired = _alert(busy)
    assert expired["state"] == "expired"
    assert expired["resolvedAt"] == began + 50_000


def test_a_list_is_exact_before_the_expiry_was_stored(busy: World) -> None:
    _prepare(busy, "ana")
    _send(busy, "pat")
    busy.clock.advance(50)
    assert _alert(busy)["state"] == "expired"
    late = busy["ana"].post("/alerts/accept", json={"alertId": "f-1"})
    assert late.status_code == 409
    assert "expired" in late.json()["error"]


def test_an_alert_without_expiry_stays_active(busy: World) -> None:
    data(busy["eva"].post("/alert-templates", json={k: v for k, v in TEMPLATE.items() if k != "timeToExpire"}))
    data(busy["eva"].post("/alert-templates/fire/receivers", json={"userIds": ["ana"]}))
    _send(busy, "pat")
    for _ in range(3):
        busy.pass_time(3600)
    alert = _alert(busy)
    assert (alert["state"], alert["retriesLeft"], "expiresAt" in alert) == ("active", 0, False)


def test_the_first_acceptance_counts_and_the_second_gets_who_and_when(busy: World) -> None:
    _prepare(busy, "ana", "bob")
    _send(busy, "pat")
    busy.pass_time(5)
    assert data(busy["bob"].post("/alerts/accept", json={"alertId": "f-1"})) == "OK"
    accepted_at = busy.clock.now_ms()
    busy.pass_time(5)
    second = busy["ana"].post("/alerts/accept", json={"alertId": "f-1"})
    assert second.status_code == 409
    body = second.json()
    assert "Bob Whitaker" in body["error"]
    assert "2026-09-21" in body["error"]
    assert body["validationErrors"] == body["message"]
    alert = _alert(busy)
    assert (alert["state"], alert["acceptedBy"], alert["resolvedAt"]) == ("accepted", "bob", accepted_at)
    assert "nextRetryAt" not in alert
    busy.pass_time(100)
    assert _alert(busy) == alert


def test_a_cancelled_alert_can_neither_be_cancelled_again_nor_accepted(busy: World) -> None:
    _prepare(busy, "ana")
    _send(busy, "pat")
    data(busy["pat"].delete("/alerts/f-1"))
    assert _alert(busy)["state"] == "canceled"
    assert busy["pat"].delete("/alerts/f-1").status_code == 409
    assert busy["ana"].post("/alerts/accept", json={"alertId": "f-1"}).status_code == 409


def test_spans_select_recently_ended_alerts(busy: World) -> None:
    _prepare(busy, "ana")
    for key in ("f-1", "f-2", "f-3"):
        _send(busy, "pat", key)
    data(busy["ana"].post("/alerts/accept", json={"alertId": "f-1"}))
    data(busy["pat"].delete("/alerts/f-2"))
    busy.pass_time(100)
    for key, state, span in (("f-1", "accepted", "acceptedSince"), ("f-2", "canceled", "canceledSince")):
        assert (_find(busy, "pat", key, **{span: 100_000}) or [""])[0] == state
        assert _find(busy, "pat", key, **{span: 99_999}) is None
    assert (_find(busy, "pat", "f-3", expiredSince=50_000) or [""])[0] == "expired"
    assert _find(busy, "pat", "f-3", expiredSince=49_999) is None
    assert _find(busy, "pat", "f-2") is None
    assert _find(busy, "pat", "f-1") is not None
    assert busy["pat"].get("/alerts", params={"acceptedSince": -1}).status_code == 400


def test_an_alert_needs_a_template_with_receivers(busy: World) -> None:
    _prepare(busy)
    assert busy["pat"].post("/alerts", json={"templateId": "fire", "alertId": "f-1"}).status_code == 409
    assert _find(busy, "eva") is None


def test_a_notification_can_accept_or_dismiss_an_alert(busy: World) -> None:
    _prepare(busy, "ana", "bob")
    _send(busy, "pat")
    path = "/notifications/f-1/resolve"
    assert busy["carla"].post(path, json={"action": "accept"}).status_code == 404
    data(busy["ana"].post(path, json={"action": "dismiss"}))
    assert busy["ana"].post(path, json={"action": "accept"}).status_code == 404
    assert _alert(busy)["state"] == "active"
    busy.pass_time(10)
    data(busy["ana"].post(path, json={"action": "accept"}))
    assert _alert(busy)["acceptedBy"] == "ana"
    assert busy["bob"].post(path, json={"action": "accept"}).status_code == 404


# -- templates ------------------------------------------------------------------------------------------------


def _templates(world: World) -> dict[str, dict[str, Any]]:
    return {each["templateId"]: each for each in data(world["eva"].get("/alert-templates"))["alertTemplates"]}


def test_a_template_is_created_and_deleted(busy: World) -> None:
    _prepare(busy, "ana")
    assert _templates(busy)["fire"] == TEMPLATE
    data(busy["eva"].put("/alert-templates/fire", json={"title": "Flood", "numberOfRetries": 0}))
    assert _templates(busy)["fire"] == TEMPLATE | {"title": "Flood", "numberOfRetries": 0}
    _send(busy, "pat")
    assert busy["eva"].delete("/alert-templates/fire").json() == "Deleted"
    assert "fire" not in _templates(busy)
    assert _alert(busy)["title"] == "Flood"
    data(busy["ana"].post("/alerts/accept", json={"alertId": "f-1"}))
