"""Dialogs of every screen: its keys, the columns of its list, the theme, and the wait for what an action reads."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from textual import events
from textual.app import ComposeResult

from console.base.text import cells, clean
from console.commands.action import Choice
from console.ui.dialogs.dialog import Dialog, KeyButton, Words
from console.ui.widgets.detail_pane import DetailPane
from console.ui.widgets.pick_list import PickList
from console.ui.widgets.theme import ScreenPart, app_of, themes_of
from console.ui.widgets.tones import styled
from console.ui.widgets.wrapping import has_room_beside
from console.views.cell import Cell, Line, Section, Tone
from console.views.table import Table

_KEY_AND_TITLE = 2
"""Cells of a line of help before what the key does."""
_TWO_COLUMNS = 120
"""Width of the screen from which help has two columns."""
_TWO_WIDE = 160
_BESIDE = 30
"""Least cells for what a key does beside the longest title; with fewer, it is below the titles."""
_AROUND_LINES = 10
"""Cells beside the lines: the border, the padding, the scrollbar, and a margin."""


class HelpDialog(Dialog[None]):
    """Lines to scroll, on a wide screen in two columns; `/` searches them.

    Enter and the keys in `closing` close it like Escape.
    """

    WIDTH = 100
    DEFAULT_CSS = """
    HelpDialog DetailPane { background: $surface; height: 20; }
    """

    def __init__(self, title: str, lines: Sequence[Line], closing: Collection[str] = ()) -> None:
        super().__init__(title)
        self._lines = tuple(lines)
        self._closed_by = closing
        self._pane = DetailPane(in_columns=True)
        self._typed: str | None = None
        """The text to search for; None without a search."""

    def wide(self) -> int:
        """Return the width, with room for two columns on a wide screen."""
        return _TWO_WIDE if app_of(self).size.width >= _TWO_COLUMNS else self.WIDTH

    def body(self) -> ComposeResult:
        """Lay out the searched text and the lines."""
        yield Words(styled(""), id="typed")
        yield self._pane

    def buttons(self) -> Iterable[KeyButton]:
        """Return the close button."""
        yield KeyButton("escape", "esc", "Close")

    def show_lines(self, lines: Sequence[Line]) -> None:
        """Replace the lines, keeping the scroll position."""
        self._lines = tuple(lines)
        matching = self._lines if self._typed is None else _matching(self._lines, self._typed)
        entry = styled("to search", Tone.QUIET)
        if self._typed is not None:
            entry = styled(self._typed, Tone.STRONG) + styled("│", ScreenPart.KEY)
        self.query_one("#typed", Words).update(styled("/ ", ScreenPart.KEY) + entry)
        both = self._typed is None and self.size.width >= _TWO_COLUMNS and _is_heading(self._lines[0])
        if not self._has_room_beside_titles():
            matching = tuple(row for line in matching for row in _entry(line))
        self._pane.show("help", _columns(matching) if both else (Section("help", "Help", matching),))
        self.call_after_refresh(self._fit)

    def _has_room_beside_titles(self) -> bool:
        """Return whether each row has room for what a key does beside the longest title."""
        described = (line for line in self._lines if len(line) > _KEY_AND_TITLE and line[-1].text)
        titles = (sum(cells(cell.text) for cell in line[:-1]) for line in described)
        title, row = max(titles, default=0), min(self.wide(), self.size.width) - _AROUND_LINES
        return row - title >= _BESIDE and has_room_beside(title, row)

    def _fit(self) -> None:
        """Use the available height, up to the height of the content without a search."""
        rows = self._pane.rows if self._typed is None else self._pane.size.height
        self._pane.styles.height = max(3, min(rows, self.rows_below_a_line(self.size.height)))

    def on_resize(self, event: events.Resize) -> None:
        """Use the available size."""
        super().on_resize(event)
        self.query_one("#box").styles.width = self.wide()
        self.show_lines(self._lines)

    def begin(self) -> None:
        """Focus the lines for scrolling."""
        self._pane.focus()

    def on_mount(self) -> None:
        """Show the lines before keys are accepted."""
        super().on_mount()
        self.show_lines(self._lines)

    def pressed(self, key: str, character: str | None) -> bool:
        """Search, or close on any of the closing keys."""
        if key == "enter" or (self._typed is None and key in self._closed_by):
            self.dismiss(None)
        elif self._typed is None and key == "slash":
            self._search("")
        elif self._typed is not None and (character is not None or key == "backspace"):
            self._search(self._typed[:-1] if character is None else self._typed + character)
        else:
            return False
        return True

    def leave(self) -> None:
        """End the search, or close."""
        if self._typed is None:
            self.dismiss(None)
        else:
            self._search(None)

    def _search(self, typed: str | None) -> None:
        self._typed = typed
        self.show_lines(self._lines)


def _columns(lines: Sequence[Line]) -> tuple[Section, Section]:
    """Return the lines as two sections of about the same height, each with a heading, repeated if necessary."""
    rows = [_entry(line) for line in lines]
    half, used, heading = sum(map(len, rows)) / 2, 0, ""
    split = len(lines)
    for at, line in enumerate(lines):
        used += len(rows[at])
        heading = line[0].text if _is_heading(line) else heading
        if used > half and any(cell.text for cell in line):
            split = at
            break
    left = [row for part in rows[1:split] for row in part]
    right = [row for part in rows[split + _is_heading(lines[split]) :] for row in part]
    return Section("left", lines[0][0].text, tuple(left)), Section("right", heading, tuple(right))


def _entry(line: Line) -> tuple[Line, ...]:
    """Return a line of help with what the key does below its title."""
    if len(line) <= _KEY_AND_TITLE or not line[2].text:
        return (line,)
    key, title, about = line
    return (key, Cell(clean(title.text.rstrip()))), (Cell(clean(" " * (len(key.text) + 4)), Tone.QUIET), about)


def _is_heading(line: Line) -> bool:
    return bool(line) and line[0].tone is Tone.STRONG


def _matching(lines: Sequence[Line], typed: str) -> tuple[Line, ...]:
    """Return the lines that contain every typed word, below their headings."""
    typed_words, heading = typed.casefold().split(), list[Line]()
    matching: list[Line] = []
    for line in lines:
        text = "".join(cell.text for cell in line).casefold()
        if _is_heading(line):
            heading = [line]
        elif text.strip() and all(word in text for word in typed_words):
            matching += [*heading, line]
            heading = []
    return tuple(matching) or ((Cell(clean("Nothing matches."), Tone.QUIET),),)


class ReadingDialog(Dialog[None]):
    """Covers the list while something is read. It closes by itself; the keys are handled by `KeyQueueApp`."""

    WIDTH = 40

    def __init__(self, answer: asyncio.Future[Any]) -> None:
        super().__init__("Reading…")
        self._answer = answer
        answer.add_done_callback(self._close)

    def body(self) -> ComposeResult:
        """Say what is waited for."""
        yield Words(styled("Waiting for the service."))

    def buttons(self) -> Iterable[KeyButton]:
        """Return the button that cancels."""
        yield KeyButton("escape", "esc", "Cancel")

    def leave(self) -> None:
        """Cancel, which closes the dialog."""
        self._answer.cancel()

    def on_screen_resume(self) -> None:
        """Close if the answer arrived while another screen was in front."""
        if self._answer.done():
            self.dismiss(None)

    def _close(self, _answer: asyncio.Future[Any]) -> None:
        self.dismiss(None)


class ColumnsDialog(Dialog[tuple[str, ...] | None]):
    """Returns the ids of the columns in order, or None after cancelling."""

    WIDTH = 72

    def __init__(self, table: Table[Any], chosen: Sequence[str]) -> None:
        super().__init__(f"Columns of {table.title}")
        self._table = table
        self._order = [*chosen, *(column.id for column in table.columns if column.id not in chosen)]
        self._chosen = frozenset(chosen)

    def body(self) -> ComposeResult:
        """Lay out the columns."""
        yield Words(styled("space shows or hides, < and > move up and down", Tone.QUIET))
        yield PickList()
        yield Words(styled(""), id="fault")

    def buttons(self) -> Iterable[KeyButton]:
        """Return the buttons, cancel first."""
        yield KeyButton("escape", "esc", "Cancel")
        yield KeyButton("d", "d", "Default")
        yield KeyButton("enter", "enter", "OK", Tone.STRONG)

    def on_mount(self) -> None:
        """Show the columns."""
        super().on_mount()
        self._show(None)

    def _show(self, cursor: str | None) -> None:
        columns = [self._table.column(value) for value in self._order]
        choices = [Choice(column.id, clean(column.title or column.id), clean(column.about)) for column in columns]
        self.query_one(PickList).show(choices, selection=self._chosen, cursor=cursor)

    def pressed(self, key: str, character: str | None) -> bool:
        """Move, show or hide, reorder, take."""
        rows = self.query_one(PickList)
        here = rows.cursor.value if rows.cursor else ""
        match key:
            case "up" | "down":
                rows.move(-1 if key == "up" else 1)
            case "pageup" | "pagedown":
                rows.page(-1 if key == "pageup" else 1)
            case "space":
                self._chosen ^= {here}
                self._show(here)
            case "less_than_sign" | "shift+up" | "greater_than_sign" | "shift+down":
                self._shift(here, -1 if key in {"less_than_sign", "shift+up"} else 1)
            case "d":
                self._order = [column.id for column in self._table.columns]
                self._chosen = frozenset(column.id for column in self._table.columns if column.priority < 9)
                self._show(here)
            case "enter":
                self._take()
            case _:
                return False
        return True

    def _shift(self, column: str, step: int) -> None:
        at = self._order.index(column)
        to = min(max(0, at + step), len(self._order) - 1)
        self._order.insert(to, self._order.pop(at))
        self._show(column)

    def _take(self) -> None:
        chosen = tuple(value for value in self._order if value in self._chosen)
        if chosen:
            self.dismiss(chosen)
        else:
            self.query_one("#fault", Words).update(styled("Show at least one column.", Tone.WARN))

    def on_pick_list_clicked(self, message: PickList.Clicked) -> None:
        """Show or hide the clicked column."""
        message.stop()
        if self.listening:
            self.pressed("space", None)


class ThemeDialog(Dialog[str | None]):
    """Applies each theme under the cursor; returns the chosen one, or None after restoring the old one."""

    WIDTH = 50

    def __init__(self) -> None:
        super().__init__("Theme")
        self._before = ""

    def body(self) -> ComposeResult:
        """Lay out the themes and a sample of the tones."""
        yield PickList()
        sample = styled("")
        for tone in Tone:
            sample += styled(f"{tone} ", tone)
        yield Words(sample, apart=True)

    def buttons(self) -> Iterable[KeyButton]:
        """Return the buttons, cancel first."""
        yield KeyButton("escape", "esc", "Cancel")
        yield KeyButton("enter", "enter", "Use theme", Tone.STRONG)

    def on_mount(self) -> None:
        """Start with the current theme."""
        super().on_mount()
        app = app_of(self)
        self._before = app.theme
        choices = [Choice(name, clean(theme.title)) for name, theme in themes_of(app).by_name.items()]
        self.query_one(PickList).show(choices, keys=[str(number + 1) for number in range(9)], cursor=app.theme)

    def pressed(self, key: str, character: str | None) -> bool:
        """Move, preview, choose."""
        rows = self.query_one(PickList)
        if key in {"up", "down"}:
            rows.move(-1 if key == "up" else 1)
        elif key == "enter" and rows.cursor:
            self.dismiss(rows.cursor.value)
        elif character is not None and character.isascii() and character.isdigit() and character != "0":
            rows.move(int(character) - 1 - rows.choices.index(rows.cursor) if rows.cursor else 0)
        else:
            return False
        self._apply()
        return True

    def _apply(self) -> None:
        cursor = self.query_one(PickList).cursor
        if cursor is not None:
            app_of(self).theme = cursor.value

    def leave(self) -> None:
        """Restore the previous theme."""
        app_of(self).theme = self._before
        self.dismiss(None)

    def on_pick_list_clicked(self, message: PickList.Clicked) -> None:
        """Apply the clicked theme."""
        message.stop()
        if self.listening:
            self._apply()
