"""Resolve a conflict between the operator's change and somebody else's. Nothing was sent, and no input is lost."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from typing import Any, TypeVar, cast

from textual.app import App

from console.base.text import SafeText, clean, left_out
from console.commands.action import Action
from console.kinds.actions import by_id
from console.kinds.catalogue import RESOURCES
from console.kinds.members.actions import written_order
from console.kinds.operating import change, operation_of
from console.kinds.tables import TABLES
from console.live.command import Clash, Command, Disputed, Outcome, Step, Ticket
from console.live.merging import insisting
from console.records.people import RingingStrategy
from console.ui.dialogs.conflict import ConflictDialog
from console.ui.screens.app_context import AppContext
from console.ui.screens.run_action import NotDone, run_action
from console.views.lines import MOST
from console.views.plain import name_of, shown, titled
from console.views.wording import capitalized, person

T = TypeVar("T")

_NOTHING = clean("")


async def settle(app: App[Any], context: AppContext, ticket: Ticket, outcome: Outcome) -> Ticket | None:
    """Show the three versions and execute the operator's choice; return the new command, if one was submitted.

    Raise NotDone like `run_action`.
    """
    clash = cast(Clash, outcome.clash)
    command = ticket.command
    form = operation_of(command) is not None
    table = TABLES.get(command.kind)
    name = table.name(clash.record, context.render_context()) if table else name_of(clash.record)
    before, theirs, mine = _sides(context, clash.disputed, titles=form)
    chosen = await app.push_screen_wait(
        ConflictDialog(
            f"{capitalized(command.title)}: {name}",
            before,
            theirs,
            mine,
            editable=not command.takes_back,
        )
    )
    if chosen not in {"mine", "edit"}:
        return None
    try:
        step = insisting(outcome.step, clash)
    except ValueError:
        raise NotDone("The changes that somebody else made cannot be sent along.") from None
    if chosen == "mine":
        return context.backend.commands.submit(Command(command.action, command.kind, (step,), command.title))
    draft = _draft(context, step, clash, form=form)
    return await run_action(app, context, _action(command), (clash.record,), clash.record, draft=draft)


def _action(command: Command) -> Action[Any]:
    """Return the action of a command."""
    operation = operation_of(command)
    return by_id(command.action) if operation is None else change(operation, RESOURCES.get(command.kind))


def _sides(context: AppContext, disputed: Sequence[Disputed], *, titles: bool) -> Sequence[list[SafeText]]:
    """Return the previous, their and the operator's values, field by field; with `titles`, each is labelled."""
    sides: tuple[list[SafeText], ...] = ([], [], [])
    for each in disputed:
        told = [_value_text(context, each, value, plainly=titles) for value in (each.before, each.theirs, each.mine)]
        if titles:
            titles_of = (clean(f"{titled(each.field)}:"), _NOTHING, _NOTHING)
            told = [[title, *lines] for title, lines in zip(titles_of, told, strict=True)]
        for lines in zip_longest(*told, fillvalue=_NOTHING):
            for side, line in zip(sides, lines, strict=True):
                side.append(line)
    return sides


def _value_text(context: AppContext, disputed: Disputed, value: Any, *, plainly: bool) -> Sequence[SafeText]:
    """Return one value as text, a line per entry; `plainly` for values that are not users and groups."""
    if plainly:
        entries = cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,)
        return _several(entries, lambda entry: clean(shown(disputed.field, entry) or "nothing", 200)) or [
            clean("nothing")
        ]
    if isinstance(value, tuple):
        people = cast("tuple[str, ...]", value)
        return _several(people, lambda one: clean(person(one, context.render_context()))) or [clean("nobody")]
    if isinstance(value, RingingStrategy):
        return [clean(value.type or "", 64)]
    return [clean("nobody" if value is None else value, 64)]


def _several(entries: Sequence[T], words: Callable[[T], SafeText]) -> Sequence[SafeText]:
    """Return the first entries as text, a line each, and the number of further ones."""
    more = left_out(len(entries) - MOST, "entry")
    return [*(words(entry) for entry in entries[:MOST]), *([more] if more else [])]


def _draft(context: AppContext, step: Step, clash: Clash, *, form: bool) -> str | Mapping[str, Any]:
    """Return the operator's value as form input. Members that others added meanwhile are at the end of an order."""
    if form:
        return {name: getattr(step.request, name) for name in step.request.model_fields_set}
    mine = getattr(step.request, clash.disputed[0].field, None)
    if isinstance(mine, tuple):
        return written_order(context.render_context(), cast("tuple[str, ...]", mine))
    return mine if isinstance(mine, str) else ""
