"""Fields of a form, built from an operation's input declarations. Pure functions."""

from __future__ import annotations

import json
import types
from collections.abc import Mapping, Sequence
from enum import Enum
from itertools import takewhile
from typing import Annotated, Any, Union, cast, get_args, get_origin

from pydantic import ValidationError

from console.api.annotations import InputPlace, NeededMembers, Variant
from console.api.inputs import Input
from console.api.request import Request
from console.api.values import empty_of, least_of
from console.base.frozen import Frozen, replace
from console.base.secrets import is_secret
from console.base.text import as_label
from console.commands.action import FormAsk
from console.records.fields import resolved_fields
from console.records.record import Record
from console.records.structured import STRICT
from console.ui.widgets.field_kinds import NOT_SET, FieldKind, kind_of
from console.ui.widgets.form_entries import Entries, entries_in, line_of
from console.views.spans import span, typed_span

_MOST, _DEEPEST = 24, 3
"""Limits of fields and depth for a record in a form; larger ones are edited as JSON."""
_FEWEST_CLOSED = 3
"""The number of optional fields from which a line in their place saves space."""


class Blank(Enum):
    """A value that cannot be typed. An unchanged field sends nothing."""

    NULL = "none"
    EMPTY = "empty"
    """The empty text, list or object."""
    WHOLE_NULL = "whole none"
    """Null for the whole input of which the field is a part."""
    WHOLE_EMPTY = "whole empty"


class FormField(Frozen):
    """An input of the operation in a form."""

    name: str
    """The name of the input, with the path to a record's field: `user.attributes.domain`."""
    path: tuple[str, ...]
    """The same path by wire names, except the first, which is the input's own name."""
    title: str
    kind: FieldKind
    required: bool
    secret: bool
    about: str
    initial: Any
    offered: tuple[tuple[str, Any], ...] = ()
    """For a choice: text and value of each option."""
    entries: Entries | None = None
    """For entries: their type."""

    members: NeededMembers | None = None
    """For an object: the names that it must contain."""
    draft: tuple[Any] | None = None
    """The initial content instead of `initial`, as if typed."""
    empty: Any = None
    """The empty value, or None without one."""
    blanks: tuple[Blank, ...] = ()
    """Values that cannot be typed, in the order of the key that selects them."""
    whole: str = ""
    """For a part of an input: the title of the input."""
    unit_ms: int = 1
    """For a duration: its unit on the wire, in ms."""
    known: tuple[str, ...] = ()
    """For a text: known values."""
    needed: bool = False
    """Whether its input is required, of which it may be a part that is not."""

    def words_of(self, blank: Blank) -> str:
        """Return the text of a blank in the field and in the difference."""
        match blank:
            case Blank.WHOLE_NULL | Blank.WHOLE_EMPTY:
                return f"({self.whole}: {'none' if blank is Blank.WHOLE_NULL else 'empty'})"
            case _:
                return f"({blank.value})"

    @property
    def begins(self) -> Blank | None:
        """The initial blank, which only a draft can have."""
        if self.draft is None or self.draft[0] == self.initial:
            return None
        if self.draft[0] is None:
            return Blank.NULL
        return Blank.EMPTY if self.draft[0] == self.empty and self.initial is None else None

    @property
    def shown(self) -> str:
        """The text of the current value; raw, cleaned by the field."""
        return self.write(self.initial)

    @property
    def filled(self) -> Any:
        """The initial value."""
        return self.initial if self.draft is None else self.draft[0]

    def write(self, value: Any) -> str:
        """Return a value as it would be typed."""
        if value is None:
            return NOT_SET if self.kind is FieldKind.CHOICE else ""
        if self.kind is FieldKind.CHOICE:
            return next((text for text, entry in self.offered if entry == value), str(value))
        if self.kind is FieldKind.LINES:
            many = [value] if isinstance(value, str) else cast("Sequence[Any]", value)
            return "\n".join(str(entry) for entry in many)
        if self.kind is FieldKind.ENTRIES and self.entries is not None:
            return "\n".join(line_of(item, secret=self.secret) for item in self.entries.apart(value))
        if self.kind is FieldKind.DURATION and isinstance(value, int | float):
            return typed_span(value * self.unit_ms)
        if self.kind is FieldKind.JSON or (self.kind is FieldKind.VALUE and _reads_otherwise(value)):
            return json.dumps(json_value(value), ensure_ascii=False, indent=1)
        return str(value)

    def read(self, typed: str | Sequence[Any]) -> Any:
        """Parse the typed text, or the entries. Removed text is the empty value, or None.

        Raise ValueError with the error; the operation checks limits.
        """
        if self.entries is not None:
            return self.entries.together(typed) if typed or self.initial else None
        text = cast("str", typed)
        if self.kind is FieldKind.CHOICE:
            return next((value for message, value in self.offered if message == text), None)
        if self.kind is FieldKind.TEXT:
            return None if not text and self.initial is None else text
        if not text.strip():
            return [] if self.kind is FieldKind.LINES and self.initial else None
        if self.kind is FieldKind.LINES:
            return [line.strip() for line in text.splitlines() if line.strip()]
        if self.kind is FieldKind.NUMBER:
            return _number(text.strip())
        if self.kind is FieldKind.DURATION:
            return _duration(text.strip(), self.unit_ms)
        if self.kind is FieldKind.VALUE:
            return _value(text)
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"is not valid JSON: {error}") from None


