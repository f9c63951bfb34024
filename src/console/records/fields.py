"""Declared fields of records and requests: their names on the wire, types, defaults and limits."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, cast, dataclass_transform, get_args, get_origin

import msgspec

from console.base.frozen import Frozen

if TYPE_CHECKING:
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
    """Properties of a field besides its type, as declared."""

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
        new = cast("type[Structured]", super().__new__(cls, name, bases, members, **kwargs))
        inherited = [getattr(base, "declared_fields", {}) for base in reversed(bases)]
        new.declared_fields = {name: each for some in (*inherited, own) for name, each in some.items()}
        for value in own:
            setattr(new, value, new.reader_of(value, str(annotations[value])))
        return new

    def __init__(cls, name: str, bases: tuple[type, ...], members: dict[str, Any], /, **_kwargs: Any) -> None:
        super().__init__(name, bases, members)


class ResolvedField(Frozen):
    """A declared field with its resolved type."""

    name: str
    wire: str
    annotation: Any
    """Its type without `Annotated`."""
    metadata: tuple[Any, ...]
    """Properties from `Annotated`, and the limits."""
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
    return first + "".join(other[:1].upper() + other[1:] for other in others)


@cache
def resolved_fields(kind: type[Structured]) -> Mapping[str, ResolvedField]:
    """Return the fields of a class by name, the fields of its bases first."""
    hints: dict[str, Any] = {}
    for base in reversed(kind.__mro__):
        hints |= {name: (base.__module__, hint) for name, hint in vars(base).get("__annotations__", {}).items()}
    fields: dict[str, ResolvedField] = {}
    for name, declared in kind.declared_fields.items():
        module, hint = hints[name]
        hint = _resolved(module, hint) if isinstance(hint, str) else hint
        inner, *said = get_args(hint) if get_origin(hint) is Annotated else (hint,)
        metadata = tuple(said) if declared.limits is None else (*said, declared.limits)
        fields[name] = ResolvedField(name, declared.wire or kind.wire_name(name), inner, metadata, declared)
    return fields


@cache
def _resolved(module: str, hint: str) -> Any:
    """Return the type that an annotation names. `typing.get_type_hints` takes five times as long.

    Many fields have the same annotation, which is evaluated once.
    """
    return eval(hint, vars(sys.modules[module]))
