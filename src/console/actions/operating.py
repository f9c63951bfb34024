"""Any operation as an action: asked for by a form made from its inputs, guarded by what it does, undone if possible.

So the palette, the administrator's lists and the key map have one way to change something, and what holds for one
action (read-only, roles, variants, journal, undo) holds for every operation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Any, cast

from console.actions.action import Action, Answers, Asks, FormAsk, Guard, Situation
from console.actions.answers import build
from console.actions.known import known, user_id
from console.actions.resources import Resource, acts_on_row, bound, is_own
from console.api.catalogue import catalogue, find
from console.api.marks import Effect
from console.api.request import Input, Request
from console.live.command import TAKES_BACK, Basis, Command, Step
from console.records.people import Session
from console.records.record import Record
from console.tables.plain import name_of
from console.tables.sessions import state
from console.tables.words import plural
from console.text import clean

FORM = "form"
_PREFIX = "operations."
"""What stands before an operation's name in the id of the action that sends it."""
_FINAL = frozenset(
    {"delete", "remove", "revoke", "drop", "logout", "logout-domain", "remove-contact", "detach-receivers"}
)
"""Verbs of operations that take something away for good."""
_OF_MANY = frozenset({"provisioning-domains.logout", "provisioning-users.logout-domain", "tokens.drop"})
"""Operations that take something away from many at once: the name must be typed."""
_OF_DOMAINS = _OF_MANY - {"tokens.drop"}
_CALLED = {
    "provisioning-domains.logout": "end all sessions",
    "provisioning-users.logout": "end all sessions",
}
"""Operations that are called by what people want of them."""
_PAST = {
    "create": "created",
    "update": "changed",
    "delete": "deleted",
    "remove": "removed",
    "revoke": "revoked",
    "set": "set",
    "subscribe": "subscribed",
    "unsubscribe": "unsubscribed",
    "logout": "logged out",
    "logout-domain": "logged out",
    "add-contact": "put a contact into",
    "edit-contact": "changed a contact of",
    "remove-contact": "took a contact out of",
    "drop": "dropped",
}


def verb_of(request: type[Request[Any]]) -> str:
    """Return what an operation does, in a word: `create` of `phonebooks.create`."""
    return request.operation.name.rpartition(".")[2]


def title_of(request: type[Request[Any]], wanted: Resource | None = None) -> str:
    """Return how an operation is called in lists of what can be done: `add contact`, `user permissions: update`."""
    prefix, _, verb = request.operation.name.replace("-", " ").rpartition(".")
    if wanted is None:
        return request.operation.name
    if request.operation.name in _CALLED:
        return _CALLED[request.operation.name]
    if prefix != wanted.name.replace("-", " "):
        return f"{prefix}: {verb}"
    return f"{verb} {wanted.one}" if " " not in verb else verb


@cache
def change(name: str, wanted: Resource | None = None, *, anew: bool = False) -> Action[Any]:
    """Return the action that sends an operation, on a row of a resource where it is about one. Raises KeyError.

    `anew` leaves the row aside: what sets a thing makes a new one as well.
    """
    request = find(name)
    on_row = wanted is not None and not anew and acts_on_row(wanted, request)

    def asks(situation: Situation, records: Sequence[Record]) -> Asks:
        fixed = bound(wanted, request, records[0]) if on_row and wanted and records else {}
        left = [each for each in request.inputs() if each.field not in fixed]
        if not left:
            return ()
        title = title_of(request, wanted)
        title = title[:1].upper() + title[1:]
        now = [_present(left, each) for each in records] if on_row and verb_of(request) == "update" else []
        several = tuple(zip(map(name_of, records), now, strict=False)) if len(now) > 1 else ()
        if several and wanted:
            title = f"Change alike: {len(records)} {wanted.title[:1].lower()}{wanted.title[1:]}"
        elif on_row and records:
            title = f"{title} {name_of(records[0])}"
        initial = now[0] if len(now) == 1 else {}
        person = partial(user_id, situation.sight)
        return (FormAsk(FORM, title, request, initial, fixed, each=several, person=person),)

    def plan(_situation: Situation, records: Sequence[Record], answers: Answers) -> list[Step]:
        given = dict(cast("Mapping[str, Any]", answers.get(FORM) or {}))
        steps: list[Step] = []
        for record in records if on_row else (None,):
            fixed = bound(wanted, request, record) if wanted and record is not None else {}
            before = _present(request.inputs(), record) if record is not None else {}
            needed = {
                each.field: before[each.field] for each in request.inputs() if each.required and each.field in before
            }
            sent = build(request, {**needed, **fixed, **given})
            key = (
                record.key if record is not None else str(next(iter(sent.model_dump(exclude_none=True).values()), name))
            )
            what = _what(request, wanted, record)
            undo = _undo(request, wanted, fixed, given, before, needed) if record is not None else ()
            basis = _basis(request, wanted, record, (*needed, *given)) if wanted and record is not None else None
            steps.append(Step(sent, key, f"{_PAST.get(verb_of(request), 'sent')} {clean(what, 80)}", undo, basis))
        return steps

    verb = verb_of(request)
    final = verb in _FINAL
    return Action(
        id=f"{_PREFIX}{name}",
        title=title_of(request, wanted),
        key="",
        kind=wanted.name if wanted else "operations",
        guard=Guard.MASS
        if name in _OF_MANY
        else Guard.WIDE
        if final
        else Guard.REVERSIBLE
        if verb == "update" and on_row
        else Guard.SMALL,
        plan=plan,
        asks=asks,
        needs=("many" if (final or verb == "update") and len(_needed(request)) == 1 else "one") if on_row else "none",
        warning=lambda situation, records: _warning(request, situation, records),
        word=name_of if name in _OF_MANY else None,
        footer=9,
        about=request.operation.title,
        sends=(request,),
        mass=final,
    )


