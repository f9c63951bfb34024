"""Records that are parsed on access: the bytes of a row, and the fields by which all rows are counted.

Of ten thousand calls, a screen shows fifty; the others are counted, sorted and searched by a few fields. A lazy record
holds some of them, reads any other plain field from its bytes on access, and becomes the full record in place,
including faults, when anything else is accessed. A lazy call takes a sixth of the memory of a full one, and a fifteenth
of the time to create.

It cannot become stale, because it is parsed from the bytes that it holds.
"""

from __future__ import annotations

import abc
import threading
from collections.abc import Callable
from functools import cache
from operator import attrgetter
from sys import intern
from typing import Any, TypeVar, cast

from pydantic import AliasChoices, BaseModel
from pydantic.fields import FieldInfo

from console.records.raw import Glance, glancing, parse
from console.records.record import Record

R = TypeVar("R", bound=Record)

_PLAIN: tuple[Any, ...] = (str, bool, int | float, str | None, bool | None, int | float | None)
_NESTED: tuple[Any, ...] = (tuple[str, ...], dict[str, Any], dict[str, Any] | None, tuple[dict[str, Any], ...])
"""Types of plain JSON values, for which a single field has the same value as in the full record."""
_MATERIALIZING = threading.Lock()
"""Several threads may access a record; it is materialized once."""
_put = object.__setattr__
_put_row = BaseModel.__dict__["__pydantic_private__"].__set__
_put_seen = BaseModel.__dict__["__pydantic_extra__"].__set__
_set_dict = BaseModel.__dict__["__dict__"].__set__


def read(kind: type[R], row: bytes, key: str | None = None) -> R:
    """Return the record of a row: lazy if its counted fields are valid, otherwise in full. Never fails. `key` is its
    key, if already known, to share the string."""
    return reading(kind)(row, key)


@cache
def reading(kind: type[R]) -> Callable[[bytes, str | None], R]:
    """Return `read` for one kind, to read many rows: looking up the class for each row costs as much as reading it."""
    lazy, glance = cast("tuple[type[R], Glance]", _lazy_class(kind))
    new, key_field = lazy.__new__, kind.key_field
    # States are a few words; interning avoids a copy for each row.
    interns = "state" in kind.counted_by

    def make(row: bytes, key: str | None) -> R:
        seen = glance(row)
        if seen is None or (key_field and not getattr(seen, key_field, True)):
            return read_in_full(kind, row)
        if key is not None and key_field:
            setattr(seen, key_field, key)
        if interns and seen.state is not None:
            seen.state = intern(seen.state)
        record = new(lazy)
        # A lazy record does not use these two slots otherwise.
        _put_row(record, row)
        _put_seen(record, seen)
        return record

    return make


def read_in_full(kind: type[R], row: bytes) -> R:
    """Parse a row in full. Never fails."""
    try:
        data = parse(row)
    except ValueError:
        data = row.decode("utf-8", errors="replace")
    return kind.model_validate(data)


def is_lazy(record: Record) -> bool:
    """Return whether a record is not materialized."""
    return hasattr(type(record), "_materializes_into")


def materialize(record: R) -> R:
    """Parse a lazy record in full; it remains the same object."""
    with _MATERIALIZING:
        kind = cast("type[R] | None", getattr(type(record), "_materializes_into", None))
        if kind is not None:
            full = read_in_full(kind, cast(bytes, record.__pydantic_private__))
            _set_dict(record, full.__dict__)
            _put(record, "__pydantic_fields_set__", full.__pydantic_fields_set__)
            _put(record, "__pydantic_private__", full.__pydantic_private__)
            _put(record, "__pydantic_extra__", full.__pydantic_extra__)
            # Last, because until then other threads enter this function and wait.
            _put(record, "__class__", kind)
    return record


@cache
def _lazy_class(kind: type[Record]) -> tuple[type[Record], Glance]:
    """Create the lazy class of a record: a subclass without fields, with properties for the plain ones."""
    judged = {name for each in kind.__pydantic_decorators__.field_validators.values() for name in each.info.fields}
    simple = {
        name: field
        for name, field in kind.model_fields.items()
        if name not in judged and not field.metadata and field.annotation in (*_PLAIN, *_NESTED)
    }
    kept = {
        name: field
        for name, field in simple.items()
        if field.annotation in _PLAIN and name in (kind.counted_by or simple)
    }
    members: dict[str, Any] = {
        "__slots__": (),
        "__module__": kind.__module__,
        "__qualname__": kind.__qualname__,
        "__doc__": kind.__doc__,
        "_materializes_into": kind,
        "__getattr__": _look_inside,
        "__dict__": property(lambda record: _look_inside(cast(Record, record), "__dict__")),
        # A lazy record uses the slot of extra fields for something else.
        "model_extra": property(lambda record: _look_inside(cast(Record, record), "model_extra")),
        **{name: _after_materializing(name) for name in ("__eq__", "__repr__", "__str__", "__copy__", "__deepcopy__")},
        "__hash__": kind.__hash__,
        **{name: property(attrgetter(f"__pydantic_extra__.{name}")) for name in kept},
        **{
            name: _read_when_asked(name, _glance(kind, {name: field}))
            for name, field in simple.items()
            if name not in kept
        },
    }
    # Pydantic's metaclass would take the properties for defaults of fields.
    metaclass = cast("type[abc.ABCMeta]", type(kind))
    made = abc.ABCMeta.__new__(metaclass, kind.__name__, (kind,), members)
    return cast("type[Record]", made), _glance(kind, kept)


def _glance(kind: type[Record], fields: dict[str, FieldInfo]) -> Glance:
    return glancing(
        [(name, _wires(kind, name, field)[0], field.annotation, field.default) for name, field in fields.items()],
        [(name, wire) for name, field in fields.items() for wire in _wires(kind, name, field)[1:]],
    )


def _wires(kind: type[Record], name: str, field: FieldInfo) -> list[str]:
    """Return the wire names of a field, the preferred one first."""
    alias = field.validation_alias
    if isinstance(alias, AliasChoices):
        return [str(each) for each in alias.choices]
    return [alias if isinstance(alias, str) else kind.wire_name(name)]


def _read_when_asked(name: str, glance: Glance) -> property:
    """Return a property that parses a field on each access, and materializes the record if it is invalid."""

    def field(record: Record) -> Any:
        row = cast("bytes | Any", record.__pydantic_private__)
        # Another thread may be materializing the record.
        seen = glance(row) if isinstance(row, bytes) else None
        return getattr(materialize(record), name) if seen is None else getattr(seen, name)

    return property(field)


def _look_inside(record: Record, name: str) -> Any:
    return getattr(materialize(record), name)


def _after_materializing(name: str) -> Callable[..., Any]:
    """Return a method that materializes all records involved, then calls the method of the full record."""

    def method(record: Record, *others: Any) -> Any:
        for each in others:
            if isinstance(each, Record):
                materialize(each)
        return getattr(materialize(record), name)(*others)

    return method
