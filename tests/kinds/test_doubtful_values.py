"""A value that rests on a field which cannot be read is in doubt: no filter counts on it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from console.kinds.tables import TABLES
from console.records.fields import resolved_fields
from console.records.record import Record
from console.views.doubt import in_doubt, unread_fields
from console.views.table import Column
from tests.kinds.wild import KINDS, NOW, render_context

ODD = {"odd": {"odd": True}}
SAMPLES = (True, False, 3, NOW - 90_000, NOW + 90_000, "queued", "ended", "u1")


def judged(model: type[Record], kind: str) -> Iterator[tuple[str, Column[Any], bool]]:
    """Yield each field with each column that shows another value for another value of the field, and the doubt."""
    plain = {"id": "k", model.key_wire(): "k1"}
    columns = [column for column in TABLES[kind].columns if column.closed or column.kind != "text"]
    for field in resolved_fields(model).values():
        if field.wire == model.key_wire():
            continue
        odd = model.model_validate({**plain, field.wire: ODD})
        if field.name not in unread_fields(odd):
            continue
        read = [model.model_validate({**plain, field.wire: sample}) for sample in SAMPLES]
        render = render_context({kind: {odd.key: odd}})
        for column in columns:
            shown = {column.value(record, render) for record in read if not record.faults}
            if column.id != "faults" and shown - {column.value(odd, render)}:
                yield field.wire, column, in_doubt(column, odd, render)


def test_values_that_rest_on_unreadable_fields_are_in_doubt() -> None:
    trusted = [
        f"{kind}.{column.id} rests on {wire}"
        for kind, model in KINDS.items()
        for wire, column, is_in_doubt in judged(model, kind)
        if not is_in_doubt
    ]
    assert not trusted, "\n".join(trusted)


def test_no_value_of_a_readable_row_is_in_doubt() -> None:
    doubted: list[str] = []
    for kind, model in KINDS.items():
        row = {"id": "k", model.key_wire(): "k1", "state": "ended", "online": True, "available": True}
        record = model.model_validate(row)
        columns = (column for column in TABLES[kind].columns if column.kind != "flag")
        doubted += [f"{kind}.{each.id}" for each in columns if in_doubt(each, record, render_context())]
    assert not doubted, "\n".join(doubted)
