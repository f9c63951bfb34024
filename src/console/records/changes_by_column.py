"""Changes by columns: half the bytes of one after the other, and read at once. `docs/recording.md` has the form."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, islice, pairwise
from typing import NamedTuple

import msgspec

from console.records.raw import Json
from console.records.row_changes import Entry, read_entries

GONE = Json(b"")
"""In place of the value of a field that a row does not have any more."""
_NULL = Json(b"null")
_TIME_DIGITS = range(10, 18)
_LARGEST_TIME = 10**17
BATCH = 1_024
"""Rows of a frame that are read together."""
_SEPARATOR = b"\x1e"
"""Stands between batches, as in JSON text sequences (RFC 7464)."""
_UNREADABLE = (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError, LookupError, TypeError, OverflowError)


class FieldValues(NamedTuple):
    """The values of a field."""

    places: Sequence[int]
    """Which changes have one, by number, increasing."""
    values: list[Json]
    gone: bool
    """Whether one of them is `GONE`."""

    def values_at(self, wanted: Iterable[int]) -> Iterator[tuple[int, Json]]:
        """Yield the values of these changes with their numbers. It does not walk over the others."""
        return ((place, self.values[at]) for place, at in _positions(self.places, wanted))


def _positions(places: Sequence[int], wanted: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield each wanted place that there is, with its position."""
    for place in wanted:
        at = bisect_left(places, place)
        if at < len(places) and places[at] == place:
            yield place, at


class ChangePart(NamedTuple):
    """Changes in their order."""

    after: list[int]
    """Milliseconds since the change before."""
    keys: list[int | str]
    """The number of a known key, the text of a new one."""
    columns: dict[str, FieldValues]
    rest: dict[int, list[str] | None]
    """Changes without fields, by number: a removed row, or the bytes of one that is not a plain object as a text."""

    def entries(self) -> list[Entry]:
        """Return the changes one after the other."""
        return self.entries_at(range(len(self.keys)))

    def entries_at(self, wanted: Sequence[int]) -> list[Entry]:
        """Return the changes with these numbers, which must increase."""
        return _entries_at(self, self.columns.items(), wanted)


def _entries_at(part: ChangePart, columns: Iterable[tuple[str, FieldValues]], wanted: Sequence[int]) -> list[Entry]:
    rows: dict[int, dict[str, Json]] = {place: {} for place in wanted}
    gone: dict[int, list[str]] = {}
    is_every = len(rows) == len(part.keys)
    for name, column in columns:
        values = zip(column.places, column.values, strict=True) if is_every else column.values_at(wanted)
        for place, value in values:
            if value is GONE:
                gone.setdefault(place, []).append(name)
            else:
                rows[place][name] = value
    return [
        Entry(part.after[place], part.keys[place], part.rest.get(place, row), tuple(gone.get(place, ())))
        for place, row in rows.items()
    ]


def part_of(entries: Iterable[Entry]) -> ChangePart:
    """Return changes by columns."""
    part = ChangePart([], [], {}, {})
    columns: dict[str, tuple[list[int], list[Json]]] = {}
    thinned: set[str] = set()
    for place, entry in enumerate(entries):
        part.after.append(entry.after)
        part.keys.append(entry.key)
        row = entry.row
        if isinstance(row, dict):
            fields = row | dict.fromkeys(entry.gone, GONE) if entry.gone else row
            thinned.update(entry.gone)
            for name, value in fields.items():
                column = columns.get(name)
                if column is None:
                    column = columns[name] = [], []
                column[0].append(place)
                column[1].append(value)
        else:
            part.rest[place] = row
    part.columns.update((name, FieldValues(*column, name in thinned)) for name, column in columns.items())
    return part


# -- in the file -------------------------------------------------------------------------------------------------------


class _Values(msgspec.Struct, array_like=True, omit_defaults=True, gc=False):
    """A column in the file."""

    steps: list[int] | None
    """From each number of a change to the next; None if all changes have the field."""
    values: list[msgspec.Raw]
    gone: list[int] = []
    """Positions in `values` at which the field went."""


