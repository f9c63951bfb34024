"""Replaces what tells of people in the rows of a recording, the same text by the same pseudonym everywhere.

Words become invented words, digits other digits, so that numbers keep their length and addresses their form. A person
has the same pseudonym in names, addresses, ids and sentences, because the parts of all texts are replaced one by one.
The pseudonyms follow from a random key that is forgotten: nobody can compute them for a known name.

Some fields never identify a person: a number in a field that is declared as one, a truth value, a time, and a known
word. Every other field counts as personal, unknown text included.
"""

from __future__ import annotations

import json
import re
import secrets
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from hashlib import blake2b
from typing import Any, cast, get_args
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
from console.live.history import COMPUTED, LISTS
from console.recording.format import CALLER, HEALTH, LINK, ROW, SAMPLES
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
        state_words.normalized(word)
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
_SEVERITIES = frozenset(state_words.normalized(look) for look in SEVERITIES.looks)
_WORDS: Mapping[str, frozenset[str]] = {
    "state": _KNOWN_STATES,
    "activity": _KNOWN_STATES,
    "role": _ROLES,
    "severity": _SEVERITIES,
    "worst": _SEVERITIES,
    "urgency": frozenset({"minor", "major", "critical", "warning", "info"}),
    "list": frozenset(state_words.normalized(value) for value in LIVE),
    "kind": frozenset({"alert", "chat", *(state_words.normalized(value) for value in LIVE)}),
    "type": frozenset({"call", "simultaneous", "sequential", "audio", "video"}),
    "codecname": frozenset({"opus", "g722", "pcma", "pcmu", "g729", "vp8", "vp9", "h264", "av1"}),
    "section": frozenset({"ssrc"}),
    "value": frozenset({"packetslost", "packetssent", "packetsreceived"}),
    "cond": frozenset({">", "<", ">=", "<=", "==", "="}),
    "capabilities": frozenset({state_words.normalized(AGENT_CAPABILITY)}),
    "what": frozenset({"intent", "outcome", "result"}),
    "stage": frozenset(state_words.normalized(stage.value) for stage in Stage),
}
"""The words of fields that have one of a few words, normalized; another word in such a field is personal."""
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:[-_][A-Z]{2})?")
_TIME = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?")
_INSIDE = frozenset({"answeredAt", "inviteId", "conferenceLog"})
"""Names of fields inside objects whose contents the contract leaves open, as far as the console shows them."""


def is_harmless(name: str, text: str) -> bool:
    """Return whether a text in a field tells nothing about people: a word that the console knows, a time."""
    known_words = _WORDS.get(name.lower())
    if known_words is not None and (state_words.normalized(text) in known_words or text in known_words):
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
    """Return the wire names of all declared fields: other names inside a row may name people."""
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


_LONGEST = 2_000
"""Most characters of a text that is replaced part by part; a longer one, such as a picture, is left out."""
_LEFT_OUT = "(left out)"
_SYLLABLES = tuple(first + vowel for first in "bdfgklmnprstvz" for vowel in "aeiou")
_KEPT_DIGITS = 2
"""A number alone with so few digits is a count, and stays."""
_MOST_DIGITS = 4
"""A longer number is a phone number, or the id of a record."""
_PARTS = re.compile(
    r"@(?P<domain>(?:[^\W_]|-)+(?:\.(?:[^\W_]|-)+)+)"
    r"|(?<![^\W_])(?P<phone>\d(?:[ ().\-/]{0,2}\d){4,})(?![^\W_])"
    r"|(?P<word>[^\W_]+)"
)
_CONSTANT_KEYS: Mapping[str, Collection[str]] = {
    HEALTH: {*LIVE, LINK},
    SAMPLES: {ROW, LISTS, COMPUTED},
    CALLER: {ROW},
    "status": {"status"},
    "connection": {"console"},
}
"""The keys that are words of the program, by kind."""
_LENGTH = re.compile(r"\d{1,2}[smhd]")
"""A length of time in a sentence or a filter of the program."""
_MOMENTS = ((1_000_000_000, 4_100_000_000), (1_000_000_000_000, 4_100_000_000_000))
"""Times in s and ms between 2001 and 2100."""


