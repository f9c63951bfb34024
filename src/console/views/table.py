"""What is declared once about a kind of record: its columns, order, totals, detail and relations."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, Literal, TypeVar

from console.frozen import Frozen, field
from console.records.record import Record
from console.text import SafeText
from console.views.cell import Cell, Line, Section
from console.views.render_context import RenderContext

R = TypeVar("R", bound=Record)

Value = str | int | float | bool | None
"""What a column holds: what is sorted, filtered and exported. None sorts last either way."""

Kind = Literal["text", "number", "age", "time", "flag"]
"""`age` is milliseconds since something began; `time` is ms since the epoch."""


class Column(Frozen, Generic[R]):
    """One column; it serves the list, the picker, sorting, filtering, detail, export and the headless commands."""

    id: str
    title: str
    width: int
    """Cells it needs; `grows` ones share what is left."""
    value: Callable[[R, RenderContext], Value]
    """What it holds, raw: remote text is cleaned only in `cell`."""
    cell: Callable[[R, RenderContext], Cell]
    """How it reads."""
    kind: Kind = "text"
    priority: int = 0
    """0 never goes; the higher, the earlier it is left out when the terminal is narrow. 9 is shown only when chosen."""
    grows: bool = False
    right: bool = False
    ticks: bool = False
    """Whether it changes by time alone, as an age does."""
    about: str = ""
    sort: Callable[[R, RenderContext], Value] | None = None
    """What is sorted by in place of `value`: of an age the moment it counts from, so that rows keep their place while
    it ticks."""
    rank: Callable[[R, RenderContext], int] | None = None
    """Rows of a lower rank come first whichever way it is sorted: live calls before ended ones."""
    also: Callable[[R, RenderContext], tuple[str, ...]] | None = None
    """Other words by which a filter finds it: the address behind a name."""
    aliases: tuple[str, ...] = ()
    """Other names of it in a filter."""
    closed: bool = False
    """Whether it holds one of a few words: `state:queue` then matches from the start of the word, not inside it."""


class Link(Frozen):
    """A way from one record to another: `user` of a call to the presence of that address."""

    title: str
    kind: str
    key: str


def _no_lines(_records: Iterable[Record], _render: RenderContext) -> Line:
    return ()


def _no_links(_record: Record, _render: RenderContext) -> tuple[Link, ...]:
    return ()


class Table(Frozen, Generic[R]):
    """A kind of record as people see it."""

    kind: str
    """`calls`, `alerts`, ...: the name used by feeds, screens, actions and `console list`."""
    title: str
    one: str
    """What one of them is called: `call`."""
    columns: tuple[Column[R], ...]
    order: str
    """Column to sort by at first; `-id` for descending."""
    name: Callable[[R, RenderContext], SafeText]
    """What a record is called in a sentence."""
    detail: Callable[[R, RenderContext], tuple[Section, ...]]
    totals: Callable[[Iterable[R], RenderContext], Line] = field(default=_no_lines)
    links: Callable[[R, RenderContext], tuple[Link, ...]] = field(default=_no_links)
    copies: Callable[[R], str] | None = None
    """What `y` copies; the key if None."""
    follows: tuple[str, ...] = ()
    """Other kinds whose changes alter what is read, and sorted by, here: the online members of a group."""

    def column(self, column_id: str) -> Column[R]:
        """Return the column of that id. Raises KeyError."""
        for column in self.columns:
            if column.id == column_id:
                return column
        raise KeyError(column_id)
