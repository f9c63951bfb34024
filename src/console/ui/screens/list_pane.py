"""A list with its totals, rows and filter, updated from the backend."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any, cast

from textual.app import ComposeResult
from textual.containers import Vertical

from console.base.text import SafeText, cells, clean
from console.commands.guards import blocked
from console.kinds.scope import none_listed
from console.live.command import Stage, Ticket
from console.live.delta import Delta, Freshness, Health
from console.live.responses import MAKING
from console.records.extent import Extent
from console.records.record import Record
from console.ui.screens import deferred
from console.ui.screens.app_context import AppContext, Arrangement
from console.ui.screens.key_queue import KeyQueueApp
from console.ui.widgets.filter_bar import FilterBar
from console.ui.widgets.live_table import LiveTable
from console.ui.widgets.styled_line import Piece, StyledLine, piece, pieces, width_of, within
from console.ui.widgets.theme import app_of
from console.ui.widgets.tones import styled
from console.ui.widgets.top_line import USUAL, badge
from console.views.cell import Tone
from console.views.completion import completions
from console.views.filter import FilterFault, parse
from console.views.rows import PrecomputedView
from console.views.table import Table
from console.views.view import LARGE, NOTHING, Repaint, View
from console.views.wording import amount, capitalized, share

_ROW_STATES = {
    Stage.HELD: ("○", Tone.NOTICE),
    Stage.PENDING: ("…", Tone.NOTICE),
    Stage.REFUSED: ("×", Tone.BAD),
    Stage.UNKNOWN: ("?", Tone.WARN),
}
_UNBOUNDED = 10_000
_STATED_TICKETS = 20


class PaneHead(StyledLine):
    """The line above a list: number of rows, totals, and what is unusual."""


class ListPane(Vertical):
    """A live list of one kind of record."""

    DEFAULT_CSS = """
    ListPane { height: 1fr; width: 1fr; }
    ListPane > LiveTable { height: 1fr; }
    """

    def __init__(self, context: AppContext, table: Table[Any], *, wants: str = "") -> None:
        super().__init__(id=f"pane-{table.kind}")
        self.context = context
        self.table = table
        self.kind = table.kind
        self.view: View[Any] = View(table, context.render_context())
        chosen = context.config.columns.get(table.kind)
        if chosen:
            self.view.set_columns(chosen)
        self.filter_text = ""
        self.scope_words: SafeText | None = None
        self._wants = wants
        self._chosen_order: Arrangement | None = None
        self._version = 0
        self._wanted_key: str | None = None
        self._made = 0
        self._said_state: Freshness | None = None
        self._precomputed: tuple[Delta[Any], asyncio.Future[PrecomputedView[Any]]] | None = None
        self._held_keys = ExitStack()
        """Holds keys until the first rows of a large list are there: they are for a row."""
        self._reading: asyncio.Future[None] | None = None
        """Reads the texts of a long list for its filter."""
        self._typed: str | None = None
        """A filter that waits for them."""
        self.live_table = LiveTable(self.view)
        self.head = PaneHead()
        self.filter_bar = FilterBar()

    def compose(self) -> ComposeResult:
        """Compose head, rows and filter."""
        yield self.head
        yield self.live_table
        yield self.filter_bar

    # -- data --------------------------------------------------------------------------------------------------

    def look(self) -> None:
        """Update what is read for this pane alone, before its freshness is asked."""

    def source(self) -> Repaint:
        """Return the changes since the last call. Panes with records of another source override this."""
        if self._precomputed is not None:
            return self._take_ahead()
        delta = self.context.backend.delta(self.kind, self._version)
        self._version = delta.version
        if len(delta.upserts) <= LARGE or self.view.paused:
            return self.view.apply(delta)
        loop = asyncio.get_running_loop()
        ahead = loop.run_in_executor(self.context.worker, self.view.precompute(delta))
        if not self.view.total:
            self._held_keys.enter_context(cast(KeyQueueApp, app_of(self)).holding_keys(lambda: None))
            ahead.add_done_callback(lambda _: self.call_later(self._show_first_rows))
        self._precomputed = delta, ahead
        return NOTHING

    def _show_first_rows(self) -> None:
        """Show the first rows, and release the keys; another list of the screen may be in front by now."""
        with self._held_keys:
            self.beat(True)

    def _take_ahead(self) -> Repaint:
        """Return a large set of changes, once the worker thread has precomputed the order of the rows."""
        if self._precomputed is None or not self._precomputed[1].done():
            return NOTHING
        (delta, future), self._precomputed = self._precomputed, None
        precomputed = future.result()
        change = self.view.apply(delta, precomputed)
        self.context.worker.submit(precomputed.forget)
        return change

    def on_unmount(self) -> None:
        """Release the keys."""
        self._held_keys.close()

    def beat(self, fresh: bool) -> None:
        """Draw the changes since the last refresh."""
        if not self.live_table.is_mounted:
            return
        self._arrange_as_chosen()
        self.look()
        health, change = self.health, self.source()
        ticked = self.view.tick(self.context.clock.now_ms())
        if ticked:
            change = Repaint(change.dirty | ticked.dirty, change.moved or ticked.moved, change.counts or ticked.counts)
        self.live_table.refresh_changes(change)
        differs = fresh or bool(change) or not self.context.quiet
        if differs:
            self._state_rows()
        if differs or health.state is not self._said_state:
            self._said_state = health.state
            self._say_empty(health)
            self._say_head(health)
        if self._wanted_key is not None:
            self.show_key(self._wanted_key)

    def _state_rows(self) -> None:
        """Show on each row the state of this console's command on it, in words only for a few seconds."""
        states: dict[str, tuple[str, Tone, SafeText]] = {}
        now_ms = self.context.clock.now_ms()
        for ticket in reversed(self.context.backend.commands.tickets()[:_STATED_TICKETS]):
            if ticket.command.kind != self.kind:
                continue
            self._show_made(ticket)
            outcomes = {outcome.step.key: outcome for outcome in ticket.outcomes}
            for step in ticket.command.steps:
                result = outcomes.get(step.key, ticket)
                states.pop(step.key, None)
                if result.stage in _ROW_STATES:
                    symbol, tone = _ROW_STATES[result.stage]
                    words = clean(result.reason or result.stage.value, 80) if ticket.is_recent(now_ms) else clean("")
                    states[step.key] = (symbol, tone, words)
        self.live_table.set_states(states)

    def _show_made(self, ticket: Ticket) -> None:
        """Move the cursor to the record that this console has just created."""
        if ticket.stage is not Stage.DONE or ticket.command.number <= self._made:
            return
        self._made = ticket.command.number
        for outcome in ticket.outcomes:
            record, operation = outcome.answer, outcome.step.request.operation
            if isinstance(record, Record) and record.identified and operation.name.endswith(MAKING):
                self.show_key(record.key)

    def _say_head(self, health: Health) -> None:
        view = self.view
        selection = len(view.selection)
        totals = self.totals() if health.extent is not Extent.UNKNOWN else []
        # After a fatal error, the top line tells the state of all lists.
        told_above = health.state in USUAL or self.context.backend.fatal is not None
        unusual = None if told_above else badge(health, long=False)
        # In an empty list, the reason is shown in place of the rows.
        reason = health.reason if unusual is not None and view.matched else ""
        self.filter_bar.show(self.filter_text, view.matched, view.total)
        counts = (view.matched, view.total) if view.filter is not None else None
        in_focus = self.live_table.has_focus
        if not self.head.differs(
            in_focus, unusual, reason, health.cut, view.paused, view.behind, selection, counts, totals, self.scope_words
        ):
            return
        width = self.head.size.width - 2 if self.head.size.width else _UNBOUNDED
        parts: list[Piece] = []
        if unusual is not None:
            parts += [*unusual, piece("  ")]
        if reason:
            first = next((place for place, total in enumerate(totals) if total.text.isspace()), len(totals))
            room = width - width_of(parts) - width_of(totals[:first]) - 4
            parts += [piece(clean(reason, max(20, room)), Tone.QUIET), piece("  ")]
        if health.cut:
            parts += [piece(clean(health.cut, 60), Tone.NOTICE), piece("  ")]
        if view.paused:
            parts.append(piece(f"paused, {amount(view.behind)} behind  ", Tone.WARN))
        if selection:
            parts.append(piece(f"{amount(selection)} selected  ", Tone.NOTICE))
        if view.filter is not None:
            parts.append(piece(f"{share(view.matched, view.total)}  ", Tone.NOTICE))
        room = width - width_of(parts)
        if self.scope_words:
            parts.append(piece(self.scope_words + "  ", Tone.NOTICE))
            room -= cells(self.scope_words) + 2
            totals = totals if width_of(totals[:1]) <= room else []
        parts += within(totals, room)
        # Only the list in focus has a bright title.
        self.head.update(parts if in_focus else [_dimmed(part) for part in parts])

    def totals(self) -> list[Piece]:
        """Return the totals of the list."""
        return pieces(self.view.totals())

    def why_empty(self) -> str:
        """Return why there can be no rows, empty if there simply are none."""
        return ""

    def _say_empty(self, health: Health) -> None:
        if self.view.matched:
            return
        match health.state:
            case _ if why := self.why_empty():
                text = piece(why, Tone.QUIET)
            case Freshness.LOADING if health.reason:
                text = piece(clean(f"Not loaded yet: {health.reason}", 240), Tone.WARN)
            case _ if self._precomputed is not None or health.state is Freshness.LOADING:
                text = piece("Loading…", Tone.QUIET)
            case Freshness.REFUSED:
                text = piece(clean(f"The service does not show this: {health.reason}", 200), Tone.WARN)
            case Freshness.OFFLINE if not self.view.total:
                why = f"Not loaded: {health.reason}" if self.context.past is None else capitalized(health.reason)
                text = piece(clean(why, 200), Tone.BAD)
            case _ if self.filter_text:
                press = self.context.press("view.back", "clear the filter")
                text = piece(clean(f"Nothing matches {self.filter_text}. {press}", 200), Tone.QUIET)
            case _:
                none = none_listed(self.kind, self.table.title, self.context.render_context())
                text = piece(f"{none} {self._wants or self._creating()}", Tone.QUIET)
        self.live_table.empty = styled(text.text, text.look)

    def _creating(self) -> str:
        """Return the sentence with the key that creates a first record, if there is one and the caller may."""
        name = f"{self.kind}.create"
        press = self.context.press(name, "create one")
        return "" if not press or blocked(deferred.actions.by_id(name), self.context.situation(), ()) else press

    def find(self, key: str) -> Record | None:
        """Return a record, whether or not it is shown in the list."""
        return self.context.backend.records(self.kind).get(key)

    @property
    def health(self) -> Health:
        """The freshness of the list."""
        return self.context.backend.health(self.kind)

    @property
    def count(self) -> int:
        """The number of records, whether or not they are shown."""
        return len(self.context.backend.records(self.kind))

    # -- cursor, filter, order -----------------------------------------------------------------------------------

    @property
    def visible_records(self) -> Sequence[Record]:
        """The records of the visible rows."""
        table = self.live_table
        keys = self.view.window(round(table.scroll_offset.y), table.size.height)
        return [record for key in keys if (record := self.view.record(key)) is not None]

    def open_filter(self) -> None:
        """Open the filter. A long list reads its texts in another thread: the first letter does not wait for them."""
        self.filter_bar.open(self.filter_text)
        if self.view.total > LARGE:
            loop = asyncio.get_running_loop()
            self._reading = loop.run_in_executor(self.context.worker, self.view.text_reading())
            self._reading.add_done_callback(self._filter_as_typed)

    def type_filter(self, text: str) -> None:
        """Filter by a text that is being typed, and show how it can go on, or what is wrong with it.

        A term that is not finished or wrong does not count, those before it do.
        """
        if self._reading is not None and not self._reading.done():
            self._typed = text
            return
        if fault := self.set_filter(text):
            # Its name alone, typed before, is a word that matches nothing.
            self.set_filter(text.rpartition(" ")[0])
        offered = completions(text, self.table, self.view.records.values(), self.context.render_context())
        self.filter_bar.show_typed(clean(fault, 120), offered)

    def _filter_as_typed(self, _read: object) -> None:
        if self._typed is not None and self.live_table.is_mounted:
            self.type_filter(self._typed)

    def end_filter(self, keep: bool) -> None:
        """End typing: keep the filter, or drop it."""
        if not keep:
            self.set_filter("")
        elif self._typed is not None:
            self.set_filter(self._typed)

    def set_filter(self, text: str) -> str:
        """Set the filter. Return its error, empty if it is valid; an invalid filter changes nothing."""
        self._typed = None
        try:
            wanted = parse(text, self.table)
        except FilterFault as fault:
            return str(fault)
        self.filter_text = text.strip()
        self.live_table.refresh_changes(self.view.set_filter(wanted))
        return ""

    def go_to(self, key: str, filter_text: str = "") -> None:
        """Focus the rows, and filter them or move the cursor to a record."""
        if filter_text:
            self.set_filter(filter_text)
        elif key:
            if self.filter_text and self.view.index(key) is None:
                self.set_filter("")
            self.show_key(key)
        self.live_table.focus()

    def show_key(self, key: str) -> None:
        """Move the cursor to a record, now or as soon as it is listed."""
        self._wanted_key = key
        if self.view.index(key) is not None:
            self.live_table.move_to(key)
            self._wanted_key = None

    def leave_done(self) -> None:
        """Move the cursor to the first row if its record was dealt with from here, and is listed below those to do.

        The cursor went down with the record: what is still to do would be above what is visible.
        """
        key, keys = self.view.cursor_key, self.view.keys
        if not keys or key is None or self.view.opened is not None:
            return
        dealt_with = {
            step.key
            for ticket in self.context.backend.commands.tickets()
            if ticket.stage is Stage.DONE and ticket.command.kind == self.kind
            for step in ticket.command.steps
        }
        rank = self.table.column(self.view.sort[0]).rank
        first, here = self.view.record(keys[0]), self.view.record(key)
        if key not in dealt_with or rank is None or first is None or here is None:
            return
        render = self.context.render_context()
        if rank(first, render) < rank(here, render):
            self.live_table.move_to(keys[0])

    def set_order(self, sort: tuple[str, bool] | None = None, columns: Sequence[str] = ()) -> None:
        """Sort by a column, ascending or descending, and choose columns, as the operator wants it from now on.

        The same list of the past, or of now, follows when it is shown. Raise KeyError.
        """
        if sort is not None:
            self.live_table.refresh_changes(self.view.set_sort(*sort))
        if columns:
            self.live_table.refresh_changes(self.view.set_columns(columns))
        self._chosen_order = self.view.sort, tuple(column.id for column in self.view.columns)
        self.context.arranged[self._place] = self._chosen_order

    def _arrange_as_chosen(self) -> None:
        """Follow how this list was arranged in the past, or now."""
        chosen = self.context.arranged.get(self._place)
        if chosen is not None and chosen is not self._chosen_order:
            self.set_order(*chosen)

    @property
    def _place(self) -> tuple[str, str]:
        return type(self.screen).__name__, self.kind

    def sort_by(self, column_id: str) -> None:
        """Sort by a column, or reverse the order if it is already sorted by it."""
        now, descending = self.view.sort
        self.set_order((column_id, not descending if now == column_id else False))

    def sort_step(self, step: int) -> None:
        """Sort by the next visible column to the left or right that has a title, which shows the order."""
        ids = [placed.column.id for placed in self.live_table.visible_layout.placed if placed.column.title]
        if not ids:
            return  # A resource that cannot be listed has no columns.
        now = self.view.sort[0]
        at = ids.index(now) if now in ids else 0
        self.set_order((ids[(at + step) % len(ids)], self.view.sort[1]))

    def reverse(self) -> None:
        """Reverse the order."""
        self.sort_by(self.view.sort[0])

    def toggle_pause(self) -> None:
        """Pause the list, or resume it."""
        if self.view.paused:
            self.live_table.refresh_changes(self.view.resume())
        else:
            self.view.pause()


def _dimmed(bright: Piece) -> Piece:
    return Piece(bright.text, Tone.PLAIN) if bright.look is Tone.STRONG else bright
