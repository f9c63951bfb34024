"""Differences between an answer and the declaration of its operation, to adapt the console to a deployment.

Parsing is tolerant everywhere else, so that an invalid field does not affect others. Here it is strict, except for
values with one meaning (`records.tolerance`), and errors are reported by their place in the answer, without the value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from pydantic import ValidationError

from console.api.answer_check import kind_of
from console.api.bodies import load
from console.api.request import Request
from console.base.frozen import Frozen, replace
from console.records.fields import resolved_fields
from console.records.record import Record

Location = tuple[str | int, ...]


class ShapeDifference(Frozen):
    """A difference between an answer and its declaration."""

    place: str
    """Wire names separated by dots, `[]` for the entries of a list; empty for the whole answer."""
    words: str
    times: int = 1
    """Number of places of the same kind."""


def differences(request: type[Request[Any]], body: bytes) -> tuple[ShapeDifference, ...]:
    """Parse an answer strictly, and return all differences from the declaration."""
    try:
        data = load(body)
    except ValueError as error:
        return (ShapeDifference("", f"is not JSON: {error}"),)
    unwrap, came = request.operation.unwrap, data
    data = request.unwrapped(came)
    if unwrap is not None and data is came and isinstance(came, Mapping):
        return (ShapeDifference("", f"has no field {unwrap}, only {_names(cast('Mapping[str, Any]', came))}"),)
    try:
        answer = request.read_answer(body, strict=True, tolerant=True)
    except ValidationError as error:
        return _together(_faults(error, data))
    return _together(_unnamed(answer, data, ()))


def _faults(error: ValidationError, data: object) -> Iterator[tuple[Location, str]]:
    by_place: dict[Location, list[str]] = {}
    for detail in error.errors(include_input=False, include_url=False, include_context=False):
        place, value = _real(detail["loc"], data, is_missing=detail["type"] == "missing")
        if detail["type"] == "missing":
            text = "is missing"
        else:
            wanted = detail["msg"].removeprefix("Value error, ").removeprefix("Input ").partition(", unable")[0]
            wanted = wanted.replace("tuple", "list").replace("dictionary or instance of", "object:")
            text = f"{wanted[:1].lower()}{wanted[1:]}, but is {_kind(value)}"
        by_place.setdefault(place, []).append(text)
    for place, texts in by_place.items():
        yield place, texts[-1]


def _unnamed(answer: object, data: object, place: Location) -> Iterator[tuple[Location, str]]:
    """Yield records without a key, and records without any declared field."""
    if isinstance(answer, tuple | list):
        entries = cast("Sequence[object]", data) if isinstance(data, list) else ()
        for number, (item, raw) in enumerate(zip(cast("Sequence[object]", answer), entries, strict=False)):
            yield from _unnamed(item, raw, (*place, number))
    elif isinstance(answer, Record) and isinstance(data, Mapping):
        fields = cast("Mapping[str, Any]", data)
        if fields and not answer.model_fields_set & resolved_fields(type(answer)).keys():
            yield place, f"has none of the fields of {type(answer).__name__}, only {_names(fields)}"
        elif answer.key_field and not answer.key:
            yield (*place, answer.key_wire()), "is missing"
        for name, field in resolved_fields(type(answer)).items():
            inner = getattr(answer, name)
            if isinstance(inner, tuple):
                yield from _unnamed(cast(object, inner), fields.get(field.wire), (*place, field.wire))


def _together(differences: Iterator[tuple[Location, str]]) -> tuple[ShapeDifference, ...]:
    """Combine equal differences of many rows."""
    together: dict[tuple[str, str], ShapeDifference] = {}
    for location, text in differences:
        place = _written(location)
        before = together.get((place, text))
        together[place, text] = replace(before, times=before.times + 1) if before else ShapeDifference(place, text)
    return tuple(together.values())


def _written(location: Location) -> str:
    text = "".join("[]" if isinstance(step, int) else f".{step}" for step in location)
    return text.removeprefix(".")


def _real(location: Sequence[str | int], data: object, *, is_missing: bool) -> tuple[Location, object]:
    """Remove steps that the parser adds to a location, such as a union's branch; return it with its value.

    Only the location of a missing field names what the data does not have.
    """
    place: list[str | int] = []
    for step in location:
        if isinstance(data, Mapping):
            if step not in data and not is_missing:
                break
            place.append(step)
            data = cast("Mapping[str | int, Any]", data).get(step)
        elif isinstance(data, list) and isinstance(step, int) and step < len(cast("list[Any]", data)):
            place.append(step)
            data = cast("list[Any]", data)[step]
        else:
            break
    return tuple(place), cast(object, data)


def _kind(value: object) -> str:
    return "nothing" if value is None else kind_of(value)


def _names(fields: Mapping[str, Any]) -> str:
    names = list(fields)[:6]
    return ", ".join(names) + (", …" if len(fields) > 6 else "") if names else "none at all"
