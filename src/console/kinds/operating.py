"""Any operation as an action, with a form for its inputs, its guard, and undo if possible.

So palette, administration and key map share one way to make changes, and all rules for actions (read-only, roles,
variants, journal, undo) apply to every operation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import Any, cast

from console.api.annotations import Effect, Guard
from console.api.catalogue import catalogue, find
from console.api.errors import ApiError
from console.api.inputs import Input
from console.api.listed import record_type
from console.api.request import Request
from console.base.frozen import replace
from console.base.text import SafeText, clean, join
from console.commands.action import Action, Answers, Asks, FormAsk, ReadAsk, Situation, UserNames
from console.commands.conditions import condition, related, why_not_related
from console.commands.inputs import build
from console.commands.lookup import person, user_id
from console.kinds.catalogue import RESOURCES
from console.kinds.inverses import LISTS, read_first, record_of, step_of
from console.kinds.known_values import known_values, own_values
from console.kinds.resource import Branch, Resource
from console.kinds.resources import acts_on_row, bound, is_own, operations_of
from console.kinds.tables import TABLES
from console.live.command import TAKES_BACK, Basis, Command, Step
from console.records.record import Record
from console.views.generated_table import name_of
from console.views.render_context import RenderContext
from console.views.wording import capitalized, in_sentence, plural, short

FORM = "form"
PRESENT = "present"
"""Name of the record with the current values among the answers, if the row does not hold them."""
_PREFIX = "operations."
"""Prefix of the ids of these actions, before the operation's name."""
_CHANGES = frozenset({"update", "set"})
"""Verbs of operations that change the values of a record."""
_OF_USERS = frozenset({"agents", "presence"})
"""Kinds whose records are about one user, to whom the operations on users apply."""
_BLANK = "Blank fields stay unchanged."
_MOST_READ = 20
"""Most records whose values are read before one form changes them all."""
_SEVERAL = f"The current values of more than {_MOST_READ} records are not read. {_BLANK}"


def verb_of(request: type[Request[Any]]) -> str:
    """Return the verb of an operation: `create` of `phonebooks.create`."""
    return request.operation.name.rpartition(".")[2]


def title_of(request: type[Request[Any]], wanted: Resource | None = None) -> str:
    """Return the title of an operation in lists of actions: `add contact`, `update user permissions`."""
    prefix, _, verb = request.operation.name.replace("-", " ").rpartition(".")
    if request.operation.label:
        return request.operation.label
    wanted = wanted or resource_of(request.operation.name.rpartition(".")[0])
    if wanted is None:
        return f"{verb} {prefix}"
    if request.operation.name in wanted.lists:
        return f"list {in_sentence(wanted.title)}"
    if prefix != wanted.name.replace("-", " "):
        return f"{verb} {prefix}"
    return f"{verb} {wanted.one}"


def name_in_list(record: Record, kind: str, render: RenderContext) -> SafeText:
    """Return the name of a record as the list of its kind shows it."""
    table = TABLES.get(kind)
    return table.name(record, render) if table is not None else name_of(record)


@cache
def resource_of(name: str) -> Resource | None:
    """Return the resource of a list: the administration's, or else one made from the kind's table."""
    table = TABLES.get(name)
    if name in RESOURCES or table is None:
        return RESOURCES.get(name)
    lists = tuple(each for each in (f"{name}.list", f"{name}.page") if each in catalogue())
    return Resource(
        name=name, title=table.title, one=table.one, branch=Branch.DIRECTORY, lists=lists, apart=(f"{name}.send",)
    )


@cache
def on_rows_of(name: str, kind: str) -> Resource | None:
    """Return the resource of a list if an operation is about one of its rows, or None."""
    wanted = resource_of(kind)
    if wanted is None or find(name) not in operations_of(wanted) or not acts_on_row(wanted, find(name)):
        return None
    return wanted


def user_behind(record: Record, kind: str, render: RenderContext) -> Record | None:
    """Return the known user whose presence or work a record is, or None."""
    if kind not in _OF_USERS:
        return None
    links = (link for link in TABLES[kind].links(record, render) if link.kind == "users")
    return next((render.find("users", link.key) for link in links), None)


