"""What actions of the console must send to the contrary deployment, in its words, and what changes after it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from console.records.people import Group, Member
from console.records.record import Record
from tests.behaviour.driver import Seat
from tests.third_party.contrary_data import Contrary

Sent = tuple[str, str, Any]
"""Method, path below the prefix, and the body inside its envelope; None for no body."""


@dataclass(frozen=True)
class Case:
    """An action on records of the deployment."""

    kind: str = ""
    keys: tuple[str, ...] = ()
    answers: Mapping[str, Any] = field(default_factory=dict[str, Any])
    sent: tuple[Sent, ...] = ()
    then: Callable[[Contrary], bool] = lambda _data: True
    """What holds in the deployment's data afterwards."""
    seen: Callable[[Seat], object] | None = None
    """What the console shows afterwards, as far as its lists are kept up to date."""
    selected: Callable[[Seat], Record] | None = None
    records: Callable[[Seat], list[Any]] | None = None


def _shown(kind: str, key: str, **values: Any) -> Callable[[Seat], bool]:
    """Return whether the console has a record with these values."""

    def seen(seat: Seat) -> bool:
        record = seat.backend.records(kind).get(key)
        return record is not None and all(getattr(record, name) == value for name, value in values.items())

    return seen


def _gone(kind: str, key: str) -> Callable[[Seat], bool]:
    return lambda seat: key not in seat.backend.records(kind)


def _team(seat: Seat) -> Group:
    return seat.known("groups", "t3", Group)


_NEW_RECIPE = {
    **{"template_id": "new", "title": "T", "payload": "P", "number_of_retries": 2},
    **{"time_in_ms_between_retries": 90_000, "time_to_expire": 120_000},
}

