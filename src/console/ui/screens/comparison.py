"""Changes between two moments of the past: the numbers of each list, then the records, field by field."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from console.base.frozen import replace
from console.base.text import clean
from console.kinds.catalogue import LIVE
from console.kinds.tables import TABLES
from console.live.delta import Freshness, Health
from console.recording.comparing import Comparison, compare, summary
from console.recording.format import RecordingFault
from console.recording.past import Past
from console.recording.recording import ListRecording
from console.records.differences import ChangedList, Difference
from console.records.record import Record
from console.ui.screens import navigation
from console.ui.screens.app_context import AppContext
from console.ui.screens.background import Background
from console.ui.screens.detail import DetailScreen
from console.ui.screens.list_pane import ListPane
from console.ui.screens.list_screen import ListScreen
from console.ui.screens.local_pane import LocalPane
from console.ui.screens.specs import ScreenSpec, screen_of
from console.ui.widgets.styled_line import Piece, piece
from console.ui.widgets.theme import app_of
from console.views import wording
from console.views.cell import Tone
from console.views.render_context import RenderContext
from console.views.table import Table
from console.views.view import NOTHING, Repaint

LISTS, DIFFERENCES = TABLES["changed-lists"], TABLES["differences"]
_REST = 5
"""How many times the processor time of a comparison the next one waits, while the moment moves on."""


class Comparing:
    """The comparison of the mark, or of the end of the recording, with the moment that is shown. It is made in another
    thread, with a file of its own, and made again when one of the moments is another.
    """

    def __init__(self, context: AppContext, past: Past) -> None:
        self._context, self._past = context, past
        self._reading: Background[Comparison] | None = None
        self._due = 0.0
        self._asked: tuple[int, int] | None = None
        self.found: Comparison | None = None
        self.fault = ""
        """Why nothing can be compared."""

    def moments(self) -> tuple[int, int]:
        """Return the moments to compare, the earlier one first."""
        past = self._past
        here, other = past.clock.now_ms(), past.span[1] if past.mark_ms is None else past.mark_ms
        return min(here, other), max(here, other)

    def update(self) -> None:
        """Take a comparison that was made, and begin the next one."""
        if self._reading is not None:
            if not self._reading.is_done:
                return
            try:
                self.found, self.fault = self._reading.result(), ""
            except RecordingFault as fault:
                self.found, self.fault = None, str(fault)
            self._due = self._context.clock.monotonic() + _REST * self._reading.seconds
            self._reading = None
        # Without a mark, the end of a recording that goes on is its end at the first comparison.
        wanted = self.moments()
        known = self._asked
        if known is not None and self._past.mark_ms is None and known[0] == wanted[0]:
            return
        if wanted != known and self._context.clock.monotonic() >= self._due:
            self._asked = wanted
            render = self._context.render_context()
            self._reading = Background("console-comparison", lambda _: self._read(wanted, render))

    def _read(self, moments: tuple[int, int], render: RenderContext) -> Comparison:
        with ListRecording.open(self._past.recording.path) as recording:

            def render_at(at_ms: int) -> RenderContext:
                def lookup(kind: str) -> Mapping[str, Record]:
                    return recording.rows(kind, at_ms)

                return replace(render, now_ms=at_ms, lookup=lookup)

            known = recording.kinds
            kinds = [kind for kind in TABLES if kind in LIVE and kind in known]
            return compare(recording, kinds, moments, render_at)


class ComparedPane(LocalPane):
    """A list of a comparison."""

    def __init__(
        self,
        context: AppContext,
        table: Table[Any],
        comparing: Comparing,
        rows: Callable[[Comparison], Iterable[Record]],
    ) -> None:
        super().__init__(context, table)
        self._comparing, self._rows = comparing, rows

    @property
    def health(self) -> Health:
        """The freshness of the list: what was recorded does not change."""
        return Health(Freshness.LIVE, 0.0) if self._comparing.found is not None else Health()

    @property
    def count(self) -> int:
        """The number of rows."""
        return 0 if self._comparing.found is None else sum(1 for _ in self._rows(self._comparing.found))

    def look(self) -> None:
        """Take the comparison, if it is done."""
        self._comparing.update()

    def source(self) -> Repaint:
        """Return the rows of a new comparison."""
        comparison = self._comparing.found
        if comparison is None or not self.differs(comparison):
            return NOTHING
        return self.replace_records({row.key: row for row in self._rows(comparison)})

    def totals(self) -> list[Piece]:
        """Return the two moments, what came, went and changed, and how many of the rows are listed if not all are."""
        comparison = self._comparing.found
        if comparison is None:
            return []
        render = self.context.render_context()
        first, last = (wording.clock(value, render) for value in (comparison.from_ms, comparison.to_ms))
        pieces = [piece(clean(f"{first} to {last}"), Tone.STRONG), piece("  "), piece(summary(comparison, render))]
        if comparison.left_out and self.kind == DIFFERENCES.kind:
            # First: what does not fit is left out from the end.
            listed = len(comparison.rows)
            share = wording.share(listed, listed + comparison.left_out)
            pieces = [piece(f"only {share} rows", Tone.WARN), piece("  "), *pieces]
        return pieces

    def why_empty(self) -> str:
        """Return what to show while there are no rows."""
        if self._comparing.found is None:
            return clean(self._comparing.fault, 200) or "Comparing…"
        if self.view.total:
            return ""
        lists = self._comparing.found.lists
        if any(each.outdated for each in lists):
            return "Nothing is known to have come, gone or changed."
        unknown = any(changed_list.unknown for changed_list in lists)
        return "No list that can be compared has changed." if unknown else "Nothing came, went or changed."


class ComparisonScreen(ListScreen):
    """The lists that differ, and the differences, opened over another screen."""

    spec: ClassVar[ScreenSpec] = ScreenSpec("comparison", "", "What changed", "Changed", (LISTS.kind, DIFFERENCES.kind))
    OVER: ClassVar[bool] = True

    def __init__(self, context: AppContext, past: Past) -> None:
        self._past = past
        self._comparing = Comparing(context, past)
        super().__init__(context)

    def make_panes(self) -> Sequence[ListPane]:
        """Return the numbers of each list, and the differences."""
        context, comparing = self.context, self._comparing
        return (
            ComparedPane(context, LISTS, comparing, lambda found: found.lists),
            ComparedPane(context, DIFFERENCES, comparing, lambda found: found.rows),
        )

    def health(self) -> Health:
        """Return the state of the connection as it was."""
        return self.context.backend.link

    def kinds_in_view(self) -> frozenset[str]:
        """Return no kinds: what is shown is in the recording."""
        return frozenset()

    def do_open(self) -> None:
        """Show the differences of the list under the cursor, or the record as it was."""
        record = self.pane.view.cursor_record
        if isinstance(record, ChangedList) and record.unknown:
            self.say(f"{record.title} cannot be compared: {record.unknown}.")
        elif isinstance(record, ChangedList):
            self.switch_pane(DIFFERENCES.kind)
            self.pane.set_filter(f"list={record.list}")
            self.beat(True)
        elif isinstance(record, Difference) and record.list in TABLES and record.subject:
            # The list of the record stays behind this screen, to which the detail returns.
            app_of(self).push_screen(DetailScreen(ListPane(self.context, TABLES[record.list]), record.subject))
        else:
            super().do_open()

    def do_related(self) -> None:
        """Go to the list of the record."""
        record = self.pane.view.cursor_record
        if isinstance(record, Difference) and record.list and record.subject and screen_of(record.list) is not None:
            navigation.go_to_record(app_of(self), self.context, record.list, record.subject)
        else:
            super().do_related()

    def do_back(self) -> None:
        """Clear the selection and the filter, return from the differences to the lists, then close."""
        if self.pane.kind == DIFFERENCES.kind and not self.pane.view.selection:
            self.pane.set_filter("")
            self.switch_pane(LISTS.kind)
        else:
            super().do_back()

    def do_compare(self) -> None:
        """Close."""
        self.dismiss()
