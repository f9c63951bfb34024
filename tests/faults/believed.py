"""What a service held at every moment, to hold against it what a console shows and claims."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from typing import Any

Rows = Mapping[str, Mapping[str, Any]]
OFF = 1.0
"""Seconds by which a shown age may be wrong."""


class Past:
    """Every state that a service's rows ever had, and since when."""

    def __init__(self, rows: Rows, now: float) -> None:
        self._states: list[dict[str, Any]] = [_frozen(rows)]
        self._since = [now]
        self.shown = 0
        """Which of the states was shown last by somebody who claimed to be live."""

    def became(self, rows: Rows, now: float) -> None:
        """Note what the service holds from now on."""
        self._states.append(_frozen(rows))
        self._since.append(now)

    def claimed(self, rows: Rows, age: float, now: float, *, live: bool) -> str:
        """Say what is wrong with showing these rows now, as of `age` seconds ago; empty when nothing is.

        Rows must be a state that there was (nothing half done, nothing left out), hold until the moment claimed at
        least, and never be an earlier state than was shown before, as long as they are called live.
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
