"""Values that a declared type allows: types, null, empty value."""

from __future__ import annotations

import re
import types
from collections.abc import Iterable
from typing import Annotated, Any, Union, get_args, get_origin

from console.records.record import Record


def choices(annotation: Any) -> tuple[Any, ...]:
    """Return the possible types of a value, without annotations and None."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return choices(get_args(annotation)[0])
    if origin in {Union, types.UnionType}:
        return tuple(choice for argument in get_args(annotation) for choice in choices(argument))
    return () if annotation is types.NoneType else (annotation,)


def allows_null(annotation: Any) -> bool:
    """Return whether a value may be null."""
    if get_origin(annotation) is Annotated:
        return allows_null(get_args(annotation)[0])
    if get_origin(annotation) in {Union, types.UnionType}:
        return any(allows_null(argument) for argument in get_args(annotation))
    return annotation in {Any, types.NoneType, None}


def allows_list(annotation: Any) -> bool:
    """Return whether a value may be a list."""
    return any(_is_list(choice) for choice in choices(annotation))


def only_list(annotation: Any) -> bool:
    """Return whether a value must be a list."""
    return all(_is_list(choice) for choice in choices(annotation))


def items(annotation: Any) -> tuple[Any, ...]:
    """Return the types of a single value; for a list, the types of its entries."""
    return tuple(
        item
        for choice in choices(annotation)
        for item in (choices(get_args(choice)[0]) if _is_list(choice) else (choice,))
    )


def empty_of(annotation: Any) -> Any:
    """Return the empty value of a type: text, list or object. None for types without one, such as numbers."""
    for choice in choices(annotation):
        origin = get_origin(choice) or choice
        if _is_list(choice):
            return []
        if origin is dict or (isinstance(origin, type) and issubclass(origin, Record)):
            return {}
        if choice is Any or choice is str:
            return ""
    return None


def least_of(annotations: Iterable[Any]) -> int:
    """Return the minimum length of a value by its field's annotations: 1 if a pattern excludes the empty text."""
    least = 0
    for annotation in annotations:
        pattern = getattr(annotation, "pattern", None)
        refused = isinstance(pattern, str) and re.match(pattern, "") is None
        least = max(least, getattr(annotation, "min_length", None) or 0, int(refused))
    return least


def _is_list(choice: Any) -> bool:
    return get_origin(choice) in {tuple, list} and bool(get_args(choice))
