"""The raw rows of a kind, and the memory they take."""

from __future__ import annotations

from collections.abc import Mapping

from console.live.bounds import row_cost


class KnownRows:
    """Raw rows by key, with a running total of their memory. Not safe to change in two threads."""

    def __init__(self, rows: dict[str, bytes] | None = None, memory: int | None = None) -> None:
        """Use `rows` without copying them; their `memory` is computed unless given."""
        self._rows = {} if rows is None else rows
        if memory is None:
            memory = sum(map(row_cost, self._rows.values()))
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
        self.memory += row_cost(row) - (0 if before is None else row_cost(before))
        self._rows[key] = row
        return True

    def drop(self, key: str) -> None:
        """Remove a row, if it is known."""
        row = self._rows.pop(key, None)
        if row is not None:
            self.memory -= row_cost(row)
