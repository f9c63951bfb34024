"""The history of a service's rows, to check what a console shows and claims against it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from typing import Any

Rows = Mapping[str, Mapping[str, Any]]
OFF = 1.0
"""Tolerance of a shown age, in seconds."""


class Past:
    """Every state of a service's rows, with its start."""

    def __init__(self, rows: Rows, now: float) -> None:
        self._states: list[dict[str, Any]] = [_frozen(rows)]
        self._since = [now]
        self.shown = 0
        """The last state shown by a console that claimed to be live."""

    def became(self, rows: Rows, now: float) -> None:
        """Record the rows of the service from now on."""
        self._states.append(_frozen(rows))
        self._since.append(now)

    def claimed(self, rows: Rows, age: float, now: float, *, live: bool) -> str:
        """Return what is wrong with showing these rows as of `age` seconds ago; empty if nothing is.

        The rows must be a complete state of the service that still held at the claimed moment or later. While they are
        claimed to be live, they must not be older than a state that was shown before.
        """
        if age < 0:
            return f"an age of {age}"
        first = self.shown if live else 0
        last = len(self._states) - 1
        lasting = max(first, bisect_left(self._since, now - age - OFF) - 1)
        shown = _frozen(rows)
        for number in range(lasting, last + 1):
            if self._states[number] == shown:
                if live:
                    self.shown = max(self.shown, number)
                return ""
        if shown not in self._states:
            return f"a state that never was: {shown}"
        return f"an older state than {age:.1f} s ago or than was shown before: {shown}"


def _frozen(rows: Rows) -> dict[str, Any]:
    return {key: dict(row) for key, row in rows.items()}
