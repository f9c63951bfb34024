"""The quality of a call: counters by stream, requested again while they are shown."""

from __future__ import annotations

from typing import cast

from textual.app import ComposeResult

from console.api.operations.traffic import GetStatistic
from console.base.text import clean
from console.kinds.calls.columns import TABLE as CALLS
from console.kinds.calls.columns import alarm_line, alarms_of
from console.kinds.calls.quality import NO_COUNTERS, quality_lines
from console.live.delta import Health
from console.live.store import Asked
from console.records.traffic import Call
from console.ui.screens.app_context import AppContext
from console.ui.screens.asked import lines_of
from console.ui.screens.overlay import Overlay, OverlayKey
from console.ui.widgets.detail_pane import DetailPane
from console.ui.widgets.styled_line import piece
from console.views.cell import Cell, Section, Tone

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