class Pseudonyms:
    """The pseudonyms of one recording. `words` are further words of the program, by the fields in which they stay."""

    def __init__(self, known_words: Mapping[str, Collection[str]] | None = None) -> None:
        self._words = {name: frozenset(word) for name, word in (known_words or {}).items()}
        self._key = secrets.token_bytes(32)
        self._known: dict[tuple[str, str], str] = {}
        """By the replaced text: a part of a text, or a whole one."""
        self._taken: set[tuple[str, str]] = set()

    # -- rows --------------------------------------------------------------------------------------------------------

    def key(self, kind: str, key: str) -> str:
        """Return the key of a row."""
        return key if key in _CONSTANT_KEYS.get(kind, ()) else self.text(key)

    def row(self, kind: str, row: bytes) -> bytes:
        """Return a row; one that cannot be read becomes empty."""
        try:
            value: Any = json.loads(row)
            if isinstance(value, dict):
                fields = cast("dict[str, Any]", value)
                # A service does not name the fields of its rows after people.
                value = {name: self._field(kind, name, field) for name, field in fields.items()}
            else:
                value = self._value("", value)
        except (ValueError, RecursionError):
            return b"{}"
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")

    def _field(self, kind: str, name: str, value: Any) -> Any:
        if kind == SAMPLES and isinstance(value, int | float):
            return value
        return self.key(kind, value) if name == "id" and isinstance(value, str) else self._value(name, value)

    def entry(self, entry: Mapping[str, Any]) -> dict[str, Any]:
        """Return an entry of the journal."""
        return {name: self._value(name, value) for name, value in entry.items()}

    def _value(self, name: str, value: Any) -> Any:
        match value:
            case str():
                return self.text(value, name)
            case bool() | None:
                return value
            case int() | float():
                return self._number(name, value)
            case list():
                return [self._value(name, item) for item in cast("list[Any]", value)]
            case dict():
                known, fields = names_of_fields(), cast("dict[str, Any]", value)
                return {
                    name if name in known else self.text(name): self._value(name, inner)
                    for name, inner in fields.items()
                }
            case _:
                return None

    def _number(self, name: str, value: float) -> float:
        if name in names_of_numbers() or value != value or abs(value) < 10**_MOST_DIGITS or value % 1:
            return value
        if any(first <= value < last for first, last in _MOMENTS):
            return value
        digits = str(abs(int(value)))
        return int(self._digits(digits)) * (1 if value > 0 else -1)

    # -- texts -------------------------------------------------------------------------------------------------------

    def text(self, text: str, name: str = "") -> str:
        """Return the pseudonym of a text in a field; words of the program and times stay."""
        if not text or is_harmless(name, text):
            return text
        if len(text) > _LONGEST:
            return _LEFT_OUT
        if name in DOMAINS:
            return self._domain(text)
        own = self._words.get(name)
        if own is not None:
            return text if text in own else _PARTS.sub(lambda found: self._part(found, own), text)
        scheme = next((scheme_name for scheme_name in SCHEMES if text.startswith(scheme_name)), "")
        if scheme:
            return scheme + self.text(text[len(scheme) :])
        return self._once("text", text, lambda turn: _PARTS.sub(self._part, text) + (f"-{turn}" if turn else ""))

    def _part(self, match: re.Match[str], kept: Collection[str] = ()) -> str:
        part = match[0]
        if part in kept or (kept and _LENGTH.fullmatch(part)):
            return part
        if match["domain"]:
            return f"@{self._domain(match['domain'])}"
        if match["phone"]:
            new = iter(self._digits(re.sub(r"\D", "", part)))
            return re.sub(r"\d", lambda _: next(new), part)
        if part.isdecimal():
            return part if len(part) <= _KEPT_DIGITS else self._digits(part)
        return self._word(part) if part.isalpha() else self._mixed(part)

    def _domain(self, text: str) -> str:
        """Return a domain with other labels, except for the last."""
        *labels, last = text.split(".")
        if not labels:
            return self.text(text)
        return ".".join([*("-".join(map(self.text, label.split("-"))) for label in labels), last])

    def _word(self, word: str) -> str:
        plain = "".join(value for value in unicodedata.normalize("NFKD", word) if not unicodedata.combining(value))
        folded = plain.casefold()
        if word.islower():
            return self._once("word", folded, self._invented)
        if word.isupper() and len(word) > 1:
            return self._once("word", folded, self._invented).upper()
        if word[0].isupper() and (len(word) == 1 or word[1:].islower()):
            return self._once("word", folded, self._invented).capitalize()
        return self._once("word", f"{word} as written", self._invented)

    def _mixed(self, text: str) -> str:
        """Return other letters and digits in the same places, such as in an id."""

        def pseudonym(turn: int) -> str:
            noise = self._noise("mixed", text, turn, len(text))
            letters = (
                str(value % 10) if character.isdigit() else chr(ord("a") + value % 26)
                for character, value in zip(text, noise, strict=True)
            )
            return "".join(letters) + ("x" * (turn // 64))

        return self._once("mixed", text, pseudonym)

    def _digits(self, digits: str) -> str:
        """Return as many other digits, with the same zeros at the beginning."""
        digits = "".join(str(unicodedata.digit(digit, 0)) for digit in digits)

        def pseudonym(turn: int) -> str:
            rest = digits.lstrip("0")
            noise = self._noise("digits", digits, turn, len(rest) + turn // 64)
            new = "".join(str(1 + value % 9) if not place else str(value % 10) for place, value in enumerate(noise))
            return "0" * (len(digits) - len(rest)) + new

        return self._once("digits", digits, pseudonym)

    def _invented(self, turn: int) -> str:
        noise = self._noise("word", str(len(self._known)), turn, 3 + turn // 64)
        return "".join(_SYLLABLES[value % len(_SYLLABLES)] for value in noise)

    def _noise(self, what: str, text: str, turn: int, length: int) -> bytes:
        noise = b""
        while len(noise) < length:
            part = f"{what}\0{turn}\0{len(noise)}\0{text}".encode(errors="replace")
            noise += blake2b(part, key=self._key).digest()
        return noise[:length]

    def _once(self, what: str, text: str, make: Callable[[int], str]) -> str:
        """Return the pseudonym of a text, which no other text of its sort has."""
        once = self._known.get((what, text))
        turn = 0
        while once is None:
            pseudonym = make(turn)
            turn += 1
            if (what, pseudonym) not in self._taken:
                self._taken.add((what, pseudonym))
                self._known[what, text] = once = pseudonym
        return once
