"""Members of JSON objects by dotted paths, read, renamed and changed without parsing other values.

`[]` behind a path leads into each entry of a list: `participants[].address`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

import msgspec

from console.records.raw import Json, every_field, fields, rows

ENTRIES = "[]"
"""Leads from a list into each of its entries, in a path."""
Change = Callable[[bytes], bytes]
"""Returns a JSON value in place of another."""


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
        members = fields(body, tuple(name for name, _ in splits(path)))
    except ValueError:
        return None
    for name, rest in splits(path):
        if name in members:
            value = bytes(members[name]).strip()
            value = value if not rest else member(value, rest)
            if value is not None:
                return value
    return None


def renamed(row: bytes | Json, names: Mapping[str, str]) -> bytes:
    """Return an object with the values of `names` under their keys; both may be dotted paths.

    Members are moved, and objects that this empties removed, so that nothing stands in two places. A key has no other
    value than the one that it names, and none if that is missing. A value that is not an object is returned as it is.
    """
    try:
        members: dict[str, Any] = dict(every_field(bytes(row)))
    except ValueError:
        return bytes(row)
    deep = {theirs for theirs in names.values() if "." in theirs and theirs not in members}
    found: dict[str, Any] = {}
    for ours, theirs in names.items():
        value = _within(members, theirs) if theirs in deep else members.get(theirs)
        if value is not None:
            found[ours] = Json(value) if theirs in deep else theirs
    for theirs in deep:
        _take(members, theirs)
    # What is moved as a whole is so without the parts that other names took.
    found = {ours: members.get(value) if isinstance(value, str) else value for ours, value in found.items()}
    for name in (*names.values(), *names):
        members.pop(name, None)
    for ours, value in found.items():
        if value is not None:
            _put(members, ours, value)
    return msgspec.json.encode(members)


def renaming(names: Mapping[str, str]) -> Change:
    """Return the function that gives an object the names in the keys of `names`, as `renamed` does.

    A key may lead into the entries of a list: `list[].name` names a member of an entry, and `list[]` puts a member in
    place of its entry. Other entries of the list, and values that are not objects, stay as they are.
    """
    plain: dict[str, str] = {}
    inside: dict[str, dict[str, str]] = {}
    changes: dict[str, Change] = {}
    for ours, theirs in names.items():
        path, entries, rest = ours.partition(ENTRIES)
        if not entries:
            plain[ours] = theirs
        elif rest:
            inside.setdefault(path, {})[rest.removeprefix(".")] = theirs
        else:
            changes[f"{path}{ENTRIES}"] = _taking(theirs)
    changes |= {f"{path}{ENTRIES}": renaming(found) for path, found in inside.items()}
    change = changing(changes)

    def rename(row: bytes) -> bytes:
        return change(renamed(row, plain) if plain else row)

    return rename if changes else lambda row: renamed(row, plain)


def changing(changes: Mapping[str, Change]) -> Change:
    """Return the function that changes the members of an object at these paths; missing ones stay missing."""
    direct: dict[str, Change] = {}
    inside: dict[str, dict[str, Change]] = {}
    for path, change in changes.items():
        first, entries, rest = path.partition(ENTRIES)
        if not entries:
            direct[first] = change
        elif rest:
            inside.setdefault(first, {})[rest.removeprefix(".")] = change
        else:
            direct[first] = _of_each(change)
    direct |= {first: _of_each(changing(all_changes)) for first, all_changes in inside.items()}

    def changed(row: bytes) -> bytes:
        try:
            members: dict[str, Any] = dict(every_field(row))
        except ValueError:
            return row
        came = {path: value for path in direct if (value := member(row, path)) is not None}
        for path, value in came.items():
            _put(members, path, Json(direct[path](value)))
        return msgspec.json.encode(members) if came else row

    return changed


def _of_each(change: Change) -> Change:
    """Return the change of each entry of a list; a single object counts as a list of one."""

    def changed(value: bytes) -> bytes:
        if value[:1] != b"[":
            return change(value)
        return b"[" + b",".join(change(bytes(row)) for row in rows(value)) + b"]"

    return changed


def _taking(path: str) -> Change:
    def taken(entry: bytes) -> bytes:
        entry_member = member(entry, path)
        return entry if entry_member is None else entry_member

    return taken


def _within(members: Mapping[str, Json], path: str) -> bytes | None:
    for name, rest in splits(path):
        if rest and name in members:
            value = member(bytes(members[name]), rest)
            if value is not None:
                return value
    return None


def _take(members: dict[str, Any], path: str) -> bool:
    """Remove the member at a path, and the objects that this empties; return whether it was there."""
    for name, rest in splits(path):
        if name not in members:
            continue
        if not rest:
            del members[name]
            return True
        inner = members[name]
        opened = cast("dict[str, Any]", inner) if isinstance(inner, dict) else _opened(inner)
        if _take(opened, rest):
            if opened:
                members[name] = opened
            else:
                del members[name]
            return True
    return False


def _put(members: dict[str, Any], path: str, value: Any) -> None:
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
