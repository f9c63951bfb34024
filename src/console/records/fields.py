"""Declared fields of records and requests: their names on the wire, types, defaults and limits, and structs that decode
them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Union, cast, dataclass_transform, get_args, get_origin

import msgspec

from console.frozen import Frozen, asdict, replace

if TYPE_CHECKING:
    from console.records.record import Record
    from console.records.structured import Structured

MISSING: Any = msgspec.NODEFAULT
"""The default of a field that has none."""


class Limits(Frozen):
    """Limits of a value, all inclusive: numbers of characters or entries, bounds of a number, a pattern of a text."""

    min_length: int | None = None
    max_length: int | None = None
    ge: float | None = None
    le: float | None = None
    pattern: str | None = None


_UNLIMITED = Limits()


class Declared(Frozen):
    """What a declaration says about a field besides its type."""

    default: Any = MISSING
    default_factory: Callable[[], Any] | None = None
    wire: str | None = None
    """Its wire name, if it is not the field's name in camel case."""
    also: str | None = None
    """Another wire name, read if the first is missing."""
    repr: bool = True
    """Whether its value may appear in the text of a record; false for secrets."""
    limits: Limits | None = None
    title: str | None = None
    """Its label in forms, if that differs from its name."""
    description: str | None = None


def field(
    *,
    default: Any = MISSING,
    default_factory: Callable[[], Any] | None = None,
    wire: str | None = None,
    also: str | None = None,
    repr: bool = True,
    title: str | None = None,
    description: str | None = None,
    min_length: int | None = None,
    max_length: int | None = None,
    ge: float | None = None,
    le: float | None = None,
    pattern: str | None = None,
) -> Any:
    """Declare a field with more than a default; see `Declared` and `Limits`."""
    limits = Limits(min_length, max_length, ge, le, pattern)
    limited = None if limits == _UNLIMITED else limits
    return Declared(default, default_factory, wire, also, repr, limited, title, description)


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(field,))
class StructuredType(type):
    """Makes the fields of a declaration properties. No types are resolved until an object of the class is made."""

    def __new__(cls, name: str, bases: tuple[type, ...], members: dict[str, Any], /, **kwargs: Any) -> StructuredType:
        """Create a class without a `__dict__` for its objects."""
        annotations: Mapping[str, Any] = members.get("__annotations__", {})
        own: dict[str, Declared] = {}
        for each, hint in annotations.items():
            if not each.startswith("_") and not str(hint).startswith("ClassVar"):
                default = members.pop(each, MISSING)
                own[each] = default if isinstance(default, Declared) else Declared(default)
        members.setdefault("__slots__", ())
        made = cast("type[Structured]", super().__new__(cls, name, bases, members, **kwargs))
        inherited = [getattr(base, "declared_fields", {}) for base in reversed(bases)]
        made.declared_fields = {name: each for some in (*inherited, own) for name, each in some.items()}
        for each in own:
            setattr(made, each, made.reader_of(each, str(annotations[each])))
        return made

    def __init__(cls, name: str, bases: tuple[type, ...], members: dict[str, Any], /, **_kwargs: Any) -> None:
        super().__init__(name, bases, members)


class ResolvedField(Frozen):
    """A declared field with its resolved type."""

    name: str
    wire: str
    annotation: Any
    """Its type without `Annotated`."""
    metadata: tuple[Any, ...]
    """What `Annotated` says, and the limits."""
    declared: Declared

    @property
    def wires(self) -> tuple[str, ...]:
        """All wire names, the preferred one first."""
        return (self.wire,) if self.declared.also is None else (self.wire, self.declared.also)

    @property
    def required(self) -> bool:
        """Whether it has no default."""
        return self.declared.default is MISSING and self.declared.default_factory is None


def camel(name: str) -> str:
    """Return a field's name in camel case: `last_login` becomes `lastLogin`."""
    first, *others = name.split("_")
    return first + "".join(each[:1].upper() + each[1:] for each in others)


