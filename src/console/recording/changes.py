"""Records and their changes, as a recording has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from console.base.frozen import Frozen
from console.kinds.catalogue import FEEDS
from console.recording.format import CALLER
from console.records.activities import ObservedActivity
from console.records.connection import Connection
from console.records.episodes import Episode
from console.records.people import CurrentUser
from console.records.queues import Queue
from console.records.record import Record


class Gap(Frozen):
    """A time that was not recorded."""

    start_ms: int
    end_ms: int
    reason: str


class RecordedChange(NamedTuple):
    """One change of a record."""

    at_ms: int
    key: str
    before: Record | None
    """None for a record that came."""
    after: Record | None
    """None for a record that went."""


class HistoryPart(NamedTuple):
    """The part of a record's history that is in a segment."""

    start_ms: int
    continues: bool
    """Whether the time before was recorded."""
    first: Record | None
    """The record at its start."""
    changes: tuple[RecordedChange, ...]


def joined_history(key: str, parts: Sequence[HistoryPart], *, whole: bool = True) -> tuple[RecordedChange, ...]:
    """Return the changes of a record in consecutive segments, in order. Without `whole`, they begin in the middle."""
    changes: list[RecordedChange] = []
    last: Record | None = None
    for number, part in enumerate(parts):
        if part.first != last and (whole or number):
            changes.append(RecordedChange(part.start_ms, key, last, part.first))
        changes += part.changes
        last = part.changes[-1].after if part.changes else part.first
    return tuple(changes)


def differences(at_ms: int, before: Mapping[str, Record], after: Mapping[str, Record]) -> Iterator[RecordedChange]:
    """Yield the changes between the records of two moments, as if all happened at the second."""
    for key, record in before.items():
        if key not in after:
            yield RecordedChange(at_ms, key, record, None)
    for key, record in after.items():
        if before.get(key) != record:
            yield RecordedChange(at_ms, key, before.get(key), record)


class UnknownRow(Record):
    """A row of a kind that this console does not know, such as one of a newer console."""


_COMPUTED: Mapping[str, type[Record]] = {
    "activities": ObservedActivity,
    "queues": Queue,
    "connection": Connection,
    "episodes": Episode,
    CALLER: CurrentUser,
}
"""The records of lists that no service has."""


def record_class(kind: str) -> type[Record]:
    """Return the class of the records of a kind."""
    return FEEDS[kind].record if kind in FEEDS else _COMPUTED.get(kind, UnknownRow)
