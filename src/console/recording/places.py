"""Where segments of a recording are, and which values of a file can be used."""

from __future__ import annotations

from typing import NamedTuple

from console.recording.segment import Segment
from console.records.moments import LATEST_MS

_LARGEST_VALUE = 1e15


class Place(NamedTuple):
    """Where a segment is in the file."""

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
    return all(isinstance(each, int) and 0 <= each < LATEST_MS for each in values)