class _Times(msgspec.Struct, array_like=True, gc=False):
    """A column of times in the file."""

    steps: list[int] | None
    times: list[int | None]
    """Each as the difference to the time before."""


class _Written(msgspec.Struct, gc=False):
    """Changes in the file."""

    after: list[int]
    keys: list[int | str]
    fields: dict[str, _Values]
    times: dict[str, _Times]
    rest: list[tuple[int, list[str] | None]]


class _Undecoded(msgspec.Struct, gc=False):
    """The same, with columns as they are in the file."""

    after: list[int]
    keys: list[int | str]
    fields: dict[str, msgspec.Raw]
    times: dict[str, msgspec.Raw]
    rest: list[tuple[int, list[str] | None]]


_decode = msgspec.json.Decoder(_Undecoded).decode
_decode_values = msgspec.json.Decoder(_Values).decode
_decode_times = msgspec.json.Decoder(_Times).decode
_split = msgspec.json.Decoder(list[msgspec.Raw]).decode


def folded(entries: Iterable[Entry]) -> bytes:
    """Return changes by columns as JSON."""
    part = part_of(entries)
    fields: dict[str, _Values] = {}
    times: dict[str, _Times] = {}
    for name, (places, values, has_gone) in part.columns.items():
        steps = None if len(places) == len(part.keys) else [after - before for before, after in pairwise((0, *places))]
        differences = None if has_gone else _differences(values)
        if differences is not None:
            times[name] = _Times(steps, differences)
        else:
            gone = [at for at, value in enumerate(values) if value is GONE] if has_gone else []
            encoded_values = [_NULL if value is GONE else value for value in values] if gone else values
            fields[name] = _Values(steps, encoded_values, gone)
    return msgspec.json.encode(_Written(part.after, part.keys, fields, times, list(part.rest.items())))


def frame_of(rows: Iterable[Entry]) -> bytes:
    """Return the rows of a frame, in batches of JSON that can be read one by one."""
    left = iter(rows)
    batches = iter(lambda: [*islice(left, BATCH)], [])
    return _SEPARATOR.join(map(folded, batches)) or folded(())


def _differences(values: Iterable[Json]) -> list[int | None] | None:
    """Return times as differences; None if one is not a time."""
    found: list[int | None] = []
    last = 0
    for value in values:
        text = bytes(value)
        if text == b"null":
            found.append(None)
        elif len(text) in _TIME_DIGITS and text.isdigit() and text[:1] != b"0":
            time = int(text)
            found.append(time - last)
            last = time
        else:
            return None
    return found if last else None


def _sum_up(times: list[int | None]) -> None:
    """Replace the differences of a column by its times. Raise ValueError."""
    last = 0
    for at, difference in enumerate(times):
        if difference is not None:
            times[at] = last = last + difference
            if abs(last) > _LARGEST_TIME:
                raise ValueError("a time is too large")


def _as_json(times: list[int | None]) -> list[Json]:
    return _split(msgspec.json.encode(times))


def unfolded(text: bytes) -> ChangePart:
    """Return changes of the file, which are by columns, or one after the other. Raise ValueError."""
    try:
        return _checked(part_of(read_entries(text)) if text[:1] == b"[" else _part_of(_decode(text)))
    except _UNREADABLE as error:
        raise ValueError(str(error)) from None


def batches_of(frame: bytes) -> Iterator[bytes]:
    """Yield the batches of a frame."""
    begin = 0
    while (end := frame.find(_SEPARATOR, begin)) >= 0:
        yield frame[begin:end]
        begin = end + 1
    yield frame[begin:]


def rows_of_frame(frame: bytes) -> ChangePart:
    """Return the rows of a frame. Raise ValueError."""
    rows = ChangePart([], [], {}, {})
    columns: dict[str, list[tuple[int, FieldValues]]] = {}
    for batch in map(unfolded, batches_of(frame)):
        first = len(rows.keys)
        rows.after.extend(batch.after)
        rows.keys.extend(batch.keys)
        rows.rest.update((first + place, row) for place, row in batch.rest.items())
        for name, column in batch.columns.items():
            columns.setdefault(name, []).append((first, column))
    rows.columns.update((name, _joined(pieces, len(rows.keys))) for name, pieces in columns.items())
    return rows


