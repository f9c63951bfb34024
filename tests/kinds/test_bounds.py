"""Details of records with very long texts and lists: fast, small in memory, and with a note about what was cut."""

from __future__ import annotations

import sys
import time
import tracemalloc
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast, get_args, get_origin

import pytest

from console.base.text import cells
from console.cli.lists.resources import table_of
from console.kinds.catalogue import RESOURCES
from console.kinds.tables import TABLES
from console.records.fields import resolved_fields
from console.records.record import Record
from console.views.cell import Section
from console.views.lines import raw
from console.views.table import Table
from tests.for_each import for_each
from tests.kinds.wild import KINDS, render_context

Made = TypeVar("Made")
LONG = 100_000
TEXTS = {
    "one line of a megabyte": "x" * 1_000_000,
    "half a million lines": "x\n" * 500_000,
}
ODD_TEXTS = ("\u0301" * 1_000_000, "[" * 1_000_000, "\t" * 1_000_000, "\r" * 1_000_000, "界" * 300_000)
MOST_CALLS = 100_000
"""Maximum number of function calls for a detail, however long its texts are."""
MOST_LINES = 3_000
MOST_CHARACTERS = 300_000
MOST_MEMORY = 64 * 1024 * 1024
MOST_SECONDS = 5.0
"""CPU time of this thread: untraced, a detail must be made within one second."""


def _tables() -> Mapping[str, tuple[Table[Any], type[Record]]]:
    """Return every table and what it shows."""
    found = {kind: (TABLES[kind], model) for kind, model in KINDS.items()}
    for name in RESOURCES:
        if name not in found:
            table = table_of(name) if RESOURCES[name].lists else None
            model = _record_of(name)
            if table is not None and model is not None:
                found[name] = (table, model)
    return found


def _record_of(name: str) -> type[Record] | None:
    from console.api.catalogue import find
    from console.api.listed import record_type

    return record_type(find(RESOURCES[name].lists[0])) if RESOURCES[name].lists else None


ALL = _tables()


def _wire(model: type[Record], text: str, depth: int = 0) -> dict[str, Any]:
    """Return a body with that text in every text field, and one entry in every list."""
    body: dict[str, Any] = {}
    for field in resolved_fields(model).values():
        value = _value(field.annotation, text, depth)
        if value is not None:
            body[field.wire] = value
    return body


def _value(annotation: Any, text: str, depth: int) -> Any:
    origin, parts = get_origin(annotation), [each for each in get_args(annotation) if each is not type(None)]
    if depth > 4:
        return None
    if origin in {tuple, list}:
        inner = _value(parts[0], text, depth + 1)
        return None if inner is None else [inner]
    if origin is dict:
        return {"name": _value(parts[1], text, depth + 1) or text}
    if parts:
        return _value(parts[0], text, depth)
    if annotation in {str, Any}:
        return text
    if isinstance(annotation, type) and issubclass(annotation, Record):
        return _wire(annotation, text, depth + 1)
    return None


def _longer(value: Any) -> Any:
    """Return a value with a hundred thousand identical entries in each of its lists and objects."""
    if isinstance(value, tuple) and value:
        return cast("tuple[object, ...]", value) * LONG
    if isinstance(value, dict) and value:
        first = next(iter(cast("dict[str, object]", value).values()))
        return {f"name {number}": first for number in range(LONG)}
    if isinstance(value, Record):
        grown: dict[str, Any] = {name: _longer(getattr(value, name)) for name in type(value).declared_fields}
        return value.model_copy(update=grown)
    return cast(Any, value)


def _calls(make: Callable[[], object]) -> int:
    """Count the functions that are called by `make`."""
    called = 0

    def count(_frame: Any, event: str, _argument: Any) -> None:
        nonlocal called
        called += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        make()
    finally:
        sys.setprofile(before)
    return called


def _memory(make: Callable[[], Made]) -> tuple[Made, int]:
    """Return the result of `make` and the peak of its memory in bytes."""
    tracemalloc.start()
    try:
        return make(), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def _words(sections: tuple[Section, ...]) -> list[str]:
    return ["".join(cell.text for cell in line) for section in sections for line in section.lines]


@for_each("text", TEXTS)
@for_each("kind", ALL)
def test_a_detail_of_long_texts_is_limited_and_counts_what_it_leaves_out(kind: str, text: str) -> None:
    table, model = ALL[kind]
    record = model.model_validate(_wire(model, TEXTS[text]))

    def make() -> tuple[Section, ...]:
        return table.detail(record, render_context({}))

    sections = make()  # Records are parsed, and tables find their fields, only once.
    assert _calls(make) <= MOST_CALLS
    lines = _words(sections)
    assert len(lines) <= MOST_LINES
    assert sum(map(len, lines)) <= MOST_CHARACTERS
    assert any("not shown" in line for line in lines)
    assert all(cells(cell.text) <= 65_536 for section in sections for line in section.lines for cell in line)


@pytest.mark.parametrize("text", [*TEXTS.values(), *ODD_TEXTS], ids=range(7))
def test_a_detail_of_any_long_text_fits_in_little_memory(text: str) -> None:
    for kind in ("groups", "alerts", "conferences", "contacts"):
        table, model = ALL[kind]
        record = model.model_validate(_wire(model, text))
        sections, memory = _memory(lambda table=table, record=record: table.detail(record, render_context({})))
        assert memory <= MOST_MEMORY
        assert any("not shown" in line for line in _words(sections))


@for_each("kind", ALL)
def test_a_detail_of_long_lists_is_limited_and_counts_what_it_leaves_out(kind: str) -> None:
    table, model = ALL[kind]
    small = model.model_validate(_wire(model, "one"))
    record: Record = _longer(small)
    if record == small:
        return  # It has neither lists nor objects.
    before = time.thread_time()
    lines = _words(table.detail(record, render_context({})))
    assert time.thread_time() - before <= MOST_SECONDS
    assert len(lines) <= MOST_LINES
    assert sum(map(len, lines)) <= MOST_CHARACTERS
    assert any("not shown" in line for line in lines)


def test_the_left_out_part_is_counted() -> None:
    table, model = ALL["groups"]
    record = model.model_validate({"id": "g", "groupId": "g", "name": "x\n" * 500_000, "participants": ["u"] * LONG})
    lines = _words(table.detail(record, render_context({})))
    assert any("499," in line and "more lines are not shown" in line for line in lines)
    assert "… 99,500 more members are not shown" in lines


@pytest.mark.parametrize(
    ("value", "last"),
    [
        ({"list": ["x"] * LONG}, "… 99,800 more entries are not shown"),
        ({f"k{number}": 1 for number in range(LONG)}, "… over 20,000 more lines are not shown"),
        ({"text": "x" * 1_000}, "… 840 more characters are not shown"),
        ({"a": {f"k{number}": 1 for number in range(500)}}, "… 104 more lines are not shown"),
    ],
)
def test_a_raw_value_counts_what_it_leaves_out(value: object, last: str) -> None:
    lines = ["".join(cell.text for cell in line) for line in raw(value)]
    assert any(last in line for line in lines)
    assert len(lines) <= 401


def test_a_revealed_secret_is_shown_in_full() -> None:
    secret = "s" * 2_000
    assert secret in "".join(cell.text for line in raw({"token": secret}, revealed=True) for cell in line)
    assert "".join(cell.text for line in raw({"token": secret}) for cell in line) == '{  "token": "…ssss"}'
