"""A record over the whole screen, updated while it is open; if it is not listed any more, as the recording has it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from textual.app import ComposeResult
from textual.geometry import Size

from console.base.frozen import replace
from console.base.text import clean
from console.commands.action import Action
from console.commands.guards import blocked
from console.kinds.actions import for_kind
from console.kinds.catalogue import LIVE
from console.kinds.view_keys import ViewKey
from console.live.delta import Health
from console.records.record import Record
from console.rules.once import WAITED_FOR
from console.ui.screens.app_context import AppContext
from console.ui.screens.export import copy_text
from console.ui.screens.history_section import HistorySection
from console.ui.screens.list_pane import ListPane
from console.ui.screens.overlay import Keys, Overlay, OverlayKey, beneath
from console.ui.screens.when_free import tell_when_free
from console.ui.widgets.detail_pane import DetailPane
from console.ui.widgets.styled_line import piece
from console.ui.widgets.theme import app_of
from console.views import wording
from console.views.cell import Section, Tone
from console.views.lines import before_closed
from console.views.table import Table

if TYPE_CHECKING:
    from console.ui.screens.list_screen import ListScreen


def sections_of(context: AppContext, table: Table[Any], record: Record) -> tuple[Section, ...]:
    """Return the current sections of a record's detail."""
    return table.detail(record, context.render_context())


_BUSY_MS = 5_000
"""Time between two readings of related records while data arrives all the time."""

_MOST_CALLS = 2_000
"""Number of calls above which related records are in opened records only: to find a person's calls keeps 0.7 kB a call,
twice what the call itself takes."""
_MOST_OPENED = 60
"""Most lines of a section with related records in an opened record."""
_OWN_LINES = 20
"""Lines that a record usually takes beside a list, before two sections of related records."""
_WIDE = 120
"""Width from which a detail beside a list has as much room for a line as an opened record."""


