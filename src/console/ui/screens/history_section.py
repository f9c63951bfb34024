"""The section of a detail with the history of its record, which another thread reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from console.base.frozen import replace
from console.kinds.catalogue import LIVE
from console.records.record import Record
from console.ui.screens.app_context import AppContext
from console.ui.screens.background import Background
from console.views.cell import Line, Section, Tone
from console.views.lines import before_closed, text_line
from console.views.quoting import shell_command
from console.views.record_history import RecordHistory, history_lines
from console.views.render_context import RenderContext
from console.views.table import Table

if TYPE_CHECKING:
    from console.recording.history_reader import HistoryReader

_STAND_SECONDS = 0.5
"""How long a record must be shown before its history is read: between two keys the cursor only passes it."""
_AGAIN_SECONDS = 1.0
"""Shortest time between two readings of the same history."""
_RESTS = 99
"""The same as a multiple of the processor time of a reading: a record may change all the time."""
_COMMAND_CELLS = 200
"""Longest command that is shown: far less than a line, which would be cut."""
_NOTHING: Mapping[str, Record] = {}


class HistorySection:
    """Reads the history of one record after the other, as they are shown."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._reader: HistoryReader | None = None
        self._table: Table[Any] | None = None
        self._key = ""
        self._shown: object = None
        """The record as last compared, and the moment from which it is so."""
        self._since_ms = 0
        self._due = 0.0
        self._stands_from = 0.0
        self._reading: Background[RecordHistory] | None = None
        self._asked: int | None = None
        """The moment until which it was read last, in the past."""
        self._drawn: tuple[object, tuple[Section, ...]] = None, ()
        self.history: RecordHistory | None = None
        """The known part of the record's history; another object when more is known."""

    @property
    def stands(self) -> bool:
        """Whether the record is shown for so long that the cursor does not only pass it."""
        return self._context.clock.monotonic() >= self._stands_from

    @property
    def is_on(self) -> bool:
        """Whether there is a recording to look into, or should be one."""
        context, table = self._context, self._table
        if table is None or table.kind not in LIVE:
            return False
        return context.past is not None or context.backend.recorded or bool(context.backend.recording_fault)

    @property
    def is_awaited(self) -> bool:
        """Whether nothing of the history has been read yet."""
        return self.history is None and self.is_on

    def update(self, table: Table[Any], key: str, record: Record | None) -> None:
        """Take what was read, and read what is missing of this record. Called on every beat; never waits."""
        clock = self._context.clock
        if (table.kind, key) != (self._table.kind if self._table is not None else "", self._key):
            self.stop()
            self._table, self._key = table, key
            self.history, self._drawn = None, (None, ())
            self._due = self._stands_from = clock.monotonic() + _STAND_SECONDS
        if not self.is_on or not key:
            return
        past, backend = self._context.past, self._context.backend
        inputs = (id(record), None if past is not None else backend.commands.tickets())
        if inputs != self._shown:
            self._shown, self._since_ms = inputs, clock.now_ms()
        if self._reading is not None:
            if not self._reading.is_done:
                return
            self.history = self._reading.result()
            self._due = clock.monotonic() + max(_AGAIN_SECONDS, _RESTS * self._reading.seconds)
            self._reading = None
        if clock.monotonic() >= self._due and self._is_behind():
            self._begin(table, key)

    def _is_behind(self) -> bool:
        """Return whether there may be more to read: since then, the record changed or the moment is another."""
        past = self._context.past
        if self.history is None:
            return True
        return self.history.until_ms < self._since_ms if past is None else self._asked != past.clock.now_ms()

    def _begin(self, table: Table[Any], key: str) -> None:
        context, past = self._context, self._context.past
        if self._reader is None:
            # Takes 7 ms, and lists are shown without it.
            from console.recording.history_reader import HistoryReader

            file = context.recording
            if file is None:
                return
            self._reader = HistoryReader(file, finished=bool(context.file))
        reader, until = self._reader, past.clock.now_ms() if past is not None else None
        render, backend = context.render_context(), context.backend

        def lookup(kind: str) -> Mapping[str, Record]:
            return backend.records(kind) if kind in LIVE else _NOTHING

        def render_at(at_ms: int) -> RenderContext:
            return replace(render, now_ms=at_ms, lookup=lookup)

        self._asked = until
        self._reading = Background(
            "console-history", lambda work: reader.read(table, key, until, render_at, work.report)
        )

    def stop(self) -> None:
        """End reading."""
        if self._reading is not None:
            self._reading.stop()
            self._reading = None
            # Its thread may still read the file: the next one has a reader of its own.
            self._reader = None

    @property
    def last(self) -> Record | None:
        """The record as it was last known until the moment that is shown."""
        return self.history.last if self.history is not None else None

    @property
    def gone_ms(self) -> int | None:
        """When the record was removed from its list, None if that is not known."""
        return self.history.gone_ms if self.history is not None else None

    def added_to(self, sections: tuple[Section, ...]) -> tuple[Section, ...]:
        """Return the sections of the record with its history, before those that are closed at first."""
        return before_closed(sections, self._sections())

    def _sections(self) -> tuple[Section, ...]:
        """Return the section; none if nothing is recorded, and nothing should be."""
        if not self.is_on:
            return ()
        state = (id(self.history), self._context.clock.now_ms() // 1000, self._context.backend.recording_fault)
        if state != self._drawn[0]:
            self._drawn = state, (Section("history", "History", self._lines()),)
        return self._drawn[1]

    def _command(self, kind: str) -> str | None:
        # A key that begins like an option would be read as one.
        is_option = self._key.startswith("-")
        return None if is_option else shell_command(["console", "history", kind, self._key], _COMMAND_CELLS)

    def _lines(self) -> tuple[Line, ...]:
        context, table, history = self._context, self._table, self.history
        assert table is not None
        fault = context.backend.recording_fault if context.past is None else ""
        stopped = (text_line(f"Recording has stopped: {fault}", Tone.WARN),) if fault else ()
        if history is None:
            return stopped or (text_line("Reading the recording…", Tone.QUIET),)
        if history.fault:
            return stopped or (text_line(f"Nothing is recorded: {history.fault}.", Tone.QUIET),)
        until = " until this moment" if context.past is not None else ""
        command = None if context.file else self._command(table.kind)
        older = "Older changes are not shown" + (f": {command}" if command else "")
        lines = history_lines(history, older, context.render_context())
        return (*stopped, *(lines or (text_line(f"Nothing is recorded about it{until}.", Tone.QUIET),)))
