"""Verifies a recording: everything that any command reads of it is read."""

from __future__ import annotations

import json
from collections.abc import Iterator

from console.live.delta import Freshness
from console.recording.format import CALLER, HEALTH, SAMPLES
from console.recording.recording import ListRecording
from console.records.moments import LATEST_MS

_STATES = frozenset(freshness.value for freshness in Freshness)


def verified(recording: ListRecording) -> tuple[int, tuple[str, ...]]:
    """Return the number of changes of all lists, and what is damaged, which is nothing for a whole file."""
    changes = sum(1 for kind in recording.kinds for _ in recording.changes(kind, 0, LATEST_MS))
    recording.commands(0, LATEST_MS)
    wrong = dict.fromkeys(f"the {name} cannot be read" for name in _wrong(recording))
    empty = () if recording.span is not None else ("it contains no recorded time",)
    return changes, (*empty, *recording.damage, *wrong)


def _wrong(recording: ListRecording) -> Iterator[str]:
    """Yield the names of what has rows without meaning."""
    for kind, name in ((HEALTH, "freshness of a list"), (SAMPLES, "samples of the charts"), (CALLER, "logged-in user")):
        for change in recording.changes(kind, 0, LATEST_MS):
            row = _object(change.after.encoded()) if change.after is not None else {}
            if row is None or (kind == HEALTH and change.after is not None and row.get("state") not in _STATES):
                yield name


def _object(row: bytes) -> dict[str, object] | None:
    try:
        loads: dict[str, object] | None = json.loads(row)
    except (ValueError, RecursionError):
        return None
    return loads if isinstance(loads, dict) else None
