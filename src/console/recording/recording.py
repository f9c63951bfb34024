"""Reads a recording: the lists as they were at any moment, and what changed in between."""

from __future__ import annotations

import itertools
import json
import sqlite3
import threading
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Self, cast

from console.base.zone import zone_of
from console.live.delta import Freshness, Health
from console.recording.changes import Gap, HistoryPart, RecordedChange, differences, joined_history, record_class
from console.recording.format import (
    AT,
    CALLER,
    HEALTH,
    LINK,
    ROW,
    SAMPLES,
    SizeLimit,
    meta_of,
    open_finished,
    open_to_read,
)
from console.recording.observed import are_moments, health_of, number_of, sampled_at
from console.recording.segment import Count, Here, OneRow, Place, Segment
from console.records.changes_by_column import ChangePart, part_of, rows_of_frame
from console.records.moments import LATEST_MS
from console.records.people import CurrentUser
from console.records.record import Record
from console.views.past import clock_text

_DAMAGED = "the recording is damaged"
NOT_RECORDED = "not recorded"
_UNKNOWN = Health(Freshness.OFFLINE, None, NOT_RECORDED)
_MOST_DAMAGES = 20
_MOST_SERIES = 200
_KEPT = 3
"""Segments of a kind in memory: one and its neighbours."""
_PARTS = "SELECT first, changes FROM {} WHERE segment = ?1 AND first + many > ?2"
_MOST_BYTES = 128 * 1024 * 1024
"""Most memory of the rows of one query."""
_ROW_BYTES = 256
_WRITING_MS = 3_000
"""How far the end of the recorded time may be behind while the file is written."""


