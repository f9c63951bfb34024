"""Conferences over HTTP: the three lists, and storing a log with and without notifying users."""

from __future__ import annotations

from typing import Any

from tests.service.over_http import data
from tests.service.worlds.conftest import World


def _all(world: World) -> list[dict[str, Any]]:
    return data(world["eva"].get("/conferences"))


def test_the_list_can_be_filtered(busy: World) -> None:
    eva, found = busy["eva"], _all(busy)
    created = [each["createdAt"] for each in found]

    def keys(**params: Any) -> list[str]:
        return [each["id"] for each in data(eva.get("/conferences", params=params))]

    every = [each["id"] for each in found]
    assert keys(createdAt=created[3]) == every[4:]
    assert keys(createdAtBefore=created[3]) == every[4:]
    assert keys(createdAtSince=created[3]) == every[:4]
    assert keys(limit="5", lastItem=created[4]) == every[5:10]
    assert keys(state="active") == [each["id"] for each in found if each["state"] == "active"]
    assert keys(roomId=found[2]["roomId"]) == [every[2]]
    assert keys(sortBy="createdAt.asc") == every[::-1]


def test_pages_contain_every_conference_once(busy: World) -> None:
    eva, after = busy["eva"], None
    seen: list[str] = []
    while True:
        params = {"sort": "-createdAt", "page[size]": "7"} | ({"page[after]": after} if after else {})
        page = data(eva.get("/conferences/page", params=params))
        seen += [each["id"] for each in page["data"]]
        assert page["meta"]["page"]["total"] == 18
        after = page["meta"]["page"]["next"]
        if after is None:
            break
    assert seen == [each["id"] for each in _all(busy)]


def test_a_user_sees_their_own_conferences(busy: World) -> None:
    found = _all(busy)
    own = {each["id"] for each in data(busy["ana"].get("/conferences"))}
    for each in found:
        asked = {invite["to"] for invite in each["invites"]} | {invite["from"] for invite in each["invites"]}
        part = "svc-user:ana" in asked | {inside["address"] for inside in each["participants"]}
        assert part == (each["id"] in own)
        assert busy["ana"].get(f"/conferences/{each['id']}").status_code == (200 if part else 403)
    assert busy["eva"].get("/conferences/none").status_code == 404


def test_a_log_changes_the_given_fields_and_unknown_fields_stay(busy: World) -> None:
    before = next(each for each in _all(busy) if each["state"] == "active")
    head = busy.head()
    log = {"id": before["id"], "domains": ["a.example"], "mood": "good"}
    changed = data(busy["eva"].put("/conferences", json={"conferenceLog": log}))
    assert changed == before | {"domains": ["a.example"], "mood": "good"}
    assert [each.key for each in busy.events("conferences", head)] == [before["id"]]


def test_a_finished_conference_is_empty(busy: World) -> None:
    before = next(each for each in _all(busy) if each["state"] == "active")
    log = {"id": before["id"], "state": "finished"}
    changed = data(busy["eva"].put("/conferences", json={"conferenceLog": log}))
    assert changed["finishedAt"] == busy.clock.now_ms()
    assert all("finishedAt" in each for each in changed["participants"])
    assert all(each["state"] != "pending" for each in changed["invites"])


def test_a_new_log_is_stored_for_its_participants(busy: World) -> None:
    log = {"id": "new", "participants": [{"address": "svc-user:pat", "createdAt": 1}]}
    assert busy["ana"].put("/conferences", json={"conferenceLog": log}).status_code == 403
    made = data(busy["pat"].put("/conferences", json={"conferenceLog": log}))
    assert (made["state"], made["createdAt"]) == ("active", busy.clock.now_ms())
    assert data(busy["pat"].get("/conferences/new")) == made
