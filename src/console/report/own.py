"""Own changes, from the journal in the recording."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from console.frozen import Frozen
from console.live.journal_reading import JournalChange, joined
from console.views import words

UNKNOWN = "unknown"


class OwnFigures(Frozen):
    """A change that somebody made with a console of this machine."""

    at_ms: int
    who: str
    title: str
    result: str
    """`done`, `refused`, `unknown` …"""
    reason: str
    """Why it was not done."""
    key: str
    """Of the first record that it was about."""


def own_changes(entries: Iterable[Mapping[str, Any]]) -> tuple[OwnFigures, ...]:
    """Return the changes in the order of their decisions."""
    return tuple(_change(each) for each in joined(entries))


def _change(change: JournalChange) -> OwnFigures:
    intent = change.intent
    steps: Any = intent.get("steps")
    first: Any = next(iter(cast("list[Any]", steps)), None) if isinstance(steps, list) else None
    reason = next((str(each["reason"]) for each in change.outcomes if each.get("reason")), "")
    unsent = any(each.get("unsent") for each in change.outcomes)
    return OwnFigures(
        round(words.at(intent.get("at")) or 0),
        str(intent.get("who") or ""),
        str(intent.get("title") or intent.get("action") or ""),
        "not sent" if unsent else change.stage or UNKNOWN,
        reason,
        str(cast("dict[str, Any]", first).get("key") or "") if isinstance(first, dict) else "",
    )
