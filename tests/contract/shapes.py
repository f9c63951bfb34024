"""Check answers against the contract's shapes, and collect the fields that were seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from console.api.annotations import Variant
from tests.contract.notation import Exactly, Fields, Named, Scalar, Several, Shape, read_shape
from tests.contract.rows import Operation, Row, fields_of_ours, resources


@dataclass
class Seen:
    """The fields and errors found in the answers of a service so far."""

    variant: Variant
    fields: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    """Pairs of resource or operation and field."""
    objects: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list[tuple[str, Mapping[str, Any]]])
    """Every resource that was found, including nested ones."""
    faults: list[str] = field(default_factory=list[str])
    """Differences from the contract and the project's list of extensions."""

    def look_at(self, row: Row, operation: Operation, answer: Any) -> None:
        """Check an answer against its row."""
        name = operation.request.operation.name
        ours = {each.what.partition(":")[0]: read_shape(f"{{ {each.what} }}") for each in row.fields_of_ours}
        shape = operation.answer[self.variant]
        if isinstance(shape, Fields):
            self._object(name, name, shape, answer, ours)
        else:
            self.check(name, name, shape, answer)

    def check(self, path: str, owner: str, shape: Shape, value: Any) -> None:
        """Record the fields of a value and its errors. `owner` is the resource or operation that it belongs to."""
        match shape:
            case Scalar(kind):
                if not _KINDS[kind](value):
                    self.faults.append(f"{path}: {value!r} is no {kind}")
            case Exactly(text):
                if value != text:
                    self.faults.append(f"{path}: {value!r} is not {text!r}")
            case Several(of):
                if not isinstance(value, list):
                    self.faults.append(f"{path}: {value!r} is no array")
                    return
                for each in cast("Sequence[Any]", value):
                    self.check(f"{path}[]", owner, of, each)
            case Named(name):
                resource = resources()[name]
                assert isinstance(resource, Fields), name
                ours = {each.what.partition(":")[0]: read_shape(f"{{ {each.what} }}") for each in _ours(name)}
                if isinstance(value, Mapping):
                    self.objects.append((name, cast("Mapping[str, Any]", value)))
                self._object(path, name, resource, value, ours)
            case Fields():
                self._object(path, owner, shape, value, {})

    def _object(self, path: str, owner: str, shape: Fields, value: Any, ours: Mapping[str, Shape]) -> None:
        if not isinstance(value, Mapping):
            self.faults.append(f"{path}: {value!r} is no object")
            return
        for name, each in cast("Mapping[str, Any]", value).items():
            wanted = shape.of(name, self.variant)
            if wanted is None and name in ours:
                extension = ours[name]
                assert isinstance(extension, Fields), name
                wanted = extension.of(name, self.variant)
            if wanted is None:
                self.faults.append(f"{path}.{name}: the contract has no such field in the {self.variant.value} variant")
                continue
            self.fields.add((owner, name))
            # The fields of an unnamed object belong to its owner.
            self.check(f"{path}.{name}", f"{owner}.{name}" if _has_fields(wanted) else owner, wanted, each)


def expected(variant: Variant, rows: Sequence[Row]) -> set[tuple[str, str]]:
    """Return every field that the answers of these rows can have in a variant, in the form of `Seen.fields`."""
    found: set[tuple[str, str]] = set()
    done: set[str] = set()

    def add(owner: str, shape: Shape) -> None:
        match shape:
            case Named(name):
                if name not in done:
                    done.add(name)
                    add(name, resources()[name])
            case Several(of):
                add(owner, of)
            case Fields():
                for name in shape.names(variant):
                    found.add((owner, name))
                    inner = shape.fields[name][variant]
                    add(f"{owner}.{name}" if _has_fields(inner) else owner, inner)
            case _:
                pass

    for row in rows:
        for operation in row.operations:
            if operation.request.operation.variant in {None, variant}:
                add(operation.request.operation.name, operation.answer[variant])
    return found


def _ours(resource: str) -> Sequence[Any]:
    return fields_of_ours().get(resource, ())


def _has_fields(shape: Shape) -> bool:
    return isinstance(shape.of if isinstance(shape, Several) else shape, Fields)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_KINDS: Mapping[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "number": _is_number,
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "object": lambda value: isinstance(value, dict),
    "any": lambda value: True,
}
