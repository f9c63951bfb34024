"""Run an action: ask for its input, show its warnings, and submit its command.

The records are captured when the key is pressed. The command applies to these records, whatever changes on the screen
while a dialog is open.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, cast

from textual.app import App

from console.api.annotations import Guard
from console.api.errors import ApiError
from console.base.frozen import replace
from console.base.text import SafeText, clean
from console.commands.action import Action, Answers, ChoiceAsk, FormAsk, ReadAsk, Situation, TextAsk
from console.commands.guards import applicable, command, guard, is_listed, not_under_way
from console.kinds.actions import by_id
from console.kinds.catalogue import LIVE
from console.kinds.consequences import consequence, word
from console.kinds.tables import TABLES
from console.live.command import Command, Ticket
from console.records.record import Record
from console.ui.dialogs import (
    ChoiceDialog,
    ConfirmDialog,
    FormDialog,
    PlanDialog,
    ReadingDialog,
    TextDialog,
    TypeNameDialog,
)
from console.ui.screens.app_context import AppContext
from console.ui.screens.key_queue import KeyQueueApp
from console.ui.screens.remembered import remember, used_before
from console.views.generated_table import name_of
from console.views.wording import capitalized, plural, seconds_words, short

_MOST_NAMES = 500
_WIDEST = 24
"""Width of a button's text on the smallest terminal, in characters."""
STALE_SECONDS = 10.0
"""Age of the rows above which a decision must be confirmed."""
_UNSEEN_SECONDS = 0.2
"""Time within which an answer usually arrives: a dialog would only flicker."""


class NotDone(Exception):
    """Nothing was submitted. The message is a sentence, empty if the operator cancelled."""


async def run_action(
    app: App[Any],
    context: AppContext,
    action: Action[Any],
    records: Sequence[Record],
    selected: Record | None,
    known: Answers | None = None,
    draft: str | Mapping[str, Any] = "",
) -> Ticket:
    """Ask an action's questions, except those answered in `known`, check its guards, and submit it. Raise NotDone.

    The first text input or form starts with the `draft`, if there is one.
    """
    situation = context.situation(selected)
    try:
        fitting, skipped = applicable(action, situation, records)
    except ValueError as error:
        raise NotDone(str(error)) from error
    answers: dict[str, Any] = dict(known or {})
    typed: dict[str, str] = {}
    for asked in () if action.asks is None else action.asks(situation, fitting):
        ask = asked(answers) if callable(asked) else asked
        if ask.name in answers:
            continue
        if isinstance(ask, ReadAsk):
            answers[ask.name] = await _read(app, context, ask)
            continue
        if isinstance(draft, str) and draft and isinstance(ask, TextAsk):
            ask, draft = replace(ask, initial=draft), ""
        elif draft and not isinstance(draft, str) and isinstance(ask, FormAsk):
            ask, draft = replace(ask, draft={**ask.draft, **draft}), ""
        if isinstance(ask, TextAsk) and ask.remembered:
            ask = replace(ask, used=used_before(context.texts, ask))
        if isinstance(ask, TextAsk):
            confirmed = partial(_leads_to_confirmation, context, action, fitting, answers, ask.name)
            ask = replace(ask, confirmed=confirmed)
        answer = await _answer(app, context, ask)
        if answer is None:
            raise NotDone("")
        if isinstance(ask, ChoiceAsk):
            leads_to = next(
                (choice.leads_to for choice in ask.choices if choice.value == answer and choice.leads_to), ""
            )
            if leads_to:
                return await run_action(app, context, by_id(leads_to), records, selected)
        if isinstance(ask, TextAsk) and ask.remembered:
            typed[ask.remembered] = answer
        answers[ask.name] = answer
    try:
        hold = context.config.hold_seconds
        stale = _age(context, action) > 0
        decided = command(action, context.situation(selected), fitting, answers, hold, stale=stale, skipped=skipped)
        if not await _confirmed(app, context, action, records, selected, decided):
            raise NotDone("")
        # Without a pause before it is submitted: the same key may have been pressed meanwhile.
        decided = not_under_way(decided, context.backend.commands.tickets())
        _expect(context, action, decided)
        ticket = context.backend.commands.submit(decided)
        for name, text in typed.items():
            remember(context.texts, name, text)
        return ticket
    except ValueError as error:
        raise NotDone(str(error)) from error


def _expect(context: AppContext, action: Action[Any], decided: Command) -> None:
    """Tell the rules whose records the person takes: they do not ring."""
    if action.takes and context.watch is not None:
        me = context.backend.me
        who = me.user.username or "" if me else ""
        # It waits for the evaluation of the rules.
        context.worker.submit(context.watch.expect, tuple(step.key for step in decided.steps), who)


async def _read(app: App[Any], context: AppContext, ask: ReadAsk) -> object:
    """Return the answer of a read, or its error if it fails and is not required. Raise NotDone, also if cancelled."""
    answer = asyncio.ensure_future(context.store.answer(ask.request))
    try:
        with cast(KeyQueueApp, app).holding_keys(answer.cancel) as hold:
            await asyncio.wait({answer}, timeout=_UNSEEN_SECONDS)
            if not answer.done():
                dialog = ReadingDialog(answer)
                hold.screens.append(dialog)
                await app.push_screen_wait(dialog)
            return _result(ask, answer)
    finally:
        answer.cancel()


