"""Lists of users in both forms, the current user, capabilities, and cursors."""

from __future__ import annotations

from typing import Any

import httpx

from console.service.domain.domains import SERVICES
from tests.background import Running
from tests.for_each import for_each
from tests.service.over_http import LogIn, data


def _names(users: list[dict[str, Any]]) -> list[str]:
    return [each["username"] for each in users]


def test_a_user_sees_the_own_domain_and_an_admin_all_users(as_user: LogIn) -> None:
    assert _names(data(as_user("eva").get("/users"))) == ["eva", "ana", "bob", "carla", "pat", "otto"]
    assert _names(data(as_user("pat").get("/users"))) == ["eva", "ana", "bob", "carla", "pat"]
    assert _names(data(as_user("otto").get("/users/page"))["data"]) == ["otto"]
    guest = as_user("guest")
    assert len(data(guest.get("/users"))) == 1


def test_filters_of_the_unpaged_list(as_user: LogIn) -> None:
    eva = as_user("eva")
    everybody = data(eva.get("/users"))

    def names(**query: Any) -> list[str]:
        return _names(data(eva.get("/users", params=query)))

    assert names(limit=2) == ["eva", "ana"]
    assert names(sort_by="username.desc", limit=2) == ["pat", "otto"]
    assert names(last_item=everybody[1]["created"]) == ["bob", "carla", "pat", "otto"]
    assert names(sort_by="username.asc", last_match="carla") == ["eva", "otto", "pat"]
    assert names(sort_by="username.desc", last_match="carla") == ["bob", "ana"]
    assert names(createdAfter=everybody[0]["created"], createdBefore=everybody[2]["created"]) == ["ana"]
    assert names(loggedAfter=0) == ["eva"]
    assert names(capabilities=["+c2cagent"]) == ["bob", "carla"]
    assert names(username="pat", registered="true") == ["pat"]
    assert names(ids=["bob", "pat"]) == ["bob", "pat"]
    assert names(domain="other.example") == ["otto"]
    assert names(role=["admin"], email="eva@desk.example", alias="Eva A.") == ["eva"]
    assert eva.get("/users", params={"sort_by": "created"}).status_code == 400


def test_filters_and_sorting_of_the_paged_list(as_user: LogIn) -> None:
    eva = as_user("eva")

    def names(**query: Any) -> list[str]:
        return _names(data(eva.get("/users/page", params=query))["data"])

    assert names(sort="-username") == ["pat", "otto", "eva", "carla", "bob", "ana"]
    assert names(sort="lastLogin")[-1] == "eva"
    assert names(**{"username[partial]": "A", "domain[partial]": "desk"}) == ["eva", "ana", "carla", "pat"]
    assert names(mobilePhone="+34600000001") == ["ana"]
    assert names(**{"mobilePhone[partial]": "0000002"}) == ["bob"]
    assert names(**{"mobilePhone[partial]": "%"}) == []
    assert names(id=["ana", "bob"], role="user", email="bob@desk.example") == ["bob"]
    assert names(**{"lastLogin[gt]": 0}) == ["eva"]
    assert names(capabilities="+c2cagent", alias="Bob C.") == ["bob"]


@for_each("sort", ["created", "-created", "alias", "-role", "domain", "-lastLogin", "username"])
def test_pages_contain_every_user_once_and_lead_back(as_user: LogIn, sort: str) -> None:
    eva = as_user("eva")
    whole = [each["id"] for each in data(eva.get("/users/page", params={"sort": sort}))["data"]]
    seen: list[str] = []
    query: dict[str, Any] = {"sort": sort, "page[size]": 2}
    positions: list[dict[str, Any]] = []
    while True:
        page = data(eva.get("/users/page", params=query))
        seen += [each["id"] for each in page["data"]]
        positions.append(page["meta"]["page"])
        assert positions[-1]["total"] == 6
        assert positions[-1]["maxSize"] == 500
        if positions[-1]["next"] is None:
            break
        query["page[after]"] = positions[-1]["next"]
    assert seen == whole
    assert positions[0]["previous"] is None
    back = data(eva.get("/users/page", params={**query, "page[after]": positions[-1]["previous"]}))
    assert [each["id"] for each in back["data"]] == whole[2:4]
    first = data(eva.get("/users/page", params={**query, "page[after]": back["meta"]["page"]["previous"]}))
    assert [each["id"] for each in first["data"]] == whole[:2]
    assert first["meta"]["page"]["previous"] is None


