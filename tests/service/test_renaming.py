"""Renaming of groups and domains: all references change, in one transaction."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, cast

import sqlalchemy as sa

from console.records.domains import DirectoryCredentials
from console.service.auth.caller import Caller
from console.service.auth.passwords import Cost
from console.service.domain import agents, directories, domains, logouts, provisioning
from console.service.domain.people import USERS
from console.service.platform import Platform, ServiceSettings
from console.service.scenarios.fill import fill
from console.service.store.outbox import metadata
from tests.background import Running
from tests.service.over_http import LogIn, data, grant, token_of


def events_of(service: Running, topic: str, after: int) -> list[tuple[str, str]]:
    """Return the events of a topic since an offset: kind and key."""
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


def test_a_group_id_that_is_taken_or_cannot_be_used_in_a_path_is_refused(as_user: LogIn) -> None:
    ana = as_user("ana")
    data(ana.post("/groups", json={"name": "Day", "groupId": "day"}))
    for group_id, status in (("day", 409), ("page", 400), ("..", 400), ("", 400)):
        refused = ana.put("/groups/night", json={"groupId": group_id, "name": "Other"})
        assert refused.status_code == status, group_id
    assert data(ana.put("/groups/night", json={"groupId": "night"})) == "No Content"
    assert data(ana.get("/groups/night"))["name"] == "Night shift"


# -- domains ----------------------------------------------------------------------------------------------------------

FORMER, NAME = "desk.example", "new.example"
HISTORY = {"outbox", "idempotency", "deliveries"}
"""Tables with historical data, which keep the old names."""


def test_all_references_to_a_domain_change_when_it_is_renamed() -> None:
    platform = Platform(settings=ServiceSettings(password_cost=Cost.cheap(), remote_sip=True))
    fill(platform, "busy")
    _furnish(platform)
    assert {place.partition(" ")[0] for place in _naming(platform, FORMER)} >= {
        *("users", "sessions", "groups", "presence", "meetings", "chats", "credentials", "domains", "permissions"),
        *("contacts", "static_contacts", "sip_identities", "sip_mappings", "directory_credentials", "remote_sip"),
        *("recordings", "conferences", "alarms", "statistics", "missed_calls", "domain_logouts", "ended_sessions"),
    }
    before = _counts(platform)
    head = platform.database.head
    provisioning.update_domain(platform, FORMER, {"domain": NAME})
    assert list(_naming(platform, FORMER)) == []
    with platform.read() as tx:
        events = platform.database.events_after(tx, head, 100_000)
        assert directories.need(platform, tx, NAME).client_secret == "cloud secret"
        assert domains.is_at_root(tx, NAME)
        assert USERS.need(tx, "eva").domain == NAME
    assert _counts(platform) == before
    assert {each.topic for each in events} >= {"users", "sessions", "groups", "presence", "sip_identities"}
    platform.close()


def _counts(platform: Platform) -> dict[str, int]:
    with platform.read() as tx:
        return {
            table.name: int(tx.value(sa.select(sa.func.count()).select_from(table)))
            for table in metadata.sorted_tables
            if table.name != "outbox"
        }


def _furnish(platform: Platform) -> None:
    """Add records that refer to a domain and that the scenario lacks."""
    secret = DirectoryCredentials(domain=FORMER, client_id="c", client_secret="cloud secret", domain_tenant_id="t")
    directories.create(platform, secret)
    provisioning.update_domain(platform, FORMER, {"remote_sip_register": True})
    with platform.write() as tx:
        eva = Caller(USERS.need(tx, "eva"))
        tx.run(
            sa.text("UPDATE missed_calls SET body = json_set(body, '$.meta.conferenceLog.domains', json_array(:name))"),
            {"name": FORMER},
        )
        statistic = json.dumps({"domain": FORMER, "user": "ana"})
        tx.run(sa.text("INSERT INTO statistics (call, at, body) VALUES ('c1', 1, :body)"), {"body": statistic})
        tx.run(sa.text("INSERT OR IGNORE INTO permissions VALUES (:of, '{}')"), {"of": f"domain {FORMER}"})
    agents.set_agents(platform, ["pat"])
    logouts.log_out_domain(platform, eva, FORMER)


def _naming(platform: Platform, name: str) -> Iterator[str]:
    """Find all values in the database that are a domain's name, in a column or inside a JSON text."""
    with platform.read() as tx:
        for table in metadata.sorted_tables:
            if table.name in HISTORY:
                continue
            for row in tx.rows(sa.select(table)):
                for column, value in row._mapping.items():  # pyright: ignore[reportPrivateUsage] - public by its documentation
                    if name in _texts(value) or value == f"domain {name}":
                        yield f"{table.name} {column}: {value}"


