"""The base class of records and requests: immutable objects whose fields are declared like a dataclass's.

A declaration is cheap: types are resolved, and the struct that holds the fields is made, when the first object is.
Values that are plainly what was declared are converted by the struct; all others are validated by a pydantic model of
the same fields, which is built when the first is met (`model`). The methods have the names that pydantic gives them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from functools import cache, partial
from operator import attrgetter
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self, Union, cast, get_args, get_origin

import msgspec

from console.base.frozen import Frozen, asdict, replace
from console.records.fields import Declared, ResolvedField, StructuredType, camel, resolved_fields

if TYPE_CHECKING:
    from console.records.record import Record

STRICT: Mapping[str, bool] = {"strict": True}
"""Validation context in which an invalid field of a record is an error; the service uses it for requests."""
FAITHFUL: Mapping[str, bool] = {"strict": True, "tolerant": True}
"""The same, but a value of another type with one meaning (`tolerance`) is accepted."""
_SCALARS = frozenset({str, int, float, bool, type(None)})


class Structured(metaclass=StructuredType):
    """An immutable object with declared fields."""

    __slots__ = ("_whole",)

    keeps_unknown: ClassVar[bool] = False
    """Whether values of no field are kept; otherwise they are ignored."""
    declared_fields: ClassVar[Mapping[str, Declared]] = {}
    """All fields by name, without their types; see `resolved_fields`."""

    # A slot; other annotations would declare a field.
    _whole: ClassVar[Any]
    """A struct with all fields."""

    def __init__(self, **values: Any) -> None:
        """Create an object from values by field name. Raise pydantic's ValidationError for invalid ones.

        An optional None is not sent; `model_validate` sends null.
        """
        values = self.without_omitted(values)
        converted = shape_of(type(self)).convert(values)
        self._hold(
            converted if converted is not None and is_text(converted) else type(self).model_validate(values)._whole
        )

    @classmethod
    def model_validate(cls, data: Any, *, context: Mapping[str, bool] | None = None) -> Self:
        """Return the object of values from a person or a stranger."""
        raise NotImplementedError

    @classmethod
    def reader_of(cls, name: str, _annotation: str) -> property:
        """Return the property that reads a field."""
        return property(attrgetter(f"_whole.{name}"))

    @classmethod
    def wire_name(cls, field: str) -> str:
        """Return the wire name of a field that declares none."""
        return camel(field)

    @classmethod
    def without_omitted(cls, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return values by field name without each None that is the field's default: None in code means not given.

        Otherwise a deployment would be sent null for it. A null that a person gave comes by `model_validate`.
        """
        fields = cls.declared_fields
        return {
            name: value
            for name, value in values.items()
            if value is not None or name not in fields or fields[name].default is not None
        }

    @classmethod
    def model_construct(cls, **values: Any) -> Self:
        """Return an object of values that are known to be valid; fields without a value or default are None."""
        shape = shape_of(cls)
        return cls.with_struct(shape.struct(**{**shape.missing, **values}), values)

    @classmethod
    def with_struct(
        cls,
        value: Any,
        given: Iterable[str],
        extra: Mapping[str, Any] | None = None,
        faults: Mapping[str, str] | None = None,
    ) -> Self:
        """Return an object that holds a struct of its fields. `given` are those with a value other than the default."""
        value.given, value.extra, value.faults = frozenset(given), dict(extra or {}), dict(faults or {})
        made = cls.__new__(cls)
        made._hold(value)
        return made

    def _hold(self, value: Any) -> None:
        """Hold a struct of all fields."""
        set_whole(self, value)

    def _open(self) -> Any:
        """Return the struct of all fields."""
        return self._whole

    # -- fields ---------------------------------------------------------------------------------------------------

    @property
    def model_extra(self) -> Mapping[str, Any]:
        """Values of no field by wire name."""
        return self._open().extra

    @property
    def model_fields_set(self) -> frozenset[str]:
        """The names of the fields that were sent or given."""
        return self._open().given

    def model_copy(self, *, update: Mapping[str, Any]) -> Self:
        """Return a copy with other values, which are known to be valid."""
        known = {name: value for name, value in update.items() if name in self.declared_fields}
        before = self._open()
        extra = {**self.model_extra, **{name: value for name, value in update.items() if name not in known}}
        given, faults = self.model_fields_set | known.keys(), getattr(before, "faults", {})
        return self.with_struct(msgspec.structs.replace(before, **known), given, extra, faults)

    def model_dump(
        self,
        *,
        by_alias: bool = False,
        exclude_none: bool = False,
        exclude_unset: bool = False,
        exclude: Collection[str] = (),
        mode: str = "python",
    ) -> dict[str, Any]:
        """Return the fields and the values of no field; records inside are converted as well."""
        whole, given = self._open(), self.model_fields_set if exclude_unset else None
        written: dict[str, Any] = {}

        def plain(value: Any) -> Any:
            if isinstance(value, Structured):
                return value.model_dump(
                    by_alias=by_alias, exclude_none=exclude_none, exclude_unset=exclude_unset, mode=mode
                )
            if isinstance(value, tuple | list):
                items = cast("Iterable[Any]", value)
                several = [item if type(item) in _SCALARS else plain(item) for item in items]
                return several if mode == "json" or isinstance(value, list) else tuple(several)
            return value

        for name, wire in shape_of(type(self)).written_as.items():
            value = getattr(whole, name)
            if value is None:
                if exclude_none:
                    continue
            elif type(value) not in _SCALARS:
                value = plain(value)
            if (given is None or name in given) and name not in exclude:
                written[wire if by_alias else name] = value
        for name, value in self.model_extra.items():
            if not (exclude_none and value is None):
                written[name] = plain(value)
        return written

    # -- as a value -----------------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        it = cast("Structured", other)
        return self is it or (self._open() == it._open() and self.model_extra == it.model_extra)

    def __hash__(self) -> int:
        return hash((type(self), msgspec.structs.astuple(self._open())))

    def __repr__(self) -> str:
        values = {name: getattr(self, name) for name, field in self.declared_fields.items() if field.repr}
        shown = [f"{name}={value!r}" for name, value in {**values, **self.model_extra}.items()]
        return f"{type(self).__name__}({', '.join(shown)})"

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _memo: dict[int, Any]) -> Self:
        return self