def _what(request: type[Request[Any]], wanted: Resource | None, record: Record | None) -> str:
    """Say what is changed: the row, or what the operation is about where that is something else that the row has."""
    if wanted is None:
        return request.operation.name
    if record is None:
        return wanted.one
    row = f"{wanted.one} {name_of(record)}"
    if is_own(wanted, request) or verb_of(request).startswith("logout"):
        return row
    return f"{request.operation.name.rpartition('.')[0].replace('-', ' ')} of {row}"


def operation_of(command: Command) -> str | None:
    """Return the name of the operation whose form led to a command, or to the one that it takes back, if one did."""
    action = command.action.removeprefix(TAKES_BACK)
    return action.removeprefix(_PREFIX) if action.startswith(_PREFIX) else None


def is_change(request: type[Request[Any]]) -> bool:
    """Say whether an operation changes something; the others are asked, not submitted."""
    return request.operation.effect is Effect.CHANGE


def _needed(request: type[Request[Any]]) -> list[Input]:
    return [each for each in request.inputs() if each.required]


def _present(inputs: Sequence[Input], record: Record) -> dict[str, Any]:
    """Return what a row has now of what an operation would set."""
    found = {each.field: getattr(record, each.field, None) for each in inputs}
    return {name: value for name, value in found.items() if value is not None and value != ()}


def _undo(
    request: type[Request[Any]],
    wanted: Resource | None,
    fixed: Mapping[str, Any],
    given: Mapping[str, Any],
    before: Mapping[str, Any],
    needed: Mapping[str, Any],
) -> tuple[Request[Any], ...]:
    """Return the request that puts back what an update changes, if everything it changes was known before."""
    hidden = {each.field for each in request.inputs() if each.secret}
    if verb_of(request) != "update" or not given or any(name not in before or name in hidden for name in given):
        return ()
    renames = wanted.renames.items() if wanted is not None else ()
    now_named = {named: given[by] for by, named in renames if by in given}
    return (build(request, {**needed, **fixed, **now_named, **{name: before[name] for name in given}}),)


def _basis(request: type[Request[Any]], wanted: Resource, record: Record, names: Iterable[str]) -> Basis | None:
    """Return what an update of a row is decided on, where the row can be read again by itself.

    What the row lacks was not seen either: it counts as empty. Secrets cannot be compared.
    """
    read = catalogue().get(f"{wanted.name}.get")
    if verb_of(request) != "update" or read is None or read.answer_type() is not type(record):
        return None
    inputs = bound(wanted, read, record)
    if any(each.required and each.field not in inputs for each in read.inputs()):
        return None
    hidden = {each.field for each in request.inputs() if each.secret}
    before = {name: getattr(record, name) for name in names if name not in hidden and hasattr(record, name)}
    return Basis(build(read, inputs), before) if before else None


def _warning(request: type[Request[Any]], situation: Situation, records: Sequence[Record]) -> str:
    if request.operation.name in _OF_DOMAINS and records:
        return _warning_of_domain(situation, name_of(records[0]))
    many = f" This is done to {len(records)} records." if len(records) > 1 else ""
    return f"{request.operation.title}.{many} There is no undo."


def _warning_of_domain(situation: Situation, domain: str) -> str:
    """Say how many sessions of a domain would end, where they are known."""
    alive = [
        each
        for each in known(situation.sight, "sessions", Session)
        if each.domain == domain and each.id != situation.session_id and state(each, situation.sight) == "active"
    ]
    if not alive:
        return f"All sessions of {domain} end at once and for good, but for the one you work in."
    people = len({each.user for each in alive})
    whose = f"of {people} people" if people != 1 else "of one person"
    return f"{plural(len(alive), 'session')} {whose} end at once and for good; the one you work in stays."
