"""The active calls, and the queues in which they wait."""

from __future__ import annotations

from typing import cast

from textual.app import ComposeResult

from console.api.operations.traffic import GetStatistic
from console.base.text import clean
from console.kinds.calls.columns import TABLE as CALLS
from console.kinds.calls.columns import alarms_of
from console.kinds.calls.quality import NO_COUNTERS, alarm_line, quality_lines
from console.kinds.view_keys import ViewKey
from console.live.delta import Health
from console.live.store import Asked
from console.records.queues import Queue
from console.records.traffic import Call
from console.ui.screens import queues
from console.ui.screens.app_context import AppContext
from console.ui.screens.list_screen import ListScreen
from console.ui.screens.overlay import Overlay, OverlayKey, lines_of
from console.ui.screens.specs import spec_of
from console.ui.widgets.detail_pane import DetailPane
from console.ui.widgets.styled_line import piece
from console.ui.widgets.theme import app_of
from console.views.cell import Cell, Section, Tone


class CallsScreen(ListScreen):
    """The calls of the service, live."""

    spec = spec_of("calls")

    def view_keys(self) -> list[ViewKey]:
        """Leave out the keys of calls in the list of queues."""
        return [view_key for view_key in super().view_keys() if view_key.where != "calls" or self.pane.kind == "calls"]

    def do_quality(self) -> None:
        """Open the quality of the call's streams."""
        record = self._at_cursor()
        if record is not None:
            app_of(self).push_screen(QualityScreen(self.context, record.key))

    def do_free(self) -> None:
        """Show the agents who serve the queue."""
        record = self._at_cursor()
        if record is not None:
            queues.show_agents(self, cast("Queue", record))


_AGAIN_SECONDS = 3.0


class QualityScreen(Overlay):
    """The quality of one call."""

    def __init__(self, context: AppContext, call_id: str) -> None:
        super().__init__(context)
        self._call_id = call_id
        request = GetStatistic(id=call_id)
        self._asked = Asked(
            context.store, request, lambda answer: quality_lines(answer, context.render_context()), _AGAIN_SECONDS
        )
        self._pane = DetailPane()

    def body(self) -> ComposeResult:
        """Return the streams."""
        yield self._pane

    def on_mount(self) -> None:
        """Focus the streams, so that the arrow keys scroll."""
        self._pane.focus()

    def health(self) -> Health:
        """Return the freshness of the calls."""
        return self.context.backend.health("calls")

    def keys(self) -> list[OverlayKey]:
        """Return the keys. The key that opened the screen also closes it."""
        return [
            OverlayKey("calls.quality", "close", self.leave, shown=False, about="Go back to the list."),
            OverlayKey("view.refresh", "refresh", self.refresh_answer, about="Load the counters again."),
        ]

    def refresh_answer(self) -> None:
        """Query the service again."""
        self._asked.again()
        self.say("Refreshing…")

    def draw(self) -> None:
        """Draw the answer, and request it again after a while."""
        render = self.context.render_context()
        call = cast("Call | None", self.context.backend.records("calls").get(self._call_id))
        title = CALLS.name(call, render) if call else clean(self._call_id, 40)
        self.head.update([piece("quality of ", Tone.QUIET), piece(title, Tone.STRONG)])
        alarms = tuple(alarm_line(alarm, render) for alarm in alarms_of(self._call_id, render))
        sections = [Section("streams", "Streams", lines_of(self._asked, NO_COUNTERS))]
        sections.append(Section("alarms", "Alarms", alarms or ((Cell(clean("No alarms."), Tone.QUIET),),)))
        self._pane.show(self._call_id, tuple(sections))
