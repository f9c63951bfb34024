"""The list of choices in dialogs, with cursor and optional selection. Paints visible lines only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.segment import Segment
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from console.base.text import SafeText, cells, clean, fit
from console.commands.action import Choice
from console.ui.widgets.theme import ScreenPart, theme_here
from console.views.cell import Tone

_MOST = 14
"""Most rows, unless `limit` sets another number."""
_MEASURED = 500
"""Choices whose widths are measured."""
_KEYS = 3
_BOX = 2


class PickList(Widget):
    """Handles no keys: the dialog moves its cursor. If notes are cut, the last row shows that at the cursor in full."""

    DEFAULT_CSS = """
    PickList { height: 1; width: 1fr; background: $surface; color: $foreground; }
    """

    class Clicked(Message):
        """A choice was clicked; the cursor is on it."""

    def __init__(self) -> None:
        super().__init__()
        self._most = _MOST
        self._choices: tuple[Choice, ...] = ()
        self._shown_keys: tuple[str, ...] = ()
        self._selection: frozenset[str] | None = None
        self._cursor = 0
        self._top = 0
        self._empty = clean("")
        self._title_width = 0
        self._foot = 0
        """Rows below the choices."""

    @property
    def cursor(self) -> Choice | None:
        """The choice under the cursor."""
        return self._choices[self._cursor] if self._choices else None

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The shown choices, in order."""
        return self._choices

    def show(
        self,
        choices: Sequence[Choice],
        *,
        keys: Iterable[str] = (),
        selection: frozenset[str] | None = None,
        cursor: str | None = None,
        empty: SafeText | None = None,
    ) -> None:
        """Show choices. `keys` label the first ones; `selection` adds checkboxes; `empty` is shown for no choices."""
        self._choices = tuple(choices)
        self._shown_keys = tuple(keys)
        self._selection = selection
        self._empty = empty or clean("")
        self._title_width = max((cells(choice.title) for choice in self._choices[:_MEASURED]), default=0)
        at = [index for index, choice in enumerate(self._choices) if choice.value == cursor]
        self._cursor = at[0] if at else 0
        self._lay_out()
        self.refresh()

    def limit(self, most: int) -> None:
        """Limit the number of rows."""
        self._most = most
        self._lay_out()

    def _lay_out(self) -> None:
        self._foot = int(any(map(self._is_cut, self._choices[:_MEASURED])))
        self.styles.height = min(max(1, len(self._choices)) + self._foot, self._most)
        self._reveal()

    def _room(self) -> int:
        """Return the width of title and note."""
        before = 2 + _KEYS * bool(self._shown_keys) + _BOX * (self._selection is not None)
        return max(1, self.size.width - before)

    def _title_room(self, choice: Choice) -> int:
        room = self._room()
        if not choice.note:
            return room
        return min(self._title_width, max(room // 2, room - cells(choice.note) - 2))

    def _is_cut(self, choice: Choice) -> bool:
        """Return whether the note of a choice does not fit in its row."""
        note = cells(choice.note) if choice.note and self.size.width else 0
        return note > 0 and self._title_room(choice) + 2 + note > self._room()

    def move(self, rows: int) -> None:
        """Move the cursor, up to the ends."""
        self._cursor = min(max(0, self._cursor + rows), max(0, len(self._choices) - 1))
        self._reveal()
        self.refresh()

    def page(self, pages: int) -> None:
        """Move the cursor by the visible height."""
        self.move(pages * max(1, self.size.height - 1))

    def on_resize(self) -> None:
        """Keep the cursor visible."""
        self._lay_out()

    def _reveal(self) -> None:
        height = max(1, min(self.size.height or self._most, self._most) - self._foot)
        self._top = min(max(self._top, self._cursor - height + 1), self._cursor)
        self._top = max(0, min(self._top, len(self._choices) - height))

    def render_line(self, y: int) -> Strip:
        """Paint one choice."""
        theme, base, width = theme_here(self), self.rich_style, self.size.width
        if not self._choices:
            return Strip([Segment(fit(self._empty, width), base + theme.tones[Tone.QUIET].rich)], width)
        index = self._top + y
        if self._foot and y == self.size.height - 1:
            note = self._choices[self._cursor].note if self._is_cut(self._choices[self._cursor]) else None
            return Strip([Segment(fit(note or clean(""), width), base + theme.tones[Tone.QUIET].rich)], width)
        if index >= len(self._choices):
            return Strip.blank(width, base)
        choice = self._choices[index]
        ground = theme.parts[ScreenPart.CURSOR].rich if index == self._cursor else None
        segments: list[Segment] = []

        def put(text: SafeText, look: Tone | ScreenPart, room: int, right: bool = False) -> None:
            style = base + (theme.tones[look] if isinstance(look, Tone) else theme.parts[look]).rich
            segments.append(Segment(fit(text, room, right), style + ground if ground else style))

        put(clean("►" if index == self._cursor else ""), ScreenPart.MARK, 2)
        if self._shown_keys:
            key = self._shown_keys[index] if index < len(self._shown_keys) else ""
            put(clean(key), ScreenPart.KEY, _KEYS)
        if self._selection is not None:
            put(clean("■" if choice.value in self._selection else "·"), ScreenPart.MARK, _BOX)
        room, title = self._room(), self._title_room(choice)
        put(choice.title, Tone.STRONG if index == self._cursor else Tone.PLAIN, title)
        if choice.note:
            put(clean("  "), Tone.PLAIN, min(2, room - title))
            put(choice.note, Tone.QUIET, max(0, room - title - 2))
        return Strip(segments).adjust_cell_length(width, base)

    def on_click(self, event: events.Click) -> None:
        """Move the cursor to the clicked choice."""
        event.stop()
        index = self._top + event.y
        if index < len(self._choices) and event.y < self.size.height - self._foot:
            self._cursor = index
            self.refresh()
            self.post_message(self.Clicked())

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Move down with the mouse wheel."""
        event.stop()
        self.move(1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Move up with the mouse wheel."""
        event.stop()
        self.move(-1)
