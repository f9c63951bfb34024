"""What one list on a screen shows of a collection: filtered, in order, and kept so change by change.

A changed row costs a bisection of the order, not a sort; a row whose words changed but not its place costs nothing
but being named in `Change.dirty`. Nothing here knows a terminal.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Generic, TypeVar, cast

from console.records.record import Record
from console.tables.ahead import Ahead, Judge, Judged
from console.tables.cell import Line
from console.tables.changes import NOTHING, Change, Difference, Pending
from console.tables.due import Due
from console.tables.filter import Filter
from console.tables.order import Order, Place
from console.tables.sight import Sight
from console.tables.table import Column, Table
from console.tables.tally import Tally
from console.tables.terms import Haystacks

__all__ = ["LARGE", "NOTHING", "Change", "Difference", "View"]

R = TypeVar("R", bound=Record)

LARGE = 1000
"""Rows above which what takes a look at each of them is not done on every beat, nor where a key would wait for it."""
_FEW = 8
"""Above one row in this many, sorting the nearly sorted list afresh beats moving rows one by one."""


_NAMING = ("users", "presence", "agents")
"""Kinds by which other records are named."""


class View(Generic[R]):
    """The rows of one list. Not thread-safe: it belongs to the screen's thread."""

    def __init__(self, table: Table[R], sight: Sight, order: str | None = None) -> None:
        self.table = table
        self.columns: tuple[Column[R], ...] = tuple(each for each in table.columns if each.priority < 9)
        """The columns chosen, in the order chosen; which of them fit is the widget's concern."""
        self.filter: Filter[R] | None = None
        self._sight = sight
        self._order = Order(table, order or table.order)
        self._records: dict[str, R] = {}
        self._places: dict[str, Place] = {}
        self._rows: list[Place] = []
        self._shown: set[str] = set()
        self._keys: list[str] | None = []
        self._departed: dict[str, Place] = {}
        self._due = Due()
        self._hays = Haystacks(table.columns)
        self._pending: Pending[R] | None = None
        self._edition = 0
        self._totals: tuple[int, Line] | None = None
        self._changed = False
        totals: object = table.totals
        self._tally = cast("Tally[R]", totals) if isinstance(totals, Tally) else None
        self._shares: Counter[Any] = Counter()
        self._sizes = self._known_sizes()
        self._refreshed_ms = sight.now_ms

    # -- reading -------------------------------------------------------------------------------------------------

    @property
    def sight(self) -> Sight:
        """From where the rows are looked at; moved by `tick` and `look`."""
        return self._sight

    @property
    def keys(self) -> Sequence[str]:
        """The keys that match, in order."""
        if self._keys is None:
            self._keys = [row[-1] for row in self._rows]
        return self._keys

    @property
    def matched(self) -> int:
        """How many records match the filter."""
        return len(self._rows)

    @property
    def total(self) -> int:
        """How many records there are."""
        return len(self._records)

    @property
    def records(self) -> Mapping[str, R]:
        """All records by key, whether they match or not."""
        return self._records

    def record(self, key: str | None) -> R | None:
        """Return a record by key, if it is there."""
        return None if key is None else self._records.get(key)

    def shown(self) -> Iterator[R]:
        """Iterate over the records that match, in order."""
        return (self._records[row[-1]] for row in self._rows)

    def key_at(self, index: int) -> str | None:
        """Return the key of a row by its number from 0, None outside the list."""
        return self._rows[index][-1] if 0 <= index < len(self._rows) else None

    def window(self, top: int, height: int) -> list[str]:
        """Return the keys of so many rows from that one on."""
        return [row[-1] for row in self._rows[top : top + height]]

    def index(self, key: str | None) -> int | None:
        """Return the number of the row with that key, None if it does not match or is not there."""
        return bisect_left(self._rows, self._places[key]) if key is not None and key in self._shown else None

    def nearest(self, key: str | None) -> str | None:
        """Return the key that a cursor on `key` should be on now.

        That is the key itself while it is in the list; else the row that took its place, be it that it went with the
        last change, or that it does not match the filter; else, at the end, the last row.
        """
        if not self._rows:
            return None
        if key is None:
            return self._rows[0][-1]
        if key in self._shown:
            return key
        place = self._places.get(key) or self._departed.get(key)
        if place is None:
            return self._rows[0][-1]
        return self._rows[min(bisect_left(self._rows, place), len(self._rows) - 1)][-1]

    def totals(self) -> Line:
        """Return the table's totals over all records: of many that must be counted afresh, as of this second."""
        second = self._sight.now_ms // 1000
        if self._totals is None or self._totals[0] != second or (self._changed and self._totals_are_cheap()):
            self._changed = False
            tally = self._tally
            said = tally.line(+self._shares, self._sight) if tally is not None else self._counted_afresh()
            self._totals = second, said
        return self._totals[1]

    def _counted_afresh(self) -> Line:
        return self.table.totals(self._records.values(), self._sight)

    def _totals_are_cheap(self) -> bool:
        return self._tally is not None or len(self._records) <= LARGE

    # -- what is known changes -----------------------------------------------------------------------------------

    def apply(self, delta: Difference[R], ahead: Ahead[R] | None = None) -> Change:
        """Take what changed in the collection; while paused it is kept until `resume`.

        `ahead` is what `ahead` made of the same difference, if somebody had the time.
        """
        if self._pending is not None:
            self._pending.add(delta)
            return NOTHING
        return self._take(delta, ahead)

    def ahead(self, delta: Difference[R]) -> Callable[[], Ahead[R]]:
        """Return what judges the rows of a difference and puts them in order, on any thread, for `apply`."""
        judge, edition, known = self._judge_now(), self._edition, self._records
        return lambda: Ahead(judge.judged(delta.upserts, known).in_order(), judge, edition)

    def _judge_now(self) -> Judge[R]:
        share = self._tally.of if self._tally is not None else None
        return Judge(self._order, self.filter, self._sight, self._hays, share)

    def tick(self, now_ms: int) -> Change:
        """Move the time on. Only rows whose match depends on it and may differ by now are looked at.

        Cells of ticking columns are not named in the change: the widget knows which columns tick. When many more
        people became known by whom rows are named, and now and then in tables that follow other kinds, all rows are
        judged again.
        """
        if self._pending is not None or now_ms == self._sight.now_ms:
            return NOTHING
        back = now_ms < self._sight.now_ms
        self._sight = replace(self._sight, now_ms=now_ms)
        if self._outdated():
            return self.refresh()
        if self.filter is None or not self.filter.ticks:
            return NOTHING
        due = list(self._records) if back else [key for key in self._due.take(now_ms) if key in self._records]
        return self._judge(due, {})

    def look(self, sight: Sight) -> Change:
        """Look from elsewhere: another zone, other symbols, other known kinds. Every row is judged again."""
        self._sight = sight
        return self.refresh()

    def refresh(self) -> Change:
        """Judge every row again, as when records of another kind changed by which these are named."""
        self._hays.forget()
        self._changed = True
        change = self._refile(list(self._records))
        return replace(change, dirty=frozenset(self._shown))

    # -- what is wanted changes ----------------------------------------------------------------------------------

    def set_filter(self, wanted: Filter[R] | None) -> Change:
        """Show only what matches; None shows everything."""
        self.filter = None if wanted is not None and wanted.empty else wanted
        self._due.clear()
        return self._judge(self._records, {})

    @property
    def sort(self) -> tuple[str, bool]:
        """The id of the column that is sorted by, and whether descending."""
        return self._order.column.id, self._order.descending

    def set_sort(self, column_id: str, descending: bool = False) -> Change:
        """Sort by a column. Raises KeyError."""
        self._order = Order(self.table, f"-{column_id}" if descending else column_id)
        self._departed.clear()
        self._places = {key: self._order.place(record, key, self._sight) for key, record in self._records.items()}
        self._rows = sorted(self._places[key] for key in self._shown)
        self._keys = None
        return Change(moved=True)

    def set_columns(self, column_ids: Iterable[str]) -> Change:
        """Choose columns and their order. Raises KeyError; choosing none keeps what there is."""
        chosen = tuple(self.table.column(each) for each in dict.fromkeys(column_ids))
        self.columns = chosen or self.columns
        return Change(dirty=frozenset(self._shown), moved=True)

    # -- pausing -------------------------------------------------------------------------------------------------

    @property
    def paused(self) -> bool:
        """Whether the list stands still."""
        return self._pending is not None

    @property
    def behind(self) -> int:
        """How many records came, changed or went since the pause."""
        return 0 if self._pending is None else self._pending.behind(self._records)

    def pause(self) -> None:
        """Stand still: changes are kept, times do not move."""
        if self._pending is None:
            self._pending = Pending()

    def resume(self) -> Change:
        """Go on, with everything that happened meanwhile."""
        pending, self._pending = self._pending, None
        if pending is None:
            return NOTHING
        return self._take(pending)

    # -- the machinery -------------------------------------------------------------------------------------------

    def _take(self, delta: Difference[R], ahead: Ahead[R] | None = None) -> Change:
        upserts = delta.upserts
        gone = self._records.keys() - upserts.keys() if delta.whole else delta.removes - upserts.keys()
        fits = ahead is not None and (ahead.judge.order, ahead.judge.wanted, ahead.edition) == (
            self._order,
            self.filter,
            self._edition,
        )
        judged = ahead.judged if ahead is not None and fits else self._judge_now().judged(upserts, self._records)
        return self._merge(upserts, judged, gone)

    def _merge(self, upserts: Mapping[str, R], judged: Judged, removes: Iterable[str]) -> Change:
        total, matched = self.total, self.matched
        records, places, shown = self._records, self._places, self._shown
        leaving: set[str] = set()
        arriving: list[Place] = []
        departed: dict[str, Place] = {}
        moved: dict[str, Place] = {}
        dirty: set[str] = set()
        self._shares.update(judged.gained)
        for key in removes:
            record = records.pop(key, None)
            if record is None:
                continue
            departed[key] = places[key]
            self._hays.drop(key)
            self._count_out(record)
            if key in shown:
                leaving.add(key)
        for key, (place, matches, again) in judged.verdicts.items():
            records[key] = upserts[key]
            if self.filter is not None:
                self._due.put(key, again)
            was = key in shown
            if matches:
                dirty.add(key)
                if was and place == places[key]:
                    continue
                arriving.append(place)
            if was:
                leaving.add(key)
            moved[key] = place
        self._move(leaving, arriving)
        places.update(moved)
        for key in departed:
            del places[key]
        self._departed = departed or self._departed
        if judged.verdicts or departed:
            self._changed = True
            self._edition += 1
        counts = (total, matched) != (self.total, self.matched)
        return Change(frozenset(dirty), moved=bool(leaving or arriving), counts=counts)

    def _count_out(self, record: R) -> None:
        if self._tally is not None:
            share = self._tally.of(record)
            self._shares[share] -= 1
            if not self._shares[share]:
                del self._shares[share]

    def _refile(self, keys: Sequence[str]) -> Change:
        """Judge rows again that did not change themselves, and find their places anew."""
        self._sizes = self._known_sizes()
        self._refreshed_ms = self._sight.now_ms
        return self._judge(keys, {key: self._order.place(self._records[key], key, self._sight) for key in keys})

    def _judge(self, keys: Iterable[str], places: Mapping[str, Place]) -> Change:
        """Judge rows again; those not in `places` keep theirs."""
        matched = self.matched
        leaving: set[str] = set()
        arriving: list[Place] = []
        moved: dict[str, Place] = {}
        for key in keys:
            place = places.get(key) or self._places[key]
            was, matches = key in self._shown, self._matches(key, self._records[key])
            stays = place == self._places[key]
            if not stays:
                moved[key] = place
            if was and not (stays and matches):
                leaving.add(key)
            if matches and not (stays and was):
                arriving.append(place)
        self._move(leaving, arriving)
        self._places.update(moved)
        dirty = frozenset(place[-1] for place in arriving)
        return Change(dirty, moved=bool(leaving or arriving), counts=matched != self.matched)

    def _matches(self, key: str, record: R) -> bool:
        wanted = self.filter
        if wanted is None:
            return True
        matches, again = wanted.judge(record, self._sight, self._hays)
        self._due.put(key, again)
        return matches

    def _outdated(self) -> bool:
        """Say whether other kinds changed so that these rows may read otherwise."""
        if self.table.follows and abs(self._sight.now_ms - self._refreshed_ms) >= max(1000, len(self._records)):
            return True
        return abs(self._known_sizes() - self._sizes) * _FEW > self._sizes

    def _known_sizes(self) -> int:
        return sum(len(self._sight.known(kind)) for kind in _NAMING)

    def _move(self, leaving: set[str], arriving: list[Place]) -> None:
        """Take rows out of their old places, which `_places` still holds, and put others into theirs."""
        if not leaving and not arriving:
            return
        if (len(leaving) + len(arriving)) * _FEW > len(self._rows):
            if leaving:
                self._rows = [row for row in self._rows if row[-1] not in leaving]
            self._rows.extend(arriving)
            self._rows.sort()
        else:
            for key in leaving:
                del self._rows[bisect_left(self._rows, self._places[key])]
            for place in arriving:
                insort(self._rows, place)
        self._shown -= leaving
        self._shown.update(place[-1] for place in arriving)
        self._keys = None
