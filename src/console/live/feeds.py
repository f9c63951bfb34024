"""How a kind is kept up to date: what is listed, what its rows are, and how often when nothing tells.

Records and requests are named, and imported when the kind is listed first, on the engine's thread: making their classes
takes as long as drawing the first screen, which needs none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

from console.frozen import Frozen
from console.live.expiry import Expires
from console.records.bounded import LARGEST_TEXT, bounded_row
from console.records.raw import Glance, Json, fields, glancing, rows

if TYPE_CHECKING:
    from console.api.request import Request
    from console.records.record import Record

DAY_MS = 24 * 60 * 60 * 1000
PAGE = 500
"""Rows asked for per page: the only page size that a sample in the contract shows (8)."""

Listing = Callable[[], "Request[Any]"]
"""Makes the request for a list."""


def lists(operation: str, **inputs: object) -> Listing:
    """List by an operation, as module and class in `console.api.operations`: `traffic:ListCalls`."""
    return lambda: _found("console.api.operations", operation)(**inputs)


@cache
def _found(package: str, name: str) -> Any:
    module, _, attribute = name.partition(":")
    return getattr(import_module(f"{package}.{module}"), attribute)


def _rows(body: bytes, most: int) -> Iterable[Json]:
    """Take an array, or the one that an object has in `data`. Any other shape must never look like an empty list."""
    match body[:1]:
        case b"[":
            return rows(body, most)
        case b"{":
            found = fields(body, ("data",)).get("data")
            if found is None:
                raise ValueError("it is an object without a list")
            return listed_rows(bytes(found), most)
        case b"":
            raise ValueError("it is empty")
        case _:
            raise ValueError("it is not a list")


def listed_rows(value: bytes, most: int) -> list[Json]:
    """Cut an array into its rows, one more than `most` at least. Raises ValueError for anything else."""
    if not value.startswith(b"["):
        raise ValueError("it is an object without a list")
    return rows(value, most)


def one_row(body: bytes, _most: int) -> Iterable[Json]:
    """Take the object itself as the only row."""
    if body[:1] != b"{":
        raise ValueError("it is not an object" if body else "it is empty")
    fields(body, ())
    return (Json(body.rstrip()),)


class Feed(Frozen, dict=True):
    """How one kind is kept up to date. Its name is that of the table and of the topic of events."""

    kind: str
    row: str
    """Its record, as module and class in `console.records`: `traffic:Call`."""
    listings: tuple[Listing, ...]
    """Ways to list it, the best first; the next is tried where a deployment does not have one."""
    own: Listing | None = None
    """Lists the caller's own records, for callers who may not list them all."""
    rows: Callable[[bytes, int], Iterable[Json]] = _rows
    """Cuts an answer, out of its wrapper and without blanks before it, into raw rows: where there are more than so
    many, one more at least. Raises ValueError for another shape."""
    expires: Expires | None = None
    """Says when the list stops showing a record although nothing happens to it."""
    apart: frozenset[str] = frozenset()
    """States, in their plain form, whose records somebody always wants to know of, and that are so kept at hand."""
    shown_seconds: float = 2.0
    hidden_seconds: float = 15.0
    extension: bool = False
    """Whether it is none of the contract's lists: a deployment that does not have it is asked once, then on demand."""

    @cached_property
    def record(self) -> type[Record]:
        """Its kind of record."""
        return _found("console.records", self.row)

    def key_of(self, row: bytes | Json) -> str | None:
        """Return the key of a raw row without making a record of it; None when only the record can tell."""
        if self.rows is one_row:
            return self.kind
        found = _key_reader(self.record)(row)
        return found.key or None if found is not None else None

    @property
    def is_plain(self) -> bool:
        """Whether its rows are simply those of the array that it is answered with."""
        return self.rows is _rows

    def bounded(self, row: bytes | Json, key: str | None = None) -> bytes:
        """Return the bytes of a row, without what is too large in it to be kept."""
        kept = bytes(row)
        if len(kept) <= LARGEST_TEXT:
            return kept
        return bounded_row(kept, self.record.key_wire(), key or self.key_of(kept))

    def read(self, row: bytes, key: str | None = None) -> Record:
        """Make the record of a raw row, lazy where possible; whatever the row holds, there is a record."""
        return self._reading(row, key)

    @cached_property
    def _reading(self) -> Callable[[bytes, str | None], Record]:
        from console.records.lazy_record import reading

        return reading(self.record)


@cache
def _key_reader(record: type[Record]) -> Glance:
    return glancing([("key", record.key_wire(), str, "")])
