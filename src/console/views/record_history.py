"""The history of a record as a timeline: its states in order, and between them other changes and durations."""

from __future__ import annotations

from console.base.frozen import Frozen
from console.base.signs import drawn
from console.base.text import cells, clean
from console.records.record import Record
from console.views import wording
from console.views.cell import Cell, Line, Tone
from console.views.render_context import RenderContext


class HistoryEvent(Frozen):
    """An event in the history of a record."""

    at_ms: int
    state: Cell | None = None
    """The state that it got; None if it kept its own."""
    notes: tuple[Line, ...] = ()
    """Other changes, and the acts of operators."""
    ends: bool = False
    """Whether the record has no state from here on: it is not listed any more."""


class RecordHistory(Frozen):
    """The known past of a record, in the order of time."""

    events: tuple[HistoryEvent, ...] = ()
    older: bool = False
    """Whether there may be events before these."""
    before: Cell | None = None
    """The state before these events, if it is known."""
    until_ms: int = 0
    """The moment until which it is known, in ms since the epoch."""
    lasts: bool = False
    """Whether the record is still listed at the end."""
    last: Record | None = None
    """The record as it was last known, also if it is not listed any more."""
    fault: str = ""
    """Why nothing could be read."""

    @property
    def gone_ms(self) -> int | None:
        """When the record was removed from its list, None if it is listed, or that is not known."""
        last = next((event for event in reversed(self.events) if event.state is not None), None)
        return last.at_ms if last is not None and last.ends else None


def history_lines(history: RecordHistory, older: str, render: RenderContext) -> tuple[Line, ...]:
    """Return the lines of a history. The last state lasts until the time of the context; later events are left out.

    `older` is the line about events before these.
    """
    matching_events = [event for event in history.events if event.at_ms <= render.now_ms]
    if not matching_events:
        return ()
    clocks = [wording.clock(event.at_ms, render) for event in matching_events]
    width = max(map(cells, clocks)) + 2
    side = drawn("│", render.symbols)
    lines: list[Line] = [(Cell(clean(older), Tone.QUIET),)] if history.older else []
    if history.before is not None:
        lines.append((Cell(clean(" " * width)), history.before))
    since: int | None = None
    listed, labelled_at = history.older, ""

    def margin(at: str, sign: str) -> Cell:
        return Cell(clean(at.ljust(width) + (f"{sign} " if sign else "")), Tone.QUIET)

    def lasted(until: float) -> None:
        if since is not None:
            lines.append((margin("", side), Cell(clean(wording.span_words(until - since)), Tone.QUIET)))

    for at, event in zip(clocks, matching_events, strict=True):
        if event.state is not None:
            lasted(event.at_ms)
            lines.append((margin(at, ""), event.state))
            since, listed, labelled_at = None if event.ends else event.at_ms, not event.ends, at
        for note in event.notes:
            lines.append((margin("" if at == labelled_at else at, side if listed else " "), *note))
            labelled_at = at
    if history.lasts or len(matching_events) < len(history.events):
        lasted(render.now_ms)
    return tuple(lines)