@cache
def resolved_fields(kind: type[Structured]) -> Mapping[str, ResolvedField]:
    """Return the fields of a class by name, those of its bases first."""
    hints: dict[str, Any] = {}
    for base in reversed(kind.__mro__):
        hints |= {name: (base.__module__, hint) for name, hint in vars(base).get("__annotations__", {}).items()}
    found: dict[str, ResolvedField] = {}
    for name, declared in kind.declared_fields.items():
        module, hint = hints[name]
        hint = _resolved(module, hint) if isinstance(hint, str) else hint
        inner, *said = get_args(hint) if get_origin(hint) is Annotated else (hint,)
        metadata = tuple(said) if declared.limits is None else (*said, declared.limits)
        found[name] = ResolvedField(name, declared.wire or kind.wire_name(name), inner, metadata, declared)
    return found


@cache
def _resolved(module: str, hint: str) -> Any:
    """Return the type that an annotation names. `typing.get_type_hints` takes five times as long.

    Many fields have the same annotation, which is evaluated once.
    """
    return eval(hint, vars(sys.modules[module]))


class Shape:
    """A struct with all fields of a class, which decodes the objects that are plainly what was declared.

    Unions that msgspec cannot decode, such as one of a text and a record, leave that to pydantic.
    """

    def __init__(self, kind: type[Structured]) -> None:
        fields = resolved_fields(kind)
        seconds = [(each, f"{each.name}_also") for each in fields.values() if each.declared.also is not None]
        self.seconds = [(each.name, name) for each, name in seconds]
        """Fields with two wire names, and the struct's field for the second."""
        declared = [(each.name, _limited(each), _default(each.declared)) for each in fields.values()]
        self.struct: type[Any] = msgspec.defstruct(
            kind.__name__,
            declared + [(name, _limited(each), None) for each, name in seconds],
            rename={each.name: each.wire for each in fields.values()}
            | {name: str(each.declared.also) for each, name in seconds},
            kw_only=True,
            dict=True,
        )
        self.wires = {wire: name for name, each in fields.items() for wire in each.wires}
        """Names of fields by wire name."""
        self.names = self.wires | {name: name for name in fields}
        """The same with the fields' own names, which values by name have."""
        self._wires = {name: each.wire for name, each in fields.items()}
        self.written = tuple(self._wires.items())
        """Name and wire name of each field, in order."""
        self.missing = {name: None for name, each in fields.items() if each.required}
        """The fields without a default."""
        self._decode: Callable[[bytes], Any] | None = None
        with suppress(TypeError):
            self._decode = msgspec.json.Decoder(self.struct, dec_hook=_nested).decode

    def decode(self, row: bytes) -> Any:
        """Return the struct of a row, or None if a field has another type or the row is no object."""
        if self._decode is None:
            return None
        try:
            return self._joined(self._decode(row))
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            return None

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
            elif self._wires[name] not in by_wire:
                by_wire[self._wires[name]] = value
            else:
                return None
        try:
            whole = msgspec.convert(by_wire, self.struct, dec_hook=_nested)
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            return None
        whole.given, whole.extra = frozenset(self.wires[wire] for wire in by_wire), extra
        return whole

    def _joined(self, whole: Any) -> Any:
        for name, second in self.seconds:
            if getattr(whole, name) is None:
                setattr(whole, name, getattr(whole, second))
        return whole


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
    return cast(Any, Union)[tuple(each if each is NoneType else Annotated[each, meta] for each in alternatives)]


def _default(declared: Declared) -> Any:
    if declared.default_factory is not None:
        return msgspec.field(default_factory=declared.default_factory)
    return declared.default


def _nested(kind: type[Any], value: Any) -> Any:
    """Convert a value to a record inside another one."""
    return cast("type[Record]", kind).model_validate(value)


@cache
def shape_of(kind: type[Structured]) -> Shape:
    """Return the struct of a class."""
    return Shape(kind)
