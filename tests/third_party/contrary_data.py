"""What the contrary deployment holds: plain rows in its own words, exactly as it sends them.

Times are ISO 8601, seconds, ms or us, mixed by list and field; ids are numbers; numbers and flags are texts here and
there. Nothing in this file knows the console.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import Any

from tests.third_party.contrary_admin import admin_lists
from tests.third_party.contrary_words import Json, Rows, iso, iso_east, us

STATES = ("TALKING_NOW", "InQueue", "leavesqueue", "webrtcerror", "normal", "connected")


Asked = tuple[str, str, Any]
"""Method, path with its query, and body of a request."""


@dataclass
class Contrary:
    """All data of the deployment."""

    now: int = field(default_factory=lambda: int(time.time()))
    tables: dict[str, dict[str, Json]] = field(default_factory=dict[str, dict[str, Json]])
    """Rows by list and key."""
    rights: Json = field(default_factory=dict[str, Any])
    cloud: dict[str, Json] = field(default_factory=dict[str, Json])
    followed: list[str] = field(default_factory=list[str])
    receivers: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    """Who hears of a recipe's alerts, by its code."""
    tokens: dict[str, int] = field(default_factory=dict[str, int])
    """User by access or refresh token."""
    asked: list[Asked] = field(default_factory=list[Asked])
    """All requests."""
    streams: set[asyncio.Queue[str]] = field(default_factory=set[asyncio.Queue[str]])
    greeting: str = ""
    """A hint for each new stream."""
    loop: asyncio.AbstractEventLoop | None = None

    def __post_init__(self) -> None:
        lists = {name: fill(self.now) for name, fill in _LISTS.items()} | admin_lists(self.now)
        for name, rows in lists.items():
            self.tables[name] = {str(next(iter(row.values()))): row for row in rows}
        self.rights = {"tape": {"sort": "all", "profile": "always"}, "mailbox": {"on": "true"}}
        realms = ("far.example", "other.example")
        self.cloud = {realm: {"realm": realm, "cid": "c-1", "pw": "p", "tenant": "t-1"} for realm in realms}
        self.followed = ["wac-user:2", "wac-user:3"]

    def tell(self, what: str) -> None:
        """Send a hint to all streams."""
        if self.loop is not None:
            for each in list(self.streams):
                self.loop.call_soon_threadsafe(each.put_nowait, f"{what}/changed")

    @property
    def people(self) -> dict[int, Json]:
        """Return the users by id."""
        return {int(key): row for key, row in self.tables["people"].items()}

    @property
    def calls(self) -> dict[int, Json]:
        """Return the calls by id."""
        return {int(key): row for key, row in self.tables["calls"].items()}

    @property
    def teams(self) -> dict[str, Json]:
        """Return the groups by code."""
        return self.tables["teams"]

    @property
    def sirens(self) -> dict[str, Json]:
        """Return the alerts by id."""
        return self.tables["sirens"]


def _people(now: int) -> Rows:
    names = {1: "eva", 2: "ana", 3: "bob"}
    return [
        {
            "uid": n,
            "login": {"name": names.get(n, f"user{n}")},
            "realm": "far.example" if n % 5 else "other.example",
            "level": "boss" if n == 1 else "visitor" if n == 150 else "member",
            "mail": f"p{n}@far.example",
            "shown": f"Person {n}",
            "since": us(now - n * 86_400),
            "seen": iso_east(now - n * 60) if n % 3 else None,
            "can": "+chat" if n % 4 else ["+chat", "+c2cagent"],
            "phones": {"mobile": [f"+346{n:08}"], "desk": f"91{n:05}"},
            "tz": "Europe/Lisbon",
            "tongue": "pt-PT",
        }
        for n in range(1, 151)
    ]


def _calls(now: int) -> Rows:
    def row(n: int) -> Json:
        state = STATES[n % len(STATES)]
        over = state in {"leavesqueue", "webrtcerror", "normal"} or n % 12 == 5
        began = now - n * 30
        return {
            "cid": n,
            "status": state,
            "src": f"+3460000{n:04}" if n % 2 else f"wac-user:{n % 150 + 1}",
            "dst": f"wac-user:{(n * 7) % 150 + 1}",
            "via": "wac-group:t1" if n % 3 else "sip:desk@far.example",
            "began": str(began),
            "answered": iso(began + 5) if state in {"TALKING_NOW", "connected"} else None,
            "ended": began + 20 if over else None,
            "parties": [(n * 7) % 150 + 1],
            "legs": [9001],
            "place": str(n % 4) if state == "InQueue" else None,
            "tries": [{"agent": f"wac-user:{n % 150 + 1}", "state": "normal", "startedAt": began}] if n % 2 else [],
            "notes": {"taped": {"active": n % 4 == 0, "startedAt": began}},
            "ctx": {"shop": f"s{n}"},
            "visitor": f"guest-{n:04}" if n % 2 else None,
        }

    return map(row, range(1, 231))


def _rooms(now: int) -> Rows:
    def row(n: int) -> Json:
        opened = now - 600 * n
        return {
            "rid": 500 + n,
            "pin": f"room-{n}",
            "phase": ("LIVE", "DONE", "WARMING")[n % 3],
            "opened": iso_east(opened),
            "closed": us(opened + 300) if n % 3 == 1 else None,
            "asks": [
                {
                    "by": "wac-user:1",
                    "for": f"wac-user:{n + 2}",
                    "phase": ("declinedbytimeout", "BROKEN", "accepted")[n % 3],
                    "many": "false",
                    "wanted": 1,
                    "code": "486",
                    "media": {"sound": "true", "picture": n % 2},
                    "tried": [{"who": f"wac-user:{n + 2}", "why": "486"}],
                }
            ],
            "people": [
                {"who": "wac-user:1", "in": opened, "out": None, "leg": 9001},
                {"who": f"wac-user:{n + 2}", "in": iso(opened + 1), "out": us(opened + 60), "leg": 9002},
            ],
            "moves": [{"from": "wac-user:1", "to": "wac-user:2", "phase": "accepted", "pin": "x", "ask": 7}] * (n % 2),
            "realms": "far.example" if n % 2 else ["far.example", "other.example"],
        }

    return map(row, range(1, 8))


