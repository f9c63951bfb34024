"""Declaration of a table: columns, order, totals, detail and relations of a kind."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Generic, Literal, TypeVar

from console.base.frozen import Frozen, field
from console.base.text import SafeText
from console.config.schema import SavedView
from console.records.record import Record
from console.views.cell import Cell, Line, Section
from console.views.render_context import RenderContext

R = TypeVar("R", bound=Record)

Value = str | int | float | bool | None
"""Value of a column, for sorting, filtering and export. None is always sorted last."""

Kind = Literal["text", "number", "age", "time", "flag"]
"""`age` is milliseconds since a moment; `time` is ms since the epoch."""


class Column(Frozen, Generic[R]):
    """A column for list, picker, sorting, filtering, detail, export and the command line."""

    id: str
    title: str
    width: int
    """Width in cells; columns that grow share the remaining space."""
    value: Callable[[R, RenderContext], Value]
    """Its raw value; text from outside is cleaned only in `cell`."""
    cell: Callable[[R, RenderContext], Cell]
    """Its text."""
    kind: Kind = "text"
    priority: int = 0
    """0 is never hidden; of the others, higher ones are hidden first in a narrow terminal. 9 is hidden by default."""
    grows: bool = False
    right: bool = False
    ticks: bool = False
    """Whether it changes with time, as an age does."""
    expires: bool = False
    """Whether it changes at a certain time, as the state of a session does that expires."""
    about: str = ""
    sort: Callable[[R, RenderContext], Value] | None = None
    """Sort key instead of `value`: for an age its start, so that rows keep their positions."""
    rank: Callable[[R, RenderContext], int] | None = None
    """Rows of a lower rank come first in both directions: live calls before ended ones."""
    also: Callable[[R, RenderContext], tuple[str, ...]] | None = None
    """Additional texts that a filter matches: the address of a name."""
    aliases: tuple[str, ...] = ()
    """Other names in filters."""
    certain: bool = False
    """Whether it is None where it is not known: all other values are certain, whatever else cannot be read."""
    closed: bool = False
    """Whether it has a fixed set of values: `state:queue` then matches from the start of the word only."""
    repeats: bool = False
    """Whether other columns have its texts too: a word without a field is not searched here again."""
    shows: str = ""
    """The wire name of the field that it shows, if neither its id nor an alias is that name."""


class Link(Frozen):
    """A link to another record: from `user` of a call to the presence of that address; or to a filtered list."""

    title: str
    kind: str
    key: str
    filter: str = ""
    """The filter of the list, for a link without a key."""


def _nothing(_of: object, _render: RenderContext) -> tuple[()]:
    return ()


class Table(Frozen, Generic[R]):
    """The table of a kind."""

    kind: str
    """`calls`, `alerts`, ...: the name in feeds, screens, actions and `console list`."""
    title: str
    one: str
    """Word for one record: `call`."""
    columns: tuple[Column[R], ...]
    order: str
    """Default sort column; `-id` for descending."""
    name: Callable[[R, RenderContext], SafeText]
    """Name of a record in a sentence."""
    detail: Callable[[R, RenderContext], tuple[Section, ...]]
    related: Callable[[R, RenderContext], tuple[Section, ...]] = _nothing
    """Sections with related records: of an opened record, and beside a list where the detail is high enough."""
    totals: Callable[[Collection[R], RenderContext], Line] = _nothing
    links: Callable[[R, RenderContext], tuple[Link, ...]] = _nothing
    copies: Callable[[R], str] | None = None
    """Text that `y` copies; the key if None."""
    combined: Callable[[RenderContext], Mapping[str, R]] | None = None
    """Returns all records by key, for a kind of which the records of others show some: chats of other agents."""
    follows: tuple[str, ...] = ()
    """Other kinds on which values or order depend, such as the online members of a group."""
    self_changing: frozenset[str] = frozenset()
    """Wire names of fields that change without an event, such as counters of the last minutes: not a change."""
    views: Mapping[str, SavedView] = field(default_factory=dict[str, SavedView])
    """Predefined views by name, for common questions of administrators."""

    def column(self, column_id: str) -> Column[R]:
        """Return the column with this id. Raise KeyError."""
        for column in self.columns:
            if column.id == column_id:
                return column
        raise KeyError(column_id)
