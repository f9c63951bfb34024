"""Effects of a change, shown before it is sent: the operation's own sentence, and the known extent.

They are derived from the steps, so that every way of acting shows the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from console.api.annotations import Guard
from console.api.request import Request
from console.base.frozen import Frozen, field
from console.base.text import SafeText, clean
from console.commands.action import Situation
from console.commands.lookup import is_me, person
from console.kinds.catalogue import KINDS
from console.kinds.tables import TABLES
from console.live.command import Step
from console.records.record import Record
from console.views.generated_table import name_of
from console.views.wording import ago, at, plural, short

NO_UNDO = "This cannot be undone."


class Consequence(Frozen):
    """The text shown before a change."""

    warning: str
    """One or two sentences. Clean."""
    lines: tuple[SafeText, ...] = ()
    """Further affected records, one per line, such as the groups that a user leaves."""
    facts: Mapping[str, SafeText] = field(default_factory=dict[str, SafeText])
    """Facts to decide by, by the key of the record: shown behind its name."""


Consequences = Mapping[type[Request[Any]], Callable[[Situation, Sequence[Any]], Consequence]]
"""`CONSEQUENCES` of a kind's `actions.py`: functions that describe one or more requests of a type."""


def consequence(situation: Situation, steps: Sequence[Step]) -> Consequence:
    """Return the text for a change."""
    requests = [step.request for step in steps]
    says = _merged().get(type(requests[0])) if len({type(request) for request in requests}) == 1 else None
    if says is not None:
        return says(situation, requests)
    sentences = dict.fromkeys(sentence(request) for request in requests)
    records = len({step.key for step in steps})
    many = [_summary(requests, records)] if records > 1 else []
    final = [] if all(step.inverse for step in steps) else [NO_UNDO]
    return Consequence(" ".join([*sentences, *many, *final]))


def _summary(requests: Sequence[Request[Any]], records: int) -> str:
    """Return one sentence that says how several records change."""
    changes = [request.operation.change for request in requests]
    done = {change.done for change in changes if change is not None}
    kinds = {change.touches[0] for change in changes if change is not None and change.touches}
    table = TABLES.get(kinds.pop()) if len(kinds) == 1 else None
    # `removed a member from` is about something else than the record.
    participle = done.pop() if len(done) == 1 and not any(" " in value for value in done) else "changed"
    return f"{plural(records, table.one if table is not None else 'record')} are {participle}."


def sentence(request: Request[Any]) -> str:
    """Return the sentence of an operation on what it does."""
    change = request.operation.change
    return (change.warning if change is not None else "") or f"{request.operation.words}."


def sender_and_age(situation: Situation, sender: str | None, created_at: float | None) -> SafeText:
    """Return `sent by Bob 4:12 ago`, as far as it is known, or an empty text."""
    sent = at(created_at)
    by = since = ""
    if sender:
        by = f"by {'you' if is_me(situation, sender) else person(situation.render, sender)}"
    if sent is not None:
        since = ago(situation.render.now_ms - sent)
    return clean(" ".join(filter(None, ("sent", by, since))) if by or since else "", 80)


def word(step: Step, record: Record | None) -> SafeText:
    """Return the word to type before a mass change: the name of its record, or the beginning of its key.

    Long keys are shortened as in tables.
    """
    if record is not None and step.request.guarded() is Guard.MASS:
        return name_of(record)
    return clean(short(step.key))


@cache
def _merged() -> Consequences:
    return {request: says for kind in KINDS for request, says in kind.load_effects("CONSEQUENCES").items()}
