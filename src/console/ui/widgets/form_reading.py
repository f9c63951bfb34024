"""Parse a form to values and errors. Pure functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, cast

from pydantic import ValidationError

from console.api.request import Request
from console.api.values import allows_null
from console.base.frozen import Frozen, field
from console.commands.action import FormAsk, UserNames
from console.records.people import USER_ID_FIELDS
from console.records.record import Record
from console.records.structured import STRICT
from console.ui.widgets.form_entries import Entries
from console.ui.widgets.form_fields import Blank, FormField, json_value

M = TypeVar("M", bound="Request[Any] | Record")

Typed = Mapping[str, "str | Sequence[Any] | Blank"]
"""Changed fields: the text, the entries, or a value that cannot be typed."""


class FormResult(Frozen):
    """The changed values and the errors by field; the empty name is for the whole form."""

    changed: Mapping[str, Any]
    """By input."""
    faults: Mapping[str, str]
    as_typed: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """The changed values by field, as typed; the fields of a record separately."""
    blank: frozenset[str] = frozenset()
    """Inputs that were explicitly set to null or empty."""


def read_form(ask: FormAsk, fields: Sequence[FormField], typed: Typed) -> FormResult:
    """Parse all fields, with the operation's checks."""
    request = cast("type[Request[Any]]", ask.request)
    read = _read(fields, typed, ask.initial, ask.people)
    changed = read.changed
    inputs = {input_.field: input_ for input_ in request.inputs()}
    known = set(inputs)
    values = {name: value for name, value in {**ask.initial, **ask.fixed}.items() if name in known}
    values = {name: json_value(value) for name, value in {**values, **changed}.items() if value is not None}
    wires = {input_.field: input_.wire for input_ in request.inputs()}
    checked, faults = _checked(request.from_person, fields, values, wires)
    faults = {**faults, **read.faults}
    for form_field in fields:
        if (
            form_field.path[0] in changed
            and changed[form_field.path[0]] is None
            and not allows_null(inputs[form_field.path[0]].annotation)
        ):
            faults.setdefault(form_field.name, "is required" if form_field.required else "cannot be removed")
    faults = {**faults, **_lacking_members(fields, typed, values)}
    if faults or checked is None:
        return FormResult({}, _with_hints(faults, fields))
    changed = {name: None if changed[name] is None else getattr(checked, name) for name in changed}
    return FormResult(changed, {}, read.as_typed)


def _lacking_members(fields: Sequence[FormField], typed: Typed, values: Mapping[str, Any]) -> dict[str, str]:
    """Return the errors of objects without a name that another input requires."""
    faults: dict[str, str] = {}
    for form_field in fields:
        blank = isinstance(typed.get(form_field.name), Blank)
        if form_field.members is not None and not blank and (form_field.required or form_field.name in typed):
            has: Mapping[str, Any] = values.get(form_field.path[0]) or {}
            needed = form_field.members.of(values.get(form_field.members.by))
            lacking = next((name for name in needed if not has.get(name)), None)
            if lacking is not None:
                faults[form_field.name] = f"{lacking} is required"
    return faults


def read_entry(
    entries: Entries,
    entry: Mapping[str, Any],
    fields: Sequence[FormField],
    typed: Typed,
    people: UserNames | None,
) -> FormResult:
    """Parse the form of an entry: `changed` is the whole entry by wire name, with its other values."""
    read = _read(fields, typed, entry, people)
    values = {
        name: value
        for name, value in {**entry, **read.changed}.items()
        if value not in (None, "") or name in read.blank
    }
    _, faults = _checked(entries.record.model_validate, fields, values, {})
    faults = {**faults, **read.faults}
    hides = any(form_field.secret and form_field.name == entries.member for form_field in fields)
    if hides and values and entries.member not in values:
        # A secret that was typed as a name would be visible.
        faults.setdefault(entries.member, "is required")
    if not values and not faults:
        faults = {"": "No fields are filled in yet."}
    return FormResult({}, faults) if faults else FormResult(values, {}, read.as_typed)


