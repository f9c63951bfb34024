"""Members of JSON objects by dotted paths, read and renamed without parsing their values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

import msgspec

from console.records.raw import Json, every_field, fields


def splits(path: str) -> Iterator[tuple[str, str]]:
    """Yield the ways to read a path as a first name and the rest, the longest name first: names may contain dots."""
    yield path, ""
    at = len(path)
    while (at := path.rfind(".", 0, at)) > 0:
        yield path[:at], path[at + 1 :]


def member(body: bytes, path: str) -> bytes | None:
    """Return the unparsed value at a dotted path in an object, None if it is missing."""
    body = body.strip()
    if body[:1] != b"{":
        return None
    try:
        found = fields(body, tuple(name for name, _ in splits(path)))
    except ValueError:
        return None
    for name, rest in splits(path):
        if name in found:
            value = bytes(found[name]).strip()
            value = value if not rest else member(value, rest)
            if value is not None:
                return value
    return None


def renamed(row: bytes | Json, names: Mapping[str, str]) -> bytes:
    """Return an object with the values of `names` under their keys; both may be dotted paths.

    A member of the object itself is moved, a deeper one copied. A key has no other value than the one that it names,
    and none if that is missing. What is no object is returned as it is.
    """
    try:
        members: dict[str, Any] = dict(every_field(bytes(row)))
    except ValueError:
        return bytes(row)
    found: dict[str, Json] = {}
    for ours, theirs in names.items():
        value = members.get(theirs)
        if value is None and "." in theirs:
            deeper = _within(members, theirs)
            value = Json(deeper) if deeper is not None else None
        if value is not None:
            found[ours] = value
    for each in (*names.values(), *names):
        members.pop(each, None)
    for ours, value in found.items():
        _put(members, ours, value)
    return msgspec.json.encode(members)


def _within(members: Mapping[str, Json], path: str) -> bytes | None:
    for name, rest in splits(path):
        if rest and name in members:
            value = member(bytes(members[name]), rest)
            if value is not None:
                return value
    return None


def _put(members: dict[str, Any], path: str, value: Json) -> None:
    first, _, rest = path.partition(".")
    if not rest:
        members[first] = value
        return
    inner = members.get(first)
    if not isinstance(inner, dict):
        inner = members[first] = _opened(inner)
    _put(cast("dict[str, Any]", inner), rest, value)


def _opened(value: Json | None) -> dict[str, Any]:
    try:
        return dict(every_field(bytes(value))) if value is not None else {}
    except ValueError:
        return {}
