"""Rows as unparsed fields: what changed in a row, without parsing it, without loss, and without its secrets."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec

from console.base.secrets import MASK, is_secret, without_secrets
from console.records.raw import Json, every_field, parse

Fields = dict[str, Json]
"""The unparsed fields of a row by wire name, in their order."""
Row = Fields | bytes
"""A row: its fields, or the bytes of a row that is not a plain object."""

_MASK = Json(json.dumps(MASK).encode())
_NOTHING = b"null"
_EMPTY = (b"null", b'""')
_SUSPECT = re.compile(rb"(?i)tok|pass|pwd?|secret|pin|key|\\")
"""Parts of the names of secrets; an escape may hide one."""


class Entry(msgspec.Struct, array_like=True, gc=False):
    """One change in a recording."""

    after: int
    """Milliseconds since the previous change of the kind."""
    key: int | str
    row: dict[str, Json] | list[str] | None
    """Changed fields, None for a removed row, the bytes of a row that is not a plain object as a text."""
    gone: tuple[str, ...] = ()
    """Names of the fields that the row does not have any more."""


_entries = msgspec.json.Decoder(list[Entry])


def without_loss(row: bytes) -> Row:
    """Return a row with masked secrets. Never fails."""
    try:
        return {name: _shown(name, value) for name, value in every_field(row).items()}
    except ValueError:
        return _odd(row)


def _shown(name: str, value: Json) -> Json:
    """Return the value of a field as it is written: without secrets."""
    if _is_secret(name):
        return value if bytes(value) in _EMPTY else _MASK
    first = bytes(memoryview(value)[:1])
    return _masked(value) if first in (b"{", b"[") and _SUSPECT.search(value) else value


def _odd(row: bytes) -> Row:
    """Return a row that msgspec cannot split, as it is unless it contains secrets."""
    try:
        value: Any = parse(row)
        secrets = without_secrets(value)
    except (ValueError, RecursionError):
        # Its secrets cannot be found.
        return _NOTHING if _SUSPECT.search(row) else row
    return row if secrets == value else json.dumps(secrets).encode()


def _masked(value: Json) -> Json:
    raw = bytes(value)
    try:
        data = json.loads(raw)
        without = without_secrets(data)
    except (ValueError, RecursionError):
        return _MASK
    return value if without == data else Json(json.dumps(without, separators=(",", ":")).encode())


@lru_cache(4096)
def _is_secret(name: str) -> bool:
    return is_secret(name)


def row_of(row: Row) -> bytes:
    """Return the bytes of a row."""
    return row if isinstance(row, bytes) else msgspec.json.encode(row)


def key_of(key: str) -> str:
    """Return a key as it is written: invalid Unicode is replaced."""
    return key.encode(errors="replace").decode()


def text_of(key: str) -> bytes:
    """Return the JSON of a key."""
    return json.dumps(key_of(key), ensure_ascii=False).encode()


def entry_row(row: Row) -> Fields | list[str]:
    """Return a row as a change has it."""
    return [row.decode("latin-1")] if isinstance(row, bytes) else row


def _value(row: Row) -> bytes:
    return json.dumps(entry_row(row)).encode() if isinstance(row, bytes) else row_of(row)


def entry_of(after: int, key: bytes, before: bytes | None, row: bytes) -> bytes | None:
    """Return the JSON of one change, without secrets; None if nothing changed but these.

    `key` is JSON; `before` is None for a row that was not listed.
    """
    try:
        had, fields = {} if before is None else every_field(before), every_field(row)
    except ValueError:
        return _odd_entry(after, key, before, row)
    # Only the fields that changed are searched for secrets, which takes longer than the comparison.
    changed = {
        name: shown
        for name, value in fields.items()
        if (was := had.get(name)) != value
        and ((shown := _shown(name, value)) is value or was is None or shown != _shown(name, was))
    }
    if had.keys() <= fields.keys():
        return b"[%d,%b,%b]" % (after, key, row_of(changed)) if changed or before is None else None
    gone = sorted(had.keys() - fields.keys())
    return b"[%d,%b,%b,%b]" % (after, key, row_of(changed), json.dumps(gone, separators=(",", ":")).encode())


def _odd_entry(after: int, key: bytes, before: bytes | None, row: bytes) -> bytes | None:
    """Return the JSON of a change from or to a row that is not a plain object."""
    was, now = None if before is None else without_loss(before), without_loss(row)
    return None if was == now else b"[%d,%b,%b]" % (after, key, _value(now))


def read_entries(text: bytes) -> Sequence[Entry]:
    """Return the changes of a block. Raise ValueError."""
    try:
        return _entries.decode(text)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise ValueError(str(error)) from None


def _odd_bytes(value: object) -> bytes:
    match value:
        case [str(row)]:
            return row.encode("latin-1")
        case _:
            raise ValueError("a row cannot be read")


def row_after(before: Row | None, entry: Entry) -> Row | None:
    """Return the row after a change, None if it was removed; fields are changed in place. Raise ValueError."""
    changed = entry.row
    if changed is None:
        return None
    if isinstance(changed, list):
        return _odd_bytes(changed)
    if not isinstance(before, dict):
        return dict(changed)
    before.update(changed)
    for name in entry.gone:
        before.pop(name, None)
    return before
