"""How a kind is kept up to date: its request, its rows, its intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from console.api.request import Request
from console.base.frozen import Frozen
from console.records.bounded import LARGEST_TEXT, bounded_row
from console.records.raw import UNREADABLE, Glance, Glances, Json, are_positions, every_field, fields, rows
from console.records.record import Record, read

DAY_MS = 24 * 60 * 60 * 1000


def _rows(body: bytes, most: int) -> Iterable[Json]:
    """Return the rows of an array, or of the array in `data` of an object. Raise ValueError for any other format."""
    match body[:1]:
        case b"[":
            return rows(body, most)
        case b"{":
            field = fields(body, ("data",)).get("data")
            if field is None:
                raise ValueError("it is an object without a list")
            return listed_rows(bytes(field), most)
        case b"":
            raise ValueError("it is empty")
        case _:
            raise ValueError("it is not a list")


def listed_rows(value: bytes, most: int) -> list[Json]:
    """Split an array, or an object by position, into at least `most + 1` rows, if it has as many.

    Raise ValueError for anything else.
    """
    if value.startswith(b"{") and are_positions(table := every_field(value)):
        return [*table.values()]
    if not value.startswith(b"["):
        raise ValueError("it is an object without a list")
    return rows(value, most)


def one_row(body: bytes, _most: int) -> Iterable[Json]:
    """Return the object itself as the only row."""
    if body[:1] != b"{":
        raise ValueError("it is not an object" if body else "it is empty")
    fields(body, ())
    return (Json(body.rstrip()),)


class Feed(Frozen, dict=True):
    """How one kind is kept up to date. `kind` is also the name of its table and of its event topic."""

    kind: str
    record: type[Record]
    listings: tuple[Request[Any], ...]
    """Requests to list it, the preferred first; the next is tried if a deployment lacks one."""
    own: Request[Any] | None = None
    """Lists the caller's own records, for callers who may not list all."""
    rows: Callable[[bytes, int], Iterable[Json]] = _rows
    """Splits an answer, without its wrapper and leading blanks, into raw rows; of more than the given number, one more
    at least. Raises ValueError for another format."""
    expires: Callable[[Any], float | None] | None = None
    """Returns when the list stops showing a record without an event, in ms since the epoch; None for never."""
    apart: frozenset[str] = frozenset()
    """Normalized states whose records are indexed because they are always needed."""
    states: frozenset[str] = frozenset()
    """All normalized states of its records whose meaning is known; records in others are indexed."""
    shown_seconds: float = 2.0
    hidden_seconds: float = 15.0
    extension: bool = False
    """Whether it is outside the contract: a deployment that lacks it is asked once, then on demand."""

    def key_of(self, row: bytes | Json) -> str | None:
        """Return the key of a raw row without creating a record; None if only the record knows it."""
        if self.rows is one_row:
            return self.kind
        try:
            key = _key_reader(self.record)(row).key
        except UNREADABLE:
            return None
        return str(key) if key else None

    @property
    def is_plain(self) -> bool:
        """Whether the answer is an array of rows, and needs no other reading."""
        return self.rows is _rows

    def bounded(self, row: bytes | Json, key: str | None = None) -> bytes:
        """Return the bytes of a row, without oversized parts."""
        kept = bytes(row)
        if len(kept) <= LARGEST_TEXT:
            return kept
        return bounded_row(kept, self.record.key_wire(), key or self.key_of(kept))

    def all_bounded(self, rows: Iterable[Json]) -> list[bytes]:
        """Return the bytes of rows as `bounded` does."""
        kept = [*map(bytes, rows)]
        return kept if max(map(len, kept), default=0) <= LARGEST_TEXT else [*map(self.bounded, kept)]

    def read(self, row: bytes, key: str | None = None) -> Record:
        """Create the record of a raw row, lazy if possible. Never fails."""
        return read(self.record, row, key)


@cache
def _key_reader(record: type[Record]) -> Glance:
    return Glances([("key", record.key_wire(), str | int, "")]).one
