"""Kinds of fields in a form, by the type of an input. Pure functions."""

from __future__ import annotations

import types
from collections.abc import Sequence
from enum import Enum, StrEnum
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin

from console.ui.widgets.form_entries import entries_in

NOT_SET = "not set"
"""The first option of an optional choice: nothing is sent."""


class FieldKind(StrEnum):
    """Type of a field."""

    TEXT = "text"
    NUMBER = "number"
    DURATION = "duration"
    """A number on the wire, a text such as `1m 30s` in the form."""
    CHOICE = "choice"
    LINES = "lines"
    """Several texts, one per line."""
    ENTRIES = "entries"
    """Several records, or an object's members, each in its own form."""
    VALUE = "value"
    """A text, or any other JSON value."""
    JSON = "json"


def kind_of(annotation: Any, required: bool, initial: Any = None) -> tuple[FieldKind, tuple[tuple[str, Any], ...]]:
    """Return the kind of an input's field, and for a choice the text and value of each option."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return kind_of(get_args(annotation)[0], required, initial)
    if entries_in(annotation) is not None:
        return FieldKind.ENTRIES, ()
    if origin in {Union, types.UnionType}:
        inner = [argument for argument in get_args(annotation) if argument is not types.NoneType]
        if len(inner) == 1:
            return kind_of(inner[0], required, initial)
        return _kind_of_several({kind_of(item, required)[0] for item in inner}), ()
    none = () if required or initial is not None else ((NOT_SET, None),)
    if annotation is bool:
        return FieldKind.CHOICE, (*none, ("yes", True), ("no", False))
    if origin is Literal:
        choices = dict.fromkeys((*get_args(annotation), *((initial,) if isinstance(initial, str) else ())))
        return FieldKind.CHOICE, (*none, *((str(word), word) for word in choices))
    if isinstance(annotation, type):
        if issubclass(annotation, Enum):
            return FieldKind.CHOICE, (*none, *((str(enum.value), enum.value) for enum in annotation))
        if issubclass(annotation, int | float):
            return FieldKind.NUMBER, ()
        if issubclass(annotation, str):
            return FieldKind.TEXT, ()
    if origin in {tuple, list, frozenset, set} and _holds_texts(annotation, initial):
        return FieldKind.LINES, ()
    return (FieldKind.VALUE if annotation is Any else FieldKind.JSON), ()


def _kind_of_several(kinds: set[FieldKind]) -> FieldKind:
    """Return the kind of an input with several types."""
    if kinds <= {FieldKind.TEXT, FieldKind.NUMBER}:
        return FieldKind.NUMBER if kinds == {FieldKind.NUMBER} else FieldKind.TEXT
    return FieldKind.LINES if kinds == {FieldKind.TEXT, FieldKind.LINES} else FieldKind.JSON


def _holds_texts(annotation: Any, initial: Any) -> bool:
    """Return whether a list contains texts: by its declaration, or if that allows others, by its values."""
    of = get_args(annotation)[0] if get_args(annotation) else None
    texts = not initial or all(isinstance(item, str) for item in cast("Sequence[Any]", initial))
    return of is str or (get_origin(of) in {Union, types.UnionType} and str in get_args(of) and texts)