def _texts(value: Any) -> set[str]:
    """Return the texts in a value, including those in JSON."""
    if isinstance(value, str):
        try:
            inner = json.loads(value) if value[:1] in "[{" and value else None
        except ValueError:
            inner = None
        return {value} | (_texts(inner) if inner is not None else set())
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        return set[str]().union(*(_texts(each) for name, each in members.items() if name != "data"))
    if isinstance(value, list):
        return set[str]().union(*(_texts(each) for each in cast("list[Any]", value)))
    return set()


def test_people_log_in_under_the_new_name_and_stay_logged_in_under_the_old(as_user: LogIn, service: Running) -> None:
    eva, ana, otto = as_user("eva"), as_user("ana"), as_user("otto")
    renamed = data(eva.put(f"/domains/{FORMER}", json={"domain": NAME, "enableAnonymous": True}))
    assert (renamed["id"], renamed["domain"], renamed["enableAnonymous"]) == (NAME, NAME, True)
    assert eva.get(f"/domains/{FORMER}").status_code == 404
    assert {each["domain"]: each.get("parent") for each in data(eva.get("/domains"))} == {
        NAME: None,
        "other.example": NAME,
    }
    assert data(ana.get("/users/current"))["user"]["domain"] == NAME
    assert {each["domain"] for each in data(ana.get("/users"))} == {NAME}
    assert data(otto.get("/users/current"))["user"]["domain"] == "other.example"
    assert data(ana.get("/groups/night"))["owner"]["domain"] == NAME
    assert {each["domain"] for each in data(ana.get("/sessions/own"))} == {NAME}
    assert token_of(service.base_url, f"ana@{NAME}")
    assert grant(as_user("nobody"), f"ana@{FORMER}").status_code == 401


def test_a_domain_cannot_take_a_name_that_is_taken_or_invalid(as_user: LogIn) -> None:
    eva = as_user("eva")
    data(as_user("guest").get("/users/current"))
    for domain_id, name, status in (
        (FORMER, "other.example", 409),
        (FORMER, "Not a name", 400),
        (FORMER, "", 400),
        ("guests", "visitors", 409),
        ("nowhere", "somewhere", 404),
    ):
        assert eva.put(f"/domains/{domain_id}", json={"domain": name}).status_code == status, name
    assert {each["id"] for each in data(eva.get("/domains"))} == {FORMER, "other.example", "guests"}


def test_a_renamed_domain_keeps_its_pool_and_its_mappings(as_user: LogIn) -> None:
    eva = as_user("eva")
    data(eva.post("/sip/identities", json={"username": "pool-1", "password": "from the pool"}))
    for owner, username in (("svc-user:ana", "pool-1"), ("svc-group:night", "own-1")):
        credential = {"username": username, "password": f"of {username}"}
        data(eva.put("/sip/mapping", json={"ownerUri": owner, "credential": credential}))
    data(eva.put(f"/domains/{FORMER}", json={"domain": NAME}))
    for owner, username in (("svc-user:ana", "pool-1"), ("svc-group:night", "own-1")):
        mapping = data(eva.get("/sip/mapping", params={"ownerUri": owner}))
        assert mapping == {"username": username, "password": f"of {username}"}
    (identity,) = data(eva.get("/sip/identities", params={"domain": NAME}))
    assert (identity["username"], identity["available"]) == ("pool-1", False)