def fields_of(ask: FormAsk, variant: Variant = Variant.LATER) -> tuple[FormField, ...]:
    """Return the fields of a form, required inputs first.

    They are the requested ones, or all that are not fixed, not deprecated and exist in the variant.
    """
    request = cast("type[Request[Any]]", ask.request)
    inputs = [
        replace(input_, required=input_.required_in(variant))
        for input_ in request.inputs()
        if input_.field not in ask.fixed and input_.variant in {None, variant} and not input_.deprecated
    ]
    if ask.only:
        by_name = {input_.field: input_ for input_ in inputs}
        inputs = [by_name[name] for name in ask.only if name in by_name]
    inputs.sort(key=lambda input_: not input_.required)
    alone = len(inputs) == 1
    fields = tuple(
        replace(field, known=tuple(ask.known.get(field.name, ()))) if field.kind is FieldKind.TEXT else field
        for input_ in inputs
        for field in _fields(input_, ask.initial.get(input_.field), alone=alone)
    )
    if not ask.draft:
        return fields
    filled = {**ask.initial, **ask.draft}
    drafted = [field for input_ in inputs for field in _fields(input_, filled.get(input_.field), alone=alone)]
    by_path = {(form_field.path, form_field.kind): form_field.initial for form_field in drafted}
    return tuple(
        replace(form_field, draft=(by_path.get((form_field.path, form_field.kind), form_field.initial),))
        for form_field in fields
    )


def closed_from(fields: Sequence[FormField]) -> int:
    """Return the number of the first field that is hidden at first: of the optional ones at the end, if none is set.

    Without required fields, or with few optional ones, none is hidden: the number of fields.
    """
    first = len(fields) - sum(1 for _ in takewhile(lambda form_field: not form_field.needed, reversed(fields)))
    optional = fields[first:]
    is_set = any(form_field.filled not in (None, "", [], {}) or form_field.begins for form_field in optional)
    return len(fields) if is_set or not first or len(optional) < _FEWEST_CLOSED else first


def first_to_fill(fields: Sequence[FormField]) -> int:
    """Return the number of the field to begin with: with a draft, the first required one that it leaves empty."""
    empty = (n for n, form_field in enumerate(fields) if form_field.required and form_field.filled in (None, ""))
    return next(empty, 0) if any(form_field.draft is not None for form_field in fields) else 0


def fields_of_entry(entries: Entries, entry: Mapping[str, Any], *, secret: bool) -> tuple[FormField, ...]:
    """Return the fields of one entry with its values; of a secret, all but the first are hidden."""
    inputs = [
        Input(
            field=resolved_field.wire,
            wire=resolved_field.wire,
            place=InputPlace.BODY,
            annotation=resolved_field.annotation,
            required=resolved_field.required,
            variant=None,
            secret=is_secret(name)
            or (name == "value" and is_secret(str(entry.get("name", ""))))
            or (secret and at > 0),
            about="",
            least=max(least_of(resolved_field.metadata), int(name == entries.record.key_field)),
        )
        for at, (name, resolved_field) in enumerate(resolved_fields(entries.record).items())
    ]
    return tuple(field for input_ in inputs for field in _fields(input_, entry.get(input_.field), alone=False))


def lacking_of(ask: FormAsk, variant: Variant) -> tuple[str, ...]:
    """Return the titles of inputs that only the other variant has."""
    request = cast("type[Request[Any]]", ask.request)
    asked = [input_ for input_ in request.inputs() if input_.field not in ask.fixed and not input_.deprecated]
    if ask.only:
        asked = [input_ for input_ in asked if input_.field in ask.only]
    return tuple(input_.title or _titled((input_.field,)) for input_ in asked if input_.variant not in {None, variant})