class RelatedBeside:
    """The sections of related records beside a list. They are read once a second, less often while much changes."""

    def __init__(self, context: AppContext) -> None:
        """Begin without a record."""
        self._context = context
        self._read: tuple[object, tuple[Section, ...]] = None, ()

    def of(self, table: Table[Any], record: Record, room: Size) -> tuple[Section, ...]:
        """Return the sections of a record, as long and as wide as a detail of this size has room for.

        It is the same object until they are read again.
        """
        context = self._context
        if len(context.backend.records("calls")) > _MOST_CALLS:
            return ()
        state = table.kind, record.key, room, context.clock.now_ms() // (_BUSY_MS if context.busy else 1000)
        if state != self._read[0]:
            render = context.render_context()
            most = max(render.most_related, (room.height - _OWN_LINES) // 2)
            self._read = state, table.related(record, replace(render, most_related=most, roomy=room.width >= _WIDE))
        return self._read[1]


_OF_RECORD = frozenset({"view.copy", "view.copy-row", "view.related", "view.when-free"})
_OF_ROWS = frozenset({"agents.free", "presence.group-by", "groups.move-up", "groups.move-down", "admin.narrow"})


def _concerns_rows(key: ViewKey) -> bool:
    """Return whether a key changes which rows a list shows, how, or which are selected: an opened record has none."""
    return (key.where == "list" and key.id not in _OF_RECORD) or key.id in _OF_ROWS


_MOST_ACTIONS = 3
"""Maximum number of actions in the footer; help lists all."""


class DetailScreen(Overlay):
    """The detail of one record. It stays open when the record is deleted, and says so.

    The actions and keys of the record's list also work here, including undo.
    """

    DEFAULT_CSS = """
    DetailScreen { layout: vertical; }
    DetailScreen > DetailPane { height: 1fr; }
    """

    def __init__(self, source: ListPane, key: str) -> None:
        super().__init__(source.context)
        self._source = source
        self._key = key
        self._record: Record | None = None
        self._pane = DetailPane(source.context.opened_sections, in_columns=True)
        self._history = HistorySection(source.context)

    def body(self) -> ComposeResult:
        """Return the sections."""
        yield self._pane

    def on_mount(self) -> None:
        """Focus the sections, so that the arrow keys scroll."""
        self._pane.focus()

    def on_unmount(self) -> None:
        """Stop reading: quitting does not wait for it."""
        self._history.stop()

    def health(self) -> Health:
        """Return the freshness of the record's list."""
        return self._source.health

    def draw(self) -> None:
        """Draw changes."""
        index = self._source.find(self._key)
        self._history.update(self._source.table, self._key, index)
        self._record = index or self._record or self._history.last
        self._source.view.opened = self._record
        table, record = self._source.table, self._record
        name = table.name(record, self.context.render_context()) if record is not None else clean(self._key, 40)
        # `session of ana` says itself what it is.
        says_kind = not table.one or name.startswith(f"{table.one.rpartition(' ')[2]} ")
        head = [*([] if says_kind else [piece(f"{table.one} ", Tone.QUIET)]), piece(name, Tone.STRONG)]
        if index is None and self._record is not None:
            gone = self._history.gone_ms
            since = f" since {wording.clock(gone, self.context.render_context())}" if gone is not None else ""
            head.append(piece(clean(f"   no longer listed{since}; last known data"), Tone.WARN))
        elif index is None:
            head.append(piece("   not listed at this moment", Tone.WARN))
        self.head.update(head)
        sections = self.sections() if self._record is not None else ()
        self._pane.show(self._key, self._history.added_to(sections))

    def keys(self) -> list[OverlayKey]:
        """Return the actions on the record, then the keys that move in it."""
        return [
            *self._actions(),
            OverlayKey("view.section", "next part", partial(self._pane.step, 1), self._pane.steps),
            OverlayKey("view.section-back", "previous part", partial(self._pane.step, -1), shown=False),
            OverlayKey("view.pane", "next part", partial(self._pane.step, 1), shown=False),
            OverlayKey("view.pane-back", "previous part", partial(self._pane.step, -1), shown=False),
            OverlayKey("view.open", "raw JSON", self._pane.toggle, about="Open or close the raw JSON of the record."),
            *self._when_free(),
            OverlayKey("view.copy", "copy id", self.copy),
            OverlayKey("view.undo", "undo", self._undo, shown=False, repeats=False),
        ]

    def fixed_keys(self) -> Keys:
        """Return the keys that scroll, if not all lines are visible."""
        return super().fixed_keys() if self._pane.scrolls else ()

    def works_here(self, key: ViewKey | Action[Any]) -> bool:
        """Return whether a key concerns the record, or no record at all."""
        return not (isinstance(key, ViewKey) and _concerns_rows(key))

    # -- actions ---------------------------------------------------------------------------------------------------

    def _actions(self) -> list[OverlayKey]:
        """Return the actions for this record, the available ones first. The footer shows a few of them."""
        under, record = beneath(self), self._record
        if under is None or record is None:
            return []
        situation = self.context.situation(under.selected())
        overlay_keys: list[OverlayKey] = []
        in_footer = 0
        for action in for_kind(self._source.kind):
            if action.kind != self._source.kind or action.needs == "none":
                continue
            free = action.footer < 9 and not blocked(action, situation, [record]) and in_footer < _MOST_ACTIONS
            in_footer += free
            do = partial(under.carry_out, action, (record,))
            title = action.short or action.title
            overlay_keys.append(OverlayKey(action.id, title, do, free, action.about or action.title, repeats=False))
        return overlay_keys

    def _when_free(self) -> list[OverlayKey]:
        """Return the key that asks for a notice when the record is free, for kinds that can be free."""
        table, record = self._source.table, self._record
        if record is None or table.kind not in WAITED_FOR:
            return []
        return [OverlayKey("view.when-free", "when free", partial(tell_when_free, self, table, record), repeats=False)]

    def _undo(self) -> None:
        under = beneath(self)
        if under is not None:
            under.do_undo()

    def sections(self) -> tuple[Section, ...]:
        """Return the current sections of the record."""
        assert self._record is not None
        table, record, render = self._source.table, self._record, self.context.render_context()
        render = replace(render, opened=True, roomy=True, most_related=_MOST_OPENED)
        return before_closed(table.detail(record, render), table.related(record, render))

    def copy(self) -> None:
        """Send the record's id to the terminal's clipboard."""
        copies = self._source.table.copies
        copy_text(self, copies(self._record) if copies and self._record else self._key)


class GoneRecord:
    """Looks for one record in the recording, and opens it as it was last known."""

    def __init__(self, screen: ListScreen) -> None:
        self._screen = screen
        self._history = HistorySection(screen.context)
        self._wanted: tuple[str, str] | None = None

    def seek(self, kind: str, key: str) -> None:
        """Look for a record, unless its list has it, or is not known."""
        pane = self._screen.pane
        known = pane.kind == kind in LIVE and pane.health.age is not None
        self._wanted = (kind, key) if known and key and pane.find(key) is None else None

    def update(self) -> None:
        """Open the record once it is read; say so if nothing is known of it. Called on every beat."""
        if self._wanted is None:
            return
        screen, (kind, key) = self._screen, self._wanted
        pane = screen.pane
        if pane.kind != kind or pane.find(key) is not None:
            self._wanted = None
            return
        self._history.update(pane.table, key, None)
        if self._history.is_on and self._history.history is None:
            return
        self._wanted = None
        if self._history.last is not None:
            app_of(screen).push_screen(DetailScreen(pane, key))
        else:
            screen.say(f"This {pane.table.one} is not listed: {clean(key, 60)}")

    def stop(self) -> None:
        """End reading."""
        self._history.stop()
