"""The base class of records: frozen, tolerant of invalid data, and without loss of data.

A record is declared like a dataclass. It holds the bytes of its row and a struct of the fields by which all rows are
counted and sorted; another field is read from the bytes when somebody looks at it, so that a row in a list of ten
thousand takes a sixth of the memory of a parsed one. A record that was created from values holds them all.

A service may send a field of an unexpected type, omit the key, or send a row that is not an object. This must not
affect other rows: the field is left empty and listed in `faults`, all other data is kept. Rows that are not plainly
what is declared, and values that are checked strictly, are validated by a pydantic model of the same fields, which is
built when the first is met (`model`).
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import repeat
from operator import attrgetter
from sys import intern
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar, cast

import msgspec

from console.records.fields import resolved_fields
from console.records.raw import CUT_FIELD, UNREADABLE, Glances, Json, PartialRow, decoder, parse
from console.records.structured import NotedReads, Structured, set_whole, shape_of
from console.records.tolerance import tolerated

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic_core import CoreSchema

R = TypeVar("R", bound="Record")
T = TypeVar("T")

_every_field = decoder(dict[str, Json])
_CUT = CUT_FIELD.encode()
_PLAIN_TEXTS = {
    first + second for first in ("str", "bool", "int", "float", "int | float") for second in ("", " | None")
}
"""Annotations of plain fields, as written."""


class Record(Structured):
    """A record of a service. Unknown fields are kept, and sent back unchanged.

    Its methods have the names that pydantic gives them. Subclasses set `key_field` to the name of their key; a row
    without a key gets one derived from its bytes, so that it can be listed, marked as invalid, and distinguished from
    others.
    """

    __slots__ = ("_row",)

    keeps_unknown: ClassVar[bool] = True

    key_field: ClassVar[str] = ""
    rows_field: ClassVar[str] = ""
    """Wire name of the field with the rows, for an answer that is a page of a list."""
    counted_by: ClassVar[frozenset[str]] = frozenset()
    """Plain fields by which all rows are counted and sorted, for kinds with many records: these are read from every
    row, and others are not kept when they were read. Empty means all plain ones, and others are kept."""
    counted_fields: ClassVar[tuple[str, ...]] = ()
    """The fields that are read from every row."""
    _opened: ClassVar[tuple[Any, Any]] = (None, None)
    """The record whose other fields were read last, and its struct: they are mostly read together."""

    # A slot; other annotations would declare a field. Objects of two slots take 16 bytes less than with three, so
    # `_whole` is a `PartialRow` until other fields than the counted ones were read.
    _row: ClassVar[Any]
    """The bytes that it was read from, or None."""

    @classmethod
    def reader_of(cls, name: str, annotation: str) -> property:
        """Return the property that reads a field; the counted ones are noted."""
        is_counted = name in cls.counted_by if cls.counted_by else annotation in _PLAIN_TEXTS
        if is_counted:
            cls.counted_fields = (*cls.counted_fields, name)
        return super().reader_of(name, annotation)

    def __init__(self, **values: Any) -> None:
        """Create a record from values by field name. Invalid ones become faults, and an optional None is not sent."""
        self._hold(type(self).model_validate(self.without_omitted(values))._whole)

    @classmethod
    def row_of(cls, **values: Any) -> bytes:
        """Return the row of values by field name that are known to be valid, without those that are None."""
        wires = shape_of(cls).written_as
        return _json({wires[name]: value for name, value in values.items() if value is not None})

    def encoded(self) -> bytes:
        """Return the bytes of the row that it was read from; if it was created from values, the bytes of its fields."""
        if self._row is None:
            _set_row(self, self.wire_json().encode())
        return cast(bytes, self._row)

    # -- reading --------------------------------------------------------------------------------------------------

    @classmethod
    def model_validate(cls, data: Any, *, context: Mapping[str, bool] | None = None) -> Self:
        """Return the record of a JSON value. Never fails, except with the context STRICT: raise ValidationError."""
        if isinstance(data, cls):
            return data
        found = None if context else cls.try_convert(data)
        if found is not None:
            return found
        # Needs pydantic: 60 ms, without which most rows are read.
        from console.records.model import validated

        return validated(cls, data, context)

    @classmethod
    def model_validate_json(cls, text: str | bytes) -> Self:
        """Return the record of a JSON text, parsed in full. Never fails."""
        row = text.encode() if isinstance(text, str) else text
        whole = _whole_of(cls, row)
        if whole is not None:
            record = cls.__new__(cls)
            record._hold(whole, row)
            return record
        try:
            data = parse(row)
        except ValueError:
            data = row.decode("utf-8", errors="replace")
        record = cls.model_validate(data)
        _set_row(record, row)
        return record

    @classmethod
    def try_convert(cls, data: Any) -> Self | None:
        """Return the record of an object with the declared types, None for any other."""
        data = cls.prepared(data)
        if type(data) is not dict:
            return None
        values = cast("dict[Any, Any]", data)
        converted = shape_of(cls).convert(values)
        if converted is None:
            read = tolerated(cls, values)
            converted = shape_of(cls).convert(read)
            if converted is not None:
                converted.sent = {wire: value for wire, value in values.items() if read[wire] is not value}
        if (
            converted is None
            or CUT_FIELD in converted.extra
            or (cls.key_field and not getattr(converted, cls.key_field))
        ):
            return None
        record = cls.__new__(cls)
        record._hold(converted)
        return record

    @classmethod
    def prepared(cls, data: Any) -> Any:
        """Convert other formats of this record to the usual one. Raise ValueError for what it cannot be."""
        return data

    def _hold(self, value: Any, row: bytes | None = None) -> None:
        _set_row(self, row)
        super()._hold(value)

    def __getattr__(self, name: str) -> Any:
        """Return a field that was not read yet."""
        if name not in type(self).declared_fields:
            raise AttributeError(f"{type(self).__name__} has no {name}")
        return getattr(self._open(), name)

    def _open(self) -> Any:
        """Return the struct of all fields."""
        whole = self._whole
        if not isinstance(whole, PartialRow):
            return whole
        record, whole = Record._opened
        if record is self:
            return whole
        whole = _whole_of(type(self), cast(bytes, self._row))
        if whole is not None and self.counted_by:
            Record._opened = self, whole
            return whole
        # Records of short lists are looked at on each beat, and an odd row takes long to read.
        whole = self.model_validate_json(cast(bytes, self._row))._whole if whole is None else whole
        super()._hold(whole)
        return whole

    def partly(self, decode: Callable[[bytes], T]) -> T | None:
        """Return what `decode` reads of the row, in a fraction of the time; None if all is read, or the row is odd."""
        if not isinstance(self._whole, PartialRow) or _CUT in self._row:
            return None
        try:
            return decode(self._row)
        except UNREADABLE:
            return None

    def materialized(self) -> Self:
        """Return a record with the same data whose fields are all read, for a caller that reads most of them."""
        if not self.is_lazy:
            return self
        record = type(self).__new__(type(self))
        record._hold(self._open(), self._row)
        return record

    def noting(self, note: Callable[[str], object]) -> Self:
        """Return a record with the same data that passes the name of each field to `note` when it is read."""
        record = type(self).__new__(type(self))
        record._hold(NotedReads(self._open(), note), self._row)
        return record

    # -- fields ---------------------------------------------------------------------------------------------------

    @property
    def faults(self) -> Mapping[str, str]:
        """Invalid parts: wire name of the field to reason; an empty name means the whole row."""
        return getattr(self._open(), "faults", {})

    @property
    def sent(self) -> Mapping[str, Any]:
        """The values that were sent in another form than declared, by wire name."""
        return getattr(self._open(), "sent", {})

    @property
    def key(self) -> str:
        """The key of this record, unique within its kind."""
        return str(getattr(self, self.key_field)) if self.key_field else ""

    def unread(self, *names: str) -> bool:
        """Return whether one of these fields was sent in a form that cannot be read: that it is empty says nothing."""
        faults, wires = self.faults, shape_of(type(self)).written_as
        if faults and ("" in faults or any(wires[name] in faults for name in names)):
            return True
        values = (getattr(self, name) for name in names)
        return any("" in value.faults for value in values if isinstance(value, Record))

    def count_of(self, name: str) -> int | None:
        """Return the number of entries of a list; None if it cannot be read."""
        entries = getattr(self, name)
        return len(entries) if entries or not self.unread(name) else None

    @property
    def is_lazy(self) -> bool:
        """Whether only the counted fields were read."""
        return isinstance(self._whole, PartialRow)

    @property
    def identified(self) -> bool:
        """Whether the service sent the key; records without one cannot be acted on."""
        faults = self.faults
        return not faults or ("" not in faults and self.key_wire() not in faults)

    @property
    def model_extra(self) -> Mapping[str, Any]:
        """Unknown fields by wire name."""
        whole = self._open()
        if not hasattr(whole, "extra"):
            wires = shape_of(type(self)).wires
            members = _members(cast(bytes, self._row))
            whole.extra = {name: parse(bytes(member)) for name, member in members.items() if name not in wires}
        return whole.extra

    @property
    def model_fields_set(self) -> frozenset[str]:
        """The names of the fields that were sent or given."""
        whole = self._open()
        if not hasattr(whole, "given"):
            wires = shape_of(type(self)).wires
            whole.given = frozenset(wires[wire] for wire in _members(cast(bytes, self._row)) if wire in wires)
        return whole.given

    @classmethod
    def key_wire(cls) -> str:
        """Return the wire name of the key; empty for a kind without one."""
        return resolved_fields(cls)[cls.key_field].wire if cls.key_field else ""

    # -- writing --------------------------------------------------------------------------------------------------

    def wire_json(self) -> str:
        """Return the record in wire format as a JSON text."""
        whole = self._open()
        fields = {wire: getattr(whole, name) for name, wire in shape_of(type(self)).written_as.items()}
        values = {wire: value for wire, value in (*fields.items(), *self.model_extra.items()) if value is not None}
        return _json(values).decode()

    def wire(self) -> dict[str, Any]:
        """Return the record in wire format: wire names, with unknown fields, without empty fields."""
        return self.model_dump(by_alias=True, exclude_none=True, mode="json")

    # -- as a value -----------------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        it = cast("Record", other)
        if self is it or (self._row is not None and self._row == it._row):
            return True
        return self._open() == it._open() and self.model_extra == it.model_extra and self.faults == it.faults

    def __hash__(self) -> int:
        return hash((type(self), self.key))

    # -- pydantic -------------------------------------------------------------------------------------------------

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return how pydantic validates and writes this record inside a request or an answer."""
        # Only pydantic itself calls this, so that it is imported; see `model_validate`.
        from console.records.model import core_schema_of

        return core_schema_of(cls, handler)

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Return the JSON schema of this record."""
        # As above.
        from console.records.model import json_schema_of

        return json_schema_of(cls, core_schema, handler)


_set_row = cast("Callable[[Record, Any], None]", Record.__dict__["_row"].__set__)


def _json(values: Mapping[str, Any]) -> bytes:
    try:
        return msgspec.json.encode(values, enc_hook=_wire)
    except (OverflowError, TypeError, UnicodeError):
        # Numbers of more than 64 bits, texts of another class, halves of surrogate pairs.
        return json.dumps(values, separators=(",", ":"), default=_wire).encode()


def _wire(value: Any) -> dict[str, Any]:
    if isinstance(value, Record):
        return value.wire()
    raise TypeError(f"{type(value).__name__} is not a value of a record")


def _whole_of(kind: type[Record], row: bytes) -> Any:
    """Return the struct of a row with the declared types, or None."""
    decoded = shape_of(kind).decode(row)
    if decoded is None or _CUT in row or (kind.key_field and not getattr(decoded, kind.key_field)):
        return None
    return decoded


def _members(row: bytes) -> Mapping[str, Json]:
    """Return the unparsed fields of a row that is an object."""
    try:
        return _every_field(row)
    except UNREADABLE:
        # A name that is not a text.
        return _every_field(json.dumps(parse(row)).encode())


def read(kind: type[R], row: bytes, key: str | None = None) -> R:
    """Return the record of a row: its counted fields are read, the others when somebody looks. Never fails.

    `key` is its key, if already known, to share the string.
    """
    return reading(kind)(row, key)


@cache
def _glances(kind: type[Record]) -> Glances:
    """Return what reads the counted fields of a kind."""
    counted = [resolved_fields(kind)[name] for name in kind.counted_fields]
    return Glances(
        [(field.name, field.wire, field.annotation, field.declared.default) for field in counted],
        [(field.name, field.declared.also) for field in counted if field.declared.also is not None],
    )


@cache
def reading(kind: type[R]) -> Callable[[bytes, str | None], R]:
    """Return `read` for one kind, to read many rows: looking up the class for each row costs as much as reading it."""
    glance = _glances(kind).one
    new, key_field = kind.__new__, kind.key_field
    # States are a few words; interning avoids a copy for each row.
    interns = "state" in kind.counted_by

    def make(row: bytes, key: str | None) -> R:
        try:
            seen = glance(row)
        except UNREADABLE:
            return kind.model_validate_json(row)
        if key_field and not getattr(seen, key_field, True):
            return kind.model_validate_json(row)
        if key is not None and key_field:
            setattr(seen, key_field, key)
        if interns and seen.state is not None:
            seen.state = intern(seen.state)
        record = new(kind)
        _set_row(record, row)
        set_whole(record, seen)
        return record

    return make


def read_all(kind: type[R], rows: Sequence[bytes], keys: Iterable[str] | None = None) -> list[R]:
    """Return the records of rows as `read` does, all at once in half the time, or one by one if one of them is odd.

    `keys` are their keys, if already known.
    """
    glances: list[Any] = []
    with suppress(*UNREADABLE):
        glances = _glances(kind).all(b"[%s]" % b",".join(rows))
    counts_key = kind.key_field in kind.counted_fields
    if len(glances) != len(rows) or (counts_key and not all(map(attrgetter(kind.key_field), glances))):
        return [*map(reading(kind), rows, repeat(None) if keys is None else keys)]
    if counts_key and keys is not None:
        deque(map(setattr, glances, repeat(kind.key_field), keys), 0)
    if "state" in kind.counted_by:
        for seen in glances:
            if seen.state is not None:
                seen.state = intern(seen.state)
    records = [*map(kind.__new__, repeat(kind, len(rows)))]
    # A `map` that nobody reads runs without the interpreter.
    deque(map(_set_row, records, rows), 0)
    deque(map(set_whole, records, glances), 0)
    return records