def _fields(declared: Input, initial: Any, *, alone: bool) -> list[FormField]:
    """Return the fields of an input: one, or for a small record one for each of its fields.

    If an input is `alone` in its form, its name is omitted.
    """
    leaves = _leaves(declared.annotation, (declared.field,), (declared.field,))
    initial = json_value(initial)
    record = _record_in(declared.annotation)
    if record is None or len(leaves) > _MOST:
        return [_field(declared, (declared.field,), (declared.field,), declared.annotation, initial)]
    fields: list[FormField] = []
    titled = _titled((declared.field,))
    wholes = (
        *((Blank.WHOLE_NULL,) if declared.nullable else ()),
        *((Blank.WHOLE_EMPTY,) if _may_be_empty(record) else ()),
    )
    for names, path, annotation, about, least in leaves:
        inner = replace(declared, required=False, about=about, least=least, title="", duration=None)
        value: Any = initial
        for step in path[1:]:
            value = cast("Mapping[str, Any]", value).get(step) if isinstance(value, Mapping) else None
        form_field = _field(
            replace(inner, secret=declared.secret or is_secret(names[-1])), names, path, annotation, value
        )
        form_field = replace(form_field, blanks=(*form_field.blanks, *wholes), whole=titled, needed=declared.required)
        fields.append(replace(form_field, title=_titled(names[1:])) if alone else form_field)
    return fields


def _may_be_empty(record: type[Record]) -> bool:
    try:
        record.model_validate({}, context=STRICT)
    except ValidationError:
        return False
    return True


def _field(declared: Input, names: Sequence[str], path: tuple[str, ...], annotation: Any, initial: Any) -> FormField:
    kind, offered = kind_of(annotation, declared.required, initial)
    if declared.duration is not None and kind is FieldKind.NUMBER:
        kind = FieldKind.DURATION
    empty = empty_of(annotation)
    null = replace(declared, annotation=annotation).nullable
    return FormField(
        ".".join(names),
        path,
        declared.title or _titled(names),
        kind,
        declared.required,
        declared.secret,
        declared.about,
        initial,
        offered,
        entries_in(annotation) if kind is FieldKind.ENTRIES else None,
        declared.members,
        empty=empty,
        blanks=(
            *((Blank.NULL,) if null else ()),
            *((Blank.EMPTY,) if empty is not None and not declared.least else ()),
        ),
        unit_ms=declared.duration.unit_ms if declared.duration is not None else 1,
        needed=declared.required,
    )


def _titled(names: Sequence[str]) -> str:
    """Return the title of a path: `recording.recording_type` becomes `Recording type`."""
    kept: list[str] = []
    for word in " ".join(names[-2:]).replace("_", " ").split():
        if not kept or word != kept[-1]:
            kept.append(word)
    return as_label(" ".join(kept))


def _leaves(
    annotation: Any, names: tuple[str, ...], path: tuple[str, ...], about: str = "", least: int = 0
) -> list[tuple[tuple[str, ...], tuple[str, ...], Any, str, int]]:
    """Return the fields in a record annotation: paths, type, description and minimum length. Keys are never empty.

    Another annotation is its own single field.
    """
    inner = _record_in(annotation)
    if inner is None or len(names) > _DEEPEST:
        return [(names, path, annotation, about, least)]
    return [
        leaf
        for name, field in resolved_fields(inner).items()
        for leaf in _leaves(
            field.annotation,
            (*names, name),
            (*path, field.wire),
            field.declared.description or "",
            max(least_of(field.metadata), int(name == inner.key_field)),
        )
    ]


def _record_in(annotation: Any) -> type[Record] | None:
    inner = [argument for argument in get_args(annotation) if argument is not types.NoneType]
    if get_origin(annotation) in {Union, types.UnionType, Annotated} and inner:
        return _record_in(inner[0]) if len(inner) == 1 or get_origin(annotation) is Annotated else None
    return annotation if isinstance(annotation, type) and issubclass(annotation, Record) else None


def json_value(value: Any) -> Any:
    """Convert records and tuples to JSON values."""
    if isinstance(value, Record | Request):
        return value.model_dump(by_alias=True, exclude_none=True, mode="json")
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(key): json_value(item) for key, item in cast("Mapping[Any, Any]", value).items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [json_value(item) for item in cast("Sequence[Any]", value)]
    return value


def _value(text: str) -> Any:
    """Parse a value of any type: as JSON if valid, otherwise as text."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _reads_otherwise(value: Any) -> bool:
    """Return whether a value must be written as JSON, because its text would be parsed as another value."""
    return not isinstance(value, str) or _value(value) != value


def _number(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        raise ValueError("must be a number") from None


def _duration(text: str, unit_ms: int) -> int:
    """Parse a duration, in its unit on the wire. A number without unit is in seconds."""
    length = span(text)
    if length is None:
        raise ValueError("must be a duration such as 45s or 1m 30s")
    if length.ms % unit_ms:
        raise ValueError(f"must be a multiple of {typed_span(unit_ms)}")
    return round(length.ms / unit_ms)