@cache
def change(name: str, wanted: Resource | None = None, *, anew: bool = False) -> Action[Any]:
    """Return the action of an operation, for a row of a resource if it is about one. Raise KeyError.

    `anew` ignores the row: an operation that sets something also creates it.
    """
    request = find(name)
    on_row = wanted is not None and not anew and acts_on_row(wanted, request)
    read = read_first(request)

    def asks(situation: Situation, records: Sequence[Record]) -> Asks:
        reads = (ReadAsk(LISTS, read),) if read is not None else ()
        fixed = bound(wanted, request, records[0]) if on_row and wanted and records else {}
        left = [input_ for input_ in request.inputs() if input_.field not in fixed]
        if not left:
            return reads
        title = capitalized(title_of(request, wanted))
        separate = _separate_read(request, wanted, records[0]) if on_row and wanted and records else None
        held = separate is None and on_row and verb_of(request) in _CHANGES
        now = [_present(left, record, wanted.holds) for record in records] if held and wanted else []
        names = [name_in_list(record, wanted.name, situation.render) for record in records] if wanted else []
        several = tuple(zip(names, now, strict=False)) if len(now) > 1 else ()
        if several and wanted:
            title = f"Edit {plural(len(records), wanted.one)}"
        elif on_row and wanted and len(records) > 1:
            title = f"{title}: {plural(len(records), wanted.one)}"
        elif on_row and names:
            title = f"{title} {names[0]}"
        initial = now[0] if len(now) == 1 else {}
        people = UserNames(partial(user_id, situation.render), partial(person, situation.render))
        met = bool(records) and on_row and all(related(request, situation, record) for record in records)
        note = "" if met else condition(request.operation, situation)
        known = known_values(request, situation)
        draft = {} if on_row else own_values(request, situation)
        form = FormAsk(
            FORM, title, request, initial, fixed, each=several, people=people, known=known, note=note, draft=draft
        )
        if separate is None:
            return (form, *reads)
        if len(records) > _MOST_READ:
            return (replace(form, note=f"{note} {_SEVERAL}".strip()), *reads)
        apart = [
            ReadAsk(_present_name(records, record), own)
            for record in records
            if wanted is not None and (own := _separate_read(request, wanted, record)) is not None
        ]
        if len(records) == 1:
            return (*apart, partial(_filled, form, left), *reads)
        told = [(name, _present_name(records, record)) for name, record in zip(names, records, strict=True)]
        return (*apart, partial(_filled_for_several, form, left, told), *reads)

    def plan(situation: Situation, records: Sequence[Record], answers: Answers) -> list[Step]:
        typed = dict(cast("Mapping[str, Any]", answers.get(FORM) or {}))
        lists = answers.get(LISTS)
        if not on_row or wanted is None:
            return [_step(situation, request, wanted, typed, lists)]
        at_hand = situation.with_records(wanted.name, records)
        present = [answers.get(_present_name(records, record)) for record in records]
        rows = zip(records, present, strict=True)
        return [
            _step_on_row(
                at_hand, request, wanted, record, _completed(typed, now, record) if records[1:] else typed, lists, now
            )
            for record, now in rows
        ]

    operation = request.operation
    needs_key_alone = sum(part.required for part in request.inputs()) == 1
    change = operation.change
    several = operation.guard >= Guard.WIDE or verb_of(request) == "update" or bool(change and change.mass)
    return Action(
        id=f"{_PREFIX}{name}",
        title=title_of(request, wanted),
        key="",
        kind=wanted.name if wanted else "operations",
        plan=plan,
        asks=asks,
        why_not=partial(why_not_related, request) if on_row else None,
        needs=("many" if several and needs_key_alone else "one") if on_row else "none",
        footer=9,
        about=operation.words,
        sends=(request,),
        subject="" if wanted else subject_of(request),
        noun=wanted.one if wanted else "",
    )


