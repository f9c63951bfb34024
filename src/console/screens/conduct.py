"""From a key press to a command: what is asked first, what is warned of, what is then submitted.

The records are captured when the key is pressed. Whatever comes and goes on the screen while a dialog is open, the
command meets these records and no others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from textual.app import App

from console.actions.action import Action, Answers, ChoiceAsk, FormAsk, Guard, TextAsk
from console.actions.catalogue import by_id
from console.actions.gate import blocked
from console.live.command import Command, Ticket
from console.records.record import Record
from console.screens.station import Station
from console.tables.catalogue import TABLES
from console.text import SafeText, clean
from console.widgets.dialogs import ChoiceDialog, ConfirmDialog, FormDialog, TextDialog, TypeNameDialog

_SHOWN_NAMES = 6


class NotDone(Exception):
    """Why nothing was submitted, as a sentence; empty when the operator changed their mind."""


async def conduct(
    app: App[Any],
    station: Station,
    action: Action[Any],
    records: Sequence[Record],
    selected: Record | None,
    known: Answers | None = None,
) -> Ticket:
    """Carry an action through its questions, less those whose answers are `known`, and guards. Raises NotDone."""
    situation = station.situation(selected)
    reason = blocked(action, situation, records)
    if reason:
        raise NotDone(reason)
    answers: dict[str, Any] = dict(known or {})
    for ask in action.asks(situation, records):
        if ask.name in answers:
            continue
        answer = await _answer(app, ask)
        if answer is None:
            raise NotDone("")
        if isinstance(ask, ChoiceAsk):
            leads_to = next((each.leads_to for each in ask.choices if each.value == answer and each.leads_to), "")
            if leads_to:
                return await conduct(app, station, by_id(leads_to), records, selected)
        answers[ask.name] = answer
    steps = _plan(action, station, records, answers, selected)
    if not steps:
        raise NotDone("Nothing would change.")
    names = _names(station, action, records)
    if not await _confirmed(app, station, action, records, selected, names):
        raise NotDone("")
    return station.desk.submit(
        Command(
            action=action.id,
            kind=action.subject or action.kind,
            steps=tuple(steps),
            title=action.title,
            hold=station.config.hold_seconds if action.guard is Guard.SMALL else 0.0,
        )
    )


def _plan(
    action: Action[Any], station: Station, records: Sequence[Record], answers: Answers, selected: Record | None
) -> Sequence[Any]:
    try:
        return action.plan(station.situation(selected), records, answers)
    except ValueError as error:
        raise NotDone(str(error)) from error


async def _answer(app: App[Any], ask: TextAsk | ChoiceAsk | FormAsk) -> Any:
    match ask:
        case TextAsk():
            return await app.push_screen_wait(TextDialog(ask))
        case ChoiceAsk():
            return await app.push_screen_wait(ChoiceDialog(ask))
        case FormAsk():
            return await app.push_screen_wait(FormDialog(ask))


def _names(station: Station, action: Action[Any], records: Sequence[Record]) -> list[SafeText]:
    table = TABLES.get(action.kind)
    sight = station.sight()
    return [table.name(record, sight) if table else clean(record.key) for record in records]


async def _confirmed(
    app: App[Any],
    station: Station,
    action: Action[Any],
    records: Sequence[Record],
    selected: Record | None,
    names: Sequence[SafeText],
) -> bool:
    several = len(records) > 1
    mass = action.guard is Guard.MASS or (action.mass and several)
    if action.guard < Guard.WIDE and not mass:
        return True
    situation = station.situation(selected)
    warning = clean(action.warning(situation, records)) if action.warning else clean("This cannot be taken back.")
    lines = [*names[:_SHOWN_NAMES]]
    if len(names) > _SHOWN_NAMES:
        lines.append(clean(f"and {len(names) - _SHOWN_NAMES} more"))
    if mass:
        word = clean(str(len(records))) if several else (names[0] if names else clean(action.title))
        return bool(await app.push_screen_wait(TypeNameDialog(action.title, lines, warning, word)))
    ids = [clean(f"id {record.key}") for record in records] if not several else []
    return bool(await app.push_screen_wait(ConfirmDialog(action.title, [*lines, *ids], warning)))
