"""Split a repeated list by comparison with its previous rows: unchanged ones, and the records of the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import compress, count, islice
from operator import ne

from console.live.bounds import ROW_COST, SHORT_ROW, row_cost, rows_cost
from console.live.feeds import Feed
from console.records.raw import ALL, Json, rows
from console.records.record import Record, read_all

_AHEAD = 8
"""Number of known rows to search for after one that differs."""
_NEAR = 32 * 1024
"""Distance in bytes of this search: beyond it, searching takes longer than splitting."""
_TOGETHER = 32
"""Rows that are compared together."""
_COMMA = ord(",")


def split_incrementally(array: bytes, known: Sequence[bytes], most: int = ALL) -> Iterator[range | list[Json]]:
    """Split an array whose rows are mostly known, byte for byte and in the same order.

    Of the unknown rows, split at most `most + 1` together.

    Yield in order the ranges of known rows that repeat, and lists of the other rows between them. Unchanged bytes need
    not be parsed to find their end: this takes half the time of splitting if one row in a hundred changed, and a sixth
    if none did. The bytes between two known rows are split as a list of their own, which proves that the second one
    starts at the start of a row. Raise ValueError as `rows` does.
    """
    at, here = 1, 0
    while True:
        begin = here
        at, here = _as_before(array, at, known, here)
        if here > begin:
            yield range(begin, here)
        if here < len(known) and array.startswith(known[here], at) and array[at + len(known[here]) :] == b"]":
            yield range(here, here + 1)
            return
        next_known = _next_known(array, at, known, here)
        others = None if next_known is None else _between(array, at, next_known[0])
        if next_known is None or others is None:
            rest = rows(b"[" + array[at:], most)
            if not rest and at > 1:
                raise ValueError("a comma has no row after it")
            yield rest
            return
        if others:
            yield others
        at, here = next_known


def _between(array: bytes, at: int, start: int) -> list[Json] | None:
    """Return the rows before one that seems to start at `start`, or None if they are not complete."""
    if start == at:
        return []
    try:
        return rows(b"[%s]" % array[at : start - 1]) or None
    except ValueError:
        return None


def _as_before(array: bytes, at: int, known: Sequence[bytes], here: int) -> tuple[int, int]:
    """Skip known rows while they repeat; return the start of the next row, and the index of the next known one."""
    end = len(array)
    while here < len(known):
        # Comparing several rows at once, and single ones only after a difference, takes a third of the time.
        due = known[here : here + _TOGETHER]
        joined = b",".join(due)
        after = at + len(joined)
        if after < end and array[after] == _COMMA and array.startswith(joined, at):
            at, here = after + 1, here + len(due)
            continue
        for row in due:
            after = at + len(row)
            if after >= end or array[after] != _COMMA or not array.startswith(row, at):
                return at, here
            at, here = after + 1, here + 1
    return at, here


def _next_known(array: bytes, at: int, known: Sequence[bytes], here: int) -> tuple[int, int] | None:
    """Return the start and index of one of the next known rows, or None."""
    # Most common cases first: one row was changed, deleted or inserted.
    for place in (here + 1, here, *range(here + 2, here + _AHEAD)):
        if place < len(known):
            if place > here and array.startswith(known[place], at):
                return at, place
            start = array.find(b"," + known[place], at + 1, at + _NEAR + len(known[place]))
            if start >= 0:
                return start + 1, place
    return None


_RUN = 256
"""Rows that are compared together, without the interpreter."""


class ListDiffer:
    """Compares the rows of a list, page by page, with the previous ones.

    Unchanged rows keep their objects, so that nothing is stored twice. Lists are mostly in the same order, which both
    methods use: `along`, for a single array, does not split unchanged parts; `name`, for rows that are split already,
    compares runs of them with those after the last match. Reading every key took twenty times as long.
    """

    def __init__(self, feed: Feed, had: Mapping[str, bytes], most: int = ALL, room: int = ALL) -> None:
        """`most` limits the rows, `room` the memory in bytes of those that were not known."""
        self.full = False
        """Whether there were more rows; the others are omitted."""
        self.rows: dict[str, bytes] = {}
        """All rows by key."""
        self.memory = 0
        """Approximate memory in bytes of the rows that were not known."""
        self.fresh: dict[str, Record] = {}
        """Records of the new and changed rows."""
        self._changed: dict[str, bytes] = {}
        """Rows whose records are read together."""
        self._feed = feed
        self._most = most
        self._room = room
        self._had = had
        self._keys = list(had)
        self._known = list(had.values())
        self._at = 0

    @cached_property
    def _places(self) -> dict[str, int]:
        return {key: place for place, key in enumerate(self._keys)}

    def along(self, array: bytes) -> None:
        """Add the rows of a mostly unchanged array. Raise ValueError if it is not an array."""
        if not self._known:
            self._take_all(self._within(rows(array, self._most)))
            return
        for piece in split_incrementally(array, self._known, self._most):
            if self.full:
                break
            if isinstance(piece, range):
                self._again(piece.start, piece.stop)
            else:
                self._take_in_order(piece)
        self._read_changed()

    def name(self, came: Iterable[Json]) -> None:
        """Add rows."""
        self._take_in_order(came)
        self._read_changed()

    def _take_in_order(self, came: Iterable[Json]) -> None:
        rows = self._within(list(islice(came, self._most + 1)))
        here = 0
        while here < len(rows) and len(self.rows) <= self._most and self.memory < self._room:
            at = self._at
            if at < len(self._known) and rows[here] == Json(self._known[at]):
                run = _same(rows[here : here + _RUN], self._known[at : at + _RUN])
                self._again(at, at + run)
                here += run
            else:
                self._take(rows[here])
                here += 1
                if len(self._changed) >= _RUN:
                    self._read_changed()

    def _within(self, came: list[Json]) -> list[Json]:
        if len(came) > self._most:
            self.full = True
            came.pop()
        return came

    def _take_all(self, came: Sequence[Json]) -> None:
        """Add the rows of a first list: each is read once, for its record and its key."""
        for start in range(0, len(came), _RUN):
            rows = self._feed.all_bounded(came[start : start + _RUN])
            records = read_all(self._feed.record, rows)
            cost = rows_cost([*map(len, rows)])
            if self.memory + cost < self._room:
                keys = [record.key for record in records]
                self.rows.update(zip(keys, rows, strict=True))
                self.fresh.update(zip(keys, records, strict=True))
                self.memory += cost
                continue
            for row, record in zip(rows, records, strict=True):
                if self.memory >= self._room:
                    return
                self._add(record.key, row, record)

    def _again(self, start: int, stop: int) -> None:
        room = self._most - len(self.rows)
        if stop - start > room:
            self.full, stop = True, start + room
        self.rows.update(zip(self._keys[start:stop], self._known[start:stop], strict=True))
        self._at = stop

    def _take(self, came: Json) -> None:
        key = self._feed.key_of(came)
        if len(self.rows) >= self._most and key not in self.rows:
            self.full = True
            return
        row = self._feed.bounded(came, key)
        if key is None:
            record = self._feed.read(row)
            if self._had.get(record.key) == row:
                self.rows[record.key] = row
            else:
                self._add(record.key, row, record)
            return
        # Mostly its position is unchanged; only otherwise look it up.
        at = self._at
        place = at if at < len(self._keys) and self._keys[at] == key else self._places.get(key)
        if place is None:
            self._add(key, row)
            return
        self._at = place + 1
        key = self._keys[place]
        if self._known[place] == row:
            self.rows[key] = self._known[place]
        else:
            self._add(key, row)

    def _read_changed(self) -> None:
        changed, self._changed = self._changed, {}
        records = read_all(self._feed.record, [*changed.values()], changed)
        self.fresh.update(zip(changed, records, strict=True))

    def _add(self, key: str, row: bytes, record: Record | None = None) -> None:
        self.rows[key] = row
        if record is None:
            self._changed[key] = row
        else:
            self.fresh[key] = record
        # Without a call for the usual row: a first list has ten thousand.
        self.memory += ROW_COST + len(row) if len(row) <= SHORT_ROW else row_cost(len(row))
        self.full = self.full or self.memory >= self._room


def _same(some: list[Json], others: list[bytes]) -> int:
    """Return the number of equal rows at the beginning, without copying them."""
    return next(compress(count(), map(ne, some, map(Json, others))), min(len(some), len(others)))