def subject_of(request: type[Request[Any]]) -> str:
    """Return the kind of record that an operation changes: the first that it touches."""
    change = request.operation.change
    return change.touches[0] if change is not None and change.touches else "operations"


def _step(
    situation: Situation,
    request: type[Request[Any]],
    wanted: Resource | None,
    typed: Mapping[str, Any],
    lists: object,
) -> Step:
    """Return the step of an operation without a selected row. Its record is looked up among the known ones."""
    sent = build(request, typed)
    record = record_of(situation, sent) if wanted is None else None
    text = f"{_done(request)} {_new(sent, wanted) if wanted else _named(situation, sent, record)}"
    basis = _basis(sent, record, sent.model_dump(exclude_unset=True)) if record is not None else None
    return step_of(situation, sent, sent.record_key(), text, basis, lists, record)


def _step_on_row(
    situation: Situation,
    request: type[Request[Any]],
    wanted: Resource,
    record: Record,
    typed: Mapping[str, Any],
    lists: object,
    present: object,
) -> Step:
    """Return the step of an operation on a row. `present` is the separate record that it changes, if it was read."""
    fixed = bound(wanted, request, record)
    before = _present(request.inputs(), record, wanted.holds)
    needed = {
        input_.field: before[input_.field] for input_ in request.inputs() if input_.required and input_.field in before
    }
    sent = build(request, {**needed, **fixed, **typed})
    text = f"{_done(request)} {clean(_what(request, wanted, record, situation), 80)}"
    changed = present if isinstance(present, Record) else record
    read = _read_of(request)
    basis = _basis(sent, changed, bound(wanted, read, record) if read is not None else {})
    return step_of(situation, sent, record.key, text, basis, lists, changed)


def _completed(typed: Mapping[str, Any], present: object, row: Record) -> dict[str, Any]:
    """Return values typed for several records, with the other fields of the same objects as this record has them."""
    changed = present if isinstance(present, Record) else row
    completed = dict(typed)
    for name, value in typed.items():
        own = getattr(changed, name, None)
        if isinstance(own, Record) and isinstance(value, Mapping | Record):
            given = (
                value.model_dump(by_alias=True, exclude_unset=True, mode="json")
                if isinstance(value, Record)
                else cast("Mapping[str, Any]", value)
            )
            completed[name] = {**own.model_dump(by_alias=True, exclude_none=True, mode="json"), **given}
    return completed


def _new(sent: Request[Any], wanted: Resource) -> SafeText:
    """Return a new record of a resource: its kind, and its name if an input has it."""
    inputs = (f"{wanted.one}_name", wanted.one, "username", "name", "label")
    names = (value for name in inputs if isinstance(value := getattr(sent, name, None), str) and value)
    return join(" ", [clean(wanted.one), *(clean(name, 60) for name in names)][:2])


def _done(request: type[Request[Any]]) -> str:
    change = request.operation.change
    return (change.done if change is not None else "") or "sent"


def _named(situation: Situation, sent: Request[Any], record: Record | None) -> SafeText:
    """Return the name of an operation's record as in lists, or its key if it is unknown."""
    key = sent.record_key()
    if record is not None:
        return name_in_list(record, subject_of(type(sent)), situation.render)
    return clean(short(key), 40) if key != sent.operation.name else clean(_unnamed(sent), 80)


def _unnamed(sent: Request[Any]) -> str:
    """Return the object of an operation that no input names: `all groups` of `Leave all groups`."""
    change = sent.operation.change
    return (change.unnamed if change is not None else "") or in_sentence(sent.operation.row.partition(" ")[2])


def _what(request: type[Request[Any]], wanted: Resource, record: Record, situation: Situation) -> str:
    """Return the changed object: the row, or the part of it that the operation is about."""
    row = f"{wanted.one} {name_in_list(record, wanted.name, situation.render)}"
    if is_own(wanted, request) or _done(request).endswith(" of"):
        # Words such as "ended all sessions of" name the part themselves.
        return row
    return f"{request.operation.name.rpartition('.')[0].replace('-', ' ')} of {row}"