CASES: dict[str, Case] = {
    "calls.record": Case(
        "calls",
        ("11",),
        {"filename": "x.ogg"},
        (("POST", "/calls/11/tape", {"do": "start", "file": "x.ogg"}),),
        lambda data: data.calls[11]["notes"]["taped"]["active"],
        _shown("calls", "11", data={"recording": {"active": True}}),
    ),
    "calls.edit": Case(
        "calls",
        ("17",),
        {"record": {"queue_position": 7, "caller": "+34999", "state": "queued"}},
        (("PATCH", "/calls/17", {"src": "+34999", "place": "7", "status": "InQueue"}),),
        seen=_shown("calls", "17", caller="+34999", queue_position=7, state="queued"),
    ),
    "calls.statistics": Case(
        "calls", ("17",), {"statistics": "on"}, (("POST", "/calls/counters", {"on": "true", "call": 17}),)
    ),
    "alerts.accept": Case(
        "alerts",
        ("s2",),
        sent=(("POST", "/sirens/act", {"do": "take", "siren": "s2"}),),
        seen=_shown("alerts", "s2", state="accepted", accepted_by="1"),
    ),
    "alerts.send": Case(
        answers={"template": "down", "alert_id": "a-9"},
        sent=(("POST", "/sirens", {"recipe": "down", "no": "a-9"}),),
        seen=_shown("alerts", "a-9", title="Line 1 down", state="active", from_="1"),
    ),
    "templates.create": Case(
        answers={"template": _NEW_RECIPE},
        sent=(("POST", "/recipes", {"code": "new", "headline": "T", "words": "P", "again": 2, "gap": 90, "lasts": 2}),),
        seen=_shown("templates", "new", time_in_ms_between_retries=90_000, time_to_expire=120_000),
    ),
    "templates.edit": Case(
        "templates",
        ("full",),
        {"template": {"time_to_expire": 600_000}},
        (("PUT", "/recipes/full", {"lasts": 10}),),
        seen=_shown("templates", "full", time_to_expire=600_000),
    ),
    "templates.attach": Case(
        "templates",
        ("down",),
        {"receivers": ("user:3", "group:t2")},
        (("POST", "/recipes/down/hears", {"who": [3, 2, 4]}),),
        lambda data: data.receivers["down"] == [3, 2, 4],
    ),
    "groups.create-many": Case(
        answers={"groups": "t10, Ten, simultaneous\nt11, Eleven"},
        sent=(
            (
                "POST",
                "/teams/many",
                {
                    "teams": [
                        {"code": "t10", "caption": "Ten", "ring": {"how": "ALL_AT_ONCE"}},
                        {"code": "t11", "caption": "Eleven"},
                    ]
                },
            ),
        ),
        seen=_shown("groups", "t11", name="Eleven"),
    ),
    "groups.copy": Case(
        "groups",
        ("t1",),
        {"group_id": "t1b"},
        (
            ("POST", "/teams", {"code": "t1b", "caption": "Team 1 (copy)", "ring": {"how": "ALL_AT_ONCE"}}),
            ("PUT", "/teams/t1b", {"crew": [1, 2, 3]}),
        ),
        seen=_shown("groups", "t1b", participants=("1", "2", "3")),
    ),
    "groups.add": Case(
        "groups",
        ("t3",),
        {"user": "9"},
        (("POST", "/teams/t3/crew", {"uid": 9}),),
        seen=_shown("groups", "t3", participants=("3", "4", "5", "9")),
    ),
    "members.remove": Case(
        records=lambda seat: [Member(user_id="9", group_id="t3", position=4)],
        sent=(("DELETE", "/teams/t3/crew?uid=9", None),),
        seen=_shown("groups", "t3", participants=("3", "4", "5")),
        selected=_team,
    ),
    "groups.reorder": Case(
        "groups",
        ("t3",),
        {"order": "user5\nbob\nuser4"},
        (("PUT", "/teams/t3/crew", {"crew": [5, 3, 4]}),),
        seen=_shown("groups", "t3", participants=("5", "3", "4")),
    ),
    "skills.attach": Case(
        "skills",
        ("sales",),
        {"agents": ("3", "4")},
        (("POST", "/talents/sales/who", {"all": [3, 4]}),),
        seen=_shown("skills", "sales", agents=("8", "3", "4")),
    ),
    "skills.detach": Case(
        "skills",
        ("sales",),
        {"agents": ("8",)},
        (("DELETE", "/talents/sales/who/8", None),),
        seen=_shown("skills", "sales", agents=("3", "4")),
    ),
    "chats.transfer": Case(
        "chats",
        ("talk-71",),
        {"agent": "4"},
        (("POST", "/talks/talk-71/move", {"to": {"uid": 4, "name": "user4", "realm": "far.example"}}),),
        lambda data: data.tables["talks"]["talk-71"]["desk"]["uid"] == 4,
    ),
    "notifications.accept": Case(
        "notifications", ("o-2",), sent=(("POST", "/offers/o-2", {"do": "accept"}),), seen=_gone("notifications", "o-2")
    ),
    "missed.mark-read": Case(
        "missed-calls",
        ("150",),
        sent=(("POST", "/missed/seen", {"uid": 1, "upto": 150}),),
        seen=_shown("missed-calls", "150", read=True),
    ),
    "presence.follow": Case(
        answers={"addresses": "user7"},
        sent=(("POST", "/known", {"who": "wac-user:7"}),),
        then=lambda data: "wac-user:7" in data.followed,
    ),
    "presence.unfollow": Case(
        "presence",
        ("wac-user:7",),
        sent=(
            (
                "PUT",
                "/known",
                {"found": [f"wac-user:{n}" for n in (2, 3, 7)], "followed": ["wac-user:2", "wac-user:3"]},
            ),
        ),
        then=lambda data: data.followed == ["wac-user:2", "wac-user:3"],
    ),
    "users.follow": Case(
        "users",
        ("8", "9"),
        sent=(("POST", "/known/many", {"everybody": ["wac-user:8", "wac-user:9"]}),),
        then=lambda data: "wac-user:9" in data.followed,
    ),
    "me.set": Case(
        answers={"activity": "dnd"},
        sent=(("PATCH", "/around/wac-user:1", {"doing": "in-peace", "up": "true"}),),
        seen=_shown("presence", "wac-user:1", activity="dnd", online=True),
    ),
    "users.make-plain": Case(
        "users",
        ("8",),
        sent=(("PATCH", "/people/8", {"can": ["+chat"]}),),
        seen=_shown("users", "8", capabilities=("+chat",)),
    ),
    "sessions.revoke": Case(
        "sessions",
        ("9002",),
        sent=(("POST", "/logins/end", {"lid": 9002}),),
        then=lambda data: data.tables["logins"]["9002"]["till"] > 0,
    ),
}
"""Some actions of each sort of request, in an order in which each finds what it needs."""
