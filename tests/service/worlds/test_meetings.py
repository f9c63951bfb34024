"""Meetings and missed calls over HTTP: visibility, notifications, and counts."""

from __future__ import annotations

from typing import Any

from console.records.meetings import Meeting
from console.service.domain.deliveries import KEPT_MS
from console.service.domain.meetings import MEETINGS, password_hash_of
from console.service.domain.missed_calls import MISSED_CALLS
from console.service.transports.message import Message
from tests.service.delivered import delivered
from tests.service.over_http import data
from tests.service.worlds.conftest import World


def _told(world: World, meeting: dict[str, Any]) -> tuple[Message, ...]:
    with world.platform.read() as tx:
        return delivered(world.platform, tx, meeting["id"])


def _plan(world: World, by: str = "ana", notify: str = "false", **more: Any) -> dict[str, Any]:
    asked = {"name": "Plan", "participants": [{"userId": "bob"}], **more}
    return data(world[by].post("/meetings", params={"notify": notify}, json=asked))


def test_a_meeting_is_visible_to_creator_participants_and_admins(world: World) -> None:
    asked = [{"email": "bob@desk.example"}, {"userId": "carla"}, {"email": "guest@else.example"}]
    made = _plan(world, participants=asked)
    assert [each["id"] for each in made["users"]] == ["bob", "carla"]
    for name, status in (("ana", 200), ("bob", 200), ("carla", 200), ("eva", 200), ("pat", 403), ("guest", 403)):
        assert world[name].get(f"/meetings/{made['id']}").status_code == status, name
        assert world[name].get(f"/meetings/rooms/{made['roomId']}").status_code == status, name


def test_meetings_can_be_filtered(world: World) -> None:
    end = world.clock.now_ms() + 1000
    made = _plan(world, language="pt", validUntil=end)

    def found(**params: Any) -> bool:
        return made["id"] in [each["id"] for each in data(world["ana"].get("/meetings", params=params))]

    assert found(name="Plan", language="pt", phone=made["phone"], validUntil=end + 1)
    assert not found(name="Pla")
    assert not found(language="es")
    assert not found(phone="+34")
    assert not found(validUntil=end)


def test_a_meeting_can_have_a_password_that_is_never_returned(world: World) -> None:
    made = _plan(world)
    assert made["isPasswordProtected"] is False
    url = f"/meetings/{made['id']}"
    answer = world["ana"].put(url, params={"sendInvites": True}, json={"password": "open sesame"})
    assert "sesame" not in answer.text
    assert data(answer)["isPasswordProtected"] is True
    assert data(answer)["name"] == "Plan"
    assert "password" not in data(world["bob"].get(url))
    assert all("sesame" not in str(each.content) for each in _told(world, made))
    kept = data(world["ana"].put(url, json={"name": "New plan"}))
    assert (kept["name"], kept["isPasswordProtected"]) == ("New plan", True)
    with world.platform.read() as tx:
        stored = password_hash_of(tx, made["id"])
    assert stored is not None
    assert stored.startswith("$argon2id$")
    assert data(world["ana"].put(url, json={"password": None}))["isPasswordProtected"] is False


def test_participants_are_notified_by_their_addresses_unless_disabled(world: World) -> None:
    assert _told(world, _plan(world)) == ()
    people = [{"userId": "bob", "locale": "pt-PT"}, {"phone": "+34600000009", "sendSMS": True}, {"phone": "+34600"}]
    made = _plan(world, notify="true", participants=people)
    told = {(each.kind, each.mechanism, each.recipient): each for each in _told(world, made)}
    assert set(told) == {
        ("meeting created", "user", "svc-user:ana"),
        ("meeting created", "email", "ana@desk.example"),
        ("meeting created", "user", "svc-user:bob"),
        ("meeting created", "email", "bob@desk.example"),
        ("meeting created", "sms", "+34600000009"),
    }
    bobs = told["meeting created", "user", "svc-user:bob"].content
    assert (bobs["locale"], bobs["name"], bobs["roomId"]) == ("pt-PT", "Plan", made["roomId"])
    assert data(world["ana"].delete(f"/meetings/{made['id']}", params={"notify": False})) == "OK"
    assert len(_told(world, made)) == len(told)


