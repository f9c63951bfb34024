"""Lists of meetings and presence contain the caller's own, and everybody's for admins on request."""

from __future__ import annotations

import httpx

from tests.service.over_http import LogIn, data


def _meetings(client: httpx.Client, **query: str) -> set[str]:
    return {each["name"] for each in data(client.get("/meetings", params=query))}


def test_all_meetings_include_own_ones_and_those_with_the_caller(as_user: LogIn) -> None:
    for name, guests in (("ana", ["bob", "eva"]), ("eva", ["bob"]), ("bob", []), ("pat", ["bob"])):
        participants = [{"userId": each} for each in guests]
        data(as_user(name).post("/meetings", json={"name": f"of {name}", "participants": participants}))
    eva, bob = as_user("eva"), as_user("bob")
    assert _meetings(eva) == {"of eva"}
    assert _meetings(eva, all="true") == {"of eva", "of ana"}
    assert _meetings(eva, allUsers="true") == {"of eva", "of ana", "of bob", "of pat"}
    assert _meetings(bob) == {"of bob"}
    assert _meetings(bob, all="true") == {"of eva", "of ana", "of bob", "of pat"}
    assert _meetings(as_user("carla"), all="true", allUsers="true") == set()


def _shown(client: httpx.Client, query: str = "") -> set[str]:
    return {each["address"].removeprefix("svc-user:") for each in data(client.get(f"/presence{query}"))}


def test_admins_also_list_only_followed_presence_unless_addresses_are_given(as_user: LogIn) -> None:
    eva, pat = as_user("eva"), as_user("pat")
    for name in ("ana", "bob", "carla", "eva"):
        data(as_user(name).put(f"/presence/svc-user:{name}", json={"online": True}))
    data(eva.post("/presence/subscriptions", json={"address": "svc-user:ana"}))
    data(pat.post("/presence/subscriptions", json={"address": "svc-user:bob"}))
    assert _shown(eva) == {"ana"}
    assert _shown(eva, "?addresses=svc-user:bob&addresses=svc-user:carla") == {"bob", "carla"}
    assert _shown(eva, "?allUsers=true") == {"ana", "bob", "carla", "eva"}
    assert _shown(pat) == {"bob"}
    assert _shown(pat, "?addresses=svc-user:ana") == {"bob"}
    assert _shown(pat, "?allUsers=true") == {"bob"}


def test_a_cached_list_of_one_admin_is_not_returned_to_another(as_user: LogIn) -> None:
    eva = as_user("eva")
    data(eva.put("/users/bob", json={"role": "admin"}))
    bob = as_user("bob")
    for follower, followed in ((eva, "ana"), (bob, "pat")):
        data(follower.post("/presence/subscriptions", json={"address": f"svc-user:{followed}"}))
    tag = eva.get("/presence").headers["etag"]
    assert eva.get("/presence", headers={"If-None-Match": tag}).status_code == 304
    answer = bob.get("/presence", headers={"If-None-Match": tag})
    assert [each["address"] for each in data(answer)] == ["svc-user:pat"]
