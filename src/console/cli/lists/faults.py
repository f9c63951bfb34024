"""Errors in a configuration's columns and views: references to unknown lists and columns, and wrong filters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from console.cli.lists.resources import listed, table_of
from console.config.reader import Loaded
from console.config.settings import nearest
from console.config.toml_source import FileProblem
from console.kinds.tables import TABLES
from console.views.filter import FilterFault, parse
from console.views.table import Table


def list_faults(loaded: Loaded) -> Iterator[FileProblem]:
    """Yield the errors in the columns and views of all lists."""
    yield from _column_faults(loaded)
    yield from _view_faults(loaded)


def _column_faults(loaded: Loaded) -> Iterator[FileProblem]:
    for kind, columns in loaded.config.columns.items():
        yield from _faults_of_columns(loaded, ("columns", kind), kind, columns)


def _view_faults(loaded: Loaded) -> Iterator[FileProblem]:
    for kind, views in loaded.config.views.items():
        for name, view in views.items():
            place = ("views", kind, name)
            sorted_by = (view.sort.removeprefix("-"),) if view.sort else ()
            yield from _faults_of_columns(loaded, (*place, "columns"), kind, view.columns)
            table = _table(kind)
            if table is None:
                continue
            yield from _faults_of_columns(loaded, (*place, "sort"), kind, sorted_by)
            try:
                parse(view.filter, table)
            except FilterFault as fault:
                yield loaded.problem((*place, "filter"), str(fault))


def _table(kind: str) -> Table[Any] | None:
    """Return the table of a list, including the administrator's resources, or None."""
    if kind in TABLES:
        return TABLES[kind]
    return table_of(kind) if kind in listed() else None


def _faults_of_columns(
    loaded: Loaded, place: tuple[str | int, ...], kind: str, columns: Sequence[str]
) -> Iterator[FileProblem]:
    table = _table(kind)
    if table is None:
        yield loaded.problem(place[:2], f"is not a list{nearest(kind, TABLES)}")
        return
    known = [column.id for column in table.columns]
    for at, name in enumerate(columns):
        if name not in known:
            yield loaded.problem((*place, at), f"{kind} have no column {name!r}{nearest(name, known)}")
        elif name in columns[:at]:
            yield loaded.problem((*place, at), f"{name!r} is repeated")