def _teams(_now: int) -> Rows:
    boss = {"uid": 1, "login": {"name": "eva"}, "realm": "far.example", "shown": "Person 1"}
    return [
        {
            "code": f"t{n}",
            "key": 800 + n,
            "caption": f"Team {n}",
            "crew": [n, n + 1, n + 2],
            "boss": boss,
            "talk": f"talk-{n}",
            "ring": {"how": "ALL_AT_ONCE" if n % 2 else "one-by-one"},
        }
        for n in range(1, 4)
    ]


def _sirens(now: int) -> Rows:
    phases = ("RINGING", "RINGING", "RINGING", "TAKEN", "GONE", "PULLED")
    return [
        {
            "no": f"s{n}",
            "by": 1 if n == 3 else 2,
            "headline": f"Line {n} down" if n != 5 else "Queue full",
            "words": "the trunk is silent",
            "raised": iso(now - n * 60),
            "settled": None if phase == "RINGING" else now - n * 60 + 30,
            "takenBy": 3 if phase == "TAKEN" else None,
            "phase": phase,
        }
        for n, phase in enumerate(phases, 1)
    ]


def _recipes(_now: int) -> Rows:
    return [
        {"code": "down", "headline": "Line 1 down", "words": "call the vendor", "again": "3", "gap": 60, "lasts": "5"},
        {"code": "full", "headline": "Queue is full", "words": "help", "again": 0, "gap": 30, "lasts": None},
    ]


def _crew(now: int) -> Rows:
    talk = {"no": "talk-71", "at": now - 900, "who": [140]}
    room = {"room": 502, "at": iso(now - 120), "who": ["wac-user:4"]}
    work: dict[int, Json] = {2: {"chats": [talk], "calls": [room], "clicks": []}}
    doing = {2: "on-the-phone", 3: "lunch-break", 4: "available", 8: None}
    return [
        {
            "uid": n,
            "called": f"Person {n}",
            "doing": activity,
            "up": "true" if activity else "false",
            "work": work.get(n, {"chats": [], "calls": None, "clicks": []}),
        }
        for n, activity in doing.items()
    ]


def _talents(_now: int) -> Rows:
    return [
        {"tag": "billing", "who": [{"uid": 2}, {"uid": 3}]},
        {"tag": "sales", "who": [{"uid": 8}]},
        {"tag": "night", "who": None},
    ]


def _talks(now: int) -> Rows:
    ana = {"uid": 2, "name": "ana", "realm": "far.example"}
    guest = {"uid": 140, "name": "user140", "realm": "other.example"}
    return [
        {
            "talk": "talk-71",
            "jid": "talk-71@rooms.far.example",
            "desk": ana,
            "people": [ana, guest],
            "about": {"subject": "an invoice", "skill": "billing", "startedAt": iso_east(now - 900)},
        }
    ]


def _around(_now: int) -> Rows:
    doing = {1: "available", 2: "on-the-phone", 3: "lunch-break"}
    return [
        {
            "address": f"wac-user:{n}",
            "uid": n,
            "up": "1" if n in doing else "0",
            "doing": doing.get(n),
            "feel": "fine" if n == 1 else None,
            "remark": "back at\nfive" if n == 2 else None,
            "picture": f"https://pics.example/{n}.png",
            "shown": f"Person {n}",
            "name": {1: "eva", 2: "ana", 3: "bob"}.get(n, f"user{n}"),
            "realm": "far.example" if n % 5 else "other.example",
            "level": "boss" if n == 1 else "member",
        }
        for n in range(1, 11)
    ]


def _logins(now: int) -> Rows:
    return [
        {
            "lid": 9000 + n,
            "secret": f"tok-secret-000{n}",
            "uid": n,
            "who": {"uid": n, "name": f"user{n}", "shown": f"Person {n}", "realm": "far.example"},
            "realm": "far.example",
            "from": us(now - 3600 * n),
            "till": now - 60 if n == 3 else -1,
            "dies": iso(now + (3600 if n < 4 else -30)),
            "reg": n,
            "client": {"src": f"10.0.0.{n}", "tongue": "pt", "useragent": f"phone/{n}"},
        }
        for n in range(1, 5)
    ]


def _alarms(now: int) -> Rows:
    return [
        {
            "aid": 70 + n,
            "realm": "far.example",
            "grade": ("SEV1", "SEV3", "odd")[n % 3],
            "sort": "call",
            "at": iso(now - 60 * n),
            "call": n,
            "streams": [{"sid": "up", "out": "900", "in": 95, "lost": "5", "bout": 1, "bin": 2, "codec": "opus"}],
            "rule": {"rid": "r1", "part": "audio", "what": "loss", "test": ">", "limit": "3", "rel": "true"},
        }
        for n in range(1, 4)
    ]


_LISTS = {
    "people": _people,
    "calls": _calls,
    "rooms": _rooms,
    "teams": _teams,
    "sirens": _sirens,
    "recipes": _recipes,
    "crew": _crew,
    "talents": _talents,
    "talks": _talks,
    "around": _around,
    "logins": _logins,
    "alarms": _alarms,
}
