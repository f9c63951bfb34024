"""Own changes, from the journal in the recording."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from console.base.frozen import Frozen
from console.config.paths import objects_in
from console.live.command import Stage
from console.live.journal_reading import JournalChange, joined
from console.views import wording

UNKNOWN = Stage.UNKNOWN.value
UNSENT = "not sent"


class JournaledChange(Frozen):
    """A change that somebody made with a console of this machine."""

    at_ms: int
    who: str
    title: str
    """The action."""
    words: str
    """The change, its record, and the number of further records: `accepted Line down, and 3 more`."""
    result: str
    """`done`, `refused`, `unknown` …"""
    reason: str
    """Why it was not done."""
    key: str
    """Of the first record that it was about."""

    def said(self, me: str) -> str:
        """Return the change in words, with its result if it was not done: `you: ended call (refused: busy)`."""
        who = "you" if self.who in {"", me} else self.who
        if self.result == Stage.DONE.value:
            return f"{who}: {self.words}"
        reason = f": {self.reason}" if self.reason else ""
        return f"{who}: {self.words} ({result_words(self.result)}{reason})"


def result_words(result: str) -> str:
    """Return a result for people."""
    return "outcome unknown" if result == UNKNOWN else result


def journaled_changes(entries: Iterable[Mapping[str, Any]]) -> tuple[JournaledChange, ...]:
    """Return the changes in the order of their decisions."""
    return tuple(_change(journal_change) for journal_change in joined(entries))


def steps_of(intent: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """Return the steps of a change, as far as they can be read."""
    return objects_in(intent.get("steps"))


def _change(change: JournalChange) -> JournaledChange:
    intent = change.intent
    steps = steps_of(intent)
    first: Mapping[str, Any] = steps[0] if steps else {}
    reason = next((str(outcome["reason"]) for outcome in change.outcomes if outcome.get("reason")), "")
    unsent = any(outcome.get("unsent") for outcome in change.outcomes)
    title = str(intent.get("title") or intent.get("action") or "")
    more = f", and {len(steps) - 1} more" if len(steps) > 1 else ""
    return JournaledChange(
        round(wording.at(intent.get("at")) or 0),
        str(intent.get("who") or ""),
        title,
        f"{first.get('words') or title}{more}",
        UNSENT if unsent else change.stage or UNKNOWN,
        reason,
        str(first.get("key") or ""),
    )
