"""What follows when a group or a domain gets another name: everything that names it, in one transaction."""

from __future__ import annotations

from collections.abc import Callable

import httpx

from console.service.serve import Running
from tests.service.desk import data

LogIn = Callable[[str], httpx.Client]


def events_of(service: Running, topic: str, after: int) -> list[tuple[str, str]]:
    """Return what happened in a topic since an offset: the kind of each event and its key."""
    with service.database.read() as tx:
        found = service.database.events_after(tx, after, 10_000)
    return [(each.kind, each.key) for each in found if each.topic == topic]


def test_another_group_id_renames_the_group_and_its_mapping_follows(as_user: LogIn, service: Running) -> None:
    ana, eva = as_user("ana"), as_user("eva")
    credential = {"username": "night-desk", "password": "own secret"}
    data(eva.put("/sip/mapping", json={"ownerUri": "svc-group:night", "credential": credential}))
    before = data(ana.get("/groups/night"))
    head = service.database.head
    assert data(ana.put("/groups/night", json={"groupId": "late", "name": "Late shift"})) == "No Content"
    assert data(ana.get("/groups/late")) == {**before, "groupId": "late", "name": "Late shift"}
    assert ana.get("/groups/night").status_code == 404
    assert data(eva.get("/sip/mapping", params={"ownerUri": "svc-group:late"})) == credential
    assert eva.get("/sip/mapping", params={"ownerUri": "svc-group:night"}).status_code == 404
    assert events_of(service, "groups", head) == [("remove", "night"), ("upsert", "late")]
    assert events_of(service, "sip_mappings", head) == [("remove", "svc-group:night"), ("upsert", "svc-group:late")]


def test_a_renamed_group_keeps_its_identity_of_the_pool(as_user: LogIn) -> None:
    ana, eva = as_user("ana"), as_user("eva")
    data(eva.post("/sip/identities", json={"username": "pool-1", "password": "from the pool"}))
    data(eva.put("/sip/mapping", json={"ownerUri": "svc-group:night", "credential": {"username": "pool-1"}}))
    data(ana.put("/groups/night", json={"groupId": "late"}))
    mapping = data(eva.get("/sip/mapping", params={"ownerUri": "svc-group:late"}))
    assert mapping == {"username": "pool-1", "password": "from the pool"}
    data(eva.delete("/sip/mapping", params={"ownerUri": "svc-group:late"}))
    assert [each["available"] for each in data(eva.get("/sip/identities"))] == [True]


def test_a_group_id_that_is_taken_or_cannot_be_reached_is_refused(as_user: LogIn) -> None:
    ana = as_user("ana")
    data(ana.post("/groups", json={"name": "Day", "groupId": "day"}))
    for group_id, status in (("day", 409), ("page", 400), ("..", 400), ("", 400)):
        refused = ana.put("/groups/night", json={"groupId": group_id, "name": "Other"})
        assert refused.status_code == status, group_id
    assert data(ana.put("/groups/night", json={"groupId": "night"})) == "No Content"
    assert data(ana.get("/groups/night"))["name"] == "Night shift"
