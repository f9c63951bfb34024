"""Invalid and hostile records, generated from the models."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, get_args, get_origin
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from console.records.connection import Connection
from console.records.deliveries import Delivery
from console.records.differences import ChangedList, Difference
from console.records.domains import Domain
from console.records.episodes import Episode
from console.records.fields import resolved_fields
from console.records.meetings import MissedCall
from console.records.notifications import Notification
from console.records.own_changes import OwnChange
from console.records.people import Group, Session, User
from console.records.phonebooks import Phonebook
from console.records.queues import Queue
from console.records.record import Record
from console.records.recordings import Recording
from console.records.rules import RuleRow
from console.records.sip import SipIdentity, SipMapping
from console.records.support import Agent, Alert, AlertTemplate, Presence, Skill, SupportChat
from console.records.traffic import Call, CallAlarm, Conference
from console.views.render_context import RenderContext

NOW = 1_790_000_000_000
ZONE = ZoneInfo("Europe/Madrid")

KINDS: dict[str, type[Record]] = {
    "calls": Call,
    "conferences": Conference,
    "presence": Presence,
    "agents": Agent,
    "skills": Skill,
    "chats": SupportChat,
    "alerts": Alert,
    "templates": AlertTemplate,
    "groups": Group,
    "users": User,
    "sessions": Session,
    "alarms": CallAlarm,
    "domains": Domain,
    "phonebooks": Phonebook,
    "recordings": Recording,
    "sip-identities": SipIdentity,
    "sip-mappings": SipMapping,
    "deliveries": Delivery,
    "notifications": Notification,
    "changes": OwnChange,
    "differences": Difference,
    "changed-lists": ChangedList,
    "missed-calls": MissedCall,
    "queues": Queue,
    "connection": Connection,
    "episodes": Episode,
    "rules": RuleRow,
}

HOSTILE = (
    "\x1b]0;pwn\x07",
    "\x9b31m",
    "[@click=app.quit]x[/]",
    "\u202ereversed",
    "a\u0301\u0301\u0301\u0301",
    "line\nbreak\r\ttab",
    "\ud800",
    "\u200b\u2060",
    "x" * 2000,
    "日本語",
    "=1+1",
    "",
    " ",
    '"',
)
SENSIBLE = (
    "svc-user:u1",
    "u1",
    "u2",
    "+34600100200",
    "connected",
    "queued",
    "active",
    "accepted",
    "offline",
    "Ana",
    "-",
)
texts = st.sampled_from(HOSTILE + SENSIBLE) | st.text(max_size=12)
SENSIBLE_NUMBERS = (0, -1, 1, 3, 0.5, NOW, NOW - 1, NOW + 1, NOW - 90_000, NOW + 90_000, 1e18, -1e15, 10**30)
ABSURD_NUMBERS = (1e308, -1e308, float("inf"), float("-inf"), 10**309, -(10**310), 5e-324, 2**63, -(2**63), 2**64, -0.0)
"""Valid in JSON, and beyond what floats, integers of machines or calendars can be."""
numbers = st.sampled_from(SENSIBLE_NUMBERS + ABSURD_NUMBERS)
anything = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=5,
)


@cache
def wire_of(model: type[Record]) -> st.SearchStrategy[dict[str, Any]]:
    """Generate bodies of a model: mostly of the right types, sometimes of any."""
    fields = {field.wire: values_of(field.annotation) for field in resolved_fields(model).values()}
    known = st.fixed_dictionaries({}, optional=fields)
    extra = {"templateId": texts, "retriesLeft": numbers, "nextRetryAt": numbers, "expiresAt": numbers}
    return st.builds(_joined, known, st.fixed_dictionaries({}, optional=extra))


def _joined(body: dict[str, Any], extra: dict[str, Any]) -> dict[str, Any]:
    return {**extra, **body}


def values_of(annotation: Any) -> st.SearchStrategy[Any]:
    """Generate values: mostly of this type, sometimes of any."""
    right = _right(annotation)
    return st.one_of(right, right, right, anything)


def _right(annotation: Any) -> st.SearchStrategy[Any]:
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is tuple:
        return st.lists(_right(parts[0]), max_size=3)
    if origin is dict:
        return st.dictionaries(
            texts | st.sampled_from(["date", "to", "state", "callee", "skill"]), anything, max_size=3
        )
    if parts:
        return st.one_of([_right(each) for each in parts if each is not type(None)])
    if annotation is str:
        return texts
    if annotation is bool:
        return st.booleans()
    if annotation in (int, float):
        return numbers
    if isinstance(annotation, type) and issubclass(annotation, Record):
        return wire_of(annotation)
    return anything


@cache
def records(kind: str) -> st.SearchStrategy[Record]:
    """Generate records of a kind as a client would parse them, some from invalid rows."""
    model = KINDS[kind]
    return (wire_of(model) | anything).map(model.model_validate)


@cache
def world(kinds: tuple[str, ...]) -> st.SearchStrategy[Mapping[str, Mapping[str, Record]]]:
    """Generate some records of these kinds."""
    return st.fixed_dictionaries(
        {
            kind: st.lists(records(kind), max_size=2).map(lambda found: {each.key: each for each in found})
            for kind in kinds
        }
    )


def render_context(
    known: Mapping[str, Mapping[str, Record]] | None = None, now_ms: int = NOW, symbols: str = "full"
) -> RenderContext:
    """Return a render context over these records, in the time zone of Madrid."""
    found = known or {}

    def of(kind: str) -> Mapping[str, Record]:
        return found.get(kind, {})

    return RenderContext(now_ms=now_ms, zone=ZONE, me="u1", lookup=of, symbols=symbols)
