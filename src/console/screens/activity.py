"""Own changes: what was decided here, the newest first, and what became of each record of each of them.

Above them stands what an earlier run of the console sent, or was about to send, when it was ended: nobody knows whether
it was done.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from console.live.command import Ticket
from console.screens.station import Station
from console.tables.cell import Cell, Line, Tone
from console.tables.words import at, moment
from console.text import clean
from console.widgets.dialogs import HelpDialog
from console.widgets.frame import describe, describe_step

_MOST = 50


def activity_lines(tickets: tuple[Ticket, ...]) -> tuple[Line, ...]:
    """Write the latest commands, and under one of several steps each of these with what became of it."""
    return tuple(_lines(tickets[:_MOST])) or ((Cell(clean("Nothing was changed from here yet."), Tone.QUIET),),)


def _lines(tickets: tuple[Ticket, ...]) -> Iterator[Line]:
    for ticket in tickets:
        yield tuple(Cell(each.text, each.look) for each in describe(ticket) if isinstance(each.look, Tone))
        if len(ticket.command.steps) > 1:
            outcomes = dict(enumerate(ticket.outcomes))
            for number, step in enumerate(ticket.command.steps):
                said = describe_step(step, outcomes.get(number))
                cells = (Cell(each.text, each.look) for each in said if isinstance(each.look, Tone))
                yield (Cell(clean("    ")), *cells)


def unresolved_lines(station: Station) -> tuple[Line, ...]:
    """Write the changes of an earlier run of which nobody knows what became."""
    found = station.desk.unresolved
    if not found:
        return ()
    sight = station.sight()
    lines: list[Line] = [(Cell(clean("Of an earlier run, and nobody knows whether it was done:"), Tone.WARN),)]
    for intent in found[-_MOST:]:
        when = (Cell(moment(at(intent.get("at")), sight), Tone.QUIET), Cell(clean("  ")))
        lines.extend((*when, Cell(clean(words, 200))) for words in _meant(intent))
    return (*lines, (Cell(clean("")),))


def _meant(intent: Mapping[str, Any]) -> list[str]:
    """Say what an intent of the journal was to do. The file may hold anything."""
    steps = intent.get("steps")
    told = [cast("dict[str, Any]", each) for each in cast("list[Any]", steps or []) if isinstance(each, dict)]
    words = [str(each.get("words") or f"{each.get('operation')} {each.get('key')}") for each in told]
    return words or [str(intent.get("title") or intent.get("action"))]


class ActivityDialog(HelpDialog):
    """The changes made from here, kept up to date while they are looked at."""

    def __init__(self, station: Station) -> None:
        self._station = station
        super().__init__("Own changes", self._written())

    def _written(self) -> tuple[Line, ...]:
        return (*unresolved_lines(self._station), *activity_lines(self._station.desk.tickets()))

    def on_mount(self) -> None:
        """Note that what an earlier run left open has been looked at."""
        super().on_mount()
        self._station.desk.saw_unresolved()

    def beat(self, _fresh: bool) -> None:
        """Draw what changed."""
        if self.is_mounted:
            self.tell(self._written())
