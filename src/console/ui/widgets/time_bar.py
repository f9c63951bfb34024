"""The recorded time at the foot of every screen that shows the past; a click goes to a moment."""

from __future__ import annotations

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from textual import events
from textual.message import Message

from console.ui.widgets.styled_line import StyledLine, pieces
from console.views.time_bar import Span, TimeScale, time_bar


class TimeBar(StyledLine):
    """Two rows: the bar, and below it times and what happened at the moment that is shown."""

    DEFAULT_CSS = """
    TimeBar { background: $panel; height: 2; }
    """

    class Moved(Message):
        """A moment was clicked, or the mouse was dragged to it."""

        def __init__(self, at_ms: int) -> None:
            super().__init__()
            self.at_ms = at_ms

    def __init__(self) -> None:
        super().__init__()
        self._scale: TimeScale | None = None
        self._dragged = False

    def show(
        self,
        known: Sequence[Span],
        episodes: Sequence[tuple[float, float, str]],
        marks: Sequence[tuple[float, str, str]],
        at_ms: float,
        zone: ZoneInfo,
        symbols: str,
        mark_ms: int | None = None,
    ) -> None:
        """Show the recorded times, the episodes, what happened, a moment, and the user's mark."""
        width = self.size.width - 2
        if not known or width <= 0 or not self.differs(known, episodes, marks, at_ms, zone, symbols, mark_ms):
            return
        self._scale = TimeScale((known[0][0], known[-1][1]), width, marked=mark_ms is not None)
        rows = time_bar(self._scale, known, episodes, marks, at_ms, zone, symbols, mark_ms)
        self.update(*map(pieces, rows))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Go to the clicked moment."""
        self._dragged = True
        self.capture_mouse()
        self._go(event.x)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Follow the dragged mouse."""
        if self._dragged:
            self._go(event.x)

    def on_mouse_up(self, _event: events.MouseUp) -> None:
        """End dragging."""
        self._dragged = False
        self.release_mouse()

    def _go(self, x: int) -> None:
        if self._scale is not None:
            self.post_message(self.Moved(self._scale.moment(x - 1)))
