"""Places of segments in a recording, and checks of their values."""

from __future__ import annotations

from typing import NamedTuple

from console.recording.segment import Segment
from console.records.moments import LATEST_MS

_LARGEST_VALUE = 1e15
_NOTED_MS = 10_000
"""Longest time from a sample until it is noted."""


class Place(NamedTuple):
    """Place of a segment in the file."""

    id: int
    start_ms: int
    continues: bool


class Here(NamedTuple):
    """A segment, and until when it is known to be complete."""

    place: Place
    until_ms: int
    segment: Segment


def number_of(value: object) -> float | None:
    """Return the value of a chart, None for anything else."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    return float(value) if abs(value) < _LARGEST_VALUE else None


def are_moments(*values: object) -> bool:
    """Return whether all are moments in ms since the epoch."""
    return all(isinstance(value, int) and 0 <= value < LATEST_MS for value in values)


def sampled_at(at_ms: object, noted_ms: int) -> int:
    """Return when something was sampled that was noted at a moment: a little earlier, if its row says so."""
    return at_ms if isinstance(at_ms, int) and 0 <= noted_ms - at_ms <= _NOTED_MS else noted_ms
