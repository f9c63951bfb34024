"""Settling with the operator what two people changed at once. Nothing was sent by then, and nothing typed is lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from textual.app import App

from console.actions.catalogue import by_id
from console.actions.members import written_order
from console.live.command import Clash, Command, Outcome, Ticket
from console.live.merging import insisting
from console.records.people import RingingStrategy
from console.screens.conduct import conduct
from console.screens.station import Station
from console.tables.catalogue import TABLES
from console.tables.words import person
from console.text import SafeText, clean
from console.widgets.dialogs.conflict import ConflictDialog


async def settle(app: App[Any], station: Station, ticket: Ticket, outcome: Outcome) -> Ticket | None:
    """Show the three sides and do what is chosen; return the command that was submitted instead, if one was.

    Raises NotDone like `conduct`.
    """
    clash = cast(Clash, outcome.clash)
    command = ticket.command
    step = insisting(outcome.step, clash)
    table = TABLES.get(command.kind)
    name = table.name(clash.record, station.sight()) if table else clean(clash.record.key)
    chosen = await app.push_screen_wait(
        ConflictDialog(
            f"{command.title}: {name}",
            _told(station, clash.basis.before),
            _told(station, clash.theirs),
            _told(station, clash.mine),
            editable=not command.takes_back,
        )
    )
    if chosen == "mine":
        return station.desk.submit(Command(command.action, command.kind, (step,), command.title))
    if chosen == "edit":
        draft = _draft(station, getattr(step.request, clash.basis.field, None))
        return await conduct(app, station, by_id(command.action), (clash.record,), clash.record, draft=draft)
    return None


def _told(station: Station, value: Any) -> Sequence[SafeText]:
    """Write one side, a line per member or a single one."""
    if isinstance(value, tuple):
        return [clean(person(each, station.sight())) for each in cast("tuple[str, ...]", value)] or [clean("nobody")]
    if isinstance(value, RingingStrategy):
        return [clean(value.type or "", 64)]
    return [clean("nobody" if value is None else value, 64)]


def _draft(station: Station, mine: Any) -> str:
    """Write what was to be there as it would be typed; whom others added meanwhile is at the end of an order."""
    if isinstance(mine, tuple):
        return written_order(station.sight(), cast("tuple[str, ...]", mine))
    return mine if isinstance(mine, str) else ""
