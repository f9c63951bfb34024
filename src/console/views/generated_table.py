"""Tables generated from record declarations, for the many kinds without a handwritten table."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any, cast

from console.base.secrets import is_secret
from console.base.text import SafeText, as_label, clean
from console.records.people import USER_ID_FIELDS, UserReference
from console.records.record import Record
from console.views import columns, wording
from console.views.cell import Cell, Line, Section, Tone
from console.views.lines import faults_section, fields, pair, raw_section, several, veil
from console.views.render_context import RenderContext
from console.views.table import Column, Table, Value

_MOMENTS = frozenset(
    {
        *("created", "last_login", "from_", "to", "date", "created_at", "finished_at", "valid_since", "valid_until"),
        *("ts", "timestamp", "expires", "expires_at"),
    }
)
"""Fields with times."""
_DURATIONS = frozenset({"valid_time_before_start", "valid_time_after_finish", "expended_time"})
"""Fields with milliseconds."""
_USER_FIELDS = frozenset({"id", "username"})
"""Fields by which an object is recognised as a reference to a user."""
_ADDRESSES = frozenset({"phones", "emails"})
"""Lists that are shown by their addresses instead of their number."""
_WIDTHS = {"id": 12, "name": 24, "username": 22, "role": 6, "available": 9, "phones": 22, "emails": 22}
_WIDTH = 16
_LONGEST = 300
_PARTS = 4
"""Most entries of a list in a cell."""
_FIELDS = 40
"""Most fields of an object in a cell."""


def generated_table(
    kind: str,
    title: str,
    one: str,
    record: type[Record],
    first: tuple[str, ...],
    place: Callable[[Record], int],
) -> Table[Any]:
    """Build a table of any record: a column per field, first those in `first`, in that order.

    `place` returns the position of a record in the service's order, which is the default order.
    """
    names = [*first, *(name for name in record.declared_fields if name not in first)]
    all_columns = [_column(name, first.index(name) if name in first else 9) for name in names]
    order: Column[Any] = columns.number(
        "place", "#", 5, lambda record, _render: place(record), priority=9, about="the service's order"
    )
    return Table(
        kind=kind,
        title=title,
        one=one,
        columns=columns.marked((*all_columns, order)),
        order="place",
        name=lambda record, _render: name_of(record),
        detail=detail,
    )


def name_of(record: Record) -> SafeText:
    """Return the name of any record in a sentence: its name, otherwise user name, domain, label or key."""
    for field in ("name", "username", "domain", "label", "key_", "key"):
        value = getattr(record, field, None)
        if isinstance(value, str) and value:
            return clean(value, 60)
    return clean(record.key, 60)


def detail(record: Record, render: RenderContext) -> tuple[Section, ...]:
    """Return every field of any record with its value, and the raw record."""
    lines: list[Line] = []
    names = tuple(record.declared_fields)
    widest = max(len(as_label(name)) for name in names) + 1
    for name in names:
        label, value = as_label(name).ljust(widest), getattr(record, name, None)
        if name in _MOMENTS and wording.at(value) is not None:
            lines.append(pair(label, wording.moment(wording.at(value), render), render))
        elif name in _DURATIONS and isinstance(value, int | float):
            lines.append(pair(label, wording.age(value, render), render))
        elif isinstance(value, tuple) and value:
            many = cast("tuple[object, ...]", value)
            lines.append(pair(label, wording.plural(len(many), "entry"), render))
            lines += several(many, lambda entry: (Cell(clean("  ")), Cell(clean(value_text(entry), 160))))
        else:
            lines.append(pair(label, field_text(name, cast(object, value)), render))
    return (*faults_section(record), Section("fields", "Fields", tuple(lines)), raw_section(record, render))


def value_text(value: object) -> str:
    """Return any value as one line."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if isinstance(value, UserReference):
        return _user_text(fields(value))
    if isinstance(value, Record):
        known = ((name, field) for name, field in fields(value).items() if field not in (None, "", (), [], {}))
        return ", ".join(field_text(name, field) for name, field in islice(known, _FIELDS))
    if isinstance(value, tuple | list):
        many = tuple(cast("list[object]", value))
        more = f" and {len(many) - _PARTS} more" if len(many) > _PARTS else ""
        return ", ".join(value_text(item) for item in many[:_PARTS]) + more
    if isinstance(value, Mapping):
        members = cast("Mapping[object, object]", value)
        if members.keys() >= _USER_FIELDS:
            return _user_text(cast("Mapping[str, object]", members))
        texts = ((str(name), field_text(str(name), member)) for name, member in islice(members.items(), _FIELDS))
        more = f" and {len(members) - _FIELDS} more" if len(members) > _FIELDS else ""
        return ", ".join(f"{name}: {what}" if what else name for name, what in texts) + more
    return json.dumps(value, default=str)


def _user_text(members: Mapping[str, object]) -> str:
    """Return a user: the name, the address, the role, then what else is known, with the id at the end."""
    known = {name: text for name, value in islice(members.items(), _FIELDS) if (text := field_text(name, value))}
    name, username, domain, role, key = (known.pop(part, "") for part in ("alias", "username", "domain", "role", "id"))
    address = f"{username}@{domain}" if username and domain else username or domain
    others = (f"{other}: {text}" for other, text in known.items())
    return ", ".join(text for text in (name, address, role, *others, key) if text)


def field_text(name: str, value: object) -> str:
    """Return the value of a field as text; of a secret only the part that distinguishes it."""
    if is_secret(name) and value:
        return veil(value) or ""
    return value_text(value)


def _column(name: str, priority: int) -> Column[Any]:
    title = as_label(name)
    width = _WIDTHS.get(name, _WIDTH)
    if name in _MOMENTS:
        return columns.time(name, title, 12, lambda record: getattr(record, name, None), priority=priority)
    if name in USER_ID_FIELDS:
        return columns.address(name, title, 22, lambda record: _text(record, name), priority=priority, grows=True)

    def value(record: Record, _render: RenderContext) -> Value:
        column = getattr(record, name, None)
        if isinstance(column, bool | int | float) or column is None:
            return column
        if isinstance(column, tuple):
            many = cast("tuple[object, ...]", column)
            if name in _ADDRESSES:
                return value_text([_address(item) for item in many]) or None
            return value_text(many) if all(isinstance(item, str) for item in many) else float(len(many))
        return field_text(name, column)

    def cell(record: Record, render: RenderContext) -> Cell:
        column = value(record, render)
        if column is None or column == "":
            return Cell(wording.dash(render), Tone.QUIET)
        if isinstance(column, bool):
            return Cell(clean("yes" if column else "no"), Tone.PLAIN if column else Tone.QUIET)
        if name in _DURATIONS and isinstance(column, int | float):
            return Cell(wording.age(column, render))
        return Cell(wording.count(column, render) if isinstance(column, int | float) else clean(column, _LONGEST))

    return columns.custom(name, title, width, value, cell, priority=priority, grows=width > _WIDTH or priority == 0)


def _address(entry: object) -> object:
    """Return the number or address of an entry: one of two fields, or the entry itself."""
    fields = entry.model_dump() if isinstance(entry, Record) else entry
    if isinstance(fields, Mapping):
        members = cast("Mapping[str, object]", fields)
        return members.get("value") or members.get("address") or entry
    return entry


def _text(record: Record, name: str) -> str | None:
    found = getattr(record, name, None)
    if isinstance(found, Record):
        return found.key or getattr(found, "username", None)
    return found if isinstance(found, str) else None
