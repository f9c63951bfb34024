"""The fields of a form, made from what an operation declares about its inputs. Pure: text in, values out."""

from __future__ import annotations

import json
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin

from pydantic import BaseModel, ValidationError

from console.actions.action import FormAsk
from console.api.marks import Variant
from console.api.request import Input, Request
from console.records.record import STRICT, Record
from console.records.secrets import is_secret

NONE = "not set"
"""What a choice that need not be made offers first."""


_MOST, _DEEPEST = 24, 3
"""Up to how many fields, and how deep, a record is laid out in a form; what is larger is written as JSON."""
_PEOPLE = frozenset(
    {"user_id", "user_ids", "subscriber_id", "target_user_id", "associated_user_id", "userId", "associatedUserId"}
)
"""Inputs, and fields of records, that are ids of users: they may be filled in with names."""


class FieldKind(StrEnum):
    """How a field is filled in."""

    TEXT = "text"
    NUMBER = "number"
    CHOICE = "choice"
    LINES = "lines"
    """Several texts, one a line."""
    JSON = "json"


@dataclass(frozen=True)
class FormField:
    """One input of the operation, as it is filled in."""

    name: str
    """The operation's input; of a record's field with the way to it: `user.attributes.domain`."""
    path: tuple[str, ...]
    """The same by wire names, but for the first, which is the input's own."""
    title: str
    kind: FieldKind
    required: bool
    secret: bool
    about: str
    initial: Any
    offered: tuple[tuple[str, Any], ...] = ()
    """Of a choice: how each reads, and its value."""

    @property
    def shown(self) -> str:
        """How the value it begins with is written; raw, for fields clean what they show."""
        return self.write(self.initial)

    def write(self, value: Any) -> str:
        """Write a value as it would be typed."""
        if self.kind is FieldKind.CHOICE:
            return next((words for words, each in self.offered if each == value), NONE if value is None else str(value))
        if value is None:
            return ""
        if self.kind is FieldKind.LINES:
            return "\n".join(str(each) for each in cast("Sequence[Any]", value))
        if self.kind is FieldKind.JSON:
            return json.dumps(_plain(value), ensure_ascii=False, indent=1)
        return str(value)

    def read(self, text: str) -> Any:
        """Read what was typed. Raises ValueError with what is wrong; limits are the operation's own to check."""
        if self.kind is FieldKind.CHOICE:
            return next((value for words, value in self.offered if words == text), None)
        if self.kind is FieldKind.TEXT:
            return None if not text and self.initial is None else text
        if not text.strip():
            return [] if self.kind is FieldKind.LINES and self.initial else None
        if self.kind is FieldKind.LINES:
            return [line.strip() for line in text.splitlines() if line.strip()]
        if self.kind is FieldKind.NUMBER:
            return _number(text.strip())
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"is no JSON: {error}") from None


def fields_of(ask: FormAsk, variant: Variant = Variant.LATER) -> tuple[FormField, ...]:
    """Return the fields to fill in: those asked for, or all that are not fixed and that the variant has."""
    request = cast("type[Request[Any]]", ask.request)
    inputs = [each for each in request.inputs() if each.field not in ask.fixed and each.variant in {None, variant}]
    if ask.only:
        by_name = {each.field: each for each in inputs}
        inputs = [by_name[name] for name in ask.only if name in by_name]
    return tuple(
        field for each in inputs for field in _fields(each, ask.initial.get(each.field), alone=len(inputs) == 1)
    )


def lacking_of(ask: FormAsk, variant: Variant) -> tuple[str, ...]:
    """Return the titles of what could be filled in if the service spoke the other variant."""
    request = cast("type[Request[Any]]", ask.request)
    asked = [each for each in request.inputs() if each.field not in ask.fixed]
    if ask.only:
        asked = [each for each in asked if each.field in ask.only]
    return tuple(_titled((each.field,)) for each in asked if each.variant not in {None, variant})


@dataclass(frozen=True)
class Reading:
    """What a form says: the changed values, or what is wrong, by field; the empty name is for the form as a whole."""

    changed: Mapping[str, Any]
    """By input."""
    faults: Mapping[str, str]
    told: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """The changed values by field, as they were typed: of an input that is a record, each on its own."""


def read_form(ask: FormAsk, fields: Sequence[FormField], typed: Mapping[str, str]) -> Reading:
    """Read all fields together, with the operation's own checks. `typed` lacks the fields that nobody touched."""
    request = cast("type[Request[Any]]", ask.request)
    faults: dict[str, str] = {}
    changed: dict[str, Any] = {}
    told: dict[str, Any] = {}
    for each in fields:
        if each.name not in typed:
            continue
        try:
            value = _named(each, each.read(typed[each.name]), ask.person)
        except ValueError as error:
            faults[each.name] = str(error)
            continue
        if value != each.initial:
            told[each.name] = value
            first, *way = each.path
            now = changed.get(first, _plain(ask.initial.get(first))) if way else None
            changed[first] = _put(now, way, value) if way else value
    known = {each.field for each in request.inputs()}
    values = {name: value for name, value in {**ask.initial, **ask.fixed}.items() if name in known}
    values = {name: _plain(value) for name, value in {**values, **changed}.items() if value is not None}
    wires = {each.field: each.wire for each in request.inputs()}
    names = {".".join((wires[each.path[0]], *each.path[1:])): each.name for each in fields}
    names |= {".".join(each.path): each.name for each in fields}
    try:
        whole = request.model_validate(values, context=STRICT)
    except ValidationError as error:
        for problem in error.errors(include_input=False, include_url=False, include_context=False):
            way = [str(each) for each in problem["loc"]]
            name = next((names[at] for end in range(len(way), 0, -1) if (at := ".".join(way[:end])) in names), "")
            faults.setdefault(name, problem["msg"] if name else f"{problem['loc']}: {problem['msg']}")
        return Reading({}, faults)
    if faults:
        return Reading({}, faults)
    return Reading({name: None if changed[name] is None else getattr(whole, name) for name in changed}, {}, told)


