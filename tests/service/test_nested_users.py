"""Users nested in answers are current, and stay so when the user changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx
import pytest

from console.api.annotations import Effect, InputPlace, Variant
from console.service.auth.passwords import Cost
from console.service.domain import agents, sessions
from console.service.domain.people import USERS
from console.service.platform import ServiceSettings
from tests.background import Running
from tests.contract.rows import Operation, Row, rows
from tests.contract.shapes import Seen
from tests.service.over_http import data, fill, log_in
from tests.services import Services

REACHED: Mapping[str, Mapping[str, str]] = {
    "groups.get": {"groupId": "night"},
    "meetings.list": {"all": "true"},
    "sessions.get": {"id": "ended"},
}
"""Inputs for single records; lists need none."""


def _answers(client: httpx.Client, variant: Variant, ids: Mapping[str, str]) -> Seen:
    """Send all requests that need no further input, and those of a few single records."""
    seen = Seen(variant)
    for row, operation in _readable(variant):
        request = operation.request.operation
        given = {name: ids.get(value, value) for name, value in REACHED.get(request.name, {}).items()}
        path = request.route.path({each: given.pop(each) for each in request.route.fields})
        seen.look_at(row, operation, data(client.get(path, params=given)))
    return seen


def _readable(variant: Variant) -> list[tuple[Row, Operation]]:
    """Return the reads that need no inputs but those of `REACHED`."""
    return [
        (row, each)
        for row in rows()
        for each in row.operations
        if each.request.operation.effect is Effect.READ
        and each.request.operation.route.method == "GET"
        and row.section != "provisioning 4"
        and each.request.operation.variant in {None, variant}
        and all(
            wanted.wire in REACHED.get(each.request.operation.name, {})
            for wanted in each.request.inputs()
            if wanted.required or wanted.place is InputPlace.PATH
        )
        and each.request.operation.name != "tokens.inspect"
    ]


def _crowd(service: Running, ana: httpx.Client, eva: httpx.Client) -> dict[str, str]:
    """Create records of all sorts that name ana and bob; return the ids of those to find."""
    participants = [{"userId": "bob"}, {"userId": "ana"}]
    data(ana.post("/meetings", json={"name": "Weekly", "participants": participants}))
    agents.set_agents(service.platform, ["ana", "bob"])
    data(ana.put("/presence/svc-user:ana", json={"activity": "available"}))
    data(ana.post("/support-chats", json={"id": "chat-1"}))
    with service.platform.write() as tx:
        ended, _ = sessions.create(service.platform, USERS.need(tx, "ana"), None)
        sessions.revoke(service.platform, ended.id)
    return {"ended": ended.id}


@pytest.mark.parametrize("variant", list(Variant))
def test_a_nested_user_equals_the_user_read_by_itself_in_every_field(services: Services, variant: Variant) -> None:
    settings = ServiceSettings(password_cost=Cost.cheap(), variant=variant)
    with (
        services.anew(fill, settings=settings) as service,
        log_in(service, "ana") as ana,
        log_in(service, "eva") as eva,
    ):
        ids = _crowd(service, ana, eva)
        changes = {"username": "ana.b", "alias": "Ana Belmonte", "role": "admin", "mobilePhone": ["+34600111222"]}
        data(eva.put("/users/ana", json=changes))
        seen = _answers(ana, variant, ids)
        # Only an agent can list own chats.
        chats = next(each for each in _readable(variant) if each[1].request.operation.name == "support-chats.list")
        with log_in(service, "bob") as bob:
            seen.look_at(*chats, data(bob.get("/support-chats")))
        assert seen.faults == []
        users = {each["id"]: each for each in data(eva.get("/users"))}
        nested = [(kind, each) for kind, each in seen.objects if kind in {"User", "ChatParticipant"}]
        assert [each for each in nested if not _states_truth(each[1], users)] == []
        renamed = [(kind, each) for kind, each in nested if each["id"] == "ana" and len(each) < len(users["ana"])]
        # The current session, the ended one, the group, the meeting's creator and member; two chats of one chat.
        assert len(renamed) >= (6 if variant is Variant.LATER else 4)
        with log_in(service, "ana.b") as again:
            assert data(again.get("/credentials"))[0]["data"] == {"username": "ana.b"}
            assert {each["displayName"] for each in data(again.get("/agents"))["agents"]} >= {"Ana Belmonte"}


def _states_truth(nested: Mapping[str, Any], users: Mapping[str, Mapping[str, Any]]) -> bool:
    user = users[nested["id"]]
    return all(user.get(name) == value for name, value in nested.items())
