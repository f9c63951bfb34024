"""The data of the foreign deployment: people, teams, calls and sirens, in plain dictionaries."""

from __future__ import annotations

import itertools
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.third_party.refusals import plain

PASSWORD = "open sesame"

Json = dict[str, Any]


@dataclass
class Received:
    """A request as received."""

    method: str
    path: str
    query: tuple[tuple[str, str], ...]
    body: Any
    headers: Mapping[str, str]


@dataclass
class Platform:
    """All data of the deployment. Times in ms since the epoch."""

    now: int = field(default_factory=lambda: int(time.time() * 1000))
    sessions: dict[str, Json] = field(default_factory=dict[str, Json])
    """By token."""
    keys: dict[str, str] = field(default_factory=dict[str, str])
    """User by OAuth2 token that has not been used yet."""
    people: dict[str, Json] = field(default_factory=dict[str, Json])
    teams: dict[str, Json] = field(default_factory=dict[str, Json])
    calls: dict[str, Json] = field(default_factory=dict[str, Json])
    sirens: dict[str, Json] = field(default_factory=dict[str, Json])
    around: dict[str, Json] = field(default_factory=dict[str, Json])
    followed: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    agents: list[str] = field(default_factory=list[str])
    talents: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    chats: dict[str, Json] = field(default_factory=dict[str, Json])
    received: list[Received] = field(default_factory=list[Received])
    numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    def __post_init__(self) -> None:
        self.agents = ["p-ana", "p-bob"]
        for name, role in (("eva", "admin"), ("ana", "user"), ("bob", "user"), ("carla", "user")):
            self.people[name] = {
                "id": f"p-{name}",
                "username": name,
                "domain": "far.example",
                "role": role,
                "alias": f"{name.title()} Far",
                "created": self.now - 86_400_000,
                "capabilities": ["+c2cagent"] if f"p-{name}" in self.agents else [],
                "mobilePhone": [],
                "badge": {"colour": "green"},
            }
            self.around[f"svc-user:p-{name}"] = {
                "id": f"p-{name}",
                "address": f"svc-user:p-{name}",
                "online": True,
                "activity": "available",
            }
        self.talents = {"german": ["p-ana"], "billing": ["p-bob"]}
        self.teams["dawn"] = {
            "id": "1",
            "groupId": "dawn",
            "name": "Dawn watch",
            "participants": ["p-ana", "p-bob"],
            "owner": self.people["eva"],
        }
        for number, state in enumerate(("ringing", "queued", "connected"), 1):
            self.calls[f"c{number}"] = {
                "id": f"c{number}",
                "caller": f"tel:+3460000000{number}",
                "calle": "svc-user:p-ana",
                "state": state,
                "from": self.now - number * 60_000,
                "date": self.now - number * 60_000,
                "users": ["p-ana"],
            }
        for number in (1, 2):
            self.sirens[f"s{number}"] = {
                "alertId": f"s{number}",
                "from": "p-bob",
                "title": f"Line {number} down",
                "payload": "the trunk is silent",
                "createdAt": self.now - number * 60_000,
                "state": "active",
            }
        self.chats["h1"] = {
            "chatId": "h1",
            "chatRoomJid": "h1@chat.far.example",
            "agent": {"id": "p-ana", "username": "ana", "domain": "far.example"},
            "participants": [],
            "context": {},
        }

    def person(self, key: str) -> Json:
        for each in self.people.values():
            if each["id"] == key:
                return each
        raise plain(404, f"nobody is called {key}")