def is_text(whole: Any) -> bool:
    """Return whether a struct can be written as JSON: half of a surrogate pair cannot."""

    def plain(value: object) -> Any:
        return value.model_dump() if isinstance(value, Structured) else str(value)

    try:
        msgspec.json.encode(whole, enc_hook=plain)
    except UnicodeEncodeError:
        return False
    return True


class NotedReads:
    """A struct that tells the name of each field when it is read."""

    def __init__(self, whole: Any, note: Callable[[str], object]) -> None:
        self._fields, self._note = whole, note

    def __getattr__(self, name: str) -> Any:
        """Return a field, and tell its name."""
        self._note(name)
        return getattr(self._fields, name)


set_whole = cast("Callable[[Structured, Any], None]", Structured.__dict__["_whole"].__set__)


class StructShape:
    """A struct with all fields of a class, which decodes the objects that are plainly what was declared.

    Unions that msgspec cannot decode, such as one of a text and a record, leave that to pydantic.
    """

    def __init__(self, kind: type[Structured]) -> None:
        fields = resolved_fields(kind)
        seconds = [(field, f"{field.name}_also") for field in fields.values() if field.declared.also is not None]
        self.seconds = [(resolved_field.name, name) for resolved_field, name in seconds]
        """Fields with two wire names, and the struct's field for the second."""
        declared = [(field.name, _limited(field), _default(field.declared)) for field in fields.values()]
        declared += [(name, _limited(resolved_field), None) for resolved_field, name in seconds]
        renamed = {field.name: field.wire for field in fields.values()}
        renamed |= {name: str(resolved_field.declared.also) for resolved_field, name in seconds}
        self.struct: type[Any] = msgspec.defstruct(kind.__name__, declared, rename=renamed, kw_only=True, dict=True)
        self.wires = {wire: name for name, field in fields.items() for wire in field.wires}
        """Names of fields by wire name."""
        self.names = self.wires | {name: name for name in fields}
        """The same with the fields' own names, which values by name have."""
        self.written_as = {name: field.wire for name, field in fields.items()}
        """Wire names by name, in order."""
        self.missing = {name: None for name, field in fields.items() if field.required}
        """The fields without a default."""
        self._readers = {name: reader for name, annotation, _ in declared if (reader := _reader(annotation))}
        """Readers of the fields with records inside, by name."""
        self.holding_records = tuple(name for name in fields if name in self._readers)
        """Names of the fields with records inside."""
        rows = [
            (name, self._readers[name].raw if name in self._readers else annotation, default)
            for name, annotation, default in declared
        ]
        row = msgspec.defstruct(kind.__name__, rows, rename=renamed, kw_only=True) if self._readers else self.struct
        self._decode: Callable[[bytes], Any] | None = None
        with suppress(TypeError):
            self._decode = msgspec.json.Decoder(row).decode

    def decode(self, row: bytes) -> Any:
        """Return the struct of a row, or None if a field has another type or the row is not an object."""
        if self._decode is None:
            return None
        try:
            decoded = self._decode(row)
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            return None
        if self._readers:
            values = msgspec.structs.asdict(decoded)
            for name, reader in self._readers.items():
                values[name] = reader.read(values[name])
            decoded = self.struct(**values)
        return self._joined(decoded)

    def convert(self, data: Mapping[Any, Any]) -> Any:
        """Return the struct of values by wire name or field name, or None if a field has another type or comes twice.

        Its attribute `given` are the fields that came, `extra` the values of no field.
        """
        if self._decode is None:
            return None
        by_wire: dict[str, Any] = {}
        extra: dict[Any, Any] = {}
        for wire, value in data.items():
            name = self.names.get(wire)
            if name is None:
                extra[wire] = value
            elif self.written_as[name] not in by_wire:
                by_wire[self.written_as[name]] = value
            else:
                return None
        try:
            whole = msgspec.convert(by_wire, self.struct, dec_hook=_nested)
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            return None
        whole.given, whole.extra = frozenset(self.wires[wire] for wire in by_wire), extra
        return whole

    def _joined(self, value: Any) -> Any:
        for name, second in self.seconds:
            if getattr(value, name) is None:
                setattr(value, name, getattr(value, second))
        return value


