"""The rows of a list on a screen: filtered, sorted, and updated by each change.

A changed row costs a bisection, not a sort; a row whose text changed but not its position is only named in
`Change.dirty`. Independent of the terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache
from typing import Generic, TypeVar, cast

from console.base.frozen import replace
from console.records.indexed import RecordDelta
from console.records.record import Record
from console.views import wording
from console.views.cell import Line
from console.views.changes import NOTHING, Pending, Repaint
from console.views.columns import RunningTotals
from console.views.filter import Filter
from console.views.render_context import RenderContext
from console.views.rows import FilteredRows, Order, Place, PrecomputedView, RowFilter, Rows, ViewState
from console.views.table import Column, Table
from console.views.terms import Haystacks

__all__ = ["LARGE", "NOTHING", "Repaint", "View"]

R = TypeVar("R", bound=Record)

LARGE = 1000
"""Above this number of rows, functions that iterate over all of them do not run on every beat, nor for a key."""
_FEW = 8
"""If more than one row in this many changes, sorting the nearly sorted list is faster than moving rows one by one."""


class View(Generic[R]):
    """The rows of one list. Not thread-safe: belongs to the screen's thread."""

    def __init__(self, table: Table[R], render: RenderContext) -> None:
        self.table = table
        self.columns: tuple[Column[R], ...] = tuple(column for column in table.columns if column.priority < 9)
        """The chosen columns in order; the widget decides which of them fit."""
        self.filter: Filter[R] | None = None
        self.cursor: str | None = None
        """The key on which the cursor was put; its row may be gone, see `cursor_key`."""
        self.selection: frozenset[str] = frozenset()
        """The selected keys; the widget sets and paints them."""
        self.opened: R | None = None
        """The record that is open over the list: keys act on it, wherever the cursor goes."""
        self._render_context = render
        self._order = Order(table, table.order)
        self._hays = Haystacks(table.columns)
        totals: object = table.totals
        self._running_totals = cast("RunningTotals[R]", totals) if isinstance(totals, RunningTotals) else None
        self._now = ViewState(self._running_totals, self._hays)
        self._keys: list[str] | None = []
        self._pending: Pending[R] | None = None
        self._edition = 0
        self._turn = 0
        self._totals: tuple[object, Line] | None = None
        self._changed = False
        self._sizes = self._known_sizes()
        self._refreshed_ms = render.now_ms

    # -- reading -------------------------------------------------------------------------------------------------

    @property
    def render_context(self) -> RenderContext:
        """The context of rendering; changed by `tick` and `look`."""
        return self._render_context

    @property
    def keys(self) -> Sequence[str]:
        """The matching keys, in order."""
        if self._keys is None:
            self._keys = [row[-1] for row in self._now.rows]
        return self._keys

    @property
    def matched(self) -> int:
        """Number of matching records."""
        return len(self._now.rows)

    @property
    def total(self) -> int:
        """Number of records."""
        return len(self._now.records)

    @property
    def records(self) -> Mapping[str, R]:
        """All records by key, matching or not."""
        return self._now.records

    def record(self, key: str | None) -> R | None:
        """Return a record by key, or None."""
        return None if key is None else self._now.records.get(key)

    @property
    def cursor_key(self) -> str | None:
        """The key of the record under the cursor; None without rows."""
        return self.nearest(self.cursor)

    @property
    def cursor_record(self) -> R | None:
        """The record that is open over the list, or the one under the cursor; None without rows."""
        return self.record(self.nearest(self.cursor)) if self.opened is None else self.opened

    def acted_on(self, *, many: bool) -> list[R]:
        """Return the opened record; the selected ones if `many` and there are any; the one under the cursor."""
        if many and self.selection and self.opened is None:
            return [self._now.records[key] for key in self.keys if key in self.selection]
        record = self.cursor_record
        return [] if record is None else [record]

    def shown(self) -> Iterator[R]:
        """Iterate over the matching records, in order."""
        return (self._now.records[row[-1]] for row in self._now.rows)

    def key_at(self, index: int) -> str | None:
        """Return the key of a row by its number from 0, or None."""
        window = self._now.rows.window(index, 1)
        return window[0][-1] if window else None

    def window(self, top: int, height: int) -> list[str]:
        """Return this many keys from this row on."""
        return [row[-1] for row in self._now.rows.window(top, height)]

    def index(self, key: str | None) -> int | None:
        """Return the number of the row with this key, or None if it does not match."""
        now = self._now
        return now.rows.number(now.places[key]) if key in now.places and key not in now.hidden else None

    def nearest(self, key: str | None) -> str | None:
        """Return the key for a cursor that was on `key`.

        The key itself while it is in the list; otherwise the row that took its place, after it was removed by the last
        change or excluded by the filter; or the last row.
        """
        now = self._now
        if (key in now.places and key not in now.hidden) or not now.rows:
            return key if now.rows else None
        place = None if key is None else now.places.get(key) or now.departed.get(key)
        return self.key_at(0 if place is None else min(now.rows.number(place), len(now.rows) - 1))

    def totals(self) -> Line:
        """Return the totals of all records; for large tables without running totals, at most once a second."""
        second, state = self._render_context.now_ms // 1000, self._now.totals
        if self._running_totals is not None:
            of = second, state.earliest, *state.counts.items()
            if self._totals is None or self._totals[0] != of:
                self._totals = of, self._running_totals.line(state, self._render_context)
        elif self._totals is None or self._totals[0] != second or (self._changed and len(self._now.records) <= LARGE):
            self._changed = False
            self._totals = second, self.table.totals(self._now.records.values(), self._render_context)
        return self._totals[1]

    # -- changes of records --------------------------------------------------------------------------------------

    def apply(self, delta: RecordDelta[R], precomputed: PrecomputedView[R] | None = None) -> Repaint:
        """Apply changes of the collection; during a pause, keep them until `resume`.

        `precomputed` is the result of `precompute(delta)` for the same changes, if available.
        """
        if self._pending is not None:
            self._pending.add(delta)
            return NOTHING
        return self._take(delta, precomputed)

    def precompute(self, delta: RecordDelta[R]) -> Callable[[], PrecomputedView[R]]:
        """Return a function that filters and sorts the changed rows in any thread; `apply` takes its result."""
        row_filter, edition, turn, state = self._filter_now(), self._edition, self._turn, self._now.copy()

        def made() -> PrecomputedView[R]:
            filtered_rows = row_filter.filter(delta.upserts, state.records).in_order()
            gone = _gone(delta, state.records)
            change = state.merge(delta.upserts, filtered_rows, gone, filtered=row_filter.wanted is not None)
            return PrecomputedView(row_filter, edition, turn, filtered_rows, state, change)

        return made

    def _filter_now(self) -> RowFilter[R]:
        share = self._running_totals.share if self._running_totals is not None else None
        return RowFilter(self._order, self.filter, self._render_context, self._hays, share)

    def tick(self, now_ms: int) -> Repaint:
        """Set the time. Only rows whose match may depend on it are filtered again.

        Cells of ticking columns are not in the change: the widget knows these columns. All rows are filtered again when
        many more of the records with names were loaded, and periodically in tables that follow other kinds.
        """
        if self._pending is not None or now_ms == self._render_context.now_ms:
            return NOTHING
        back = now_ms < self._render_context.now_ms
        self._render_context = replace(self._render_context, now_ms=now_ms)
        if self._outdated():
            return self.refresh()
        if self.filter is None or not self.filter.ticks:
            return NOTHING
        due = (
            list(self._now.records) if back else [key for key in self._now.due.take(now_ms) if key in self._now.records]
        )
        return self._filter_again(due, {})

    def look(self, render: RenderContext) -> Repaint:
        """Change the context: time zone, symbols, other kinds. All rows are filtered again."""
        self._render_context = render
        return self.refresh()

    def refresh(self) -> Repaint:
        """Filter all rows again, for example after a change of records with their names."""
        self._hays.forget()
        self._totals = None
        change = self._refile(list(self._now.records))
        return replace(change, dirty=frozenset(self.keys))

    # -- changes of filter, order and columns ---------------------------------------------------------------------

    def set_filter(self, wanted: Filter[R] | None) -> Repaint:
        """Set the filter; None shows all rows."""
        self.filter = None if wanted is not None and wanted.empty else wanted
        self._now.due.clear()
        return self._filter_again(self._now.records, {})

    def text_reading(self) -> Callable[[], None]:
        """Return a function that reads the texts of all rows in any thread, so that `set_filter` has them."""
        records, render, hays = list(self._now.records.values()), self._render_context, self._hays

        def read() -> None:
            for record in records:
                hays.of(record, render)

        return read

    @property
    def sort(self) -> tuple[str, bool]:
        """The id of the sort column, and whether the order is descending."""
        return self._order.column.id, self._order.descending

    def set_sort(self, column_id: str, descending: bool = False) -> Repaint:
        """Sort by a column. Raise KeyError."""
        self._order = Order(self.table, f"-{column_id}" if descending else column_id)
        now, order = self._now, self._order
        now.departed = {}
        now.places = {key: order.place(record, key, self._render_context) for key, record in now.records.items()}
        now.rows = Rows(place for key, place in now.places.items() if key not in now.hidden)
        self._note(moved=True)
        return Repaint(moved=True)

    def set_columns(self, column_ids: Iterable[str]) -> Repaint:
        """Choose columns and their order. Raise KeyError; an empty choice changes nothing."""
        chosen = tuple(self.table.column(fromkey) for fromkey in dict.fromkeys(column_ids))
        self.columns = chosen or self.columns
        return Repaint(dirty=frozenset(self.keys), moved=True)

    # -- pause ---------------------------------------------------------------------------------------------------

    @property
    def paused(self) -> bool:
        """Whether the list is paused."""
        return self._pending is not None

    @property
    def behind(self) -> int:
        """Number of records added, changed or removed since the pause."""
        return 0 if self._pending is None else self._pending.behind(self._now.records)

    def pause(self) -> None:
        """Pause: keep changes, and stop the time."""
        if self._pending is None:
            self._pending = Pending()

    def resume(self) -> Repaint:
        """Continue, and apply the changes since the pause."""
        pending, self._pending = self._pending, None
        if pending is None:
            return NOTHING
        return self._take(pending)

    # -- implementation ------------------------------------------------------------------------------------------

    def _take(self, delta: RecordDelta[R], precomputed: PrecomputedView[R] | None = None) -> Repaint:
        filtered_by = None if precomputed is None else (precomputed.row_filter.order, precomputed.row_filter.wanted)
        if precomputed is None or filtered_by != (self._order, self.filter):
            change = self._merge(delta, self._filter_now().filter(delta.upserts, self._now.records))
        elif precomputed.turn == self._turn:
            precomputed.former, self._now, change = self._now, precomputed.state, precomputed.change
        elif precomputed.edition == self._edition:
            change = self._merge(delta, precomputed.filtered_rows)
        else:
            change = self._merge(delta, self._filter_now().filter(delta.upserts, self._now.records))
        if delta.whole or delta.upserts or delta.removes:
            self._changed = True
            self._edition += 1
        self._note(change.moved)
        return change

    def _merge(self, delta: RecordDelta[R], filtered_rows: FilteredRows) -> Repaint:
        gone = _gone(delta, self._now.records)
        return self._now.merge(delta.upserts, filtered_rows, gone, filtered=self.filter is not None)

    def _note(self, moved: bool) -> None:
        """Note a change of content."""
        self._turn += 1
        if moved:
            self._keys = None

    def _refile(self, keys: Sequence[str]) -> Repaint:
        """Filter and sort unchanged rows again."""
        self._sizes = self._known_sizes()
        self._refreshed_ms = self._render_context.now_ms
        records = self._now.records
        return self._filter_again(
            keys, {key: self._order.place(records[key], key, self._render_context) for key in keys}
        )

    def _filter_again(self, keys: Iterable[str], places: Mapping[str, Place]) -> Repaint:
        """Filter rows again; those not in `places` keep their position."""
        now, matched, wanted = self._now, self.matched, self.filter
        ticks = wanted is not None and wanted.ticks
        # One snapshot of each kind is enough for all rows.
        render = replace(self._render_context, lookup=cache(self._render_context.lookup))
        leaving: set[str] = set()
        arriving: list[Place] = []
        moved: dict[str, Place] = {}
        for key in keys:
            place = places.get(key) or now.places[key]
            was, matches = key not in now.hidden, True
            if wanted is not None:
                matches, again = wanted.evaluate(now.records[key], render, self._hays)
                if ticks:
                    now.due.put(key, again)
            stays = place == now.places[key]
            if not stays:
                moved[key] = place
            if was and not (stays and matches):
                leaving.add(key)
            if matches:
                now.hidden.discard(key)
            else:
                now.hidden.add(key)
            if matches and not (stays and was):
                arriving.append(place)
        now.move(leaving, arriving)
        now.places.update(moved)
        self._note(bool(leaving or arriving))
        dirty = frozenset(place[-1] for place in arriving)
        return Repaint(dirty, moved=bool(leaving or arriving), counts=matched != self.matched)

    def _outdated(self) -> bool:
        """Return whether other kinds changed so that these rows may have another text."""
        # Whole seconds: ticking cells are read then anyway.
        seconds = abs(self._render_context.now_ms // 1000 - self._refreshed_ms // 1000)
        if self.table.follows and seconds >= max(1, len(self._now.records) / 1000):
            return True
        return abs(self._known_sizes() - self._sizes) * _FEW > self._sizes

    def _known_sizes(self) -> int:
        lookup = self._render_context.lookup
        return sum([len(lookup(kind)) for kind in wording.NAMING])


def _gone(delta: RecordDelta[R], records: Mapping[str, R]) -> Set[str]:
    """Return the keys of records that a difference removes."""
    return records.keys() - delta.upserts.keys() if delta.whole else delta.removes - delta.upserts.keys()
