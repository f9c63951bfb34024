"""Fields that never identify a person. Every other field counts as personal, unknown text included.

Used to replace names, numbers and texts in a recording that is sent to others. A number in a field that is declared as
one, a truth value and a time are never personal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, get_args
from zoneinfo import available_timezones

from console.kinds.alarms.states import STATES as ALARMS
from console.kinds.alerts.states import STATES as ALERTS
from console.kinds.calls.states import STATES as CALLS
from console.kinds.catalogue import LIVE
from console.kinds.conferences.states import INVITES
from console.kinds.conferences.states import STATES as CONFERENCES
from console.kinds.connection.states import STATES as CONNECTION
from console.kinds.deliveries.states import STATES as DELIVERIES
from console.kinds.episodes.states import SEVERITIES
from console.kinds.episodes.states import STATES as EPISODES
from console.kinds.notifications.states import STATES as NOTIFICATIONS
from console.kinds.presence.states import STATES as PRESENCE
from console.live.command import Stage
from console.live.delta import Freshness
from console.records import state_words
from console.records.addresses import GENERAL_SCHEMES, GROUP_PREFIX, USER_PREFIX
from console.records.fields import resolved_fields
from console.records.people import AGENT_CAPABILITY
from console.records.record import Record

DOMAINS = frozenset({"domain", "domains"})
"""Fields with names of domains."""
SCHEMES = frozenset({*(f"{scheme}:" for scheme in GENERAL_SCHEMES), USER_PREFIX, GROUP_PREFIX})
"""Beginnings of addresses."""
_KNOWN_STATES = frozenset(
    {
        state_words.plain(word)
        for states in (
            ALARMS,
            ALERTS,
            CALLS,
            CONFERENCES,
            CONNECTION,
            DELIVERIES,
            EPISODES,
            INVITES,
            NOTIFICATIONS,
            PRESENCE,
        )
        for word in states.looks
    }
    | {freshness.value for freshness in Freshness}
)
_ROLES = frozenset({"user", "admin", "anonymous"})
_SEVERITIES = frozenset(state_words.plain(look) for look in SEVERITIES.looks)
_WORDS: Mapping[str, frozenset[str]] = {
    "state": _KNOWN_STATES,
    "activity": _KNOWN_STATES,
    "role": _ROLES,
    "severity": _SEVERITIES,
    "worst": _SEVERITIES,
    "urgency": frozenset({"minor", "major", "critical", "warning", "info"}),
    "list": frozenset(state_words.plain(value) for value in LIVE),
    "kind": frozenset({"alert", "chat", *(state_words.plain(value) for value in LIVE)}),
    "type": frozenset({"call", "simultaneous", "sequential", "audio", "video"}),
    "codecname": frozenset({"opus", "g722", "pcma", "pcmu", "g729", "vp8", "vp9", "h264", "av1"}),
    "section": frozenset({"ssrc"}),
    "value": frozenset({"packetslost", "packetssent", "packetsreceived"}),
    "cond": frozenset({">", "<", ">=", "<=", "==", "="}),
    "capabilities": frozenset({state_words.plain(AGENT_CAPABILITY)}),
    "what": frozenset({"intent", "outcome", "result"}),
    "stage": frozenset(state_words.plain(stage.value) for stage in Stage),
}
"""The words of fields that have one of a few words, in plain form; another word in such a field is personal."""
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:[-_][A-Z]{2})?")
_TIME = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?")
_INSIDE = frozenset({"answeredAt", "inviteId", "conferenceLog"})
"""Names of fields inside objects whose contents the contract leaves open, as far as the console shows them."""


def is_harmless(name: str, text: str) -> bool:
    """Return whether a text in a field tells nothing about people: a word that the console knows, a time."""
    words = _WORDS.get(name.lower())
    if words is not None and (state_words.plain(text) in words or text in words):
        return True
    if name in {"locale", "language"}:
        return _LANGUAGE.fullmatch(text) is not None
    if name == "currentTimezone":
        return text in _zones()
    return _TIME.fullmatch(text) is not None


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())


@cache
def names_of_fields() -> frozenset[str]:
    """Return the wire names of all declared fields: other names inside a row may be those of people."""
    return frozenset(wire for wire, _ in _declared()) | _INSIDE


@cache
def names_of_numbers() -> frozenset[str]:
    """Return the wire names of the fields that are numbers wherever they are declared."""
    declared = list(_declared())
    texts = {wire for wire, is_number in declared if not is_number}
    return frozenset(wire for wire, is_number in declared if is_number) - texts


def _declared() -> Iterator[tuple[str, bool]]:
    waiting: list[type[Record]] = [Record]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        for field in resolved_fields(kind).values():
            for wire in field.wires:
                yield wire, bool({int, float} & {*_parts(field.annotation)})


def _parts(annotation: Any) -> Iterator[Any]:
    inner = get_args(annotation)
    if not inner:
        yield annotation
    for item in inner:
        yield from _parts(item)
