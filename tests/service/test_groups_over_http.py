"""Permissions on groups; a refusal changes nothing."""

from __future__ import annotations

import httpx

from console.service.domain.groups import GROUPS
from tests.background import Running
from tests.for_each import for_each
from tests.service.over_http import LogIn, data


def _night(service: Running) -> tuple[str, ...]:
    with service.database.read() as tx:
        return GROUPS.need(tx, "night").participants


@for_each("group_id", ["a/b", "ü ö", "..%2f", "night shift?x=1#y", "line\nend", "x" * 200])
def test_any_valid_id_can_be_used_in_a_path(as_user: LogIn, group_id: str) -> None:
    pat = as_user("pat")
    data(pat.post("/groups", json={"name": "Odd", "groupId": group_id}))
    path = httpx.URL(str(pat.base_url)).copy_with(raw_path=b"/core/groups/" + _quoted(group_id))
    assert data(pat.get(path))["groupId"] == group_id


def _quoted(text: str) -> bytes:
    return "".join(f"%{byte:02X}" for byte in text.encode()).encode()


def test_adding_a_guest_is_refused(as_user: LogIn, service: Running) -> None:
    ana = as_user("ana")
    guest = data(as_user("guest").get("/users/current"))["user"]["id"]
    assert ana.post("/groups/night/participants", json={"targetUserId": guest}).status_code == 400
    assert _night(service) == ("bob", "carla")


def test_a_member_can_leave_but_not_remove_others(as_user: LogIn, service: Running) -> None:
    assert data(as_user("bob").post("/groups/night/participants/remove", json={})) == "No Content"
    assert _night(service) == ("carla",)


def test_leaving_all_groups_is_for_the_user_or_an_admin(as_user: LogIn, service: Running) -> None:
    assert as_user("pat").post("/groups/leave", json={"targetUserId": "bob"}).status_code == 403
    assert _night(service) == ("bob", "carla")
    assert data(as_user("bob").post("/groups/leave", json={})) == "No Content"
    assert data(as_user("eva").post("/groups/leave", json={"targetUserId": "carla"})) == "No Content"
    assert _night(service) == ()


def test_groups_are_visible_to_owner_members_and_admins(as_user: LogIn) -> None:
    for name, seen in (("eva", True), ("ana", True), ("bob", True), ("pat", False), ("guest", False)):
        client = as_user(name)
        assert bool(data(client.get("/groups"))["groupList"]) is seen, name
        assert data(client.get("/groups/page"))["meta"]["page"]["total"] == int(seen), name
        assert client.get("/groups/night").status_code == (200 if seen else 403), name
    assert as_user("pat").get("/groups", params={"targetUserId": "ana"}).status_code == 403


def test_groups_are_filtered_by_participation(as_user: LogIn) -> None:
    eva, ana = as_user("eva"), as_user("ana")

    def ids(client: httpx.Client, **query: str) -> list[str]:
        return [each["groupId"] for each in data(client.get("/groups", params=query))["groupList"]]

    assert ids(ana, participating="true") == []
    assert ids(ana, participating="false") == ["night"]
    assert ids(eva, targetUserId="bob") == ["night"]
    assert ids(eva, targetUserId="bob", participating="false") == []
    assert ids(eva, targetUserId="pat") == []


def test_filters_of_the_paged_list(as_user: LogIn) -> None:
    eva = as_user("eva")
    for number in range(3):
        data(eva.post("/groups", json={"name": f"Group_{number}%", "groupId": f"g{number}"}))

    def ids(**query: str) -> list[str]:
        return [each["groupId"] for each in data(eva.get("/groups/page", params=query))["data"]]

    assert ids() == ["g0", "g1", "g2", "night"]
    assert ids(sort="-name") == ["night", "g2", "g1", "g0"]
    assert ids(**{"name[partial]": "p_1%"}) == ["g1"]
    assert ids(**{"groupId[partial]": "G"}) == ["g0", "g1", "g2", "night"]
    assert ids(groupId="g2") == ["g2"]
    assert ids(name="Night shift", ownerUser="ana", participantUser="bob") == ["night"]
    assert ids(ownerOrParticipantUser="carla") == ["night"]
