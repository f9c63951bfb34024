"""Presence over HTTP: following, listing, publishing."""

from __future__ import annotations

from console.service.domain.agents import AGENTS
from tests.service.over_http import data
from tests.service.worlds.conftest import World


def _addresses(world: World, name: str, **params: str | list[str]) -> set[str]:
    return {each["address"] for each in data(world[name].get("/presence", params=params))}


def test_following_adds_presence_to_the_list_all_or_none(busy: World) -> None:
    new = sorted(_addresses(busy, "eva", allUsers="true") - _addresses(busy, "pat"))[:2]
    before = _addresses(busy, "pat")
    pat = busy["pat"]
    assert pat.post("/presence/subscriptions/several", json=[new[0], "svc-user:nobody"]).status_code == 404
    assert _addresses(busy, "pat") == before
    assert data(pat.post("/presence/subscriptions", json={"address": new[0]}))["address"] == new[0]
    found = data(pat.post("/presence/subscriptions/several", json=new))
    assert [each["address"] for each in found] == new
    assert _addresses(busy, "pat") == before | set(new)
    assert pat.post("/presence/subscriptions", json={"address": ""}).status_code == 400
    assert data(pat.post("/presence/subscriptions/several", json=[])) == []


def test_presence_is_read_by_address_and_in_the_later_variant_by_user_name(busy: World, earlier: World) -> None:
    found = data(busy["pat"].get("/presence/svc-user:ana"))
    assert (found["username"], found["domain"], found["role"]) == ("ana", "desk.example", "user")
    assert data(busy["pat"].get("/presence/ana@desk.example")) == found
    assert busy["pat"].get("/presence/svc-user:nobody").status_code == 404
    assert earlier["pat"].get("/presence/ana@desk.example").status_code == 404
    assert "username" not in data(earlier["eva"].get("/presence"))[0]


def test_setting_own_presence_also_changes_the_agent(busy: World) -> None:
    head = busy.head()
    shown = data(busy["ana"].put("/presence/svc-user:ana", json={"activity": "dnd", "note": "In a meeting"}))
    assert (shown["activity"], shown["note"], shown["online"]) == ("dnd", "In a meeting", True)
    assert {each.key for each in busy.events("presence", head)} == {"svc-user:ana"}
    with busy.platform.read() as tx:
        assert AGENTS.need(tx, "ana").activity == "dnd"
    gone = data(busy["ana"].put("/presence/svc-user:ana", json={"online": False}))
    assert (gone["activity"], gone["online"]) == ("offline", False)
    back = data(busy["ana"].put("/presence/svc-user:ana", json={"online": True}))
    assert (back["activity"], back["online"]) == ("available", True)


def test_an_avatar_can_be_replaced_but_not_removed(busy: World) -> None:
    ana = busy["ana"]
    data(ana.put("/presence/svc-user:ana", json={"avatar": "AAAA"}))
    for nothing in ("", None):
        data(ana.put("/presence/svc-user:ana", json={"avatar": nothing, "mood": "fine"}))
    shown = data(ana.get("/presence/svc-user:ana"))
    assert (shown["avatar"], shown["mood"]) == ("AAAA", "fine")
    listed = {each["address"]: each for each in data(ana.get("/presence"))}
    assert listed["svc-user:ana"]["avatar"] == "AAAA"
    bare = data(ana.get("/presence", params={"withoutAvatar": "true"}))
    assert all("avatar" not in each for each in bare)
    assert len(bare) == len(listed)