def _named(field: FormField, value: Any, person: Callable[[str], str] | None) -> Any:
    """Put ids in place of names, where a field holds the id of a user or several."""
    if person is None or field.path[-1] not in _PEOPLE or not value:
        return value
    if isinstance(value, str):
        return person(value)
    return [person(each) for each in cast("Sequence[str]", value)]


def _put(whole: Any, way: Sequence[str], value: Any) -> dict[str, Any]:
    """Return a JSON object with a value put at the end of a way; None takes out what is there."""
    found: dict[str, Any] = dict(cast("Mapping[str, Any]", whole)) if isinstance(whole, Mapping) else {}
    first, *rest = way
    inner = _put(found.get(first), rest, value) if rest else value
    if inner is None:
        found.pop(first, None)
    else:
        found[first] = inner
    return found


def _fields(declared: Input, initial: Any, *, alone: bool) -> list[FormField]:
    """Return the fields of an input: one, or of a small record one for each of its own fields.

    An input that is `alone` in its form need not be named on each of them.
    """
    leaves = _leaves(declared.annotation, (declared.field,), (declared.field,))
    plain = _plain(initial)
    if _record_in(declared.annotation) is None or len(leaves) > _MOST:
        kind, offered = _kind(declared.annotation, declared.required)
        return [
            FormField(
                declared.field,
                (declared.field,),
                _titled((declared.field,)),
                kind,
                declared.required,
                declared.secret,
                declared.about,
                plain,
                offered,
            )
        ]
    fields: list[FormField] = []
    for names, path, annotation in leaves:
        kind, offered = _kind(annotation, False)
        value: Any = plain
        for step in path[1:]:
            value = cast("Mapping[str, Any]", value).get(step) if isinstance(value, Mapping) else None
        secret = declared.secret or is_secret(names[-1])
        fields.append(
            FormField(
                ".".join(names), path, _titled(names[1:] if alone else names), kind, False, secret, "", value, offered
            )
        )
    return fields


def _titled(names: Sequence[str]) -> str:
    """Write the way to a field for people: `recording.recording_type` is `Recording type`."""
    said: list[str] = []
    for word in " ".join(each.strip("_").replace("_", " ") for each in names[-2:]).split():
        if not said or word != said[-1]:
            said.append(word)
    return " ".join(said).capitalize()


def _leaves(
    annotation: Any, names: tuple[str, ...], path: tuple[str, ...]
) -> list[tuple[tuple[str, ...], tuple[str, ...], Any]]:
    """Return the fields inside an annotation that is a record, with the way to each; itself if it is none."""
    inner = _record_in(annotation)
    if inner is None or len(names) > _DEEPEST:
        return [(names, path, annotation)]
    return [
        leaf
        for name, each in inner.model_fields.items()
        for leaf in _leaves(each.annotation, (*names, name), (*path, each.alias or name))
    ]


def _record_in(annotation: Any) -> type[Record] | None:
    inner = [each for each in get_args(annotation) if each is not types.NoneType]
    if get_origin(annotation) in {Union, types.UnionType, Annotated} and inner:
        return _record_in(inner[0]) if len(inner) == 1 or get_origin(annotation) is Annotated else None
    return annotation if isinstance(annotation, type) and issubclass(annotation, Record) else None


def _kind(annotation: Any, required: bool) -> tuple[FieldKind, tuple[tuple[str, Any], ...]]:
    origin = get_origin(annotation)
    if origin is Annotated:
        return _kind(get_args(annotation)[0], required)
    if origin in {Union, types.UnionType}:
        inner = [each for each in get_args(annotation) if each is not types.NoneType]
        if len(inner) == 1:
            return _kind(inner[0], required)
        kinds = {_kind(each, required)[0] for each in inner}
        return (FieldKind.TEXT if kinds <= {FieldKind.TEXT, FieldKind.NUMBER} else FieldKind.JSON), ()
    none = () if required else ((NONE, None),)
    if annotation is bool:
        return FieldKind.CHOICE, (*none, ("yes", True), ("no", False))
    if origin is Literal:
        return FieldKind.CHOICE, (*none, *((str(each), each) for each in get_args(annotation)))
    if isinstance(annotation, type):
        if issubclass(annotation, Enum):
            return FieldKind.CHOICE, (*none, *((str(each.value), each.value) for each in annotation))
        if issubclass(annotation, int | float):
            return FieldKind.NUMBER, ()
        if issubclass(annotation, str):
            return FieldKind.TEXT, ()
    if origin in {tuple, list, frozenset, set} and get_args(annotation)[:1] == (str,):
        return FieldKind.LINES, ()
    return FieldKind.JSON, ()


def _plain(value: Any) -> Any:
    """Turn records and tuples into what JSON has."""
    if isinstance(value, BaseModel):
        return value.model_dump(by_alias=True, exclude_none=True, mode="json")
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in cast("Mapping[Any, Any]", value).items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(each) for each in cast("Sequence[Any]", value)]
    return value


def _number(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        raise ValueError("must be a number") from None
