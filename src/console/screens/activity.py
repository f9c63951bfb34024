"""Own changes: what was decided here, the newest first, and what became of each record of each of them."""

from __future__ import annotations

from collections.abc import Iterator

from console.live.command import Ticket
from console.screens.station import Station
from console.tables.cell import Cell, Line, Tone
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


class ActivityDialog(HelpDialog):
    """The changes made from here, kept up to date while they are looked at."""

    def __init__(self, station: Station) -> None:
        self._station = station
        super().__init__("Own changes", activity_lines(station.desk.tickets()))

    def beat(self, _fresh: bool) -> None:
        """Draw what changed."""
        if self.is_mounted:
            self.tell(activity_lines(self._station.desk.tickets()))
