"""Requests in terms of HTTP, as a route says: places and names of inputs, constants, an envelope, the next page."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast
from urllib.parse import parse_qsl

from console.api.annotations import InputPlace, Variant
from console.api.request import Request
from console.api.route import OFFSET, PAGE, Route
from console.api.value_forms import changed_at, sent_as, steps_of
from console.base.frozen import Frozen

CURSOR = "page_after"
"""The field with the cursor of a page; requests without this field carry it as an extra value."""
_SCIM_OFFSET = "startindex"
"""The offset of SCIM, whose first row is 1 (RFC 7644, 3.4.2.4)."""


class Outgoing(Frozen):
    """A request in terms of HTTP. `path` is encoded, `query` and `body` are not."""

    method: str
    path: str
    query: tuple[tuple[str, str], ...]
    body: bytes | None


def cursor_of(request: Request[Any]) -> str:
    """Return the position in a list from which a request goes on, empty for the first page.

    It is a cursor of the service, `?` and the query of its URL of the page, or `NUMBER#ROWS`: the page's number or
    offset, and the rows before it.
    """
    return str(getattr(request, CURSOR, None) or request.model_extra.get(CURSOR) or "")


def counted(request: Request[Any], route: Route) -> tuple[int, int]:
    """Return the number of the requested page, or its offset, and the number of rows before it."""
    number, _, seen = cursor_of(request).partition("#")
    if number.isdigit() and seen.isdigit():
        return int(number), int(seen)
    how = route.answer.next if route.answer is not None else ""
    name = route.cursor or how
    usual = 1 if how == PAGE or name.lower() == _SCIM_OFFSET else 0
    first = route.always.get(name, route.defaults.get(name)) if how in {PAGE, OFFSET} else None
    return first if isinstance(first, int) else usual, 0


def outgoing(request: Request[Any], route: Route | None = None, variant: Variant = Variant.LATER) -> Outgoing:
    """Convert a request to HTTP, by default as the contract says. Inputs that the route's path names are sent in it.

    Omit inputs that the variant lacks or that were never set; send None as null. Raise ValueError if a value cannot
    be sent: infinity, or what no path or query can contain.
    """
    route = route or request.operation.route
    dumped = request.model_dump(by_alias=True, mode="json", exclude_unset=True)
    wire = {**route.defaults, **_spelled(request, route, dumped), **route.always}
    path: dict[str, str] = {}
    query: list[tuple[str, str]] = []
    body: dict[str, Any] = {}
    whole_body: Any = None
    pages = _pages(request, route)
    for input_ in request.inputs():
        configured = input_.wire in route.always or input_.wire in route.defaults
        if input_.wire not in wire or (input_.variant not in {None, variant} and not configured):
            continue
        if input_.field == CURSOR and pages is not None:
            continue
        value = wire[input_.wire]
        name = route.names.get(input_.wire, input_.travels)
        match input_.place_by(route):
            case InputPlace.PATH if value is None:
                raise ValueError(f"{input_.wire} is sent in the path, which cannot contain null")
            case InputPlace.PATH:
                path[input_.wire if input_.wire in route.fields else input_.field] = _text(value)
            case InputPlace.QUERY:
                query.extend(_query(name, value))
            case InputPlace.WHOLE_BODY:
                whole_body = value
            case InputPlace.BODY:
                body[name] = value
    is_whole = any(input_.place_by(route) is InputPlace.WHOLE_BODY for input_ in request.inputs())
    known = {input_.wire for input_ in request.inputs()}
    constants = {name: value for name, value in route.always.items() if name not in known}
    for more, by_url in ((constants, False), (pages or {}, cursor_of(request).startswith("?"))):
        inside = {name: value for name, value in more.items() if not by_url and route.sends_in_body(name)}
        query = [pair for pair in query if pair[0] not in more or pair[0] in inside]
        query += [pair for name, value in more.items() if name not in inside for pair in _query(name, value)]
        body |= inside
    if body and whole_body is not None:
        raise ValueError(f"the whole body is another input, so {next(iter(body))} cannot be added")
    content: Any = body if whole_body is None else whole_body
    sends_body = whole_body is not None or bool(body) or (route.method in {"POST", "PUT", "PATCH"} and not is_whole)
    for name in reversed(route.wrap.split(".") if route.wrap else ()):
        content = {name: content}
    if route.envelope:
        content = {**route.envelope, **content}
    return Outgoing(
        method=route.method,
        path=route.path(path),
        query=tuple(query),
        body=json.dumps(content, separators=(",", ":"), allow_nan=False).encode() if sends_body else None,
    )


def _spelled(request: Request[Any], route: Route, values: dict[str, Any]) -> dict[str, Any]:
    """Return the values of inputs in the forms of the deployment, with its names of fields inside them."""
    if not route.forms and not route.names:
        return values
    known = {input_.wire for input_ in request.inputs()}
    for path, form in route.forms.items():
        steps = (path,) if path in known else steps_of(path)
        values = changed_at(values, steps, sent_as(path, form))
    inner = [(steps_of(path), name) for path, name in route.names.items() if path not in known]
    # The deepest first: its path has the names of the contract.
    for (*steps, last), name in sorted(inner, key=lambda entry: -len(entry[0])):
        values = changed_at(values, steps, lambda entry, last=last, name=name: _with_name(entry, last, name))
    return values


def _with_name(value: Any, ours: str, theirs: str) -> Any:
    if not isinstance(value, Mapping):
        return value
    return {theirs if name == ours else name: item for name, item in cast("Mapping[str, Any]", value).items()}


def _pages(request: Request[Any], route: Route) -> Mapping[str, Any] | None:
    """Return the parameters of a later page; None if it is the first, or if its cursor is sent as the contract says."""
    cursor = cursor_of(request)
    if not cursor or route.answer is None or not route.answer.next:
        return None
    if cursor.startswith("?"):
        pages: dict[str, list[str]] = {}
        for name, value in parse_qsl(cursor[1:], keep_blank_values=True):
            pages.setdefault(name, []).append(value)
        return pages
    if route.answer.next in {PAGE, OFFSET}:
        return {route.cursor or route.answer.next: counted(request, route)[0]}
    return {route.cursor: cursor} if route.cursor else None


def _text(value: Any) -> str:
    """Return a value as text for a path or query. Raise ValueError for text that no URL can contain."""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = value if isinstance(value, str) else json.dumps(value)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("half of a surrogate pair is not a character") from None
    return text


def _query(name: str, value: Any) -> list[tuple[str, str]]:
    if value is None:
        return []
    if isinstance(value, list | tuple):
        return [(name, _text(item)) for item in cast("Sequence[Any]", value)]
    if isinstance(value, Mapping):
        members = cast("Mapping[str, Any]", value)
        return [pair for key, member in members.items() for pair in _query(f"{name}[{key}]", member)]
    return [(name, _text(value))]
