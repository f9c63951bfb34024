"""Lists of which the records of other kinds show some: the chats of other agents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from console.records.record import Record
from console.views.render_context import RenderContext
from console.views.table import Table


class CombinedRows:
    """All records of a table with `combined`, and their changes since the last look."""

    def __init__(self, table: Table[Any]) -> None:
        """Begin without records; `table.follows` are the kinds that show further records."""
        self.table = table
        self._records: Mapping[str, Record] = {}
        self._shown: Mapping[str, Record] = {}
        self._sources: tuple[object, ...] = ()

    def records(self, lookup: Callable[[str], object], render: Callable[[], RenderContext]) -> Mapping[str, Record]:
        """Return all records, combined again when a list of `lookup` is another object than before."""
        sources = tuple(lookup(kind) for kind in (self.table.kind, *self.table.follows))
        if len(sources) != len(self._sources) or any(a is not b for a, b in zip(sources, self._sources, strict=True)):
            assert self.table.combined is not None
            self._sources, self._records = sources, self.table.combined(render())
        return self._records

    def changes(
        self, lookup: Callable[[str], object], render: Callable[[], RenderContext]
    ) -> tuple[Mapping[str, Record], frozenset[str]]:
        """Return the new and changed records, and the keys of those that are gone, since the last call."""
        records, shown = self.records(lookup, render), self._shown
        if records is shown:
            return {}, frozenset()
        self._shown = records
        changed = {key: record for key, record in records.items() if shown.get(key) != record}
        return changed, frozenset(shown.keys() - records.keys())
