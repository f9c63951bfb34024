"""Answers of a deployment in the contract's form: where its route says that rows, pages and fields are elsewhere.

A list becomes an array, or an object with `data` and `meta` if the deployment has pages (contract 2.1). Values stay
unparsed bytes: ten thousand rows take some tens of milliseconds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from console.api.annotations import Effect
from console.api.answer_check import NotTheAnswer
from console.api.events import Event
from console.api.listed import is_list, record_type
from console.api.outgoing import CURSOR, counted
from console.api.request import Request
from console.api.route import LINK, OFFSET, PAGE, AnswerPlaces, Route
from console.base.frozen import replace
from console.client.dialect import Message
from console.records.members import Change, member, renamed
from console.records.raw import Json, are_positions, array_of, every_field, fields, parse, rows
from console.records.structured import shape_of

LONGEST_CURSOR = 8 * 1024
_PARAMETER = r"""\s*;\s*([\w!#$%&'*+.^`|~-]+)\s*(?:=\s*("(?:[^"\\]|\\.)*"|[^\s",;]*))?"""
_PARAMETERS = re.compile(_PARAMETER)
_LINK = re.compile(rf"<([^<>]*)>((?:{_PARAMETER})*)|" + r'"(?:[^"\\]|\\.)*"')
"""A link with its parameters (RFC 8288, 3), or a quoted string elsewhere, in which nothing is a link."""
_MOST_PARAMETERS = 50


def in_contract_form(request: Request[Any], route: Route, body: bytes, headers: Mapping[str, str]) -> bytes:
    """Return the body of an answer in the contract's form. `headers` have names in lower case.

    Raise NotTheAnswer if something is not where the route says.
    """
    places, text = route.answer, body.strip()
    if places is None or text[:1] not in {b"{", b"["}:
        return body
    content = text
    if places.rows and text[:1] == b"{":
        rows = member(text, places.rows)
        if rows is None:
            if request.operation.effect is Effect.CHANGE:
                return body
            if is_list(type(request)) and _says_nothing(places, text, headers):
                rows = b"[]"
        if rows is None:
            raise NotTheAnswer(f"the answer has no {places.rows!r} (rows of its route), only {_names(text)}")
        content = rows
    if is_list(type(request)):
        return _listed(request, route, places, text, content, headers)
    return _one(type(request), places, content)


def rows_by_topic(routes: Mapping[str, Route | None]) -> Mapping[str, Change]:
    """Return what brings the rows in events into the contract's form, by topic: the same as for rows of the list."""
    changes: dict[str, Change] = {}
    for name, route in routes.items():
        resource, _, verb = name.partition(".")
        convert = route.answer.convert if route is not None and route.answer is not None else None
        if convert is not None and verb in {"list", "page"}:
            # The topic of support chats is the only one with a shorter name.
            changes[resource.removeprefix("support-")] = convert
    return changes


def events_in_contract_form(messages: Sequence[Message], converts: Mapping[str, Change]) -> Sequence[Message]:
    """Return the messages of an event channel, with their rows in the contract's form."""
    return [
        replace(message, body=Json(converts[message.topic](bytes(message.body))))
        if isinstance(message, Event) and message.topic in converts
        else message
        for message in messages
    ]


def _one(request: type[Request[Any]], places: AnswerPlaces, content: bytes) -> bytes:
    """Convert a record, or the rows in the lists of an answer that has several."""
    answer = request.answer_type()
    if record_type(request) is answer:
        return places.convert(content) if places.convert is not None and content[:1] == b"{" else content
    # Its own fields are the names of the lists; all others are fields of their rows.
    own = {ours: theirs for ours, theirs in places.fields.items() if ours in shape_of(answer).wires}
    convert = replace(places, fields={name: field for name, field in places.fields.items() if name not in own}).convert
    if own and content[:1] == b"{":
        content = renamed(content, own)
    if convert is None:
        return content
    if content[:1] == b"[":
        return array_of([convert(bytes(row)) for row in rows(content)])
    members = {name: bytes(value).strip() for name, value in every_field(content).items()}
    lists = {
        name: array_of([convert(bytes(row)) for row in rows(value)])
        for name, value in members.items()
        if value[:1] == b"["
    }
    return _object({**members, **lists})


def _listed(
    request: Request[Any],
    route: Route,
    places: AnswerPlaces,
    text: bytes,
    content: bytes,
    headers: Mapping[str, str],
) -> bytes:
    meta = b""
    if text[:1] == b"{":
        names = [value for value in (request.operation.unwrap, "data") if value is not None]
        members = fields(text, ("meta", *names))
        meta = bytes(members.get("meta", b""))
        if not places.rows:
            content = next((bytes(members[name]).strip() for name in names if name in members), text)
    if content == b"null":
        content = b"[]"
    if content[:1] == b"{" and places.rows:
        content = _rows_of_table(type(request), places, content)
    if content[:1] != b"[":
        return content
    convert = places.convert
    if convert is not None or places.next in {PAGE, OFFSET}:
        came = rows(content)
        if convert is not None:
            content = array_of([convert(bytes(row)) for row in came])
    else:
        came = []
    if places.next or places.total:
        total = _total(places, text, headers)
        following = _next(request, route, places, text, headers, len(came), total)
        meta = json.dumps({"page": {"next": following or None, "total": total}}).encode()
    return _object({"data": content, "meta": meta}) if meta else content


def _says_nothing(places: AnswerPlaces, text: bytes, headers: Mapping[str, str]) -> bool:
    """Return whether an answer without the member for rows means an empty list.

    Several frameworks leave empty lists out: HAL its `_embedded`, others whatever is empty.
    """
    names = every_field(text).keys()
    first = places.rows.partition(".")[0]
    return not names or _total(places, text, headers) == 0 or (first == _EMBEDDED and first not in names)


_EMBEDDED = "_embedded"
"""The member of HAL for lists (draft-kelly-json-hal), which is optional."""


def _rows_of_table(request: type[Request[Any]], places: AnswerPlaces, content: bytes) -> bytes:
    """Return the rows of an object in place of a list: its members, or itself if it has a field of a row.

    Names of members other than positions are the ids of rows without one.
    """
    table, record = every_field(content), record_type(request)
    names = {*shape_of(record).wires, *(field.partition(".")[0] for field in places.fields.values())}
    if are_positions(table):
        return array_of(table.values())
    if names & table.keys() or any(bytes(value).lstrip()[:1] != b"{" for value in table.values()):
        return array_of([content])
    key = places.fields.get(record.key_wire(), record.key_wire())
    return array_of([_with_id(bytes(row).strip(), key, name) for name, row in table.items()])


def _with_id(row: bytes, key: str, identifier: str) -> bytes:
    """Return a row with this id, unless it has one."""
    if not key or member(row, key) is not None:
        return row
    inner = row[1:].lstrip()
    comma = b"" if inner == b"}" else b","
    return b"{" + json.dumps(key).encode() + b":" + json.dumps(identifier).encode() + comma + inner


def _next(
    request: Request[Any],
    route: Route,
    places: AnswerPlaces,
    text: bytes,
    headers: Mapping[str, str],
    count: int,
    total: int | None,
) -> str:
    """Return the cursor of the next page, empty at the end of the list; `outgoing` sends it."""
    if places.next in {PAGE, OFFSET}:
        number, seen = counted(request, route)
        seen += count
        if not count or (total is not None and seen >= total):
            return ""
        return f"{number + 1 if places.next == PAGE else number + count}#{seen}"
    if places.next == LINK:
        url = _next_link(headers.get("link", ""))
        return _query_of(url) if url else ""
    cursor = member(text, places.next)
    value = parse(cursor) if cursor is not None and len(cursor) <= LONGEST_CURSOR else None
    if isinstance(value, int) and not isinstance(value, bool) and value:
        value = str(value)
    if not isinstance(value, str) or not value:
        return ""
    is_url = value.startswith(("http://", "https://")) or "=" in value.partition("?")[2]
    if not is_url and not route.cursor and CURSOR not in request.declared_fields:
        raise NotTheAnswer("the answer has a cursor, but its route does not say which input takes it: set cursor")
    return _query_of(value) if is_url else value


def _next_link(header: str) -> str:
    """Return the URL of the first link to the next page in a `Link` header (RFC 8288, 3.3); empty without one."""
    for link in _LINK.finditer(header):
        url, parameters = link.group(1), link.group(2)
        relations = (value for name, value in _PARAMETERS.findall(parameters or "") if name.lower() == "rel")
        # Of several such parameters, all but the first are to be ignored.
        if url and "next" in next(relations, "").strip('"').lower().split():
            return url
    return ""


def _query_of(url: str) -> str:
    """Return the query of a URL with its question mark: nothing else of it is used."""
    try:
        query = urlsplit(url).query
        parse_qsl(query, max_num_fields=_MOST_PARAMETERS)
    except ValueError:
        query = ""
    if not query or len(query) > LONGEST_CURSOR:
        raise NotTheAnswer("the address of the next page has no query that can be sent (next of its route)")
    return f"?{query}"


def _total(places: AnswerPlaces, text: bytes, headers: Mapping[str, str]) -> int | None:
    if not places.total:
        return None
    total = member(text, places.total)
    decoded = total.strip(b'"').decode(errors="replace") if total is not None else headers.get(places.total.lower(), "")
    return int(decoded) if decoded.isascii() and decoded.isdigit() and len(decoded) < 16 else None


def _object(members: Mapping[str, bytes]) -> bytes:
    return b"{" + b",".join(json.dumps(name).encode() + b":" + value for name, value in members.items()) + b"}"


def _names(text: bytes) -> str:
    names = [*every_field(text)]
    return ", ".join(repr(name[:40]) for name in names[:6]) + (", …" if len(names) > 6 else "")