def operation_of(command: Command) -> str | None:
    """Return the name of the operation whose form created a command, or the command that it undoes, or None."""
    action = command.action.removeprefix(TAKES_BACK)
    return action.removeprefix(_PREFIX) if action.startswith(_PREFIX) else None


def is_change(request: type[Request[Any]]) -> bool:
    """Return whether an operation changes something; others are requested, not submitted."""
    return request.operation.effect is Effect.CHANGE


def _present(inputs: Sequence[Input], record: Record, names: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the current values of a record for an operation's inputs; `names` are different names of its fields."""
    names = names or {}
    values = {input_.field: getattr(record, names.get(input_.field, input_.field), None) for input_ in inputs}
    return {name: value for name, value in values.items() if value is not None and value != ()}


def _separate_read(request: type[Request[Any]], wanted: Resource, row: Record) -> Request[Any] | None:
    """Return the request for the record that an operation changes, or None if that is the row or cannot be read."""
    read = catalogue().get(f"{request.operation.name.rpartition('.')[0]}.get")
    if read is None or verb_of(request) not in _CHANGES or is_own(wanted, request):
        return None
    values = bound(wanted, read, row)
    if any(input_.required and input_.field not in values for input_ in read.inputs()):
        return None
    return build(read, values)


def _filled(form: FormAsk, inputs: Sequence[Input], answers: Answers) -> FormAsk:
    """Return a form with the values of the record that was read, or with the reason why it could not be read."""
    present = answers.get(PRESENT)
    if isinstance(present, Record):
        return replace(form, initial=_present(inputs, present))
    return replace(form, note=f"{form.note} Cannot read the current values{_why(present)}. {_BLANK}".strip())


def _why(present: object) -> str:
    """Return the reason why values could not be read, after a colon, if their answer is one."""
    return f": {present.in_full.rstrip('.')}" if isinstance(present, ApiError) else ""


def _present_name(records: Sequence[Record], record: Record) -> str:
    """Return the name of the current values of one of the records among the answers."""
    return PRESENT if len(records) == 1 else f"{PRESENT} {record.key}"


def _filled_for_several(
    form: FormAsk, inputs: Sequence[Input], names: Sequence[tuple[SafeText, str]], answers: Answers
) -> FormAsk:
    """Return a form with the values of each record that was read; `names` has the names of records and of answers."""
    read = [(name, answers.get(answer)) for name, answer in names]
    each = tuple((name, _present(inputs, present) if isinstance(present, Record) else {}) for name, present in read)
    unread = [present for _, present in read if not isinstance(present, Record)]
    told = f"Cannot read the current values of {len(unread)} of {len(read)}{_why(unread[0])}. " if unread else ""
    return replace(form, each=each, note=f"{form.note} {told}{_BLANK}".strip())


def _read_of(request: type[Request[Any]]) -> type[Request[Any]] | None:
    """Return the operation that reads the record of an operation again: alone, or else in its list."""
    prefix = request.operation.name.rpartition(".")[0]
    return catalogue().get(f"{prefix}.get") or catalogue().get(f"{prefix}.list")


def _basis(sent: Request[Any], record: Record, values: Mapping[str, Any]) -> Basis | None:
    """Return the basis of an update, if the record can be read again; `values` identify it.

    Missing fields of the record count as empty. Secrets cannot be compared.
    """
    read = _read_of(type(sent))
    if verb_of(type(sent)) != "update" or read is None:
        return None
    in_list = verb_of(read) == "list"
    if not isinstance(record, record_type(read) if in_list else read.answer_type()):
        return None
    inputs = {input_.field: values[input_.field] for input_ in read.inputs() if input_.field in values and not in_list}
    if any(input_.required and input_.field not in inputs for input_ in read.inputs()):
        return None
    apart = {input_.field for input_ in type(sent).inputs() if input_.secret or (in_list and input_.required)}
    names = sent.model_fields_set - inputs.keys() - apart
    before = {name: getattr(record, name) for name in names if hasattr(record, name)}
    return Basis(build(read, inputs), before, record.key if in_list else "") if before else None
