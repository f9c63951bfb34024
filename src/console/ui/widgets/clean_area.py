"""Multi-line input that cleans pasted text."""

from __future__ import annotations

import csv
import io

from textual import events
from textual.message import Message
from textual.widgets import TextArea

from console.base.text import SafeText, clean_lines, line_count
from console.ui.widgets.clean_input import replaces
from console.ui.widgets.theme import app_of
from console.ui.widgets.tones import styled
from console.views.cell import Tone

MOST_LINES, MOST_CHARACTERS = 2000, 65_536
"""Limits of a multi-line input; longer text is not shown, but can be replaced."""


def shown_in_area(text: str) -> tuple[SafeText, ...]:
    """Return the lines that an input shows of a text; none of a text above the limits.

    A cut text could not be distinguished from typed text, and the rest would be lost.
    """
    return () if _is_long(text) else clean_lines(text, MOST_LINES, MOST_CHARACTERS)


def _is_long(text: str) -> bool:
    return line_count(text) > MOST_LINES or len(text[: MOST_CHARACTERS + 1].expandtabs(4)) > MOST_CHARACTERS


class CleanArea(TextArea):
    """A `TextArea` for plain text, cleaned line by line; Tab moves to the next field.

    With `table`, pasted cells of a table, separated by tabs, become CSV.
    """

    DEFAULT_CSS = """
    CleanArea, CleanArea:focus {
        height: 6; border: none; padding: 0; background: $panel; color: $foreground;
        scrollbar-size-vertical: 1; scrollbar-size-horizontal: 0;
    }
    CleanArea:focus { background-tint: $foreground 5%; }
    CleanArea.instead .text-area--placeholder { color: $foreground; text-style: bold; }
    """

    class Pasted(Message):
        """Text was pasted and inserted."""

    def __init__(self, text: str = "", *, table: bool = False, id: str | None = None) -> None:
        self._table = table
        self._usual = styled(replaces(text), Tone.QUIET) if _is_long(text) else styled("")
        super().__init__(
            "\n".join(shown_in_area(text)),
            soft_wrap=True,
            tab_behavior="focus",
            show_line_numbers=False,
            placeholder=self._usual,
            id=id,
        )
        self._instead: SafeText | None = None
        self._under: tuple[SafeText, ...] = ()

    @property
    def instead(self) -> SafeText | None:
        """The text for a value that cannot be typed; None after typing."""
        return None if self.text else self._instead

    def put_instead(self, text: SafeText | None) -> None:
        """Show this text instead of the content, until something is typed; None restores the content."""
        if self._instead is None:
            self._under = clean_lines(self.text, MOST_LINES, MOST_CHARACTERS)
        self._instead = text
        self.placeholder = self._usual if text is None else styled(text)
        self.text = "\n".join(self._under if text is None else ())
        self.set_class(text is not None, "instead")

    def on_paste(self, event: events.Paste) -> None:
        """Insert the cleaned text, instead of Textual's handling."""
        self.put_in(event.text)
        self.post_message(self.Pasted())
        event.stop()
        event.prevent_default()

    def action_paste(self) -> None:
        """Paste text that was copied in the application."""
        self.put_in(app_of(self).clipboard)

    def put_in(self, text: str) -> None:
        """Replace the selection by a cleaned text."""
        if self._table and "\t" in text:
            text = _as_csv(text)
        ended = "\n" if text.endswith(("\n", "\r")) else ""
        result = self.replace("\n".join(clean_lines(text, MOST_LINES, MOST_CHARACTERS)) + ended, *self.selection)
        self.move_cursor(result.end_location)


def _as_csv(text: str) -> str:
    """Convert tabs between cells to commas, and quote cells that contain commas."""
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(line.split("\t") for line in text.splitlines())
    return written.getvalue()
