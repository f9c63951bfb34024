"""Inputs with several entries: participants, numbers, services by name. Each entry has fields.

Pure functions: from a value to entries and back, and from an entry to a line.
"""

from __future__ import annotations

import json
import types
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Annotated, Any, Union, cast, get_args, get_origin

from console.base.frozen import Frozen
from console.base.secrets import is_secret
from console.commands.csv_rows import csv_rows
from console.records.fields import resolved_fields
from console.records.record import Record
from console.views.wording import capitalized

HIDDEN = "••••••"
"""Text for a secret of any length."""


class NamedValue(Record):
    """A member of an object with arbitrary names."""

    name: str
    value: Any = None


class NamedTexts(Record):
    """A named list of texts, such as the settings of a service of a domain."""

    name: str
    values: tuple[str, ...] = ()


class Entries(Frozen):
    """Conversion of an input's value to entries and back."""

    record: type[Record]
    """The record class of an entry."""
    bare: str = ""
    """The wire name of the field for entries that are plain texts; empty if there are none."""
    member: str = ""
    """For an object with arbitrary names: the wire name of the field with a member's value; otherwise empty."""

    def apart(self, value: Any) -> list[Any]:
        """Return the entries of a value, in order."""
        if self.member:
            members: Mapping[str, Any] = cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}
            return [{"name": name, self.member: member} for name, member in members.items()]
        return list(cast("Sequence[Any]", value)) if isinstance(value, list | tuple) else []

    def together(self, entries: Sequence[Any]) -> Any:
        """Return the value of entries. Raise ValueError if two members have the same name."""
        if not self.member:
            return list(entries)
        values: dict[str, Any] = {}
        for entry in entries:
            if entry["name"] in values:
                raise ValueError(f"{entry['name']} is there twice")
            values[entry["name"]] = entry.get(self.member)
        return values

    def opened(self, entry: Any) -> dict[str, Any]:
        """Return the fields of an entry by wire name."""
        if isinstance(entry, Mapping):
            return dict(cast("Mapping[str, Any]", entry))
        return {self.bare: entry} if self.bare and isinstance(entry, str) else {}

    def closed(self, fields: Mapping[str, Any], beside: Sequence[Any]) -> Any:
        """Return the entry with these fields: a plain text if all others are, and no other field is set."""
        texts = bool(beside) and all(isinstance(item, str) for item in beside)
        return fields[self.bare] if texts and set(fields) == {self.bare} else dict(fields)

    def pasted(self, text: str) -> list[Any]:
        """Parse entries from lines of CSV: in the order of the fields, or of a header with their names.

        Raise ValueError with a sentence if not all lines can be read.
        """
        wires = {name: field.wire for name, field in resolved_fields(self.record).items()}
        names = {spelling.lower().replace("_", " "): wire for name, wire in wires.items() for spelling in (name, wire)}
        order = list(wires.values())
        if self.bare:
            order = [self.bare, *(value for value in order if value != self.bare)]
        delimiter = next((value for value in ("\t", ";") if value in text.partition("\n")[0]), ",")
        rows, fault = csv_rows(text, delimiter)
        if fault:
            raise ValueError(f"{capitalized(fault)}.")
        rows = [row for row in rows if any(row)]
        if rows and all(cell.lower().replace("_", " ") in names for cell in rows[0]):
            order = [names[cell.lower().replace("_", " ")] for cell in rows.pop(0)]
        return [{name: cell for name, cell in zip(order, row, strict=False) if cell} for row in rows]


def entries_in(annotation: Any) -> Entries | None:
    """Return the entries of an annotation; None unless it is a list of records or an object."""
    origin, inside = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return entries_in(inside[0])
    if origin in {Union, types.UnionType}:
        left = [item for item in inside if item is not types.NoneType]
        return entries_in(left[0]) if len(left) == 1 else None
    if origin is dict:
        texts = get_origin(inside[1]) in {tuple, list} and get_args(inside[1])[0] is str
        return Entries(NamedTexts, member="values") if texts else Entries(NamedValue, member="value")
    if origin not in {tuple, list} or not inside:
        return None
    of = get_args(inside[0]) or (inside[0],)
    records = [item for item in of if isinstance(item, type) and issubclass(item, Record)]
    if len(records) != 1 or {*of} - {records[0], str}:
        return None
    return Entries(records[0], bare="value" if str in of else "")


def line_of(entry: Any, *, secret: bool = False) -> str:
    """Return the raw values of an entry on one line; a secret is hidden."""
    if not isinstance(entry, Mapping):
        return HIDDEN if secret else str(entry)
    return "  ".join(_values(cast("Mapping[str, Any]", entry), secret))


def _values(entry: Mapping[str, Any], secret: bool) -> Iterator[str]:
    for at, (name, value) in enumerate(entry.items()):
        if value is None:
            yield f"{name}: (none)"
            continue
        if value in ("", False, [], {}):
            continue
        hidden = is_secret(name) or (name == "value" and is_secret(str(entry.get("name"))))
        if hidden or (secret and (at or name != "name")):
            yield HIDDEN
        elif value is True:
            yield name
        elif isinstance(value, list):
            many = cast("list[Any]", value)
            texts = all(isinstance(item, str) for item in many)
            yield ", ".join(cast("list[str]", many)) if texts else f"{len(many)} {name}"
        elif isinstance(value, Mapping):
            yield json.dumps(value, ensure_ascii=False)
        else:
            yield str(value)


_COMPARED = 2_000
"""Longest lists that are compared by position: the cost grows with the product of their lengths."""


def _taken(left: Counter[str], key: str) -> bool:
    """Take one item of a sort; return whether one was left."""
    left[key] -= 1
    return left[key] >= 0


def changes(before: Sequence[Any], after: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
    """Yield pairs of old and new entries; None on the left is an added one, None on the right a removed one.

    Lists that are too long to compare by position yield only added and removed entries.
    """
    old, new = ([json.dumps(item, sort_keys=True, default=str) for item in many] for many in (before, after))
    if len(old) + len(new) > 2 * _COMPARED:
        gone, came = Counter(old) - Counter(new), Counter(new) - Counter(old)
        yield from ((item, None) for item, key in zip(before, old, strict=True) if _taken(gone, key))
        yield from ((None, item) for item, key in zip(after, new, strict=True) if _taken(came, key))
        return
    for what, left, left_end, right, right_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what == "equal":
            continue
        was, now = list(before[left:left_end]), list(after[right:right_end])
        longest = max(len(was), len(now))
        was += [None] * (longest - len(was))
        now += [None] * (longest - len(now))
        yield from zip(was, now, strict=True)