def _read(fields: Sequence[FormField], typed: Typed, before: Mapping[str, Any], people: UserNames | None) -> FormResult:
    """Parse the fields one by one."""
    faults: dict[str, str] = {}
    changed: dict[str, Any] = {}
    as_typed: dict[str, Any] = {}
    blank: set[str] = set()
    wholes = {form_field.path[0]: form_field for form_field in fields if typed.get(form_field.name) in _WHOLE}
    for form_field in fields:
        first, *way = form_field.path
        if form_field.name not in typed:
            if (
                form_field.required
                and form_field.initial is None
                and form_field.entries is not None
                and not form_field.entries.member
            ):
                as_typed[form_field.name] = changed[first] = list[Any]()  # required, but may be empty
            continue
        typed_value = typed[form_field.name]
        if first in wholes and wholes[first] is not form_field:
            blanked = wholes[first]
            faults[form_field.name] = f"cannot be sent with {blanked.words_of(cast('Blank', typed[blanked.name]))}"
            continue
        try:
            value = (
                value_of(form_field, typed_value)
                if isinstance(typed_value, Blank)
                else _named(form_field, form_field.read(typed_value), people)
            )
        except ValueError as error:
            faults[form_field.name] = str(error)
            continue
        if isinstance(typed_value, Blank):
            as_typed[form_field.name] = typed_value
            blank.add(first)
        elif value != form_field.initial:
            as_typed[form_field.name] = value
        else:
            continue
        if typed_value in _WHOLE:
            changed[first] = value
        else:
            now = changed.get(first, json_value(before.get(first))) if way else None
            changed[first] = _put(now, way, value, keep=isinstance(typed_value, Blank)) if way else value
    return FormResult(changed, faults, as_typed, frozenset(blank))


_WHOLE = (Blank.WHOLE_NULL, Blank.WHOLE_EMPTY)


def value_of(field: FormField, value: Any) -> Any:
    """Return the value of a field's content, which may be a blank."""
    match value:
        case Blank.NULL | Blank.WHOLE_NULL:
            return None
        case Blank.WHOLE_EMPTY:
            return {}
        case Blank.EMPTY:
            return field.empty
        case _:
            return value


def _with_hints(faults: Mapping[str, str], fields: Sequence[FormField]) -> dict[str, str]:
    """Add a hint to required fields that may be sent empty."""
    emptied = {form_field.name for form_field in fields if form_field.required and Blank.EMPTY in form_field.blanks}
    return {
        name: f"{text}; ^n sends it empty" if name in emptied and text == "is required" else text
        for name, text in faults.items()
    }


def _checked(
    read: Callable[..., M], fields: Sequence[FormField], values: Mapping[str, Any], wires: Mapping[str, str]
) -> tuple[M | None, dict[str, str]]:
    """Check values against their limits. Return the result, and the errors by field."""
    names = {
        ".".join((wires.get(form_field.path[0], form_field.path[0]), *form_field.path[1:])): form_field.name
        for form_field in fields
    }
    names |= {".".join(form_field.path): form_field.name for form_field in fields}
    try:
        return read(values, context=STRICT), {}
    except ValidationError as error:
        faults: dict[str, str] = {}
        for problem in error.errors(include_input=False, include_url=False, include_context=False):
            way = [str(value) for value in problem["loc"]]
            end = next((end for end in range(len(way), 0, -1) if ".".join(way[:end]) in names), 0)
            name = names.get(".".join(way[:end]), "")
            faults.setdefault(name, _sentence(problem["type"], problem["msg"], problem["loc"][end:]))
        return None, faults


def _sentence(kind: str, message: str, within: Sequence[str | int]) -> str:
    """Return the error message, with the position in a list."""
    text = "is required" if kind == "missing" else message[:1].lower() + message[1:]
    if kind in {"too_long", "too_short"}:
        text = text.replace("tuple ", "").replace("items after validation", "entries")
    inside = [value for value in within if isinstance(value, str) and "[" not in value]
    number = next((value for value in within if isinstance(value, int)), None)
    place = [*([] if number is None else [f"entry {number + 1}"]), *inside]
    return f"{', '.join(place)}: {text}" if place else text


def _named(field: FormField, value: Any, people: UserNames | None) -> Any:
    """Replace names by user ids, in fields with user ids."""
    if people is None or field.path[-1] not in USER_ID_FIELDS or not value:
        return value
    if isinstance(value, str):
        return people.id_of(value)
    return [people.id_of(name) for name in cast("Sequence[str]", value)]


def _put(present: Any, way: Sequence[str], value: Any, *, keep: bool) -> dict[str, Any]:
    """Return a JSON object with a value set at a path. None removes the value, unless `keep`."""
    values: dict[str, Any] = dict(cast("Mapping[str, Any]", present)) if isinstance(present, Mapping) else {}
    first, *rest = way
    inner = _put(values.get(first), rest, value, keep=keep) if rest else value
    if inner is None and not keep:
        values.pop(first, None)
    else:
        values[first] = inner
    return values