def _limited(field: ResolvedField) -> Any:
    """Return the type of a field with its limits as msgspec understands them: on each alternative."""
    limits = field.declared.limits
    if limits is None:
        return field.annotation
    # `$` is the end of the text to pydantic; to msgspec it is before a last line end, too.
    pattern = limits.pattern and limits.pattern.replace("$", r"\Z")
    meta = msgspec.Meta(**asdict(replace(limits, pattern=pattern)))
    inner = field.annotation
    alternatives: Any = get_args(inner) if get_origin(inner) in {Union, UnionType} else (inner,)
    return cast(Any, Union)[
        tuple(alternative if alternative is NoneType else Annotated[alternative, meta] for alternative in alternatives)
    ]


def _default(declared: Declared) -> Any:
    if declared.default_factory is not None:
        return msgspec.field(default_factory=declared.default_factory)
    return declared.default


class _Reader(Frozen):
    """Reads the records inside a row from their bytes, without a dict in between."""

    raw: Any
    """The type of the field in the struct that is decoded."""
    read: Callable[[Any], Any]


def _reader(annotation: Any) -> _Reader | None:
    """Return the reader of a field with a record, perhaps None, or with records; None for all others."""
    if get_origin(annotation) is tuple:
        kind, *_ = get_args(annotation)
        return _Reader(tuple[msgspec.Raw, ...], partial(_read_all, kind)) if _is_record(kind) else None
    kinds = [kind for kind in get_args(annotation) or (annotation,) if kind is not NoneType]
    if len(kinds) > 1 or not _is_record(kinds[0]):
        return None
    return _Reader(msgspec.Raw, partial(_read_one, kinds[0], kinds[0] is not annotation))


def _is_record(kind: Any) -> bool:
    return isinstance(kind, StructuredType) and hasattr(kind, "model_validate_json")


def _read_one(kind: type[Record], may_be_none: bool, value: Any) -> Any:
    """Return the record of a part of a row; the default stands for itself."""
    if not isinstance(value, msgspec.Raw):
        return value
    row = bytes(value)
    return None if may_be_none and row == b"null" else kind.model_validate_json(row)


def _read_all(kind: type[Record], rows: tuple[msgspec.Raw, ...]) -> Any:
    return tuple([kind.model_validate_json(bytes(row)) for row in rows])


def _nested(kind: type[Any], value: Any) -> Any:
    """Convert a value to a record inside another one."""
    return cast("type[Record]", kind).model_validate(value)


@cache
def shape_of(kind: type[Structured]) -> StructShape:
    """Return the struct of a class."""
    return StructShape(kind)