def test_notices_that_nobody_fetched_are_deleted(world: World) -> None:
    made = _plan(world, notify="true")
    world.pass_time(KEPT_MS / 1000 - 1)
    assert _told(world, made)
    world.pass_time(2)
    assert _told(world, made) == ()


def test_the_earlier_variant_requires_a_complete_meeting(earlier: World) -> None:
    made = _plan(earlier)
    whole = {"name": "Plan", "participants": [{"userId": "carla"}], "language": "es"}
    url = f"/meetings/{made['id']}"
    for name in whole:
        refused = earlier["ana"].put(url, json={key: value for key, value in whole.items() if key != name})
        assert refused.status_code == 400
        assert refused.json()["validationErrors"][0]["dataPath"] == name
    assert data(earlier["ana"].put(url, json=whole))["participants"][0]["userId"] == "carla"


def test_time_in_a_conference_is_counted(world: World) -> None:
    pat, now = world["pat"], world.clock.now_ms()

    def spent(**params: Any) -> int:
        return int(data(pat.get("/meetings/time-spent", params=params))["expendedTime"])

    before = spent()
    log = {"id": "mine", "participants": [{"address": "svc-user:pat", "createdAt": now}]}
    data(pat.put("/conferences", json={"conferenceLog": log}))
    world.clock.advance(90)
    assert spent(**{"from": now - 1}) == 90_000
    assert spent(**{"from": now}) == 0
    assert spent(to=now) <= before + 90_000
    data(pat.put("/conferences", json={"conferenceLog": {"id": "mine", "state": "finished"}}))
    world.clock.advance(90)
    assert spent(**{"from": now - 1, "to": now + 1}) == 90_000


def test_meetings_of_a_world_are_consistent_with_its_conferences(world: World) -> None:
    rooms = {each["roomId"] for each in data(world["eva"].get("/conferences"))}
    with world.platform.read() as tx:
        found: tuple[Meeting, ...] = MEETINGS.records(tx)
        protected = [each.id for each in found if each.is_password_protected]
        assert all(password_hash_of(tx, each) for each in protected)
    assert sum(1 for each in found if each.room_id in rooms) == len(found) // 2


# -- missed calls -------------------------------------------------------------------------------------------------


def _miss(world: World, source: str, user: str = "bob") -> str:
    asked = {"from": source, "meta": {"inviteId": "i", "conferenceLog": {"id": "c"}}}
    return str(data(world["eva"].post(f"/users/{user}/missed-calls", json=asked))["id"])


def test_missed_calls_are_marked_as_read_up_to_the_given_one(world: World) -> None:
    keys = [_miss(world, source) for source in ("svc-user:ana", "+34 910 00 00 01", "112")]
    others = _miss(world, "svc-user:bob", user="carla")
    bob = world["bob"]
    head = world.head()
    assert bob.post("/users/bob/missed-calls/read", json={"last": others}).status_code == 404
    assert world.head() == head
    said = data(bob.post("/users/bob/missed-calls/read", json={"last": keys[1]}))
    assert said["message"].endswith("missed calls marked as read")
    with world.platform.read() as tx:
        assert [MISSED_CALLS.need(tx, each).read for each in (*keys, others)] == [True, True, False, False]
    events = world.events("missed-calls", head)
    assert {each.key for each in events} >= set(keys[:2])
    assert {each.after["user"] for each in events} == {"bob"}
    head = world.head()
    data(bob.post("/users/bob/missed-calls/read", json={"last": keys[0]}))
    assert world.head() == head


def test_users_cannot_register_missed_calls_for_others(world: World) -> None:
    asked: dict[str, Any] = {"from": "+34910000001", "meta": {}}
    assert world["ana"].post("/users/bob/missed-calls", json=asked).status_code == 403
    refused = world["eva"].post("/users/nobody/missed-calls", json=asked)
    assert refused.status_code == 404
    assert refused.json().keys() == {"error", "validationErrors", "message"}