def test_a_cursor_is_valid_only_unchanged_and_for_its_list_caller_and_filters(as_user: LogIn) -> None:
    eva, pat = as_user("eva"), as_user("pat")
    cursor = data(eva.get("/users/page", params={"page[size]": 2}))["meta"]["page"]["next"]

    def tried(client: httpx.Client, after: str, path: str = "/users/page", **query: Any) -> httpx.Response:
        return client.get(path, params={"page[size]": 3, "page[after]": after, **query})

    assert tried(eva, cursor).status_code == 200
    changed = ("A" if cursor[0] != "A" else "B") + cursor[1:]
    refusals = [
        tried(pat, cursor),
        tried(eva, cursor, sort="username"),
        tried(eva, cursor, role="user"),
        tried(eva, cursor, path="/groups/page"),
        tried(eva, cursor + "="),
        tried(eva, changed),
        tried(eva, "ünï"),
        tried(eva, "x"),
    ]
    assert {each.status_code for each in refusals} == {400}
    assert len({each.text for each in refusals}) == 1


def test_sizes_above_the_maximum_become_the_maximum(as_user: LogIn) -> None:
    eva = as_user("eva")
    assert len(data(eva.get("/users/page", params={"page[size]": 100_000}))["data"]) == 6
    assert eva.get("/users/page", params={"page[size]": 0}).status_code == 400


def test_capabilities_of_the_own_domain_and_for_an_admin_of_any(as_user: LogIn) -> None:
    bob = data(as_user("bob").get("/capabilities"))
    assert "presence" in bob["domain"]
    assert bob["user"] == ["+c2cagent"]
    assert data(as_user("eva").get("/capabilities", params={"domain": "other.example"}))["domain"] == ["chat", "login"]
    assert as_user("bob").get("/capabilities", params={"domain": "other.example"}).status_code == 403
    assert as_user("eva").get("/capabilities", params={"domain": "nowhere"}).status_code == 404
    assert data(as_user("guest").get("/capabilities")) == {"domain": [*SERVICES], "user": []}


def test_lists_contain_their_offset_in_the_event_stream(as_user: LogIn, service: Running) -> None:
    eva = as_user("eva")
    before = eva.get("/groups")
    changed = eva.post("/groups", json={"name": "New"})
    after = eva.get("/groups")
    assert before.headers["Event-Epoch"] == service.database.epoch
    assert int(after.headers["Event-Offset"]) == int(before.headers["Event-Offset"]) + 1
    assert changed.headers["Event-Offset"] == after.headers["Event-Offset"]


def test_followed_users_stay_on_the_list_even_if_they_can_no_longer_be_found(as_user: LogIn) -> None:
    pat, eva = as_user("pat"), as_user("eva")
    data(pat.post("/presence/subscriptions/several", json=["svc-user:bob", "svc-user:carla"]))
    data(eva.put("/users/bob", json={"domain": "other.example"}))
    changed = pat.put("/addresses", json={"resolved": [], "subscribed": ["svc-user:bob"]})
    assert data(changed)["subscribed"] == ["svc-user:bob"]
    assert data(pat.put("/addresses", json={"resolved": [], "subscribed": []}))["subscribed"] == []
    again = pat.put("/addresses", json={"resolved": [], "subscribed": ["svc-user:bob"]})
    assert again.status_code == 400, "whom one does not follow must be found"


@for_each("path", ["/users", "/users/page"])
def test_a_filter_takes_as_many_values_as_are_allowed(as_user: LogIn, path: str) -> None:
    eva = as_user("eva")
    # The longest address has room for a thousand values of two characters.
    many = [f"{chr(97 + number % 26)}{chr(48 + number // 26)}" for number in range(1000)]
    for values, names in ((many, []), (["+c2cagent"] * 300, ["bob", "carla"]), (["+c2cagent", "x"], [])):
        answer = eva.get(path, params=[("capabilities", each) for each in values])
        assert answer.status_code == 200, answer.text
        users = data(answer)
        assert _names(users["data"] if path == "/users/page" else users) == names
