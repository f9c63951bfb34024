"""The raw rows of a kind, and the memory they take."""

from __future__ import annotations

from collections.abc import Mapping

from console.live.bounds import ROW_COST, SHORT_ROW, row_cost


class KnownRows:
    """Raw rows by key, with a running total of their memory. Not safe to change in two threads."""

    def __init__(self, rows: dict[str, bytes] | None = None, memory: int | None = None) -> None:
        """Use `rows` without copying them; their `memory` is computed unless given."""
        self._rows = {} if rows is None else rows
        if memory is None:
            sizes = [*map(len, self._rows.values())]
            # The costs of all, without a call for each.
            memory = sum(sizes) + ROW_COST * len(sizes) + sum([each - SHORT_ROW for each in sizes if each > SHORT_ROW])
        self.memory = memory
        """Approximate memory in bytes of the rows and of what is kept for each."""

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, key: str) -> bool:
        return key in self._rows

    @property
    def by_key(self) -> Mapping[str, bytes]:
        """The rows by key, in the order of the list."""
        return self._rows

    def copy(self) -> KnownRows:
        """Return a copy that later changes do not affect."""
        return KnownRows(dict(self._rows), self.memory)

    def put(self, key: str, row: bytes) -> bool:
        """Add or replace a row; return whether its bytes differ from before."""
        before = self._rows.get(key)
        if before == row:
            return False
        if len(row) <= SHORT_ROW and (before is None or len(before) <= SHORT_ROW):
            # Without a call for the usual row: this is done for each event.
            self.memory += ROW_COST + len(row) if before is None else len(row) - len(before)
        else:
            self.memory += row_cost(row) - (0 if before is None else row_cost(before))
        self._rows[key] = row
        return True

    def drop(self, key: str) -> None:
        """Remove a row, if it is known."""
        row = self._rows.pop(key, None)
        if row is not None:
            self.memory -= row_cost(row)
