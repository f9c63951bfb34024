"""The notation of `tests/data/contract`: inputs and shapes of answers, parsed from short texts.

Inputs are listed by place (P path, Q query, B body, W whole body), each with its markers:

    P id req; Q domain; B name req-earlier, userId req later, token req or access_token

`later` and `earlier` name the only variant that has an input; `req-earlier` is required there and optional in the
other.

Shapes are those of JSON:

    { groupList: [Group] }    page User    'No Content'    { code: integer earlier, message: string }

A field may be listed twice, once per variant. `*` stands for any other field.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from console.api.annotations import InputPlace, Variant

PLACES = {"P": InputPlace.PATH, "Q": InputPlace.QUERY, "B": InputPlace.BODY, "W": InputPlace.WHOLE_BODY}
_TOKEN = re.compile(r"\s*('[^']*'|[\w*]+|[{}\[\]:,])")
_SCALARS = frozenset({"string", "number", "integer", "boolean", "object", "any"})


@dataclass(frozen=True)
class ContractInput:
    """An input of a row."""

    name: str
    place: InputPlace
    required: frozenset[Variant] = frozenset()
    """The variants in which the contract marks it as required."""
    variant: Variant | None = None
    """The only variant that has it, or None."""
    instead: str = ""
    """The input that may be given instead."""


def read_inputs(text: str) -> tuple[ContractInput, ...]:
    """Parse the inputs of a row. Raise ValueError for a syntax error."""
    found: list[ContractInput] = []
    for part in filter(None, (each.strip() for each in text.split(";"))):
        letter, _, names = part.partition(" ")
        found += [_input(PLACES[letter], each.split()) for each in names.split(",")]
    return tuple(found)


def _input(place: InputPlace, words: list[str]) -> ContractInput:
    name, *marks = words
    instead = ""
    if "or" in marks:
        at = marks.index("or")
        instead, marks = marks[at + 1], [*marks[:at], *marks[at + 2 :]]
    variant = next((each for each in Variant if each.value in marks), None)
    required = {
        each for each in Variant if f"req-{each.value}" in marks or ("req" in marks and variant in {None, each})
    }
    if unknown := set(marks) - {"req", *(f"{before}{each.value}" for each in Variant for before in ("", "req-"))}:
        raise ValueError(f"{name}: no such mark: {', '.join(sorted(unknown))}")
    return ContractInput(name, place, frozenset(required), variant, instead)


@dataclass(frozen=True)
class Scalar:
    """Any value of one of JSON's types."""

    kind: str


@dataclass(frozen=True)
class Exactly:
    """One literal text."""

    text: str


@dataclass(frozen=True)
class Several:
    """An array."""

    of: Shape


@dataclass(frozen=True)
class Named:
    """A resource by its name."""

    name: str


@dataclass(frozen=True)
class Fields:
    """An object: the variants that have each field, and its shape in each."""

    fields: Mapping[str, Mapping[Variant, Shape]] = field(hash=False)

    def of(self, name: str, variant: Variant) -> Shape | None:
        """Return the shape of a field in a variant, None if there is no such field."""
        return self.fields.get(name, self.fields.get("*", {})).get(variant)

    def names(self, variant: Variant) -> set[str]:
        """Return the names of the fields of a variant."""
        return {name for name, shapes in self.fields.items() if variant in shapes and name != "*"}


Shape = Scalar | Exactly | Several | Named | Fields

_NUMBER = Scalar("number")
_CURSOR = Scalar("any")


def read_shape(text: str) -> Shape:
    """Parse a shape. Raise ValueError for a syntax error."""
    tokens: list[str] = []
    at = 0
    while text[at:].strip():
        found = _TOKEN.match(text, at)
        if found is None:
            raise ValueError(f"cannot be read: {text[at:]}")
        tokens.append(found[1])
        at = found.end()
    shape = _shape(tokens)
    if tokens:
        raise ValueError(f"too much: {' '.join(tokens)}")
    return shape


def _shape(tokens: list[str]) -> Shape:
    token = tokens.pop(0)
    if token == "[":
        inner = _shape(tokens)
        _take(tokens, "]")
        return Several(inner)
    if token == "{":
        return _fields(tokens)
    if token.startswith("'"):
        return Exactly(token[1:-1])
    if token == "page":
        return _page(_shape(tokens))
    return Scalar(token) if token in _SCALARS else Named(token)


def _fields(tokens: list[str]) -> Fields:
    found: dict[str, dict[Variant, Shape]] = {}
    while tokens[0] != "}":
        name = tokens.pop(0)
        _take(tokens, ":")
        shape = _shape(tokens)
        variants = list(Variant)
        if tokens[0] in {"later", "earlier"}:
            variants = [Variant(tokens.pop(0))]
        found.setdefault(name, {}).update(dict.fromkeys(variants, shape))
        if tokens[0] == ",":
            tokens.pop(0)
    _take(tokens, "}")
    return Fields(found)


def _page(of: Shape) -> Fields:
    """Return the pagination envelope (contract 2.1)."""
    page = _everywhere(total=_NUMBER, maxSize=_NUMBER, next=_CURSOR, previous=_CURSOR)
    return _everywhere(data=Several(of), meta=_everywhere(page=page))


def _everywhere(**shapes: Shape) -> Fields:
    return Fields({name: dict.fromkeys(Variant, shape) for name, shape in shapes.items()})


def _take(tokens: list[str], wanted: str) -> None:
    found = tokens.pop(0)
    if found != wanted:
        raise ValueError(f"{wanted} is missing before {found}")
