"""Passes changes of lists, health and samples to the writer of a recording."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from console.base.clock import Clock
from console.recording.format import AT, CALLER, HEALTH, LINK, ROW, SAMPLES
from console.recording.messages import Beat, Begin, ListChange
from console.recording.observed import health_row, json_row

if TYPE_CHECKING:
    from console.live.backend import Backend
    from console.live.collection import Collection
    from console.recording.file_writer import FileWriter
    from console.recording.writer_process import WriterProcess

TICK_SECONDS = 0.5
"""Longest delay of a write; twice as long without a change of a list."""
LATE_MS = 20
MOST_QUEUED = 20_000
"""Changes that wait for the writer; with more, the rest is a gap."""
KILLED = "the console was killed"
ENDED = "the console ended"
LOST = "too many changes at once"


class Writing:
    """Records the lists of a backend until it is stopped. Belongs to one thread."""

    def __init__(
        self,
        backend: Backend,
        writer: FileWriter | WriterProcess,
        clock: Clock,
        ended: threading.Event,
        goes_on: Callable[[], bool],
    ) -> None:
        """Prepare. `goes_on` returns whether the lists still belong to the account of the file."""
        self._backend, self._writer, self._clock, self._ended = backend, writer, clock, ended
        self._goes_on = goes_on
        self._queue: deque[tuple[int, str, Mapping[str, Any], Sequence[str] | None]] = deque()
        self._overflowed = False
        self._sampled = 0
        self._noted: dict[str, Mapping[str, bytes]] = {}
        """Freshness and caller as they were last written."""
        self._watched: list[Collection[Any]] = []

    def run(self, gap: str, began: Callable[[], object]) -> None:
        """Record until the end; `gap` is why nothing was recorded before. Raise what the writer raises.

        `began` is called when all changes are recorded.
        """
        gap = gap or KILLED
        try:
            while not self._ended.is_set() and self._goes_on():
                gap = self._span(gap, began)
        finally:
            self._watch(False)
            self._queue.clear()

    def _span(self, gap: str, began: Callable[[], object]) -> str:
        """Record until the end, or until something was not recorded. Return why the next one is another span."""
        self._queue.clear()
        self._overflowed = False
        self._noted.clear()
        self._sampled, _ = self._backend.history.added(self._sampled)
        breaks = self._clock.breaks.look()
        self._writer.begin(Begin(self._clock.now_ms(), gap))
        self._watch(True)
        began()
        rested = False
        while True:
            ended = self._ended.wait(TICK_SECONDS)
            rested = not (ended or self._queue or rested)
            if rested:
                # Freshness changes with time alone: that is looked for in every other turn.
                continue
            ended = ended or not self._goes_on()
            if ended:
                self._watch(False)
            broken = self._clock.breaks.after(breaks)
            end = broken[0].reason if broken else ENDED if ended else ""
            now = broken[0].start_ms if broken else self._clock.now_ms()
            # A change that is just arriving may be from this moment.
            until = now if end else now - LATE_MS
            self._writer.write(Beat(now, until, self._changes(now), [] if broken else self._notes(now), end))
            if end or self._overflowed:
                return end or LOST

    def _watch(self, on: bool) -> None:
        """Listen to all changes, or to none."""
        for collection in self._watched:
            collection.set_listener(None)
        self._watched.clear()
        if on:
            for kind, collection in self._backend.collections().items():
                self._watched.append(collection)
                collection.set_listener(self._listener(kind))

    def _listener(self, kind: str) -> Callable[[Mapping[str, Any], Sequence[str] | None], object]:
        queue, now_ms = self._queue, self._clock.now_ms

        def hear(upserts: Mapping[str, Any], gone: Sequence[str] | None) -> None:
            if len(queue) < MOST_QUEUED:
                queue.append((now_ms(), kind, upserts, gone))
            else:
                self._overflowed = True

        return hear

    def _changes(self, until_ms: int) -> list[ListChange]:
        """Take the changes that happened until a moment, and a little later ones: they arrive from another thread."""
        queue, changes = self._queue, list[ListChange]()
        while queue and queue[0][0] <= until_ms + LATE_MS:
            at_ms, kind, upserts, gone = queue.popleft()
            changes.append(ListChange(at_ms, kind, {key: upsert.encoded() for key, upsert in upserts.items()}, gone))
        return changes

    def _notes(self, now: int) -> list[tuple[int, str, Mapping[str, bytes]]]:
        """Return freshness and caller, if they changed, and the new samples of the charts with their own moments."""
        backend = self._backend
        healths = {kind: backend.health(kind) for kind in backend.collections()}
        healths[LINK] = backend.link
        current = {HEALTH: {kind: health_row(health, now) for kind, health in healths.items()}}
        me = backend.me
        if me is not None:
            current[CALLER] = {ROW: me.encoded()}
        notes: list[tuple[int, str, Mapping[str, bytes]]] = [
            (now, kind, rows) for kind, rows in current.items() if rows != self._noted.get(kind)
        ]
        self._noted |= current
        self._sampled, samples = backend.history.added(self._sampled)
        for sample in samples:
            # The moment makes each a change, also of the same numbers.
            row = json_row({**sample.values, AT: sample.at_ms})
            notes.append((sample.at_ms, SAMPLES, {sample.source: row}))
        return notes
