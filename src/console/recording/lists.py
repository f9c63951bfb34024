"""The lists of a recording at one moment, for what usually reads a backend."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from console.live.backend_api import ListsApi
from console.live.delta import Delta, Health
from console.recording.recording import ListRecording
from console.records.record import Record


class RecordedLists(ListsApi):
    """All lists at a moment, which can be moved. For one reader; not safe for threads."""

    def __init__(self, recording: ListRecording, at_ms: int) -> None:
        self.recording = recording
        self.at_ms = at_ms
        self._told: dict[str, tuple[int, Mapping[str, Record]]] = {}
        """Version and rows that were last returned as changes, by kind."""

    @property
    def link(self) -> Health:
        """The connection as it was."""
        return self.recording.link(self.at_ms)

    def records(self, kind: str) -> Mapping[str, Record]:
        """Return the records of a kind, the same object if nothing changed."""
        return self.recording.rows(kind, self.at_ms)

    def health(self, kind: str) -> Health:
        """Return the freshness of a kind as it was."""
        return self.recording.health(kind, self.at_ms)

    def delta(self, kind: str, since: int) -> Delta[Any]:
        """Return the changes since the last call; everything for another version than its."""
        version, before = self._told.get(kind, (0, {}))
        rows = self.records(kind)
        if since == version and version and rows is before:
            return Delta(version, whole=False, health=self.health(kind))
        self._told[kind] = version + 1, rows
        if since != version or not version:
            return Delta(version + 1, whole=True, upserts=rows, health=self.health(kind))
        upserts = {key: record for key, record in rows.items() if before.get(key) is not record}
        removes = frozenset(before.keys() - rows.keys())
        return Delta(version + 1, whole=False, upserts=upserts, removes=removes, health=self.health(kind))