def _joined(pieces: Sequence[tuple[int, FieldValues]], many: int) -> FieldValues:
    values = [value for _, column in pieces for value in column.values]
    places = range(many)
    if len(values) < many:
        places = [first + place for first, column in pieces for place in column.places]
    return FieldValues(places, values, any(column.gone for _, column in pieces))


def some_entries(
    text: bytes, wanted: Callable[[Sequence[int | str]], Sequence[int]]
) -> tuple[list[int], list[tuple[int, Entry]]]:
    """Return the milliseconds before each change of a part, and some of the changes with their numbers.

    `wanted` returns which, of the keys of all. One column after the other is decoded and forgotten, and of times only
    the wanted ones are written: the values of ten thousand rows take thirty times the memory of the text. Raise
    ValueError.
    """
    try:
        undecoded = None if text[:1] == b"[" else _decode(text)
        part = unfolded(text) if undecoded is None else _checked(_without_columns(undecoded))
        places = wanted(part.keys)
        if not places:
            return part.after, []
        kept = {place: part.keys[place] for place in places}
        # The other keys are freed before the columns are decoded: ten thousand rows have a megabyte of them.
        part.keys[:] = [kept.get(place, 0) for place in range(len(part.keys))]
        columns = part.columns.items() if undecoded is None else _columns(undecoded, places)
        entries = _entries_at(part, columns, places)
        return part.after, [*zip(places, map(_copied, entries), strict=True)]
    except _UNREADABLE as error:
        raise ValueError(str(error)) from None


def _copied(entry: Entry) -> Entry:
    """Return a change that does not keep the text of all others."""
    row = entry.row
    fields = {name: value.copy() for name, value in row.items()} if isinstance(row, dict) else row
    return Entry(entry.after, entry.key, fields, entry.gone)


def _part_of(undecoded: _Undecoded) -> ChangePart:
    part = _without_columns(undecoded)
    part.columns.update(_columns(undecoded))
    return part


def _without_columns(undecoded: _Undecoded) -> ChangePart:
    if len(undecoded.after) != len(undecoded.keys):
        raise ValueError("a part is incomplete")
    return ChangePart(undecoded.after, undecoded.keys, {}, dict(undecoded.rest))


def _columns(undecoded: _Undecoded, wanted: Sequence[int] | None = None) -> Iterator[tuple[str, FieldValues]]:
    """Yield the columns with their names, each decoded when it is its turn; at least with the values of `wanted`."""
    many = len(undecoded.keys)
    for name, text in undecoded.fields.items():
        column = _decode_values(text)
        values = column.values
        for at in column.gone:
            values[at] = GONE
        yield name, FieldValues(_places(column.steps, many, len(values)), values, bool(column.gone))
    for name, text in undecoded.times.items():
        written = _decode_times(text)
        places, times = _places(written.steps, many, len(written.times)), written.times
        _sum_up(times)
        if wanted is not None:
            some = {place: times[at] for place, at in _positions(places, wanted)}
            places, times = [*some], [*some.values()]
        yield name, FieldValues(places, _as_json(times), False)


def _checked(part: ChangePart) -> ChangePart:
    """Raise ValueError for a row that is neither a plain object nor a text of bytes."""
    for place, text in part.rest.items():
        if not 0 <= place < len(part.keys) or (text is not None and len(text) != 1):
            raise ValueError("a row cannot be read")
        _ = "".join(text or ()).encode("latin-1")
    return part


def _places(steps: list[int] | None, many: int, values: int) -> Sequence[int]:
    places = range(many) if steps is None else [*accumulate(steps)]
    if len(places) != values:
        raise ValueError("a field has too few values")
    if steps and (steps[0] < 0 or min(steps[1:], default=1) < 1 or places[-1] >= many):
        raise ValueError("a value is of no change")
    return places