def _result(ask: ReadAsk, answer: asyncio.Future[Any]) -> object:
    if answer.cancelled():
        raise NotDone("")
    try:
        return answer.result()
    except ApiError as error:
        if ask.required:
            raise NotDone(f"Cannot query the service: {error.in_full}") from error
        return error


async def _answer(app: App[Any], context: AppContext, ask: TextAsk | ChoiceAsk | FormAsk) -> Any:
    match ask:
        case TextAsk():
            return await app.push_screen_wait(TextDialog(ask))
        case ChoiceAsk():
            return await app.push_screen_wait(ChoiceDialog(ask))
        case FormAsk():
            return await app.push_screen_wait(FormDialog(ask, context.variant(ask.request.operation.service)))


def _age(context: AppContext, action: Action[Any]) -> float:
    """Return the age in seconds of the data that an action is decided on; 0 if they are recent enough."""
    kind = action.subject or action.kind
    health = context.backend.health(kind) if kind in LIVE else context.backend.link
    return health.age if health.age is not None and health.age > STALE_SECONDS else 0.0


def _leads_to_confirmation(
    context: AppContext, action: Action[Any], records: Sequence[Record], answers: Answers, name: str, text: str
) -> bool:
    """Return whether a change must be confirmed if this text is the last answer; False if more is asked."""
    try:
        decided = command(action, context.situation(None), records, {**answers, name: text})
    except ValueError:
        return False
    guarded = guard(decided.steps, stale=_age(context, action) > 0)
    return guarded >= Guard.WIDE or is_listed(decided.steps, guarded)


async def _confirmed(
    app: App[Any],
    context: AppContext,
    action: Action[Any],
    records: Sequence[Record],
    selected: Record | None,
    decided: Command,
) -> bool:
    """Ask for confirmation if a change affects much or several records, or if the data are out of date.

    The question depends only on the steps, so that it is the same for all ways to produce them.
    """
    age = _age(context, action)
    guarded = guard(decided.steps, stale=age > 0)
    if guarded < Guard.WIDE and not is_listed(decided.steps, guarded):
        return True
    situation = context.situation(selected).with_records(action.kind, records)
    effect = consequence(situation, decided.steps)
    old = f"The data shown is {seconds_words(age)} old." if age else ""
    warning = " ".join(value for value in (old, effect.warning, decided.skipped) if value)
    title = _title(action, decided)
    does = _does(action) if len(action.title) <= _WIDEST else capitalized(action.short or action.title)
    safe_text = clean(warning, 600)
    met = _met(situation, action, decided)
    names = _few([*_names(met, effect.facts), *effect.lines])
    ready = guarded < Guard.WIDE
    if guarded is Guard.MASS:
        first = decided.steps[0]
        typed = word(first, met[first.key][1]) if len(met) == 1 else clean(str(len(met)))
        dialog = TypeNameDialog(title, names, safe_text, typed, does=does)
    elif ready and action.plan_lines is not None:
        dialog = PlanDialog(title, action.plan_lines(situation, decided.steps), safe_text, does=does)
    else:
        dialog = ConfirmDialog(
            title, names, safe_text, does=does, ready=ready, keep="Back" if does.startswith("Cancel") else "Cancel"
        )
    return bool(await app.push_screen_wait(dialog))


Met = Mapping[str, tuple[SafeText, Record | None]]
"""The records that a change affects: name and, if known, record by key."""


def _met(situation: Situation, action: Action[Any], decided: Command) -> Met:
    """Return the records that the steps affect, each once and in order."""
    met: dict[str, tuple[SafeText, Record | None]] = {}
    for step in decided.steps:
        kinds = dict.fromkeys((decided.kind, action.kind))
        records = ((kind, situation.render.find(kind, step.key)) for kind in kinds)
        kind, record = next(((kind, candidate) for kind, candidate in records if candidate is not None), ("", None))
        table = TABLES.get(kind)
        if record is None:
            name = clean(short(step.key), 60)
        else:
            name = table.name(record, situation.render) if table is not None else name_of(record)
        met.setdefault(step.key, (name, record))
    return met


def _names(met: Met, facts: Mapping[str, SafeText]) -> list[SafeText]:
    """Return the names of the affected records with what to decide by, a line each; if only one, with its id."""
    if len(met) == 1:
        ((key, (name, _)),) = met.items()
        return [name, clean("  ".join(filter(None, (f"id {key}", facts.get(key)))), 120)]
    return [clean("  ".join(filter(None, (name, facts.get(key)))), 120) for key, (name, _) in met.items()]


def _few(names: list[SafeText]) -> list[SafeText]:
    if len(names) <= _MOST_NAMES:
        return names
    return [*names[:_MOST_NAMES], clean(f"and {len(names) - _MOST_NAMES} more")]


def _title(action: Action[Any], decided: Command) -> str:
    does = _does(action)
    return f"{does}: {plural(decided.count, decided.noun)}" if decided.count > 1 else does


def _does(action: Action[Any]) -> str:
    return capitalized(action.title)