class ListRecording:
    """A recording, which may be written meanwhile. Its methods may be called from any thread, and never fail because of
    damage: what cannot be read is left out, and reported by `damage`.
    """

    def __init__(self, path: Path, db: sqlite3.Connection) -> None:
        """Use an open database; see `open`."""
        self.path = path
        self._db = db
        self._lock = threading.RLock()
        self._segments: dict[int, Segment] = {}
        self._here: dict[str, Here] = {}
        self._rows_of_key: tuple[str, str, dict[int, OneRow]] = "", "", {}
        """Kind and key of the record whose history was read last, and what each segment has of it."""
        self._damage: dict[str, None] = {}
        self.unread: set[str] = set()
        """Lists of which a part could not be read so far."""
        self._size = SizeLimit(path)

    @classmethod
    def open(cls, path: Path, *, finished: bool = False) -> Self:
        """Open a file. Raise RecordingFault: it is missing, is not a recording, or has a newer format.

        `finished` tells that nobody writes it any more: then nothing is created beside it.
        """
        return cls(path, open_finished(path) if finished else open_to_read(path))

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- the whole -------------------------------------------------------------------------------------------------

    @property
    def meta(self) -> Mapping[str, str]:
        """Description in the file: `profile`, `service`, `zone`, `version`, `format`."""
        with self._lock:
            try:
                return meta_of(self._db)
            except sqlite3.Error as error:
                self._note(error)
                return {}

    @property
    def damage(self) -> tuple[str, ...]:
        """Parts that could not be read so far; empty for a whole file."""
        return tuple(self._damage)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The lists that it contains."""
        kinds = (str(kind) for (kind,) in self._query("SELECT DISTINCT kind FROM segment ORDER BY kind"))
        return tuple(kind for kind in kinds if not kind.startswith("."))

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """The recorded times: start and end of each, in ms since the epoch."""
        return tuple((start, end) for start, end, _ in self._spans())

    @property
    def span(self) -> tuple[int, int] | None:
        """The first and the last recorded moment, None if nothing was recorded."""
        spans = self._spans()
        return (spans[0][0], spans[-1][1]) if spans else None

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """The times in between that were not recorded."""
        spans = self._spans()
        return tuple(
            Gap(before[1], after[0], before[2]) for before, after in itertools.pairwise(spans) if after[0] > before[1]
        )

    def _spans(self) -> list[tuple[int, int, str]]:
        query = self._query("SELECT start_ms, end_ms, reason FROM span ORDER BY id")
        if not all(are_moments(start, end) for start, end, _ in query):
            self._note("a recorded time is at no moment")
        return [(start, end, str(reason)) for start, end, reason in query if are_moments(start, end)]

    # -- at a moment -----------------------------------------------------------------------------------------------

    def rows(self, kind: str, at_ms: int) -> Mapping[str, Record]:
        """Return the records of a kind by key, as the list had them at a moment.

        In a gap, these are the last known ones, and `health` tells their age. It is the same object for moments between
        which nothing changed.
        """
        with self._lock:
            here = self._here_at(kind, at_ms)
            return {} if here is None else here.segment.records_at(at_ms)

    def _here_at(self, kind: str, at_ms: int) -> Here | None:
        """Return the segment with the rows of a moment, with all that can be read of it; None if there is none."""
        here = self._here.get(kind)
        if here is not None and here.place.start_ms <= at_ms < here.until_ms:
            return here
        place = self._place_at(kind, at_ms)
        if place is None:
            return None
        spans = self._spans()
        later = self._query("SELECT min(start_ms) FROM segment WHERE kind = ? AND start_ms > ?", (kind, at_ms))
        until = later[0][0] if later and are_moments(later[0][0]) else spans[-1][1] if spans else 0
        # What was written until the end that was just read is in the segment, or what is needed of it.
        segment, is_complete = self._segment_until(kind, place, at_ms)
        before = self._here.get(kind)
        if before is not None and before.place.id != place.id:
            self._join(kind, before, place, segment)
        here = Here(place, until if is_complete else min(until, segment.last_ms), segment)
        self._here[kind] = here
        return here

    def prepare(self, kind: str, at_ms: int) -> None:
        """Read ahead what `rows` will need for a moment, in the segment that was read last or in a neighbour."""
        with self._lock:
            here, place = self._here.get(kind), self._place_at(kind, at_ms)
            if here is None or place is None:
                return
            segment, _ = self._segment_until(kind, place, at_ms)
            if here.place.id != place.id:
                self._join(kind, here, place, segment)

    def _join(self, kind: str, here: Here, place: Place, segment: Segment) -> None:
        """Begin with the records of a neighbour: where segments meet, they have the same."""
        if segment.is_read:
            return
        first, second = sorted((here.place, place), key=lambda segment: segment.id)
        query = self._query("SELECT max(id) FROM segment WHERE kind = ? AND id < ?", (kind, second.id))
        if not second.continues or not query or query[0][0] != first.id:
            return
        earlier, later = self._segment(kind, first), self._segment(kind, second)
        if earlier.damage or later.damage:
            return
        if segment is later:
            later.begin_with(earlier.records_at_end())
        else:
            earlier.end_with(later.records_at_start())

    def link(self, at_ms: int) -> Health:
        """Return the state of the connection at a moment."""
        return self.health(LINK, at_ms)

    def health(self, name: str, at_ms: int) -> Health:
        """Return the freshness of a kind at a moment; in a gap, how old the last known rows are, and why."""
        spans = self._spans()
        place = bisect_right(spans, at_ms, key=lambda span: span[0]) - 1
        if place < 0:
            return _UNKNOWN
        _, end, reason = spans[place]
        is_last = place == len(spans) - 1
        if at_ms <= end + (_WRITING_MS if is_last and not reason else 0):
            return self._known_health(name, at_ms)
        known = self._known_health(name, end)
        if known.age is None:
            return _UNKNOWN
        text = f"{NOT_RECORDED}: {reason}" if reason else NOT_RECORDED
        return Health(Freshness.OFFLINE, known.age + (at_ms - end) / 1000, text, cut=known.cut)

    def _known_health(self, name: str, at_ms: int) -> Health:
        row = self.rows(HEALTH, at_ms).get(name)
        health = _UNKNOWN if row is None else health_of(row.encoded(), at_ms)
        if health.age is None or name == LINK:
            return health
        with self._lock:
            here = self._here_at(name, at_ms)
        if here is None or not here.segment.damage:
            return health
        if here.segment.lost:
            return Health(Freshness.LOADING, reason=_DAMAGED)
        late_ms = at_ms - here.segment.last_ms
        return Health(Freshness.OFFLINE, late_ms / 1000, _DAMAGED, cut=health.cut) if late_ms > 0 else health

    def me(self, at_ms: int) -> CurrentUser | None:
        """Return the user who was logged in, None if not known."""
        return cast("CurrentUser | None", self.rows(CALLER, at_ms).get(ROW))

    # -- over time -------------------------------------------------------------------------------------------------

    def changes(self, kind: str, from_ms: int, to_ms: int) -> Iterator[RecordedChange]:
        """Yield the changes of a kind after a moment, until another, in order.

        What changed during a gap is yielded at its end.
        """
        for number, place in enumerate(places := self._places(kind)):
            ends = places[number + 1].start_ms if number + 1 < len(places) else to_ms + 1
            if ends < from_ms:
                continue
            if place.start_ms > to_ms:
                return
            with self._lock:
                if place.start_ms > from_ms and not place.continues:
                    before = self._before(kind, places, number)
                    first_rows = self._segment(kind, place).records_at(place.start_ms - 1)
                    yield from list(differences(place.start_ms, before, first_rows))
                recorded_changes = [RecordedChange(*step) for step in self._segment(kind, place).steps(from_ms, to_ms)]
            yield from recorded_changes

    def starts(self, kind: str) -> tuple[int, ...]:
        """Return the moments from which a list was known, after it was not: its first, and those after gaps."""
        return tuple(dict.fromkeys(place.start_ms for place in self._places(kind) if not place.continues))

    def history(self, kind: str, key: str) -> tuple[RecordedChange, ...]:
        """Return all changes of a record, from the first moment at which it is known."""
        return joined_history(key, [*self.history_parts(kind, key)][::-1])

    def history_parts(self, kind: str, key: str, until_ms: int = LATEST_MS) -> Iterator[HistoryPart]:
        """Yield the changes of a record segment by segment, the newest first, until a moment."""
        for place in reversed(self._places(kind)):
            if place.start_ms > until_ms:
                continue
            with self._lock:
                row = self._row(kind, place, key)
                changes = tuple(RecordedChange(*change) for change in row.changes if change[0] <= until_ms)
            yield HistoryPart(place.start_ms, place.continues, row.first, changes)

    def _row(self, kind: str, place: Place, key: str) -> OneRow:
        """Return a row in a segment, with all that is known of it by now."""
        if self._rows_of_key[:2] != (kind, key):
            self._rows_of_key = kind, key, {}
        rows = self._rows_of_key[2]
        row = rows.get(place.id)
        if row is None:
            row = rows[place.id] = OneRow(kind, key, place.start_ms, record_class(kind))
            self._read_frame(kind, place, row.begin)
        self._extend(row, place.id, LATEST_MS)
        return row

    def commands(self, from_ms: int, to_ms: int) -> tuple[Mapping[str, Any], ...]:
        """Return the entries of the journal between two moments: own changes and their outcomes."""
        query = "SELECT entry FROM command WHERE at_ms BETWEEN ? AND ? ORDER BY id"
        entries: list[Mapping[str, Any]] = []
        for (text,) in self._query(query, (from_ms, to_ms)):
            try:
                entry: Any = json.loads(text)
            except (ValueError, TypeError, RecursionError) as error:
                self._note(error)
                continue
            if isinstance(entry, dict):
                entries.append(cast("Mapping[str, Any]", entry))
        return tuple(entries)

    def samples(self, from_ms: int, to_ms: int) -> Iterator[tuple[int, Mapping[str, float | None]]]:
        """Yield the samples of the charts with their moments: the values by the name of their series."""
        for change in self.changes(SAMPLES, from_ms, to_ms):
            if change.after is not None:
                extra = change.after.model_extra
                values = [sample for sample in extra.items() if sample[0] != AT][:_MOST_SERIES]
                yield sampled_at(extra.get(AT), change.at_ms), {name: number_of(value) for name, value in values}

    # -- the file --------------------------------------------------------------------------------------------------

    def _before(self, kind: str, places: Sequence[Place], number: int) -> Mapping[str, Record]:
        """Return the last rows before a segment."""
        if number == 0:
            return {}
        return self._segment(kind, places[number - 1]).records_at(places[number].start_ms)

    def _places(self, kind: str) -> list[Place]:
        query = "SELECT id, start_ms, continues FROM segment WHERE kind = ? ORDER BY id"
        places = self._query(query, (kind,))
        if not all(are_moments(start) for _, start, _ in places):
            self.unread.add(kind)
            self._note(f"rows of {kind} are at no moment")
        return [Place(number, start, bool(continues)) for number, start, continues in places if are_moments(start)]

    def _place_at(self, kind: str, at_ms: int) -> Place | None:
        query = (
            "SELECT id, start_ms, continues FROM segment WHERE kind = ? AND start_ms <= ? "
            "ORDER BY start_ms DESC, id DESC LIMIT 1"
        )
        places = self._query(query, (kind, at_ms))
        return Place(places[0][0], places[0][1], bool(places[0][2])) if places and are_moments(places[0][1]) else None

    def _segment(self, kind: str, place: Place) -> Segment:
        """Return a segment with all that is known of it by now."""
        return self._segment_until(kind, place, LATEST_MS)[0]

    def _segment_until(self, kind: str, place: Place, at_ms: int) -> tuple[Segment, bool]:
        """Return a segment with what is known of it by now until a moment, and whether that is all."""
        segment = self._segments.pop(place.id, None)
        if segment is None:
            segment = self._loaded(kind, place)
            mine = [number for number, segment in self._segments.items() if segment.kind == kind]
            for number in mine[: 1 - _KEPT]:
                del self._segments[number]
        self._segments[place.id] = segment
        return segment, self._extend(segment, place.id, at_ms)

    def _loaded(self, kind: str, place: Place) -> Segment:
        frames: list[ChangePart] = []

        def read(text: bytes, count: Count) -> None:
            frames.append(rows_of_frame(text))
            count(len(frames[0].keys))

        self._read_frame(kind, place, read)
        segment = Segment(kind, place.start_ms, frames[0] if frames else part_of(()), record_class(kind))
        if not frames:
            segment.lost, segment.damage = True, _DAMAGED
        return segment

    def _read_frame(self, kind: str, place: Place, read: Callable[[bytes, Count], object]) -> None:
        query = self._query("SELECT frame FROM segment WHERE id = ?", (place.id,))
        try:
            text = self._size.unpack(place.id, -1, query[0][0] if query else None)
            read(text, lambda rows: self._size.add_rows(place.id, -1, rows))
        except (ValueError, OSError) as error:
            self.unread.add(kind)
            self._note(f"the rows of {kind} at {self._clock(place.start_ms)} cannot be read: {error}")

    def _extend(self, segment: Segment | OneRow, number: int, at_ms: int) -> bool:
        """Add the changes until a moment that were written since. Return whether these are all.

        After a damaged part, the rest has no meaning.
        """
        parts = " UNION ALL ".join(_PARTS.format(table) for table in ("block", "tail"))
        for first, changes in self._query(f"{parts} ORDER BY first", (number, segment.many)):
            if segment.damage:
                break
            if segment.last_ms > at_ms:
                return False
            try:
                if not isinstance(first, int):
                    raise ValueError("a part is missing")
                text = self._size.unpack(number, first, changes)
                segment.extend(first, text, partial(self._size.add_rows, number, first))
            except (ValueError, OSError) as error:
                segment.damage = str(error)
                self.unread.add(segment.kind)
                self._note(f"changes of {segment.kind} after {self._clock(segment.last_ms)} cannot be read: {error}")
        return True

    def _clock(self, at_ms: int) -> str:
        """Return a moment in the zone of the recording."""
        return clock_text(at_ms, zone_of(self.meta.get("zone")))

    def _query(self, query: str, values: Sequence[object] = ()) -> list[Any]:
        """Return the rows of a query, as far as they can be read, and until they take too much memory."""
        rows: list[Any] = []
        size = 0
        with self._lock:
            try:
                for row in self._db.execute(query, values):
                    size += _ROW_BYTES + sum(len(item) for item in row if isinstance(item, bytes | str))
                    if size > _MOST_BYTES:
                        self._note("the file contains more than can be read at once")
                        break
                    rows.append(row)
            except sqlite3.Error as error:
                self._note(error)
        return rows

    def _note(self, error: object) -> None:
        if len(self._damage) < _MOST_DAMAGES:
            self._damage[str(error)] = None
