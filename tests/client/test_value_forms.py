"""A routes file says in which names, units and types a deployment sends and takes values inside records and lists."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from console.api.errors import BadAnswer, BadRequest
from console.api.operations.meetings import CreateMeeting
from console.api.operations.people import (
    AddParticipant,
    CreateUser,
    ListUsers,
    PageGroups,
    ReorderParticipants,
    UpdateGroup,
    UpdateUser,
)
from console.api.operations.phonebooks import PagePhonebooks
from console.api.operations.provisioning import ListCallerIds
from console.api.operations.support import ListAgents, ListAlerts, TransferSupportChat, UpdateTemplate
from console.api.operations.traffic import GetStatus, ListCallAlarms, ListConferences
from console.api.shape import differences
from console.kinds.catalogue import FEEDS
from console.live.listing import Lister
from console.records.support import ChatParticipant
from tests.client.answering import Deployment


def body(deployment: Deployment) -> Any:
    return json.loads(deployment.asked[-1].content)


async def test_fields_in_the_entries_of_a_list_have_the_names_of_the_deployment(deployment: Deployment) -> None:
    client = deployment.client(
        """
        [conferences.list]
        route = "GET /rooms"
        [conferences.list.fields]
        invites = "calls"
        "invites[].to" = "callee.uri"
        "invites[].candidates[].endReason" = "why"
        participants = "people"
        "participants[].address" = "who"
        """,
        lambda _: [
            {
                "id": "r",
                "calls": [{"callee": {"uri": "x:1"}, "candidates": [{"why": "486", "address": "x:1"}, 7]}],
                "people": [{"who": "x:2", "other": 1}, None],
            },
            {"id": "s", "people": {"who": "x:3"}, "calls": None},
        ],
    )
    first, second = await client.send(ListConferences())
    (invite,) = first.invites
    assert (invite.to, invite.candidates[0].end_reason, invite.candidates[0].address) == ("x:1", 486, "x:1")
    assert first.participants[0].address == "x:2"
    assert first.participants[0].model_extra == {"other": 1}
    assert (second.participants[0].address, second.invites) == ("x:3", ())


async def test_lists_deep_in_a_record_are_reached(deployment: Deployment) -> None:
    fields = (
        '{ "payload.value.ssrc" = "streams", "payload.value.ssrc[].packetsLost" = "lost", "payload.callid" = "of" }'
    )
    client = deployment.client(
        f'"alarms.list" = {{ route = "GET /alarms", fields = {fields} }}',
        lambda _: [{"id": "a", "of": "c-1", "streams": [{"lost": 3, "CodecName": "opus"}]}],
    )
    (alarm,) = await client.send(ListCallAlarms())
    assert alarm.payload is not None
    assert alarm.payload.value is not None
    (stream,) = alarm.payload.value.ssrc
    assert (alarm.payload.call_id, stream.packets_lost, stream.codec_name) == ("c-1", 3, "opus")


async def test_objects_in_a_list_of_ids_are_their_ids(deployment: Deployment) -> None:
    client = deployment.client(
        '"groups.page" = { route = "GET /teams", fields = { participants = "crew", "participants[]" = "user.uid" } }',
        lambda _: [{"groupId": "g", "crew": [{"user": {"uid": 7}}, {"user": {"uid": 8}}]}],
    )
    (group,) = (await client.send(PageGroups())).data
    assert group.participants == ("7", "8")


async def test_durations_of_answers_have_the_unit_of_the_contract(deployment: Deployment) -> None:
    client = deployment.client(
        """
        "agents.list" = { route = "GET /agents", forms = { "channels.chat[].timestamp" = "s" } }
        "status.get" = { route = "GET /status", forms = { uptime = "ms" } }
        "templates.update" = { route = "PUT /t/{id}", forms = { timeToExpire = "min", timeInMsBetweenRetries = "s" } }
        """,
        lambda request: (
            {"agents": [{"id": "1", "channels": {"chat": [{"chatId": "c", "timestamp": 1_800_000_000}]}}]}
            if "agents" in request.url.path
            else {"uptime": "90000", "memoryUsage": {"rss": 1}}
            if "status" in request.url.path
            else {"message": "OK"}
        ),
    )
    (agent,) = await client.send(ListAgents())
    assert agent.channels.chat[0].timestamp == 1_800_000_000_000
    assert (await client.send(GetStatus())).uptime == 90
    await client.send(UpdateTemplate(id="t", time_to_expire=300_000, time_in_ms_between_retries=1_500))
    assert body(deployment) == {"timeToExpire": 5, "timeInMsBetweenRetries": 1.5}


async def test_inputs_are_sent_in_the_forms_of_the_deployment(deployment: Deployment) -> None:
    client = deployment.client(
        """
        "meetings.create" = { route = "POST /m", forms = { validSince = "iso", validUntil = "s", notify = "text" } }
        "groups.add" = { route = "POST /g/{groupId}", forms = { targetUserId = "number" } }
        "groups.reorder" = { route = "PUT /g/{groupId}", forms = { participants = "number" } }
        "users.list" = { route = "GET /u", forms = { createdAfter = "iso", registered = "number" } }
        """,
        lambda request: [] if request.method == "GET" else {"id": "m", "message": "OK"},
    )
    await client.send(CreateMeeting(name="x", valid_since=1_800_000_000_000, valid_until=1_800_000_000_500))
    assert body(deployment)["validSince"] == "2027-01-15T08:00:00.000Z"
    assert body(deployment)["validUntil"] == 1_800_000_000.5
    await client.send(AddParticipant(group_id="g", target_user_id="17"))
    assert body(deployment) == {"targetUserId": 17}
    await client.send(ReorderParticipants(group_id="g", participants=("2", "1")))
    assert body(deployment) == {"participants": [2, 1]}
    await client.send(ListUsers(created_after=1_800_000_000_000))
    assert deployment.asked[-1].url.params["createdAfter"] == "2027-01-15T08:00:00.000Z"
    with pytest.raises(BadRequest, match="cannot be sent: targetUserId must be a number"):
        await client.send(AddParticipant(group_id="g", target_user_id="eva"))


async def test_fields_in_inputs_have_the_names_of_the_deployment(deployment: Deployment) -> None:
    client = deployment.client(
        """
        [support-chats.transfer]
        route = "POST /t"
        names = { destination = "to", "destination.id" = "uid", "destination.domain" = "realm" }
        forms = { "destination.id" = "number" }
        """,
        lambda _: {"message": "OK"},
    )
    await client.send(TransferSupportChat(id="c", destination=ChatParticipant(id="3", username="bob", domain="d")))
    assert body(deployment) == {"id": "c", "to": {"uid": 3, "username": "bob", "realm": "d"}}


async def test_alerts_may_be_one_list(deployment: Deployment) -> None:
    rows = [
        {"no": 1, "phase": "ringing-bell"},
        {"no": 2, "phase": "ACK", "acceptedBy": "7"},
        {"no": 3, "phase": "cancelled"},
        {"no": 4},
    ]
    client = deployment.client(
        '"alerts.list" = { route = "GET /alerts", rows = "items", fields = { alertId = "no", state = "phase" } }',
        lambda _: {"items": rows},
        states={"alerts": {"ringing-bell": "active", "ACK": "accepted"}},
    )
    answer = await client.send(ListAlerts())
    assert [[each.key for each in some] for some in (answer.active, answer.accepted, answer.canceled)] == [
        ["1", "4"], ["2"], ["3"]
    ]  # fmt: skip
    assert [*(await Lister(FEEDS["alerts"], client).list()).fresh] == ["1", "2", "3", "4"]
    assert differences(ListAlerts, (await client.fetch(ListAlerts())).body) == ()


async def test_the_list_and_the_total_of_an_answer_have_the_names_of_the_deployment(deployment: Deployment) -> None:
    client = deployment.client(
        '"caller-ids.list" = { route = "GET /ids", fields = { entries = "items", total = "count", name = "label" } }',
        lambda _: {"items": [{"label": "desk", "value": "+34"}], "count": "1"},
        provisioning="http://desk.example/provisioning",
    )
    page = await client.send(ListCallerIds())
    assert (page.entries[0].name, page.entries[0].value, page.total) == ("desk", "+34", 1)


async def test_words_are_sent_in_inputs_with_another_name_and_in_queries(deployment: Deployment) -> None:
    client = deployment.client(
        """
        "users.update" = { route = "PUT /u/{id}", names = { role = "level" } }
        "users.list" = { route = "GET /u", names = { role = "level" } }
        """,
        lambda request: [{"id": "1", "role": "boss"}] if request.method == "GET" else {"id": "1", "role": "boss"},
        states={"users": {"boss": "admin"}},
    )
    changed = await client.send(UpdateUser(id="1", role="admin", alias="admin"))
    assert body(deployment) == {"level": "boss", "alias": "admin"}
    assert changed.role == "admin"
    (listed,) = await client.send(ListUsers(role="admin"))
    assert (deployment.asked[-1].url.params["level"], listed.role) == ("boss", "admin")


async def test_a_refused_page_size_is_known_by_its_name_at_the_deployment(deployment: Deployment) -> None:
    def answer(request: httpx.Request) -> Any:
        size = int(request.url.params["most"])
        return [{"id": "1"}] if size <= 60 else httpx.Response(400, json={"message": "most must not be over 60"})

    client = deployment.client('"phonebooks.page" = { route = "GET /b", names = { "page[size]" = "most" } }', answer)
    assert [each.id for each in (await client.send(PagePhonebooks(page_size=500))).data] == ["1"]


async def test_the_words_that_an_answer_keeps_are_not_sent_back(deployment: Deployment) -> None:
    client = deployment.client(
        '"groups.page" = { route = "GET /g" }\n"groups.update" = { route = "PUT /g/{groupId}" }',
        lambda request: (
            [{"groupId": "g", "ringingStrategy": {"type": "ALL", "x": 1}}]
            if request.method == "GET"
            else {"message": "OK"}
        ),
        states={"groups": {"ALL": "simultaneous"}},
    )
    (group,) = (await client.send(PageGroups())).data
    assert group.ringing_strategy is not None
    assert group.ringing_strategy.type == "simultaneous"
    await client.send(UpdateGroup(group_id="g", ringing_strategy=group.ringing_strategy))
    assert body(deployment) == {"ringingStrategy": {"type": "ALL", "x": 1}}


async def test_an_answer_to_a_change_may_be_ignored(deployment: Deployment) -> None:
    def said(_request: httpx.Request) -> Any:
        return {"done": True}

    client = deployment.client('"users.create" = { route = "POST /u" }', said)
    new = CreateUser(username="u", domain="d", role="user")
    with pytest.raises(BadAnswer, match="none of the fields"):
        await client.send(new)
    client = deployment.client('"users.create" = { route = "POST /u", answer = false }', said)
    assert (await client.send(new)).username is None
