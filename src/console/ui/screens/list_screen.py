"""The base of screens with lists: one list is shown at a time, with a detail beside or below it if there is space."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from textual.app import ComposeResult
from textual.containers import Container
from textual.widgets import ContentSwitcher

from console.base.text import clean
from console.commands.action import Action
from console.kinds.tables import TABLES
from console.kinds.view_keys import ViewKey
from console.live.command import Ticket
from console.live.delta import Health
from console.records.record import Record
from console.rules.once import WAITED_FOR
from console.ui.screens import navigation
from console.ui.screens.app_context import AppContext
from console.ui.screens.console_screen import ConsoleScreen
from console.ui.screens.detail import DetailScreen, GoneRecord, RelatedBeside, sections_of
from console.ui.screens.export import copy_row, copy_text, export_csv, export_json
from console.ui.screens.history_section import HistorySection
from console.ui.screens.list_pane import ListPane
from console.ui.screens.overlays import choose_columns, choose_related
from console.ui.screens.panes import PaneTabs, choose_view, mark_all, refused_by_all
from console.ui.screens.when_free import tell_when_free
from console.ui.widgets.detail_pane import DetailPane
from console.ui.widgets.filter_bar import FilterBar
from console.ui.widgets.frame import FooterKey
from console.ui.widgets.live_table import LiveTable
from console.ui.widgets.table_layout import widest
from console.ui.widgets.theme import app_of
from console.ui.widgets.top_line import Paused

_DETAIL_SECONDS = 0.1
"""Minimum time between two details while the cursor moves on."""
_NO_RECORD = "No record under the cursor."
_AT_CURSOR = {"view.open", "view.mark", "view.copy", "view.when-free", "calls.quality", "admin.update", "admin.delete"}


class Beside(Container):
    """The container of the detail and its separator."""


class ListScreen(ConsoleScreen):
    """The base of every screen that lists records."""

    DEFAULT_CSS = """
    ListScreen #lists { height: 1fr; }
    ListScreen #panes { height: 1fr; width: 1fr; }
    ListScreen Beside { display: none; background: $background; }
    ListScreen.tall #lists { layout: vertical; }
    ListScreen.tall Beside { display: block; height: 2fr; border-top: solid $border-blurred; }
    ListScreen.tall #panes { height: 3fr; }
    ListScreen.wide #lists { layout: horizontal; }
    ListScreen.wide Beside {
        display: block; width: 2fr; height: 1fr; border-top: none; border-left: solid $border-blurred;
    }
    ListScreen.wide #panes { width: 3fr; height: 1fr; }
    ListScreen.very-wide Beside { width: 64; }
    ListScreen.widest Beside { width: 2fr; }
    """

    def __init__(self, context: AppContext) -> None:
        super().__init__(context)
        self.panes = self.make_panes()
        self.detail = DetailPane(context.opened_sections, in_columns=True, opens=False)
        self.beside = Beside(self.detail)
        self.pane_tabs = PaneTabs()
        self._pane = self.panes[0]
        self._switcher = ContentSwitcher(initial=self._pane.id, id="panes")
        self._history = HistorySection(context)
        self._related = RelatedBeside(context)
        self._gone = GoneRecord(self)
        self._shown_detail: tuple[object, ...] = ()
        self._detail_due = 0.0
        self._narrowed_for: object = None

    # -- layout ----------------------------------------------------------------------------------------------------

    def make_panes(self) -> Sequence[ListPane]:
        """Return the screen's lists."""
        return [ListPane(self.context, TABLES[kind]) for kind in self.spec.kinds]

    def compose_body(self) -> ComposeResult:
        """Compose the lists and the detail."""
        yield self.pane_tabs
        with Container(id="lists"):
            with self._switcher:
                yield from self.panes
            yield self.beside

    def on_mount(self) -> None:
        """Focus the first list."""
        self.pane.live_table.focus()

    def on_screen_resume(self) -> None:
        """Act on the record under the cursor again: no other one is open over the list any more."""
        for pane in self.panes:
            pane.view.opened = None

    def on_unmount(self) -> None:
        """Stop reading: quitting does not wait for it."""
        self._history.stop()
        self._gone.stop()

    @property
    def pane(self) -> ListPane:
        """The current list."""
        return self._pane

    def panes_listed(self) -> Sequence[ListPane]:
        """Return the lists for the tabs and for the keys that switch lists."""
        return self.panes

    def switch_pane(self, kind: str) -> None:
        """Show another of the screen's lists, if there is one of this kind."""
        wanted = next((pane for pane in self.panes if pane.kind == kind), self._pane)
        if wanted is self._pane:
            return
        self._pane, self._switcher.current = wanted, wanted.id
        self.context.backend.show(self.kinds_in_view() | {"alerts", "status"})
        self.pane.live_table.focus()
        self.beat(True)

    # -- interface for the frame -----------------------------------------------------------------------------------

    def way_to(self, kind: str) -> str:
        """Return the key that switches lists, where it leads to this one."""
        in_turn = kind in {pane.kind for pane in self.panes_listed()}
        return self.context.key_words("view.pane") if in_turn else super().way_to(kind)

    def kind_in_focus(self) -> str:
        """Return the kind of the current list."""
        return self.pane.kind

    def health(self) -> Health:
        """Return the freshness of the current list."""
        return self.pane.health

    @property
    def panes_in_view(self) -> Sequence[ListPane]:
        """The visible lists."""
        return (self.pane,)

    def paused(self) -> Paused | None:
        """Return since when a visible list is paused: its times stand still."""
        view = next((pane.view for pane in self.panes_in_view if pane.view.paused), None)
        shown_ms = 0 if view is None else self.context.clock.now_ms() - view.render_context.now_ms
        return None if view is None else Paused(shown_ms // 1000, view.behind)

    @property
    def cursor_key(self) -> str:
        """The key of the record under the cursor, empty if there is none."""
        record = self.pane.view.cursor_record
        return record.key if record is not None else ""

    def acted_on(self, action: Action[Any]) -> Sequence[Record]:
        """Return the selected records or the one under the cursor; none for an action on another list's records."""
        if action.needs == "none" or action.kind not in {self.pane.kind, "everywhere"}:
            return ()
        return self.pane.view.acted_on(many=action.needs == "many")

    def refresh_body(self, fresh: bool) -> None:
        """Update the list and the detail."""
        self._leave_rest_to_detail()
        self.pane.beat(fresh)
        self.refresh_tabs(fresh)
        self._refresh_detail()
        self._gone.update()

    def _leave_rest_to_detail(self) -> None:
        """On the widest screens, give the detail the cells that the list leaves empty beside its scrollbar."""
        wanted = self.pane.view.columns, self.has_class("widest")
        if wanted != self._narrowed_for:
            self._narrowed_for = wanted
            self._switcher.styles.max_width = widest(wanted[0]) + 1 if wanted[1] else None

    def refresh_tabs(self, fresh: bool) -> None:
        """Update the names of the lists."""
        if (fresh and not self.context.busy) or not self.context.quiet:
            self.pane_tabs.show(self.panes_listed(), self.pane, self.context)

    def _refresh_detail(self) -> None:
        if not self.beside.display:
            return
        record = self.pane.view.cursor_record
        key = record.key if record is not None else ""
        self._history.update(self.pane.table, key, record)
        compared, second = key if self.context.busy else record, self.context.clock.now_ms() // 1000
        related = ()
        if record is not None and self._has_room():
            related = self._related.of(self.pane.table, record, self.detail.size)
        state = self.pane.kind, compared, second, id(self._history.history), related
        if state == self._shown_detail:
            return
        self._shown_detail = state
        self._detail_due = self.context.clock.monotonic() + _DETAIL_SECONDS
        sections = () if record is None else sections_of(self.context, self.pane.table, record)
        self.detail.show(key, self._history.added_to(sections) if sections else (), related)

    def _has_room(self) -> bool:
        """Return whether the detail shows related records: the cursor stays, and all else is there and leaves lines."""
        return self._history.stands and self.detail.has_room and not self._history.is_awaited

    def met_by_keys(self) -> object:
        """Return the state on which the keys depend: focus, cursor, selection and commands."""
        pane, tickets = self.pane, self.context.backend.commands.tickets()
        return self.focused, pane.kind, self._compared_record(), self.selected(), pane.view.selection, tickets

    def _compared_record(self) -> object:
        """Return what differs with the record under the cursor; while data arrives all the time, only with its key."""
        return self.cursor_key if self.context.busy else self.pane.view.cursor_record

    def footer_keys(self) -> list[FooterKey]:
        """Put the key that closes the screen or goes back first; it clears the selection and the filter before.

        While a filter is typed, only the keys of its input work.
        """
        whence, key = navigation.came_from(self.context, self.pane.kind), self.context.key_words("view.back")
        closes = [FooterKey(key, "back", clean(""), "view.back")] if self.OVER else []
        if self.pane.filter_bar.typing:
            return [*closes, FooterKey("enter", "keep the filter", clean("")), FooterKey("esc", "clear", clean(""))]
        dropped = self.pane.view.selection or self.pane.filter_text
        crumb = [FooterKey(key, f"back to {whence}", clean(""), "view.back")] if whence and key and not dropped else []
        return [*closes, *crumb, *super().footer_keys()]

    def view_why_not(self, identifier: str) -> str:
        """Refuse keys that concern a record if there is none."""
        if identifier in _AT_CURSOR and self.pane.view.cursor_record is None:
            return _NO_RECORD
        return super().view_why_not(identifier)

    def view_keys(self) -> list[ViewKey]:
        """Leave out the keys that switch lists if there is only one, and those that this list does not have."""
        idle = {"view.pane", "view.pane-back"} if len(self.panes) == 1 else set[str]()
        if self.pane.kind not in WAITED_FOR:
            idle.add("view.when-free")
        return [key for key in super().view_keys() if key.id not in idle]

    # -- going to a record -----------------------------------------------------------------------------------------

    @property
    def filter_text(self) -> str:
        """The filter of the list in focus."""
        return self.pane.filter_text

    def show_record(self, kind: str, key: str, filter_text: str = "") -> None:
        """Move the cursor to a record of one of the lists, or filter the list."""
        self.switch_pane(kind)
        self.pane.go_to(key, filter_text)
        self.beat(True)

    def arrived(self) -> None:
        """Show the list from the top if the record under the cursor moved down because it was dealt with."""
        self.pane.leave_done()

    def seek_gone(self, kind: str, key: str) -> None:
        """Open a record that is not listed any more as it was last known."""
        self._gone.seek(kind, key)

    def submitted(self, ticket: Ticket) -> None:
        """Clear the selection: a command has been submitted."""
        self.pane.live_table.set_selection(frozenset())
        super().submitted(ticket)

    # -- messages of the widgets -----------------------------------------------------------------------------------

    def on_pane_tabs_chosen(self, message: PaneTabs.Chosen) -> None:
        """Show the clicked list."""
        self.switch_pane(message.kind)

    def on_live_table_record_opened(self, _message: LiveTable.RecordOpened) -> None:
        """Open the record on Enter or double click."""
        self.do_open()

    def on_live_table_cursor_moved(self, _message: LiveTable.CursorMoved) -> None:
        """Show the detail of the record under the cursor, after the cursor itself has been drawn.

        While the cursor moves on, the refresh shows only the last record: a detail costs three times as much as a row.
        """
        if self.context.clock.monotonic() >= self._detail_due:
            self.call_after_refresh(self._refresh_detail)

    def on_live_table_sort_requested(self, message: LiveTable.SortRequested) -> None:
        """Sort by the column whose title was clicked."""
        self.pane.sort_by(message.column)

    def on_filter_bar_changed(self, message: FilterBar.Changed) -> None:
        """Filter while the text is typed, without a last term that is invalid."""
        self.pane.type_filter(message.text)

    def on_filter_bar_closed(self, message: FilterBar.Closed) -> None:
        """Focus the rows, with the filter kept or cleared."""
        self.pane.end_filter(message.keep)
        self.pane.live_table.focus()

    # -- view keys -------------------------------------------------------------------------------------------------

    def do_open(self) -> None:
        """Open the record under the cursor."""
        self.open_detail()

    def open_detail(self) -> None:
        """Show the record under the cursor over the whole screen."""
        if (record := self._at_cursor()) is not None:
            app_of(self).push_screen(DetailScreen(self.pane, record.key))

    def _at_cursor(self) -> Record | None:
        """Return the record under the cursor; show a notice if there is none."""
        record = self.pane.view.cursor_record
        if record is None:
            self.say(_NO_RECORD)
        return record

    def do_back(self) -> None:
        """Clear the selection, then the filter, then go back or close."""
        pane = self.pane
        if pane.view.selection:
            pane.live_table.set_selection(frozenset())
        elif pane.filter_text:
            pane.set_filter("")
        else:
            super().do_back()

    def do_filter(self) -> None:
        """Open the filter."""
        self.pane.open_filter()

    def do_mark(self) -> None:
        """Select the record under the cursor and move to the next."""
        if self._at_cursor() is not None:
            self.pane.live_table.action_mark()

    def do_mark_all(self) -> None:
        """Select every shown record that some action on several can take, or none if all are selected."""
        if self._at_cursor() is not None:
            mark_all(self, self.pane, self.refused())

    def refused(self) -> Mapping[str, str]:
        """Return the records that `mark_all` skips; those for an export are selected one by one."""
        return refused_by_all(self.pane, self.context.situation(self.selected()))

    def do_sort_left(self) -> None:
        """Sort by the column to the left."""
        self.pane.sort_step(-1)

    def do_sort_right(self) -> None:
        """Sort by the column to the right."""
        self.pane.sort_step(1)

    def do_reverse(self) -> None:
        """Reverse the order."""
        self.pane.reverse()

    def do_pause(self) -> None:
        """Pause the list, or resume it."""
        self.pane.toggle_pause()
        self.beat(True)

    def do_pane(self, step: int = 1, /) -> None:
        """Show the next list."""
        kinds = [pane.kind for pane in self.panes_listed()]
        self.switch_pane(kinds[(kinds.index(self.pane.kind) + step) % len(kinds)])

    def do_pane_back(self) -> None:
        """Show the previous list."""
        self.do_pane(-1)

    def do_section_back(self) -> None:
        """Go to the previous section of the detail."""
        self.do_section(-1)

    def do_section(self, step: int = 1) -> None:
        """Go to the next section of the detail; open it if there is no space for it beside the list."""
        if self.detail.is_mounted and self.beside.display:
            self.detail.step(step)
        else:
            self.open_detail()

    def do_columns(self) -> None:
        """Choose the columns and their order."""
        choose_columns(self, self.pane)

    def do_views(self) -> None:
        """Apply, save or delete a view."""
        choose_view(self, self.pane)

    def do_when_free(self) -> None:
        """Tell once when the record under the cursor is free, or not any more."""
        if (record := self._at_cursor()) is not None:
            tell_when_free(self, self.pane.table, record)

    def do_copy(self) -> None:
        """Send the record's id to the terminal's clipboard."""
        if (record := self._at_cursor()) is not None:
            copies = self.pane.table.copies
            copy_text(self, copies(record) if copies else record.key)

    def do_copy_row(self) -> None:
        """Send the row as shown to the terminal's clipboard."""
        if (record := self._at_cursor()) is not None:
            copy_row(self, self.pane, record)

    def do_export_csv(self) -> None:
        """Export the rows shown to a CSV file."""
        export_csv(self, self.pane)

    def do_export_json(self) -> None:
        """Export the rows shown to a JSON file."""
        export_json(self, self.pane)

    def do_related(self) -> None:
        """Go to a related record."""
        if (record := self._at_cursor()) is not None:
            choose_related(self, self.pane.table, record)
