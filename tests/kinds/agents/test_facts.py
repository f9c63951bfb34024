"""Which agents are free, busy or away, for each state a service may use."""

from __future__ import annotations

import json
from typing import Any

from console.kinds.agents.facts import cover, in_turn, load, turn
from console.kinds.presence.facts import Availability
from console.records.raw import CUT_FIELD
from console.records.record import read
from console.records.support import Agent
from tests.for_each import for_each
from tests.kinds.sample_records import agent


@for_each(
    "there, activity, chats, expected",
    [
        (True, "available", 0, Availability.FREE),
        (True, None, 0, Availability.FREE),
        (True, "", 0, Availability.FREE),
        (None, "available", 0, Availability.FREE),
        (True, "Available", 1, Availability.BUSY),
        (True, "busy", 0, Availability.BUSY),
        (True, "On-Call", 0, Availability.BUSY),
        (True, "dnd", 0, Availability.BUSY),
        (True, "in a meeting", 0, Availability.BUSY),
        (True, "away", 0, Availability.AWAY),
        (True, "away", 2, Availability.AWAY),
        (True, "idle", 0, Availability.AWAY),
        (True, "Lunch", 0, Availability.AWAY),
        (True, "brb", 1, Availability.AWAY),
        (True, "offline", 0, Availability.OFFLINE),
        (False, "available", 0, Availability.OFFLINE),
        (False, "lunch", 1, Availability.OFFLINE),
        (None, None, 0, Availability.UNKNOWN),
        (True, "training", 0, Availability.UNKNOWN),
        (None, "training", 0, Availability.UNKNOWN),
        (True, "training", 1, Availability.BUSY),
    ],
)
def test_the_availability_of_an_agent(
    there: bool | None, activity: str | None, chats: int, expected: Availability
) -> None:
    assert cover(agent(online=there, activity=activity, chats=chats)) is expected


def test_a_free_agent_is_before_a_busy_one_without_work_both_before_work_and_unknown_work_is_last() -> None:
    unreadable = Agent.model_validate({"id": "odd", "online": True, "activity": "available", "channels": "many"})
    everybody = [
        *(unreadable, agent("working", chats=1), agent("on-a-call", activity="busy")),
        *(agent("free"), agent("full", chats=3)),
    ]
    in_order = sorted(everybody, key=lambda agent: in_turn(turn(agent)))
    assert [agent.id for agent in in_order] == ["free", "on-a-call", "working", "full", "odd"]
    assert cover(unreadable) is Availability.UNKNOWN


CHAT = {"chatId": "c-1", "timestamp": 1, "users": ["u-1"]}


@for_each(
    "fields, expected",
    [
        ({}, 0),
        ({"channels": {}}, 0),
        ({"channels": {"chat": [CHAT, CHAT], "voice": [CHAT], "c2c": [CHAT]}}, 4),
        ({"channels": {"chat": [CHAT], "other": [CHAT]}}, 1),
        ({"channels": {"chat": [{"timestamp": "never", "users": 3}, CHAT]}}, 2),
        ({"channels": {"chat": [CHAT]}, "displayName": 7, "online": "yes"}, 1),
        ({"channels": {"chat": [3, None, CHAT]}}, 3),
        ({"channels": {"chat": None, "voice": [CHAT]}}, 1),
        ({"channels": {"chat": CHAT, "voice": [CHAT]}}, 2),
        ({"channels": None}, None),
        ({"channels": [CHAT]}, None),
        ({"channels": "busy"}, None),
        ({"channels": {"chat": [CHAT]}, CUT_FIELD: {"channels": "too long"}}, None),
    ],
)
def test_the_load_of_a_row_is_that_of_its_record(fields: dict[str, Any], expected: int | None) -> None:
    row = json.dumps({"id": "u-1", "activity": "available", **fields}).encode()
    record = read(Agent, row).materialized()
    channels = record.channels
    whole = len(channels.chat) + len(channels.voice) + len(channels.c2c)
    assert load(read(Agent, row)) == load(record) == expected
    assert expected in (None, whole), "what cannot be read is not none"


def test_the_availability_of_a_row_is_known_without_reading_its_chats() -> None:
    listed = read(Agent, json.dumps({"id": "u-1", "online": True, "channels": {"chat": [CHAT]}}).encode())
    assert cover(listed) is Availability.BUSY
    assert listed.is_lazy
