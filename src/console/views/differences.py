"""Differences between two states of a record, field by field, in the words of its table."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, cast

from console.base.text import SafeText, clean
from console.records.raw import parse
from console.records.record import Record
from console.views import wording
from console.views.render_context import RenderContext
from console.views.table import Column, Table

_DEEPEST = 4
"""Levels of objects within a field whose parts are listed one by one."""
_MOST_PARTS = 40
"""Most parts of one field."""
_LONGEST = 200
_CONTAINER = "data"
"""The member of records for what has no place elsewhere: its name says nothing."""
_WORD_BEGINS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_EMPTY: tuple[Any, ...] = (None, "", [], {})
_TIMES = ("at", "date", "time", "timestamp", "from", "to")
"""Ends of the names of fields with times."""


STATE = "state"
"""The id of the column with the state of a record."""


class FieldDifference(NamedTuple):
    """A field that differs."""

    field: str
    """Its wire name; of a part of an object with its path: `data.recording.filename`."""
    label: SafeText
    """The title of its column; if it has none, the words of its path: `Recording filename`."""
    before: SafeText
    after: SafeText
    old: Any
    """Its values as they came; None without one."""
    new: Any


def wire_fields(record: Record | None) -> Mapping[str, Any]:
    """Return the fields of a record as they came; a row that is not an object is one field without a name."""
    if record is None:
        return {}
    try:
        found = parse(record.encoded())
    except (ValueError, RecursionError):
        return {}
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {"": found}


def differing(before: Record | None, after: Record | None) -> dict[str, tuple[Any, Any]]:
    """Return the fields that differ by their wire names, with their values before and after; None without one."""
    old, new = wire_fields(before), wire_fields(after)
    names = dict.fromkeys((*old, *new))
    return {name: (old.get(name), new.get(name)) for name in names if old.get(name) != new.get(name)}


class FieldWords:
    """Tells what differs between two states of records of one table."""

    def __init__(self, table: Table[Any]) -> None:
        self._table = table
        self._columns: dict[str, list[Column[Any]]] = {}
        columns = [each for each in table.columns if not each.ticks]
        # The column of a field is the one that names it, else the one with its name, else one with such an alias.
        for column in columns:
            self._add(column.shows, column)
        for column in columns:
            self._add(column.id.replace("-", ""), column)
        for column in columns:
            for alias in column.aliases:
                self._add(alias, column)

    def _add(self, name: str, column: Column[Any]) -> None:
        if name:
            self._columns.setdefault(name.lower(), []).append(column)

    def differences(
        self, before: Record, after: Record, then: RenderContext, now: RenderContext
    ) -> tuple[FieldDifference, ...]:
        """Return the fields that differ between a moment and a later one, the state first. Those that change by
        themselves are left out.
        """
        field_differences: list[FieldDifference] = []
        for name, (old, new) in differing(before, after).items():
            if name in self._table.self_changing:
                continue
            for column in self._columns.get(name.lower(), ()):
                texts = column.cell(before, then).text, column.cell(after, now).text
                if texts[0] != texts[1]:
                    place = 0 if column.id == STATE else len(field_differences)
                    field_differences.insert(
                        place, FieldDifference(name, clean(column.title or column.id.capitalize()), *texts, old, new)
                    )
                    break
            else:
                for part, label, (one, other) in _parts(name, _spaced(name), old, new):
                    texts = _text(part, one, then), _text(part, other, now)
                    if one in _EMPTY and other in _EMPTY:
                        continue
                    field_differences.append(
                        FieldDifference(part, clean(label[:1].upper() + label[1:], 60), *texts, one, other)
                    )
        return tuple(field_differences)


def state_column(table: Table[Any]) -> Column[Any] | None:
    """Return the column with the state of a record, if its kind has one."""
    return next((column for column in table.columns if column.id == STATE), None)


def _parts(name: str, label: str, old: Any, new: Any, depth: int = 0) -> Iterator[tuple[str, str, tuple[Any, Any]]]:
    """Yield the parts of a value that differ, with their paths and with these in words."""
    pairs: dict[tuple[str, str], tuple[Any, Any]] = {}
    either = any(map(_is_object, (old, new)))
    if depth < _DEEPEST and either and all(_is_object(item) or item in _EMPTY for item in (old, new)):
        old, new = old or {}, new or {}
        within = "" if name == _CONTAINER else f"{label} "
        for fromkey in dict.fromkeys((*old, *new)):
            pairs[f"{name}.{fromkey}", f"{within}{_spaced(fromkey)}"] = old.get(fromkey), new.get(fromkey)
    elif depth < _DEEPEST and type(old) is type(new) is list and len(old) == len(new) and any(map(_is_object, old)):
        one = label.removesuffix("s")
        for place, pair in enumerate(zip(old, new, strict=True)):
            pairs[f"{name}[{place}]", f"{one} {place + 1}" if len(old) > 1 else one] = pair
    pairs = {part: pair for part, pair in pairs.items() if pair[0] != pair[1]}
    if not 0 < len(pairs) <= _MOST_PARTS:
        yield name, label, (old, new)
        return
    for (part, words_of_part), pair in pairs.items():
        yield from _parts(part, words_of_part, *pair, depth + 1)


def _spaced(name: str) -> str:
    """Return a wire name in words: `stoppedAt` is `stopped`."""
    spaced = _WORD_BEGINS.sub(" ", name).replace("_", " ").lower()
    return spaced.removesuffix(" at") or name


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _text(name: str, value: Any, render: RenderContext) -> SafeText:
    """Return a value without a column."""
    match value:
        case _ if value in _EMPTY:
            return wording.dash(render)
        case bool():
            return clean("yes" if value else "no")
        case int() | float() | str() if name.lower().endswith(_TIMES) and wording.at(value) is not None:
            return wording.clock(wording.at(value), render)
        case int() | float():
            return wording.count(value, render)
        case str():
            return clean(wording.name(value, render) or value, _LONGEST)
        case list():
            entries = cast("list[Any]", value)
            if all(isinstance(entry, str | int | float) for entry in entries[:_MOST_PARTS]):
                return clean(
                    ", ".join(wording.name(str(entry), render) or "" for entry in entries[:_MOST_PARTS]), _LONGEST
                )
            return clean(wording.plural(len(entries), "entry"))
        case _:
            return clean(json.dumps(value, ensure_ascii=False, default=str)[: 2 * _LONGEST], _LONGEST)
