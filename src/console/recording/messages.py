"""Messages from a recorder to the writer of its file, which may be in another process (`writer_process.py`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from console.base.frozen import Frozen


class RecordingPlan(Frozen):
    """Scope of a recording: service, file, lists and limits."""

    file: Path
    profile: str
    account: str
    zone: str
    service: str
    """Base URL of the core service: which changes in the journal belong here."""
    version: str
    journal: Path
    keep_ms: int = 24 * 3600 * 1000
    most_bytes: int = 500_000_000


class Begin(Frozen, tag=True):
    """The beginning of a time that is recorded."""

    now_ms: int
    gap: str
    """Why nothing was recorded before."""


class ListChange(Frozen):
    """A change of a list at a moment."""

    at_ms: int
    kind: str
    rows: Mapping[str, bytes]
    """The rows that came or changed, by key."""
    gone: Sequence[str] | None
    """The keys of removed rows; None if `rows` is the whole list."""


class Beat(Frozen, tag=True):
    """Changes that are recorded at once."""

    now_ms: int
    until_ms: int
    """The moment until which everything is known."""
    changes: Sequence[ListChange]
    """The changes of lists, in order."""
    notes: Sequence[tuple[int, str, Mapping[str, bytes]]]
    """Moment, kind and rows of health, samples and the caller. Rows that did not change are not recorded."""
    end: str
    """Why the recorded time ends with this beat; empty while it goes on."""
