"""How the rows of a recording become records."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from console.kinds.catalogue import FEEDS
from console.recording.format import CALLER
from console.recording.segment import ReadRow
from console.records.activities import ObservedActivity
from console.records.connection import Connection
from console.records.episodes import Episode
from console.records.people import CurrentUser
from console.records.queues import Queue
from console.records.record import Record, reading


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


@cache
def reader_of(kind: str) -> ReadRow:
    """Return the function that creates the records of a kind."""
    return FEEDS[kind].read if kind in FEEDS else reading(_COMPUTED.get(kind, UnknownRow))
