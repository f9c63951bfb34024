"""Reads the history of a record from a recording: its changes, what operators did with it, and gaps."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from console.api.catalogue import catalogue
from console.base.frozen import replace
from console.base.signs import drawn
from console.base.text import clean
from console.live.command import Stage
from console.live.journal_reading import JournalChange, joined
from console.recording.changes import HistoryPart, RecordedChange, joined_history
from console.recording.format import RecordingFault
from console.recording.journaled_changes import UNSENT, result_words, steps_of
from console.recording.recording import ListRecording
from console.records.moments import LATEST_MS
from console.records.people import name_of
from console.views import wording
from console.views.cell import Cell, Line, Tone
from console.views.differences import FieldWords, state_column
from console.views.record_history import HistoryEvent, RecordHistory
from console.views.render_context import RenderContext
from console.views.table import Table

MOST = 200
"""Most changes of a record that are shown."""
_MOST_READ = 2_000
"""The same as they are read, if some of the fields change by themselves, which is not shown."""
_MOST_FIELDS = 12
"""Most fields of one change."""
_SECONDS = 2.0
"""Longest time for reading older changes."""
_REST_SECONDS = 0.001
"""Between two segments: nobody waits for this, but for keys."""


class HistoryReader:
    """Reads the lives of records from a file, one at a time. It may be called from any one thread at a time."""

    def __init__(self, path: Path, *, finished: bool = False) -> None:
        """Open the file on first use. `finished` tells that nobody writes it any more."""
        self._path, self._finished = path, finished
        self._recording: ListRecording | None = None
        self._known: tuple[str, str, list[HistoryPart], bool] | None = None
        """Kind and key of the last record, its parts, the oldest first, and whether there may be older ones."""

    def read(
        self,
        table: Table[Any],
        key: str,
        until_ms: int | None,
        render_at: Callable[[int], RenderContext],
        check: Callable[[], object],
    ) -> RecordHistory:
        """Return the history of a record until a moment, None for as long as it is recorded.

        `render_at` returns the context of a moment. `check` is called between parts of the file, and may raise.
        """
        if self._recording is None:
            try:
                self._recording = ListRecording.open(self._path, finished=self._finished)
            except RecordingFault as fault:
                return RecordHistory(fault=str(fault))
        recording = self._recording
        span = recording.span
        until = min(until_ms or LATEST_MS, span[1] if span is not None else 0)
        most = _MOST_READ if table.self_changing else MOST
        parts, older = self._parts(recording, table.kind, key, until, most, check)
        # One more than what is shown tells that there is more.
        changes = joined_history(key, parts, whole=not older)[-most - 1 :]
        events = [*_events(table, changes, render_at, set(recording.starts(table.kind)))]
        older = older or len(events) > MOST
        left_out, events = events[:-MOST], events[-MOST:]
        if not events:
            return RecordHistory(older=older, until_ms=until)
        first = events[0].at_ms
        own = name_of(recording.me(until))
        others = [*_own(recording, table.kind, key, own, first, until), *_gaps(recording, first, until, render_at)]
        return RecordHistory(
            events=tuple(sorted((*others, *events), key=lambda event: event.at_ms)),
            older=older,
            before=_state_before(table, changes, left_out, render_at) if older else None,
            until_ms=until,
            lasts=changes[-1].after is not None,
            last=changes[-1].after or changes[-1].before,
        )

    def _parts(
        self, recording: ListRecording, kind: str, key: str, until_ms: int, most: int, check: Callable[[], object]
    ) -> tuple[list[HistoryPart], bool]:
        """Return the parts of a history, the oldest first, and whether there may be older ones."""
        known: list[HistoryPart] = []
        older = False
        if self._known is not None and self._known[:2] == (kind, key):
            _, _, known, older = self._known
        new: list[HistoryPart] = []
        many, ends = 0, time.monotonic() + _SECONDS
        for part in recording.history_parts(kind, key, until_ms):
            # The newest known segment may have changed since; those before it have not.
            if known and part.start_ms <= known[-1].start_ms:
                before = [earlier for earlier in known if earlier.start_ms < part.start_ms]
                if before or not older:
                    new.append(part)
                    parts = [*before, *reversed(new)]
                    break
                known = []
            new.append(part)
            many += len(part.changes)
            came_here = part.first is None and part.changes and part.continues
            check()
            if came_here or many > most or time.monotonic() > ends:
                parts, older = new[::-1], not came_here
                break
            time.sleep(_REST_SECONDS)
        else:
            parts, older = new[::-1], False
        self._known = kind, key, parts, older
        return parts, older


def _events(
    table: Table[Any], changes: Iterable[RecordedChange], render_at: Callable[[int], RenderContext], starts: set[int]
) -> Iterator[HistoryEvent]:
    """Yield events for changes, except of fields that change by themselves."""
    fields, column = FieldWords(table), state_column(table)
    for at_ms, _, before, after in changes:
        render = render_at(at_ms)
        if after is None:
            yield HistoryEvent(at_ms=at_ms, state=_sign_cell("×", "not listed any more", render), ends=True)
            continue
        state = None if column is None else column.cell(after, render)
        if before is None:
            began = "the recording begins" if at_ms in starts else "listed"
            if state is None:
                yield HistoryEvent(at_ms=at_ms, state=_sign_cell("●", began, render))
            else:
                yield HistoryEvent(at_ms=at_ms, state=state, notes=((Cell(clean(began), Tone.QUIET),),))
            continue
        title = "" if column is None else clean(column.title or column.id)
        was = None if column is None else column.cell(before, render)
        arrow = Cell(clean(f" {drawn('→', render.symbols)} "), Tone.QUIET)
        matching_differences = [
            difference for difference in fields.differences(before, after, render, render) if difference.label != title
        ]
        notes: list[Line] = [
            (
                Cell(clean(f"{field_difference.label}: ")),
                Cell(field_difference.before, Tone.QUIET),
                arrow,
                Cell(field_difference.after),
            )
            for field_difference in matching_differences[:_MOST_FIELDS]
        ]
        if len(matching_differences) > _MOST_FIELDS:
            notes.append(
                (
                    Cell(
                        clean(f"and {wording.plural(len(matching_differences) - _MOST_FIELDS, 'more field')}"),
                        Tone.QUIET,
                    ),
                )
            )
        changed = state is not None and was is not None and state.text != was.text
        if changed or notes:
            yield HistoryEvent(at_ms=at_ms, state=state if changed else None, notes=tuple(notes))


def _state_before(
    table: Table[Any],
    changes: Sequence[RecordedChange],
    left_out: Sequence[HistoryEvent],
    render_at: Callable[[int], RenderContext],
) -> Cell | None:
    """Return the state of a record before the first of the changes."""
    known = next((event.state for event in reversed(left_out) if event.state is not None), None)
    column, first = state_column(table), changes[0]
    if known is None and column is not None and first.before is not None:
        return column.cell(first.before, render_at(first.at_ms))
    return known


def _own(recording: ListRecording, kind: str, key: str, me: str, first: int, until: int) -> Iterator[HistoryEvent]:
    """Yield what operators of this machine did with the record."""
    for change in joined(recording.commands(first, until)):
        intent = change.intent
        at = wording.at(intent.get("at"))
        if at is None or not first <= at <= until:
            continue
        who = str(intent.get("who") or "")
        for number, step in enumerate(steps_of(intent)):
            if str(step.get("key")) == key and _concerns(kind, intent, step):
                what = clean(step.get("words") or intent.get("title") or intent.get("action") or "", 120)
                safe_text = clean("you" if not who or who == me else who, 40)
                notes = (Cell(clean(f"{safe_text}: "), Tone.NOTICE), Cell(what), *_outcome(change, number))
                yield HistoryEvent(at_ms=round(at), notes=(notes,))


def _concerns(kind: str, intent: Mapping[str, Any], step: Mapping[str, Any]) -> bool:
    """Return whether a step is about a record of a kind, and not of another kind with the same key."""
    if str(intent.get("action")).partition(".")[0] == kind:
        return True
    request = catalogue().get(str(step.get("operation")))
    change = request.operation.change if request is not None else None
    return change is not None and kind in change.touches


def _outcome(change: JournalChange, step: int) -> Line:
    """Return how a step ended, nothing if it was done."""
    outcome = next((outcome for outcome in change.outcomes if outcome.get("step") == step), None)
    stage = str(outcome.get("stage")) if outcome is not None else change.stage or Stage.UNKNOWN.value
    if stage == Stage.DONE.value:
        return ()
    if outcome is not None and outcome.get("unsent"):
        stage = UNSENT
    reason = str(outcome.get("reason") or "") if outcome is not None else ""
    return (Cell(clean(f" ({result_words(stage)}{': ' if reason else ''}{reason})", 120), Tone.WARN),)


def _gaps(
    recording: ListRecording, first: int, until: int, render_at: Callable[[int], RenderContext]
) -> Iterator[HistoryEvent]:
    """Yield the times that were not recorded."""
    render = replace(render_at(until), now_ms=until)
    for gap in recording.gaps:
        if first <= gap.start_ms < until:
            end = f"until {wording.clock(gap.end_ms, render)}" if gap.end_ms <= until else "from here on"
            why = f": {gap.reason}" if gap.reason else ""
            yield HistoryEvent(at_ms=gap.start_ms, notes=((Cell(clean(f"not recorded {end}{why}", 100), Tone.WARN),),))


def _sign_cell(sign: str, text: str, render: RenderContext) -> Cell:
    return Cell(clean(f"{drawn(sign, render.symbols)} {text}"), Tone.QUIET)
