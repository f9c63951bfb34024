"""The API contract's 179 rows of operations, from `tests/data/contract`, with this project's annotations."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, cast

from console.api.annotations import Variant
from console.api.catalogue import catalogue
from console.api.request import Request
from tests.contract.notation import ContractInput, Shape, read_inputs, read_shape

FOLDER = Path(__file__).resolve().parents[1] / "data" / "contract"
SECTIONS = ("4.1", "4.2", "4.3", "4.4", "4.5", "4.6", "4.7", "4.8", "provisioning")
COUNT = 179


@dataclass(frozen=True)
class Extension:
    """An input or a field of an answer that the contract does not have."""

    what: str
    """In the notation: `Q allUsers` for an input, `canceled: [Alert]` for a field."""
    why: str


@dataclass(frozen=True)
class Deviation:
    """An intended difference between the service and the contract."""

    what: str
    why: str
    option: str = ""
    """The setting that restores the contract's behaviour, if there is one."""


@dataclass(frozen=True)
class Effect:
    """An effect of an operation beyond its stored data and its answer, and the test for it."""

    does: str
    test: str
    """File and name: `tests/service/test_users_over_http.py::test_renaming`."""


@dataclass(frozen=True)
class Touches:
    """The changes that an operation makes in its test case."""

    tables: frozenset[str]
    events: frozenset[str]
    """Topic and kind of each event: `groups upsert`."""


@dataclass(frozen=True)
class Operation:
    """The annotations of one operation; most rows have one."""

    request: type[Request[Any]]
    inputs: tuple[ContractInput, ...]
    answer: Mapping[Variant, Shape] = field(hash=False)
    answer_words: Mapping[Variant, str] = field(hash=False)
    inputs_words: str
    touches: Mapping[Variant, Touches] = field(hash=False)


@dataclass(frozen=True)
class Row:
    """One row of the contract's tables."""

    section: str
    title: str
    operations: tuple[Operation, ...]
    errors: Mapping[Variant, str] = field(hash=False)
    """The shape of its error body (section 7)."""
    inputs_of_ours: tuple[Extension, ...] = ()
    fields_of_ours: tuple[Extension, ...] = ()
    deviations: tuple[Deviation, ...] = ()
    effects: tuple[Effect, ...] = ()


@cache
def rows() -> tuple[Row, ...]:
    """Return all rows in the order of the contract. Raise ValueError for a row without an operation."""
    by_row: dict[tuple[str, str], list[type[Request[Any]]]] = {}
    for request in catalogue().values():
        by_row.setdefault((request.operation.section, request.operation.row), []).append(request)
    found: list[Row] = []
    for name in SECTIONS:
        page = _loaded(name)
        found += [_row(page["section"], each, by_row) for each in page["row"]]
    return tuple(found)


def row_of(name: str) -> tuple[Row, Operation]:
    """Return an operation of the contract with its row."""
    return next((row, each) for row in rows() for each in row.operations if each.request.operation.name == name)


@cache
def resources() -> Mapping[str, Shape]:
    """Return the shapes of the contract's resources (section 2) by name."""
    return {name: read_shape(text) for name, text in _loaded("resources").items() if isinstance(text, str)}


@cache
def fields_of_ours() -> Mapping[str, tuple[Extension, ...]]:
    """Return the fields that the project adds to the contract's resources, by resource."""
    ours = cast("Mapping[str, Mapping[str, str]]", _loaded("resources").get("ours", {}))
    return {name: tuple(Extension(what, why) for what, why in fields.items()) for name, fields in ours.items()}


@cache
def deviations_of_resources() -> Mapping[str, tuple[Deviation, ...]]:
    """Return the fields that differ from the contract's, by resource."""
    return {
        name: tuple(Deviation(**each) for each in cast("Sequence[dict[str, str]]", found))
        for name, found in _loaded("resources").get("deviations", {}).items()
    }


def _loaded(name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


def _row(section: str, told: Mapping[str, Any], by_row: Mapping[tuple[str, str], list[type[Request[Any]]]]) -> Row:
    title = told["title"]
    requests = by_row.get((section, title))
    if not requests:
        raise ValueError(f"no operation implements {section} {title}")
    ours = [(each, Extension(each.get("input") or each["answer"], each["why"])) for each in told.get("ours", ())]
    return Row(
        section,
        title,
        tuple(_operation(each, told) for each in requests),
        _by_variant(told.get("errors", "code")),
        tuple(extension for each, extension in ours if "input" in each),
        tuple(extension for each, extension in ours if "answer" in each),
        tuple(Deviation(**each) for each in told.get("deviations", ())),
        tuple(Effect(**each) for each in told.get("effects", ())),
    )


def _operation(request: type[Request[Any]], told: Mapping[str, Any]) -> Operation:
    name = request.operation.name
    inputs: str | Mapping[str, str] = _of_operation(name, told.get("inputs", ""))
    assert isinstance(inputs, str), name
    words = _by_variant(_of_operation(name, told["answer"]))
    shapes = {each: read_shape(text) for each, text in words.items()}
    return Operation(request, read_inputs(inputs), shapes, words, inputs, _touches(name, told))


def _touches(name: str, told: Mapping[str, Any]) -> dict[Variant, Touches]:
    tables, events = (_by_variant(_of_operation(name, told.get(each, ""))) for each in ("changes", "events"))
    return {each: Touches(_names(tables[each]), _names(events[each])) for each in Variant}


def _of_operation(name: str, told: str | Mapping[str, Any]) -> str | Mapping[str, str]:
    return told[name] if isinstance(told, Mapping) and name in told else told


def _names(text: str) -> frozenset[str]:
    return frozenset(each.strip() for each in text.split(",") if each.strip())


def _by_variant(told: str | Mapping[str, str]) -> dict[Variant, str]:
    return {each: told if isinstance(told, str) else told.get(each.value, "") for each in Variant}
