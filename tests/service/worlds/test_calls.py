"""Calls over HTTP: lists, permissions, and effects of changes."""

from __future__ import annotations

from typing import Any

from console.service.domain.agents import AGENTS
from console.service.domain.calls import CALLS
from console.service.domain.presence import activity_of
from tests.service.over_http import data
from tests.service.worlds.conftest import World


def _one(world: World, state: str, **more: Any) -> dict[str, Any]:
    found = data(world["eva"].get("/calls"))
    return next(each for each in found if each["state"] == state and all(each.get(k) == v for k, v in more.items()))


def test_an_admin_sees_all_calls_newest_first_and_a_user_the_own_ones(busy: World) -> None:
    found = data(busy["eva"].get("/calls"))
    assert len(found) == 120
    assert [each["date"] for each in found] == sorted((each["date"] for each in found), reverse=True)
    for call in data(busy["ana"].get("/calls")):
        assert "svc-user:ana" in {call.get("caller"), call.get("calle")} or "ana" in call["users"]
    assert data(busy["pat"].get("/calls")) != found


def test_calls_are_filtered_sorted_and_limited(busy: World) -> None:
    eva = busy["eva"]
    queued = _one(busy, "queued")
    same = data(eva.get("/calls", params={"target": queued["target"], "queueposition": 1}))
    assert [(each["target"], each["queueposition"]) for each in same] == [(queued["target"], 1)]
    assert data(eva.get("/calls", params={"caller": queued["caller"]}))[0]["id"] == queued["id"]
    callee = {each["calle"] for each in data(eva.get("/calls", params={"callee": queued["calle"]}))}
    assert callee == {queued["calle"]}
    dates = [each["date"] for each in data(eva.get("/calls"))]
    between = data(eva.get("/calls", params={"after": dates[20], "before": dates[10]}))
    assert [each["date"] for each in between] == dates[11:20]
    callers = [each["caller"] for each in data(eva.get("/calls", params={"sortBy": "caller", "limit": 7}))]
    assert len(callers) == 7
    assert callers == sorted(callers, reverse=True)


def test_a_rejected_call_leaves_its_queue_and_the_others_move_up(busy: World) -> None:
    queues: dict[str, list[dict[str, Any]]] = {}
    for each in data(busy["eva"].get("/calls")):
        if each["state"] == "queued":
            queues.setdefault(each["target"], []).append(each)
    queue, calls = max(queues.items(), key=lambda item: len(item[1]))
    first = next(each for each in calls if each["queueposition"] == 1)
    changed = data(busy["eva"].put(f"/calls/{first['id']}", json={"state": "rejected"}))
    assert changed["state"] == "rejected"
    assert changed["to"] == busy.clock.now_ms()
    assert "queueposition" not in changed
    left = data(busy["eva"].get("/calls", params={"target": queue}))
    places = sorted(each["queueposition"] for each in left if each["state"] == "queued")
    assert places == list(range(1, len(calls)))


def test_an_update_changes_only_the_given_fields(busy: World) -> None:
    call = _one(busy, "connected")
    changes = {"caller": "+34911111111", "context": {"skill": "sales"}, "queueposition": 4, "anonymousSessionId": "x"}
    changed = data(busy["eva"].put(f"/calls/{call['id']}", json=changes))
    assert changed == call | changes
    assert data(busy["eva"].get(f"/calls/{call['id']}")) == changed


def test_an_ended_call_frees_the_agent_and_stops_its_recording(busy: World) -> None:
    with busy.platform.read() as tx:
        agent = next(each for each in AGENTS.records(tx) if each.channels.voice)
    call_id = agent.channels.voice[0].conference_id or ""
    data(busy["eva"].post(f"/calls/{call_id}/recording/start", json={"filename": "a.wav"}))
    ended = data(busy["eva"].put(f"/calls/{call_id}", json={"state": "ended"}))
    assert ended["data"]["recording"]["active"] is False
    with busy.platform.read() as tx:
        after = AGENTS.need(tx, agent.id)
        assert after.channels.voice == ()
        assert after.activity == activity_of(tx, agent.id) == "available"


def test_a_recording_starts_once_and_stops_once(busy: World) -> None:
    eva, call = busy["eva"], _one(busy, "connected")
    head = busy.head()
    path = f"/calls/{call['id']}/recording"
    started = data(eva.post(f"{path}/start", json={"filename": "one.wav", "source": "mixer"}))
    assert started == {"code": 200, "message": "recording started"}
    recording = data(eva.get(f"/calls/{call['id']}"))["data"]["recording"]
    assert recording == {
        "active": True,
        "filename": "one.wav",
        "startedAt": busy.clock.now_ms(),
        "startedBy": "eva",
        "source": "mixer",
    }
    again = eva.post(f"{path}/start", json={"filename": "two.wav"})
    assert (again.status_code, again.json()["code"]) == (409, 409)
    assert "one.wav" in again.json()["message"]
    data(eva.post(f"{path}/stop", json={}))
    assert eva.post(f"{path}/stop", json={}).status_code == 409
    assert len(busy.events("calls", head)) == 2


def test_an_ended_call_cannot_be_recorded(busy: World) -> None:
    call = _one(busy, "ended")
    answer = busy["eva"].post(f"/calls/{call['id']}/recording/start", json={"filename": "late.wav"})
    assert answer.status_code == 409
    assert "has ended" in answer.json()["message"]


def test_bad_counters_raise_an_alarm_that_admins_see(busy: World) -> None:
    eva, call = busy["eva"], _one(busy, "connected")
    before = {each["id"] for each in data(eva.get("/alarms"))}
    payload = {"callid": call["id"], "ssrc": [{"id": "1", "packetsReceived": 80, "packetsLost": 20}]}
    data(eva.post("/statistics", json={"message": "call-brief", "payload": payload}))
    alarm = next(each for each in data(eva.get("/alarms")) if each["id"] not in before)
    assert alarm["payload"]["callid"] == call["id"]
    assert alarm["payload"]["value"]["ssrc"][0]["packetesReceived"] == 80
    assert alarm["urgency"] == "critical"
    assert data(eva.get(f"/alarms/{alarm['id']}")) == alarm
    assert busy["ana"].get("/alarms").status_code == 403
    assert eva.get("/alarms/none").status_code == 404


def test_the_status_counts_calls_by_their_start(busy: World) -> None:
    first = data(busy["eva"].get("/status"))
    assert first["calls"]["all"] == 120
    assert first["calls"]["sinceReboot"] == 0
    assert first["calls"]["last15"] <= first["calls"]["last30"] <= first["calls"]["last60"] <= 120
    data(busy["pat"].post("/calls", json={"calle": "+34910000000"}))
    busy.clock.advance(61)
    second = data(busy["eva"].get("/status"))
    assert second["calls"]["sinceReboot"] == 1
    assert second["calls"]["all"] == 121
    assert second["uptime"] == first["uptime"] + 61
    with busy.platform.read() as tx:
        assert len(second["activeCalls"]) == CALLS.count(tx, CALLS.c.state.in_(("ringing", "queued", "connected")))
    assert second["memoryUsage"]["rss"] > 10_000_000
    assert 0 < second["memoryUsage"]["heapUsed"] <= second["memoryUsage"]["rss"]
    online = {each["id"] for each in data(busy["eva"].get("/presence?allUsers=true")) if each["online"]}
    assert set(second["activeUsers"]) == online
