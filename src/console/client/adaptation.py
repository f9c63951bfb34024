"""Bring what a deployment sends into the contract's form, before anything else reads it."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, cast
from zoneinfo import ZoneInfo

from console.api.events import Event
from console.api.outgoing import Outgoing
from console.api.request import Request
from console.api.route import Route
from console.api.value_forms import TEXT
from console.base.frozen import replace
from console.client.answer_paths import in_contract_form
from console.client.dialect import Message
from console.client.endpoint import Endpoint
from console.client.fetched import LARGE
from console.records.raw import Json
from console.records.state_words import LONGEST, normalized

States = Mapping[str, Mapping[str, str]]
"""By list, such as `calls`: the words of the deployment, and the known words that they mean."""

FIELDS = ("state", "activity", "urgency", "role", "kind", "type")
"""Fields with words that are replaced."""
KEPT = "console:"
"""The beginning of the names under which answers keep the deployment's words."""


# The name and the value are whole JSON strings: inside another string, quotation marks have a backslash before them.
_WORD = rb'"([^"\\]{1,%d})"|(-?[0-9]{1,9})(?=\s*[,}])' % LONGEST
_NUMBER = re.compile(r"-?[0-9]{1,9}")
_STATE = re.compile(rb'(?<!\\)"(%b)"(\s*:\s*)(?:%b)' % ("|".join(FIELDS).encode(), _WORD))


def with_known_states(body: bytes, meanings: Mapping[str, str]) -> bytes:
    """Return JSON with known words in the fields of FIELDS, at any depth. Some services have numbers for them.

    The word of the deployment is kept beside it, as `console:state`. Other text is unchanged.
    """
    known = {normalized(word): meaning.encode() for word, meaning in meanings.items()}

    def renamed(match: re.Match[bytes]) -> bytes:
        name, colon, word, number = match.groups()
        meaning = known.get(normalized((word or number).decode(errors="replace")))
        if meaning is None:
            return match[0]
        sent = number if word is None else b'"%b"' % word
        return b'"%b"%b"%b","%b%b":%b' % (name, colon, meaning, KEPT.encode(), name, sent)

    return _STATE.sub(renamed, body)


def with_own_states(out: Outgoing, meanings: Mapping[str, str], route: Route) -> Outgoing:
    """Return a request with the deployment's words; of several with one meaning, the first.

    Words that are numbers are sent as numbers, unless `forms` of the route says that they are texts. The words that
    answers keep beside the known ones are not sent back.
    """
    own: dict[str, str] = {}
    for word, meaning in meanings.items():
        own.setdefault(normalized(meaning), word)
    fields = {field: field for field in FIELDS}
    fields |= {name: path for path, name in route.names.items() if path.rpartition(".")[2] in FIELDS}
    texts = {path.rpartition(".")[2] for path, form in route.forms.items() if form == TEXT}

    def sent(name: str, word: str) -> object:
        is_text = fields[name].rpartition(".")[2] in texts
        return word if is_text or _NUMBER.fullmatch(word) is None else int(word)

    def renamed(value: Any, name: str = "") -> Any:
        if isinstance(value, dict):
            members = cast("dict[str, Any]", value)
            return {key: renamed(member, key) for key, member in members.items() if not key.startswith(KEPT)}
        if isinstance(value, list):
            return [renamed(item) for item in cast("list[Any]", value)]
        word = own.get(normalized(value)) if name in fields and isinstance(value, str) else None
        return value if word is None else sent(name, word)

    query = tuple((name, str(renamed(value, name))) for name, value in out.query)
    if out.body is None:
        return replace(out, query=query)
    return replace(out, query=query, body=json.dumps(renamed(json.loads(out.body)), separators=(",", ":")).encode())


def events_with_known_states(messages: Sequence[Message], states: States) -> Sequence[Message]:
    """Return the messages of an event channel, with known words for states in their rows."""
    return [
        replace(message, body=Json(with_known_states(bytes(message.body), states[message.topic])))
        if isinstance(message, Event) and message.topic in states
        else message
        for message in messages
    ]


# Whole JSON strings: inside another string, quotation marks have a backslash before them. A colon follows a name.
_TEXT = re.compile(
    rb'(?<!\\)"([0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?)"(?!\s*:)'
)
_PARTS = re.compile(rb"\[\s*((?:19|20)[0-9]{2}(?:\s*,\s*[0-9]{1,2}){4,5}(?:\s*,\s*[0-9]{1,9})?)\s*\]")
"""A list of year, month, day, hour, minute, perhaps second and nanosecond, as Java writes it."""


def with_zone(body: bytes, zone: ZoneInfo) -> bytes:
    """Return JSON whose times without a zone have the offset that this zone had then. Other text is unchanged."""

    def of_text(match: re.Match[bytes]) -> bytes:
        return _written(match[1].decode(), zone) or match[0]

    def of_parts(match: re.Match[bytes]) -> bytes:
        year, month, day, hour, minute, *rest = map(int, match[1].split(b","))
        second, ns = (*rest, 0, 0)[:2]
        text = f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{ns // 1_000:06}"
        return _written(text, zone) or match[0]

    return _PARTS.sub(of_parts, _TEXT.sub(of_text, body))


def _written(text: str, zone: ZoneInfo) -> bytes | None:
    try:
        moment = datetime.fromisoformat(text).replace(tzinfo=zone)
    except ValueError:
        return None
    return None if moment.year < 1900 else f'"{moment.isoformat()}"'.encode()


async def adapted(request: Request[Any], endpoint: Endpoint, body: bytes, headers: Mapping[str, str]) -> bytes:
    """Convert a successful answer to the contract's form, for a deployment with another form.

    Large bodies are converted off the event loop. `headers` have names in lower case. Raise ValueError for a body that
    cannot be converted.
    """
    route = endpoint.route(request.operation)
    meanings = endpoint.words_of(request.operation)
    convert = partial(_converted, request, route, meanings, endpoint.times, body, headers)
    return await asyncio.to_thread(convert) if len(body) > LARGE else convert()


def _converted(
    request: Request[Any],
    route: Route,
    meanings: Mapping[str, str],
    times: ZoneInfo | None,
    body: bytes,
    headers: Mapping[str, str],
) -> bytes:
    body = with_zone(body, times) if times is not None else body
    converted = in_contract_form(request, route, body, headers) if route.answer is not None else body
    return with_known_states(converted, meanings) if meanings else converted
