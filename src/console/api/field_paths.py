"""Check paths of a routes file against the fields of a record or of an input."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

from console.api.values import items, only_list
from console.records.fields import resolved_fields
from console.records.members import ENTRIES
from console.records.record import Record
from console.settings import nearest


def wrong_path(kind: type[Record], path: str, *, entries: bool = True, deeper: bool = False) -> str | None:
    """Return what is wrong with a path to a field of a record, or None.

    With `entries`, a path must lead into lists by `[]`. Records keep unknown fields, so only a name that resembles
    a known one is wrong below the first.
    """
    first, _, rest = path.partition(".")
    name, brackets, more = first.partition(ENTRIES)
    wires = {wire: each for each in resolved_fields(kind).values() for wire in each.wires}
    if more or not name:
        return f"{first} is not a name"
    if name not in wires:
        if deeper and not get_close_matches(name, list(wires), n=1, cutoff=0.75):
            return None
        return f"{name} is not a field of {'the answer' if entries else 'the input'}{nearest(name, wires)}"
    return wrong_below(wires[name].annotation, name, bool(brackets), rest, entries=entries)


def wrong_below(annotation: Any, name: str, brackets: bool, rest: str, *, entries: bool = True) -> str | None:
    """Return what is wrong with the rest of a path below a value of this type, or None."""
    several = only_list(annotation)
    if brackets and not several:
        return f"{name} is not a list"
    if rest and several and not brackets and entries:
        return f"{name} is a list: write {name}{ENTRIES}.{rest}"
    inner = [each for each in items(annotation) if isinstance(each, type) and issubclass(each, Record)]
    return wrong_path(inner[0], rest, entries=entries, deeper=True) if rest and inner else None
