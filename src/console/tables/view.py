"""What one list on a screen shows of a collection: filtered, in order, and kept so change by change.

A changed row costs a bisection of the order, not a sort; a row whose words changed but not its place costs nothing
but being named in `Change.dirty`. Nothing here knows a terminal.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

from console.records.record import Record
from console.tables.cell import Line
from console.tables.due import Due
from console.tables.filter import Filter
from console.tables.order import Order, Place
from console.tables.sight import Sight
from console.tables.table import Column, Table
from console.tables.terms import Haystacks

R = TypeVar("R", bound=Record)
C = TypeVar("C", bound=Record, covariant=True)

_FEW = 8
"""Above one row in this many, sorting the nearly sorted list afresh beats moving rows one by one."""


class Difference(Protocol[C]):
    """What a view needs of `live.delta.Delta`: removes are applied first, then upserts."""

    @property
    def whole(self) -> bool:
        """Whether `upserts` is everything there is."""
        ...

    @property
    def upserts(self) -> Mapping[str, C]:
        """New and changed records by key."""
        ...

    @property
    def removes(self) -> frozenset[str]:
        """Keys that are gone."""
        ...


@dataclass(frozen=True, slots=True)
class Change:
    """What must be painted again."""

    dirty: frozenset[str] = frozenset()
    """Keys whose words may differ."""
    moved: bool = False
    """Whether rows came, went or changed places: everything in sight is to be painted again."""
    counts: bool = False
    """Whether `total` or `matched` differ."""

    def __bool__(self) -> bool:
        return bool(self.dirty) or self.moved or self.counts


_NAMING = ("users", "presence", "agents")
"""Kinds by which other records are named."""

NOTHING = Change()


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
        self._pending: _Pending[R] | None = None
        self._totals: tuple[int, Line] | None = None
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
        """Return the table's totals over all records, made at most once a second unless records changed."""
        second = self._sight.now_ms // 1000
        if self._totals is None or self._totals[0] != second:
            self._totals = second, self.table.totals(self._records.values(), self._sight)
        return self._totals[1]

    # -- what is known changes -----------------------------------------------------------------------------------

    def apply(self, delta: Difference[R]) -> Change:
        """Take what changed in the collection; while paused it is kept until `resume`."""
        if self._pending is not None:
            self._pending.add(delta)
            return NOTHING
        if delta.whole:
            return self._replace(delta.upserts)
        return self._merge(delta.upserts, delta.removes - delta.upserts.keys())

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
            self._pending = _Pending()

    def resume(self) -> Change:
        """Go on, with everything that happened meanwhile."""
        pending, self._pending = self._pending, None
        if pending is None:
            return NOTHING
        return self._replace(pending.upserts) if pending.whole else self._merge(pending.upserts, pending.removes)

    # -- the machinery -------------------------------------------------------------------------------------------

    def _replace(self, records: Mapping[str, R]) -> Change:
        gone = [key for key in self._records if key not in records]
        changed = {key: record for key, record in records.items() if self._records.get(key) is not record}
        return self._merge(changed, gone)

    def _merge(self, upserts: Mapping[str, R], removes: Iterable[str]) -> Change:
        total, matched = self.total, self.matched
        leaving: set[str] = set()
        arriving: list[Place] = []
        departed: dict[str, Place] = {}
        for key in removes:
            if self._records.pop(key, None) is None:
                continue
            departed[key] = self._places[key]
            self._hays.drop(key)
            if key in self._shown:
                leaving.add(key)
        dirty: set[str] = set()
        for key, record in upserts.items():
            place = self._order.place(record, key, self._sight)
            was, matches = key in self._shown, self._matches(key, record)
            if was and matches and place == self._places[key]:
                self._records[key] = record
                dirty.add(key)
                continue
            if was:
                leaving.add(key)
            self._records[key] = record
            if matches:
                arriving.append(place)
                dirty.add(key)
            departed[key] = place
        self._move(leaving, arriving)
        for key, place in departed.items():
            if key in self._records:
                self._places[key] = place
            else:
                del self._places[key]
        gone = {key: place for key, place in departed.items() if key not in self._records}
        self._departed = gone or self._departed
        if upserts or departed:
            self._totals = None
        counts = (total, matched) != (self.total, self.matched)
        return Change(frozenset(dirty), moved=bool(leaving or arriving), counts=counts)

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


class _Pending(Generic[R]):
    """What happened during a pause, of every key only the last."""

    def __init__(self) -> None:
        self.whole = False
        self.upserts: dict[str, R] = {}
        self.removes: set[str] = set()

    def add(self, delta: Difference[R]) -> None:
        if delta.whole:
            self.whole = True
            self.upserts = dict(delta.upserts)
            self.removes.clear()
            return
        for key in delta.removes:
            self.upserts.pop(key, None)
            self.removes.add(key)
        self.upserts.update(delta.upserts)
        self.removes -= delta.upserts.keys()

    def behind(self, records: Mapping[str, R]) -> int:
        changed = sum(records.get(key) is not record for key, record in self.upserts.items())
        gone = sum(key not in self.upserts for key in records) if self.whole else len(self.removes & records.keys())
        return changed + gone
