"""From a key press to a command: what is asked first, what is warned of, what is then submitted.

The records are captured when the key is pressed. Whatever comes and goes on the screen while a dialog is open, the
command meets these records and no others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from textual.app import App

from console.actions.action import Action, Answers, ChoiceAsk, FormAsk, Guard, TextAsk
from console.actions.catalogue import by_id
from console.actions.gate import blocked, command, guard, not_under_way, to_type
from console.frozen import replace
from console.live.command import Command, Ticket
from console.live.feeds import FEEDS
from console.records.record import Record
from console.screens.station import Station
from console.tables.catalogue import TABLES
from console.text import SafeText, clean
from console.widgets.dialogs import ChoiceDialog, ConfirmDialog, FormDialog, TextDialog, TypeNameDialog

_MOST_NAMES = 500
_KEEP = {True: "Leave it", False: "Keep it"}
STALE_SECONDS = 10.0
"""A decision on rows older than this is asked for once more."""


class NotDone(Exception):
    """Why nothing was submitted, as a sentence; empty when the operator changed their mind."""


async def conduct(
    app: App[Any],
    station: Station,
    action: Action[Any],
    records: Sequence[Record],
    selected: Record | None,
    known: Answers | None = None,
    draft: str | Mapping[str, Any] = "",
) -> Ticket:
    """Carry an action through its questions, less those whose answers are `known`, and guards. Raises NotDone.

    The first text or form that is asked for begins with the `draft`, if there is one.
    """
    situation = station.situation(selected)
    reason = blocked(action, situation, records)
    if reason:
        raise NotDone(reason)
    answers: dict[str, Any] = dict(known or {})
    for asked in action.asks(situation, records):
        ask = asked(answers) if callable(asked) else asked
        if ask.name in answers:
            continue
        if isinstance(draft, str) and draft and isinstance(ask, TextAsk):
            ask, draft = replace(ask, initial=draft), ""
        elif draft and not isinstance(draft, str) and isinstance(ask, FormAsk):
            ask, draft = replace(ask, draft=draft), ""
        answer = await _answer(app, station, ask)
        if answer is None:
            raise NotDone("")
        if isinstance(ask, ChoiceAsk):
            leads_to = next((each.leads_to for each in ask.choices if each.value == answer and each.leads_to), "")
            if leads_to:
                return await conduct(app, station, by_id(leads_to), records, selected)
        answers[ask.name] = answer
    try:
        hold = station.config.hold_seconds
        decided = command(action, station.situation(selected), records, answers, hold, stale=_age(station, action) > 0)
        decided = not_under_way(decided, station.desk.tickets())
        if not await _confirmed(app, station, action, records, selected, decided):
            raise NotDone("")
        return station.desk.submit(not_under_way(decided, station.desk.tickets()))
    except ValueError as error:
        raise NotDone(str(error)) from error


async def _answer(app: App[Any], station: Station, ask: TextAsk | ChoiceAsk | FormAsk) -> Any:
    match ask:
        case TextAsk():
            return await app.push_screen_wait(TextDialog(ask))
        case ChoiceAsk():
            return await app.push_screen_wait(ChoiceDialog(ask))
        case FormAsk():
            return await app.push_screen_wait(FormDialog(ask, station.variant(ask.request.operation.backend)))


def _names(station: Station, action: Action[Any], records: Sequence[Record]) -> list[SafeText]:
    """Name what is met, a line each."""
    table = TABLES.get(action.kind)
    sight = station.sight()
    names = [table.name(record, sight) if table else clean(record.key) for record in records]
    if len(names) == 1:
        names.append(clean(f"id {records[0].key}"))
    return names


def _title(action: Action[Any], records: Sequence[Record]) -> str:
    table = TABLES.get(action.kind)
    does = _does(action)
    return f"{does}: {len(records)} {table.title.lower()}" if len(records) > 1 and table else does


def _does(action: Action[Any]) -> str:
    return action.title[:1].upper() + action.title[1:]


def _age(station: Station, action: Action[Any]) -> float:
    """Return how old what an action would be decided on is, in seconds; 0 while that is recent enough."""
    kind = action.subject or action.kind
    health = station.desk.health(kind) if kind in FEEDS else station.desk.link
    return health.age if health.age is not None and health.age > STALE_SECONDS else 0.0


async def _confirmed(
    app: App[Any],
    station: Station,
    action: Action[Any],
    records: Sequence[Record],
    selected: Record | None,
    decided: Command,
) -> bool:
    """Ask again where an action is wide, of mass or about several, or what it was decided on is out of date."""
    age = _age(station, action)
    guarded = guard(action, records, age > 0)
    met = {step.key for step in decided.steps}
    records = [record for record in records if record.key in met] or records
    ready = guarded < Guard.WIDE
    if ready and not (action.listed and len(records) > 1):
        return True
    situation = station.situation(selected)
    names = [*_names(station, action, records), *action.touches(situation, records)]
    lines = names[:_MOST_NAMES]
    if len(names) > _MOST_NAMES:
        lines.append(clean(f"and {len(names) - _MOST_NAMES} more"))
    warning = clean(action.warning(situation, records), 600) if action.warning else clean("There is no undo.")
    if age:
        warning = clean(f"What is shown is {age:.0f} s old. {warning}", 600)
    title = _title(action, records)
    if guarded is Guard.MASS:
        word = clean(action.word(records[0]) if action.word and len(records) == 1 else to_type(records))
        return bool(await app.push_screen_wait(TypeNameDialog(title, lines, warning, word, does=_does(action))))
    dialog = ConfirmDialog(title, lines, warning, does=_does(action), ready=ready, keep=_KEEP[ready])
    return bool(await app.push_screen_wait(dialog))
