"""The fields of a form, made from what an operation declares about its inputs. Pure: text in, values out."""

from __future__ import annotations

import json
import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin

from pydantic import BaseModel, ValidationError

from console.actions.action import FormAsk
from console.api.marks import Variant
from console.api.request import Input, Request
from console.records.record import STRICT

NONE = "not set"
"""What a choice that need not be made offers first."""


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
    wire: str
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
    return tuple(_field(each, ask.initial.get(each.field)) for each in inputs)


@dataclass(frozen=True)
class Reading:
    """What a form says: the changed values, or what is wrong, by field; the empty name is for the form as a whole."""

    changed: Mapping[str, Any]
    faults: Mapping[str, str]


def read_form(ask: FormAsk, fields: Sequence[FormField], typed: Mapping[str, str]) -> Reading:
    """Read all fields together, with the operation's own checks. `typed` lacks the fields that nobody touched."""
    request = cast("type[Request[Any]]", ask.request)
    faults: dict[str, str] = {}
    changed: dict[str, Any] = {}
    for field in fields:
        if field.name not in typed:
            continue
        try:
            value = field.read(typed[field.name])
        except ValueError as error:
            faults[field.name] = str(error)
            continue
        if value != field.initial:
            changed[field.name] = value
    known = {each.field for each in request.inputs()}
    values = {name: value for name, value in {**ask.initial, **ask.fixed}.items() if name in known}
    values = {name: _plain(value) for name, value in {**values, **changed}.items() if value is not None}
    names = {each.wire: each.name for each in fields} | {each.name: each.name for each in fields}
    try:
        whole = request.model_validate(values, context=STRICT)
    except ValidationError as error:
        for problem in error.errors(include_input=False, include_url=False, include_context=False):
            name = names.get(str(problem["loc"][0]) if problem["loc"] else "", "")
            faults.setdefault(name, problem["msg"] if name else f"{problem['loc']}: {problem['msg']}")
        return Reading({}, faults)
    if faults:
        return Reading({}, faults)
    return Reading({name: None if changed[name] is None else getattr(whole, name) for name in changed}, {})


def _field(declared: Input, initial: Any) -> FormField:
    kind, offered = _kind(declared.annotation, declared.required)
    title = declared.field.replace("_", " ").strip().capitalize()
    return FormField(
        declared.field,
        declared.wire,
        title,
        kind,
        declared.required,
        declared.secret,
        declared.about,
        _plain(initial),
        offered,
    )


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
