"""A segment of a recording in memory: all rows at its start, and the changes since; or one row of it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from console.records.changes_by_column import GONE, ChangePart, batches_of, part_of, some_entries, unfolded
from console.records.moments import LATEST_MS
from console.records.raw import Json, every_field
from console.records.record import Record, read, read_all
from console.records.row_changes import Entry, Row, row_after, row_of

Count = Callable[[int], object]
"""Called with the number of changes of a part before they are taken apart. Raises ValueError for too many."""
Told = tuple[int, str, Record | None, Record | None]
"""Moment, key, and the record before and after a change."""


class Place(NamedTuple):
    """Place of a segment in the file."""

    id: int
    start_ms: int
    continues: bool


class Here(NamedTuple):
    """A segment, and until when it is known to be complete."""

    place: Place
    until_ms: int
    segment: Segment


class _Added(NamedTuple):
    """Changes, and what they mean in this segment."""

    first: int
    """Number of changes before, with the rows of the frame."""
    numbers: list[int]
    """The number of each key."""
    part: ChangePart


class _OddRow(NamedTuple):
    """A row that is read change by change."""

    came: int
    """At which change."""
    row: Row


class Segment:
    """The rows of one kind at any moment until the next segment begins. Not safe for threads.

    Rows are kept as fields by the number of their key. Changes of fields are applied column by column. Rows
    that were removed and came again, or were not plain objects for a time, are read change by change.
    """

    def __init__(self, kind: str, start_ms: int, frame: ChangePart, record: type[Record]) -> None:
        """Begin with the rows of a frame. Raise ValueError."""
        self.kind = kind
        self.start_ms = self.last_ms = start_ms
        self.damage = ""
        """Why what follows cannot be read."""
        self.lost = False
        """Whether nothing of it can be read."""
        self._class = record
        self._keys: list[str] = []
        self._known: dict[str, int] = {}
        """The numbers of the keys."""
        self._came: list[int] = []
        """At which change each key came first."""
        self._moments: list[int] = []
        """Of all changes, with the moments of the frame."""
        self._changed: list[int] = []
        """The numbers of the changed keys."""
        self._added: list[_Added] = []
        self._removed: dict[int, int] = {}
        """At which change a row was removed, by number."""
        self._thinned: set[int] = set()
        """Rows from which a field went."""
        self._odd: set[int] = set()
        """Rows that are read change by change."""
        self._entries: dict[int, list[tuple[int, Entry]]] | None = None
        """Their changes."""
        self._shown: tuple[int, Mapping[str, Record]] | None = None
        """The records that were returned last, and the number of changes until then."""
        self._start = 0
        self.add(frame._replace(after=[0] * len(frame.keys)))
        self._start = len(self._changed)

    def add(self, part: ChangePart) -> None:
        """Add changes that follow. Raise ValueError for a key that is not known, or a time that cannot be."""
        moments = [*accumulate(part.after, initial=self.last_ms)]
        if moments[-1] >= LATEST_MS or min(part.after, default=0) < 0:
            raise ValueError("a change is at no moment")
        first = len(self._changed)
        numbers = self._numbers(part, first)
        last_place = {}
        if self._removed or part.rest:
            last_place = dict(zip(numbers, range(first, first + len(numbers)), strict=True))
        for number in self._removed.keys() & last_place.keys():
            self._odd.add(number)
        for place, row in part.rest.items():
            number = numbers[place]
            if row is not None or last_place[number] > first + place:
                self._odd.add(number)
            else:
                self._removed[number] = first + place
        for column in part.columns.values():
            if column.gone:
                self._thinned.update(numbers[place] for place in column.places)
        self._entries = None
        self._added.append(_Added(first, numbers, part))
        self._moments += moments[1:]
        self._changed += numbers
        self.last_ms = moments[-1]

    def extend(self, first: int, text: bytes, count: Count) -> None:
        """Add a part of the file of which the first change has this number. Raise ValueError."""
        known = self.many - first
        if known < 0:
            raise ValueError("a part is missing")
        part = unfolded(text)
        count(len(part.keys))
        self.add(part_of(part.entries()[known:]) if known else part)

    def _numbers(self, part: ChangePart, first: int) -> list[int]:
        """Return the numbers of the keys of changes; new ones get the next."""
        keys, known = self._keys, self._known
        numbers: list[int] = []
        for place, key in enumerate(part.keys, first):
            if isinstance(key, int):
                numbers.append(key)
                continue
            number = known.get(key)
            if number is None:
                number = known[key] = len(keys)
                keys.append(key)
                self._came.append(place)
            numbers.append(number)
        if numbers and not 0 <= min(numbers) <= max(numbers) < len(keys):
            raise ValueError("a change is about an unknown key")
        return numbers

    @property
    def many(self) -> int:
        """Number of changes."""
        return len(self._changed) - self._start

    @property
    def is_read(self) -> bool:
        """Whether records of some moment were read."""
        return self._shown is not None

    # -- at a moment -----------------------------------------------------------------------------------------------

    def records_at(self, at_ms: int) -> Mapping[str, Record]:
        """Return the records at a moment, by key in the order of the list; the same object if nothing changed."""
        end = self._end(at_ms)
        records = self._records_after(end)
        self._shown = end, records
        return records

    def records_at_start(self) -> Mapping[str, Record]:
        """Return the records of the frame."""
        return self._records_after(self._start)

    def records_at_end(self) -> Mapping[str, Record]:
        """Return the records after all changes that were added."""
        return self._records_after(len(self._changed))

    def _records_after(self, end: int) -> Mapping[str, Record]:
        place, known = self._shown or (0, {})
        if self._shown is not None and place == end:
            return known
        odd = self._odd_rows(end)
        order, changed = self._order(end, odd), {*self._changed[min(place, end) : max(place, end)]}
        keys, thinned = self._keys, self._thinned
        some = [number for number in order if number in changed]
        if self._shown is not None and place < end:
            # Forward, the rows are known; backward, they are found from the start.
            rows = {number: self._known_fields(known.get(keys[number])) for number in some if number not in odd}
            self._apply(rows, place, end)
        else:
            rows = self._fields([number for number in some if number not in odd], end)
        fresh = {number: row_of(_without_gone(row) if number in thinned else row) for number, row in rows.items()}
        fresh |= {number: row_of(odd[number].row) for number in some if number in odd}
        names = [keys[number] for number in fresh]
        after = {**known, **dict(zip(names, read_all(self._class, [*fresh.values()], names), strict=True))}
        listed = [keys[number] for number in order]
        return after if list(after) == listed else {key: after[key] for key in listed}

    def _known_fields(self, record: Record | None) -> dict[str, Json]:
        return {} if record is None else every_field(record.encoded())

    def begin_with(self, records: Mapping[str, Record]) -> None:
        """Use known records as the rows at the start, instead of reading all."""
        if self._has(records, self._start):
            self._shown = self._start, records

    def end_with(self, records: Mapping[str, Record]) -> None:
        """Use records that are known to be those after all changes, instead of reading all."""
        if self._has(records, len(self._changed)):
            self._shown = len(self._changed), records

    def _has(self, records: Mapping[str, Record], end: int) -> bool:
        return list(records) == [self._keys[number] for number in self._order(end, self._odd_rows(end))]

    def _end(self, at_ms: int) -> int:
        """Return the number of changes until a moment, with the rows of the frame."""
        return max(self._start, bisect_right(self._moments, at_ms))

    def _order(self, end: int, odd: Mapping[int, _OddRow]) -> list[int]:
        """Return the numbers of the rows after some changes, in the order of the list."""
        came = self._came
        gone = self._odd - odd.keys()
        gone |= {number for number, place in self._removed.items() if place < end and number not in self._odd}
        there = [*range(bisect_left(came, end))]
        if gone:
            there = [number for number in there if number not in gone]
        if any(row.came != came[number] for number, row in odd.items()):
            there.sort(key=lambda number: odd[number].came if number in odd else came[number])
        return there

    def _fields(self, numbers: Collection[int], end: int) -> dict[int, dict[str, Json]]:
        """Return the fields of these rows after some changes; those that went are `GONE`."""
        rows: dict[int, dict[str, Json]] = {number: {} for number in numbers}
        self._apply(rows, 0, end)
        return rows

    def _apply(self, rows: dict[int, dict[str, Json]], begin: int, end: int) -> None:
        """Apply the changes from one place to another to the fields of some rows."""
        last: dict[str, dict[int, Json]] = {}
        for first, changed, part in self._added:
            if first >= end or first + len(changed) <= begin:
                continue
            full = {name for name, column in part.columns.items() if first == 0 and len(column.places) == self._start}
            if full:
                self._put_full(rows, {name: part.columns[name].values for name in part.columns if name in full})
            for name, (places, values, _) in part.columns.items():
                if name not in full:
                    some = slice(bisect_left(places, begin - first), bisect_left(places, end - first))
                    # The last value of each row wins.
                    last.setdefault(name, {}).update(
                        zip(map(changed.__getitem__, places[some]), values[some], strict=True)
                    )
        for name, members in last.items():
            for number in members.keys() & rows.keys():
                rows[number][name] = members[number]

    def _put_full(self, rows: dict[int, dict[str, Json]], full: Mapping[str, Sequence[Json]]) -> None:
        """Put the fields that all rows of the frame have; row by row is faster than field by field."""
        some = sorted(number for number in rows if number < self._start)
        columns = (
            full.values() if len(some) == self._start else [map(column.__getitem__, some) for column in full.values()]
        )
        for number, values in zip(some, zip(*columns, strict=True), strict=True):
            rows[number] = dict(zip(full, values, strict=True))

    def _odd_rows(self, end: int) -> dict[int, _OddRow]:
        """Return the rows that are read change by change, after some changes."""
        odd_rows: dict[int, _OddRow] = {}
        for number, changes in self._entries_of_odd().items():
            row: Row | None = None
            came = 0
            for place, entry in changes:
                if place >= end:
                    break
                came = place if row is None else came
                row = row_after(row, entry)
            if row is not None:
                odd_rows[number] = _OddRow(came, row)
        return odd_rows

    def _entries_of_odd(self) -> dict[int, list[tuple[int, Entry]]]:
        if self._entries is None:
            self._entries = self._entries_of(self._odd)
        return self._entries

    def _entries_of(self, wanted: set[int]) -> dict[int, list[tuple[int, Entry]]]:
        """Return the changes of some keys with their places, and of the frame."""
        entries: dict[int, list[tuple[int, Entry]]] = {number: [] for number in wanted}
        for first, numbers, part in self._added:
            places = [place for place, number in enumerate(numbers) if number in wanted] if wanted else []
            for place, entry in zip(places, part.entries_at(places), strict=True):
                entries[numbers[place]].append((first + place, entry))
        return entries

    # -- over time -------------------------------------------------------------------------------------------------

    def steps(self, from_ms: int, to_ms: int) -> Iterator[Told]:
        """Yield moment, key, and the record before and after each change after `from_ms`, until `to_ms`."""
        begin, stop = self._end(from_ms), self._end(to_ms)
        known = self.records_at(from_ms)
        records = {self._known[key]: record for key, record in known.items()} if begin < stop else {}
        odd = self._odd_rows(begin)
        plain = self._fields({*self._changed[begin:stop]} & records.keys(), begin)
        rows: dict[int, Row | None] = {
            number: odd[number].row if number in odd else _without_gone(row) for number, row in plain.items()
        }
        for first, numbers, part in self._added:
            if first >= stop or first + len(numbers) <= begin:
                continue
            for place, (number, entry) in enumerate(zip(numbers, part.entries(), strict=True), first):
                if begin <= place < stop:
                    key, before = self._keys[number], records.pop(number, None)
                    rows[number] = row = row_after(rows.get(number), entry)
                    after = None if row is None else read(self._class, row_of(row), key)
                    if after is not None:
                        records[number] = after
                    if before is not None or after is not None:
                        yield self._moments[place], key, before, after


def _without_gone(row: dict[str, Json]) -> dict[str, Json]:
    return {name: value for name, value in row.items() if value is not GONE}


class OneRow:
    """One key in a segment. It grows with `extend`, and keeps nothing of what it reads of other keys."""

    def __init__(self, kind: str, key: str, start_ms: int, record: type[Record]) -> None:
        """Begin before the frame."""
        self.kind, self._key, self._class = kind, key, record
        self.last_ms = start_ms
        self.many = 0
        """Number of changes that were read, of all keys, without the rows of the frame."""
        self.damage = ""
        """Why what follows cannot be read."""
        self.first: Record | None = None
        """The record at the start of the segment."""
        self.changes: list[Told] = []
        self._number: int | None = None
        """The number by which changes name the key, once it came."""
        self._numbers = 0
        """How many keys came so far."""
        self._row: Row | None = None
        self._record: Record | None = None

    def begin(self, frame: bytes, count: Count) -> None:
        """Read the frame. Raise ValueError."""
        start = self.last_ms
        for batch in batches_of(frame):
            self._read_part(batch, 0, count)
        self.first = self._record
        self.last_ms, self.many = start, 0

    def extend(self, first: int, text: bytes, count: Count) -> None:
        """Read a part of which the first change has this number. Raise ValueError."""
        if first > self.many:
            raise ValueError("a part is missing")
        self.changes += self._read_part(text, self.many - first, count)

    def _read_part(self, text: bytes, known: int, count: Count) -> list[Told]:
        """Return the unknown changes of the key in a part."""

        def wanted(keys: Sequence[int | str]) -> list[int]:
            count(len(keys))
            return self._places(keys, known)

        after, entries = some_entries(text, wanted)
        moments = [*accumulate(after[known:], initial=self.last_ms)]
        if moments[-1] >= LATEST_MS or min(after, default=0) < 0:
            raise ValueError("a change is at no moment")
        changes: list[Told] = []
        for place, entry in entries:
            before = self._record
            self._row = row_after(self._row, entry)
            self._record = None if self._row is None else read(self._class, row_of(self._row), self._key)
            changes.append((moments[place - known + 1], self._key, before, self._record))
        self.last_ms = moments[-1]
        self.many += len(after) - known
        return changes

    def _places(self, keys: Sequence[int | str], known: int) -> list[int]:
        """Return at which places of a part the key is. Each new key gets the next number."""
        places: list[int] = []
        highest = -1
        for place in range(known, len(keys)):
            key = keys[place]
            if isinstance(key, str):
                if key == self._key:
                    self._number = self._numbers
                self._numbers += 1
            elif key > highest:
                highest = key
            if key in (self._number, self._key):
                places.append(place)
        if highest >= self._numbers or min((key for key in keys if isinstance(key, int)), default=0) < 0:
            raise ValueError("a change is about an unknown key")
        return places
