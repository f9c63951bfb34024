"""States of a deployment are read as the words that its profile gives them, in answers and in events."""

from __future__ import annotations

import json
from collections.abc import Mapping

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.api.events import Event, Heartbeat
from console.api.operations.presence import ListPresences, UpdatePresence
from console.api.operations.traffic import GetCall, ListCalls, ListConferences
from console.base.frozen import replace
from console.client.adaptation import events_with_known_states, with_known_states
from console.client.client import Client
from console.client.endpoint import Endpoint
from console.kinds.calls.columns import TABLE as CALLS
from console.kinds.calls.facts import over
from console.records.raw import Json
from console.records.traffic import Call
from console.views.lines import raw
from tests.client.canned import Canned
from tests.kinds.reading import said
from tests.kinds.wild import render_context

STATES = {"calls": {"queue-timeout": "abandoned", "activo": "connected"}, "presence": {"ocupado": "busy"}}


def client(answer: object) -> Client:
    transport = Canned(lambda _: httpx.Response(200, json=answer))
    made = Client(Endpoint("http://voice.example/core", states=STATES), transport=transport)
    made.sessions.token = "token"
    return made


async def test_calls_have_known_states_and_keep_their_own_words() -> None:
    rows = [{"id": "a", "state": "QueueTimeout", "attempts": [{"state": "activo"}]}, {"id": "b", "state": "eclipsed"}]
    first, second = await client(rows).send(ListCalls())
    assert (first.state, second.state) == ("abandoned", "eclipsed")
    assert over(first)
    assert first.attempts[0]["state"] == "connected"
    assert CALLS.column("state").cell(first, render_context()).text == "○ abandoned"
    shown = "\n".join(said(raw(first)))
    assert '"console:state": "QueueTimeout"' in shown
    assert '"console:state": "activo"' in shown
    assert (await client(rows[0]).send(GetCall(id="a"))).state == "abandoned"


async def test_each_list_has_its_own_words() -> None:
    (conference,) = await client([{"id": "k", "state": "activo"}]).send(ListConferences())
    assert conference.state == "activo"
    (presence,) = await client([{"address": "svc-user:1", "activity": "Ocupado"}]).send(ListPresences())
    assert presence.activity == "busy"


async def test_an_own_status_is_sent_in_the_words_of_the_deployment() -> None:
    seen: list[bytes] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request.content)
        return httpx.Response(200, json={"address": "svc-user:1", "activity": "ocupado"})

    made = Client(Endpoint("http://voice.example/core", states=STATES), transport=Canned(answer))
    made.sessions.token = "token"
    status = await made.send(UpdatePresence(address="svc-user:1", online=True, activity="busy", note="busy"))
    assert json.loads(seen[0]) == {"online": True, "activity": "ocupado", "note": "busy"}
    assert status.activity == "busy"
    await made.send(UpdatePresence(address="svc-user:1", activity="away"))
    assert json.loads(seen[1]) == {"activity": "away"}


@pytest.mark.parametrize(("forms", "sent"), [({}, 2), ({"activity": "text"}, "2")])
async def test_a_state_that_is_a_number_is_sent_as_one(forms: Mapping[str, str], sent: object) -> None:
    seen: list[bytes] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request.content)
        return httpx.Response(200, json={"address": "svc-user:1", "activity": 2})

    route = replace(UpdatePresence.operation.route, forms=forms)
    endpoint = Endpoint(
        "http://voice.example/core", states={"presence": {"2": "busy"}}, routes={"presence.update": route}
    )
    made = Client(endpoint, transport=Canned(answer))
    made.sessions.token = "token"
    await made.send(UpdatePresence(address="svc-user:1", activity="busy"))
    assert json.loads(seen[0]) == {"activity": sent}


def test_rows_in_events_have_known_states() -> None:
    body, heartbeat = b'{"id":"a","state":"activo"}', Heartbeat("e", 1, 1)
    known, other = (Event(1, 0, topic, "upsert", "a", Json(body)) for topic in ("calls", "conferences"))
    gone = Event(1, 0, "calls", "remove", "a")
    first, *rest = events_with_known_states([known, other, gone, heartbeat], STATES)
    assert isinstance(first, Event)
    assert Call.model_validate_json(bytes(first.body)).state == "connected"
    assert rest == [other, gone, heartbeat]


@pytest.mark.parametrize(
    "body",
    [
        json.dumps({"id": "a", "context": {"note": '"state":"activo"'}}).encode(),
        json.dumps({"id": "a", "context": {'x"state': "activo"}}).encode(),
        b'["state","activo"]',
        b'{"state":["activo"],"states":"activo","caller":"activo"}',
        b'{"state":"activo',
        b'{"state":"\\u0061ctivo"}',
        b'{"state":"\xff\xfe"}',
    ],
)
def test_other_text_is_unchanged(body: bytes) -> None:
    assert with_known_states(body, STATES["calls"]) == body


@given(st.recursive(st.none() | st.text(), lambda each: st.lists(each) | st.dictionaries(st.text(), each)))
def test_json_stays_json(value: object) -> None:
    body = json.dumps({"state": "activo", "data": value}).encode()
    assert json.loads(with_known_states(body, STATES["calls"])) == {
        **json.loads(body),
        "state": "connected",
        "console:state": "activo",
    }
