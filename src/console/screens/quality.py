"""How a call sounds: its counters by stream, asked for again while they are looked at."""

from __future__ import annotations

from typing import ClassVar, cast

from textual.app import ComposeResult
from textual.binding import BindingType

from console.api.operations.traffic import GetStatistic
from console.records.traffic import Call
from console.screens.asked import Asked
from console.screens.detail import DetailFoot, DetailHead
from console.screens.station import Station
from console.tables.calls import CALLS, alarm_line, alarms_of
from console.tables.cell import Cell, Section, Tone
from console.tables.quality import NO_COUNTERS, quality_lines
from console.text import clean
from console.widgets.detail_pane import DetailPane
from console.widgets.frame import TopLine
from console.widgets.patience import Patient
from console.widgets.saying import piece

_AGAIN_SECONDS = 3.0


class QualityScreen(Patient[None]):
    """The quality of one call."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape,q,Q,enter", "dismiss", "back")]

    def __init__(self, station: Station, call_id: str) -> None:
        super().__init__()
        self._station = station
        self._call_id = call_id
        self._asked = Asked(
            station,
            GetStatistic(id=call_id),
            lambda answer: quality_lines(answer, station.sight()),
            NO_COUNTERS,
            again=_AGAIN_SECONDS,
        )
        self._top_line = TopLine()
        self._head = DetailHead()
        self._pane = DetailPane()
        self._foot = DetailFoot()

    def compose(self) -> ComposeResult:
        """Lay out the head, the streams and the keys."""
        yield self._top_line
        yield self._head
        yield self._pane
        yield self._foot

    def on_mount(self) -> None:
        """Let the arrow keys scroll."""
        self._pane.focus()

    def on_screen_resume(self) -> None:
        """Ask at once, and draw before the first key is taken."""
        self.beat(True)

    def beat(self, _fresh: bool) -> None:
        """Take an answer that has come, and ask again after a while."""
        if not self.is_mounted:
            return
        sight = self._station.sight()
        self._top_line.show(self._station.top_facts(self._station.desk.health("calls")))
        call = cast("Call | None", self._station.desk.records("calls").get(self._call_id))
        title = CALLS.name(call, sight) if call else clean(self._call_id, 40)
        self._head.put([piece("quality of ", Tone.QUIET), piece(title, Tone.STRONG)])
        self._foot.keys(("esc", "back"), ("↑↓", "scroll"))
        alarms = tuple(alarm_line(alarm, sight) for alarm in alarms_of(self._call_id, sight))
        sections = [Section("streams", "Streams", self._asked.lines())]
        sections.append(Section("alarms", "Alarms", alarms or ((Cell(clean("No rule was broken."), Tone.QUIET),),)))
        self._pane.show(self._call_id, tuple(sections))
