"""Values of another JSON type than declared that can mean only one thing, such as ids that are numbers.

Only rows that are not what was declared are read this way; others cost nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Union, cast, get_args, get_origin

from console.records.fields import resolved_fields
from console.records.moments import at, is_never, of_parts
from console.records.raw import are_positions
from console.records.structured import Structured, shape_of

if TYPE_CHECKING:
    from console.records.record import Record

_NUMBER = re.compile(r"[+-]?[0-9]{1,18}(?P<part>\.[0-9]{1,18})?")
_FLAGS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
_LONGEST = 64
"""Most characters of a text that may be a number, a time or a flag."""

Reader = Callable[[Any], Any]
"""Returns a value in the declared type, or the value itself."""


def tolerated(kind: type[Record], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values by wire name or field name, in the declared types as far as there is no doubt.

    Numbers and flags may be texts, empty for none, and times ISO 8601 or a list of their parts; texts may be numbers; a
    list may be null or its only entry, or a table by position; its entries may be null, and its ids records; a record
    may be its key; an empty table may be an empty list.
    """
    names, readers = shape_of(kind).names, _readers(kind)
    return {wire: readers[names[wire]](value) if wire in names else value for wire, value in values.items()}


@cache
def _readers(kind: type[Record]) -> Mapping[str, Reader]:
    return {name: _reader(field.annotation) for name, field in resolved_fields(kind).items()}


@cache
def _reader(annotation: Any) -> Reader:
    """Return the function that reads the values of a type."""
    union = get_origin(annotation) in {Union, UnionType}
    kinds: tuple[Any, ...] = get_args(annotation) if union else (annotation,)
    lists = [kind for kind in kinds if get_origin(kind) is tuple]
    records = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Structured)]
    if lists:
        return _list_reader(get_args(lists[0])[0], optional=NoneType in kinds)
    if records:
        return _record_reader(cast("type[Record]", records[0]))
    if any(get_origin(kind) is dict for kind in kinds):
        return _table
    if str in kinds:
        return _text
    if int in kinds or float in kinds:
        return _number
    return _flag if bool in kinds else _same


def _list_reader(entry: Any, *, optional: bool) -> Reader:
    read = _reader(entry)
    of_ids = read is _text
    fields = shape_of(entry).wires.keys() if isinstance(entry, type) and issubclass(entry, Structured) else ()

    def one(value: Any) -> Any:
        return _text(_id_in(cast("dict[str, Any]", value))) if of_ids and isinstance(value, dict) else read(value)

    def several(value: Any) -> Any:
        if isinstance(value, list):
            return [one(item) for item in cast("list[Any]", value) if item is not None]
        if value is None:
            return value if optional else []
        if isinstance(value, str):
            return ([value] if value else []) if of_ids else value
        if not isinstance(value, dict):
            return value
        table = cast("dict[str, Any]", value)
        if are_positions(table):
            return [one(item) for item in table.values()]
        # An object without any of the fields may be a table of several.
        return [table] if any(name in fields for name in table) else table

    return several


def _id_in(value: dict[str, Any]) -> Any:
    """Return the id in an object that stands for it: its id, or its only member; otherwise the object."""
    if "id" in value:
        return value["id"]
    return next(iter(value.values())) if len(value) == 1 else value


def _record_reader(kind: type[Record]) -> Reader:
    key = resolved_fields(kind).get("id")

    def record(value: Any) -> Any:
        if value in ("", []):
            return None
        is_key = isinstance(value, str | int) and not isinstance(value, bool)
        return {key.wire: _text(value)} if is_key and key is not None else value

    return record


def _table(value: Any) -> Any:
    return {} if value == [] else None if value == "" else value


def _text(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    return str(int(value)) if isinstance(value, float) and abs(value) < 1e15 and value.is_integer() else str(value)


def _number(value: Any) -> Any:
    if isinstance(value, list):
        moment = of_parts(cast("list[Any]", value))
        return cast(Any, value) if moment is None else moment
    if value == "":
        return None
    if not isinstance(value, str) or len(value) > _LONGEST:
        return value
    match = _NUMBER.fullmatch(value.strip())
    if match is None:
        moment = at(value)
        return None if moment is None and is_never(value) else value if moment is None else moment
    return float(value) if match["part"] else int(value)


def _flag(value: Any) -> Any:
    if value == "":
        return None
    if isinstance(value, str):
        return _FLAGS.get(value[:_LONGEST].strip().lower(), value)
    return bool(value) if isinstance(value, int | float) and value in {0, 1} else value


def _same(value: Any) -> Any:
    return value
