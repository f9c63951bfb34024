"""Hand-over notes on Home: lines among what needs attention."""

from __future__ import annotations

from collections.abc import Sequence

from console.recording.notes import Note
from console.records.episodes import Episode
from console.ui.screens.app_context import AppContext

_PREFIX = "note:"
_FIRST = 3
"""Number of notes before what needs the attention of everybody, the newest; the others are at the end."""


def pending_notes(context: AppContext) -> Sequence[Note]:
    """Return the notes that the logged-in user has not dismissed; none in the past."""
    who, notes = context.who, context.notes if context.past is None else None
    return notes.pending(who, context.clock.now_ms()) if who and notes is not None else ()


def with_notes(episodes: Sequence[Episode], notes: Sequence[Note]) -> Sequence[Episode]:
    """Return what needs attention with the notes: the newest after what waits for the user in person."""
    if not notes:
        return episodes
    mine = sum(bool(episode.mine) for episode in episodes)
    shown = [_shown(note) for note in reversed(notes)]
    return [*episodes[:mine], *shown[:_FIRST], *episodes[mine:], *shown[_FIRST:]]


def note_of(episode: Episode, notes: Sequence[Note]) -> Note | None:
    """Return the note that is shown as this line, None for an episode."""
    return next((note for note in notes if episode.id == f"{_PREFIX}{note.id}"), None)


def _shown(note: Note) -> Episode:
    by = f"{note.author}: " if note.author else ""
    return Episode(
        id=f"{_PREFIX}{note.id}", severity="notice", title="note", words=f"{by}{note.text}", since_at=note.at_ms
    )
