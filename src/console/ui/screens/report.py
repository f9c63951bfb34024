"""The report of a shift over the whole screen: computed in a thread of its own, each line leads to its moment."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from textual.app import ComposeResult

from console.base.frozen import Frozen, replace
from console.base.text import clean
from console.commands.action import TextAsk
from console.recording.format import RecordingFault
from console.recording.identities import NEVER_CONNECTED
from console.recording.notes import Note
from console.recording.recording import ListRecording
from console.records.record import Record
from console.report.formats import to_json
from console.report.html import to_html
from console.report.parts import ReportMoment, ReportSection, title
from console.report.report import Report, ReportFault, report
from console.report.sections import sections
from console.ui.dialogs import TextDialog
from console.ui.screens import navigation
from console.ui.screens.app_context import AppContext
from console.ui.screens.background import Background
from console.ui.screens.export import write_new
from console.ui.screens.overlay import Overlay, OverlayKey, beneath
from console.ui.screens.specs import screen_of
from console.ui.widgets.report_lines import ReportLines
from console.ui.widgets.styled_line import piece
from console.ui.widgets.theme import app_of
from console.views.cell import Tone
from console.views.past import past_times, short_clock_text
from console.views.render_context import RenderContext

if TYPE_CHECKING:
    from console.ui.screens.console_screen import ConsoleScreen

_USUAL = "8h"
_SHORTEST_MS = 60_000
"""After a shorter session, the usual time is offered."""
FORMS = "22:00, 22:00 to 06:00, 8h or yesterday 22:00 to 06:00"


class Made(Frozen):
    """A computed report."""

    report: Report
    render: RenderContext
    notes: tuple[Note, ...]
    sections: tuple[ReportSection, ...]


def _reading(context: AppContext, first: int, last: int) -> Background[Made]:
    """Begin to compute the report of a time."""
    file, finished, render = context.recording, bool(context.file), context.render_context()
    kept = None if finished else context.notes
    notes, fault = ((), "") if kept is None else (kept.between(first, last), kept.fault)

    def read(work: Background[Made]) -> Made:
        if file is None:
            raise RecordingFault(NEVER_CONNECTED)
        with ListRecording.open(file, finished=finished) as recording:

            def lookup(kind: str) -> Mapping[str, Record]:
                return recording.rows(kind, last)

            then = replace(render, now_ms=last, lookup=lookup)
            computed = replace(report(recording, first, last, then, work.report), notes_fault=fault)
            return Made(computed, then, notes, sections(computed, then, notes))

    return Background("console-report", read)


class ReportScreen(Overlay):
    """The report of a time."""

    DEFAULT_CSS = """
    ReportScreen { layout: vertical; }
    """

    def __init__(self, context: AppContext, first: int, last: int) -> None:
        super().__init__(context)
        self._lines = ReportLines()
        self._reading = _reading(context, first, last)
        self._made: Made | None = None
        self._fault = ""

    def body(self) -> ComposeResult:
        """Return the lines."""
        yield self._lines

    def on_mount(self) -> None:
        """Focus the lines, so that the arrow keys move."""
        self._lines.focus()

    def on_unmount(self) -> None:
        """End the computation."""
        self._reading.stop()

    @property
    def is_done(self) -> bool:
        """Whether the report, or why there is none, is known."""
        return self._made is not None or bool(self._fault)

    def draw(self) -> None:
        """Show how much is read, then the report."""
        if self._reading.is_done and not self.is_done:
            try:
                self._made = self._reading.result()
            except (RecordingFault, ReportFault) as fault:
                self._fault = str(fault)
        head = [piece("Shift report  ", Tone.STRONG)]
        if self._made is not None:
            head.append(piece(title(self._made.report, self._made.render)))
            self._lines.show(self._made.sections)
        elif self._fault:
            head.append(piece(clean(f"There is no report: {self._fault}.", 200), Tone.WARN))
        else:
            head.append(piece(f"reading the recording… {self._reading.share:.0%}", Tone.QUIET))
        self.head.update(head)

    def keys(self) -> list[OverlayKey]:
        """Return the keys."""
        step = self._lines.step_section
        return [
            OverlayKey("view.open", "go there", self.open_moment, about="Show the list as it was at this moment."),
            OverlayKey("view.section", "next part", partial(step, 1)),
            OverlayKey("view.section-back", "previous part", partial(step, -1), shown=False),
            OverlayKey("home.report", "another time", self.ask, about="Show the report of another time."),
            OverlayKey("view.export-csv", "save page", self.save_page, about="Save the report as an HTML page."),
            OverlayKey("view.export-json", "save JSON", self.save_json, about="Save the figures as JSON."),
        ]

    # -- keys --------------------------------------------------------------------------------------------------------

    def open_moment(self) -> None:
        """Show what the line under the cursor is about, as it was."""
        line = self._lines.current
        if line is None or line.moment is None:
            self.say("This line has no moment.")
        else:
            self._go(line.moment)

    def on_report_lines_chosen(self, message: ReportLines.Chosen) -> None:
        """Show what the clicked line is about."""
        self._go(message.moment)

    def _go(self, moment: ReportMoment) -> None:
        under, past, app = beneath(self), self.context.past, app_of(self)
        if under is None:
            return
        if past is None:
            # The report stays open below the past, to return to it.
            under.post_message(under.PastRequested(moment.at_ms, moment.kind or "episodes", moment.key))
            return
        past.move(moment.at_ms, 0)
        self.dismiss()
        spec = screen_of(moment.kind)
        if spec is not None:
            navigation.go(app, self.context, spec.name, moment.kind, moment.key)

    def ask(self) -> None:
        """Show the report of another time."""
        under = beneath(self)
        if under is not None:
            self.dismiss()
            ask_for_time(under)

    def save_page(self) -> None:
        """Save the report as HTML."""
        finished = self._savable()
        if finished is not None:
            self._save(finished, "html", to_html(finished.report, finished.sections, finished.render))

    def save_json(self) -> None:
        """Save the report as JSON."""
        finished = self._savable()
        if finished is not None:
            self._save(finished, "json", to_json(finished.report, finished.notes))

    def _savable(self) -> Made | None:
        """Return the report; say why there is nothing to save."""
        if self._made is None:
            self.say("There is no report to save." if self._fault else "The report is not complete yet.")
        return self._made

    def _save(self, made: Made, ending: str, text: str) -> None:
        at = datetime.fromtimestamp(made.report.first_ms / 1000, made.render.zone)
        try:
            path = write_new(self.context.places.downloads, f"report-{at:%Y%m%d-%H%M}", ending, text)
        except OSError as error:
            self.say(f"Cannot write the file: {error.strerror or error}")
            return
        app_of(self).copy_to_clipboard(clean(path, 4096))
        self.say(f"Report in {path.name}; path sent to the clipboard: {path}")


def ask_for_time(screen: ConsoleScreen) -> None:
    """Ask for the time of a report, and show it: by default since this console was opened, or all of a file."""
    context, past = screen.context, screen.context.past
    opened_ms, now_ms = past.span if past is not None and context.file else (context.opened_ms, context.clock.now_ms())

    def read(text: str) -> tuple[int, int] | None:
        first, _, last = text.strip().partition(" to ")
        return past_times(first, last.strip() or "now", now_ms, context.zone)

    def check(text: str) -> str | None:
        return f"Not a past time: use {FORMS}." if read(text) is None else None

    def typed(text: str | None) -> None:
        times = read(text) if text is not None else None
        if times is not None:
            app_of(screen).push_screen(ReportScreen(context, *times))

    is_new = now_ms - opened_ms < _SHORTEST_MS
    initial = _USUAL if is_new else short_clock_text(opened_ms, now_ms, context.zone)
    ask = TextAsk("report", "Shift report since", initial, anew=True, check=check, verb="Show")
    app_of(screen).push_screen(TextDialog(ask), typed)
