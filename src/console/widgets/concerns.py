"""The list of concerns on Home: it scrolls, and its cursor stays on a concern when rows change."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip

from console.kinds.attention import Concern
from console.signs import drawn
from console.text import fit
from console.views.cell import Tone
from console.views.render_context import RenderContext
from console.views.theme_file import Theme
from console.views.words import amount, span_words
from console.widgets.line_view import LineView
from console.widgets.styled_line import Piece, differing, piece
from console.widgets.theme import Part, theme_here
from console.widgets.tones import Badge

_SYMBOLS = {Tone.BAD: "×", Tone.WARN: "▲"}
_WORD, _MANY, _AGE, _NOTE = 9, 6, 8, 13
"""Widths of the fixed columns in cells; the text of a concern takes the rest."""


class ConcernList(LineView, can_focus=True):
    """The concerns, the most urgent first; enter opens one."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    ConcernList {
        height: 1fr;
        background: $background;
        color: $foreground;
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-gutter: stable;
        scrollbar-size-vertical: 1;
        scrollbar-size-horizontal: 0;
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "step(-1)", "up", show=False),
        Binding("down,j", "step(1)", "down", show=False),
        Binding("pageup", "page(-1)", "page up", show=False),
        Binding("pagedown", "page(1)", "page down", show=False),
        Binding("home", "edge(-1)", "first", show=False),
        Binding("end", "edge(1)", "last", show=False),
        Binding("enter", "choose", "open", show=False),
    ]

    class Chosen(Message):
        """A concern was opened or clicked."""

        def __init__(self, concern: Concern) -> None:
            super().__init__()
            self.concern = concern

    class Scrolled(Message):
        """The visible concerns changed."""

    def __init__(self) -> None:
        super().__init__()
        self._concerns: list[Concern] = []
        self._cursor: tuple[str, str, str] | None = None
        self._render_context: RenderContext | None = None
        self._rows: list[list[Piece]] = []
        """The content of each visible line."""

    @property
    def current(self) -> Concern | None:
        """The concern under the cursor."""
        return self._concerns[self._index()] if self._concerns else None

    @property
    def said(self) -> str:
        """The visible text, without styles."""
        return "\n".join("".join(each.text for each in row) for row in self._rows)

    @property
    def total(self) -> int:
        """Number of concerns, including combined ones."""
        return sum(each.many for each in self._concerns)

    @property
    def loudest(self) -> Tone:
        """The tone of the most urgent concern."""
        tones = {each.tone for each in self._concerns}
        return next((each for each in (Tone.BAD, Tone.WARN) if each in tones), Tone.PLAIN)

    @property
    def hidden(self) -> tuple[int, int]:
        """Number of concerns above and below the visible ones."""
        top, end = self._top, self._top + self._height
        return sum(each.many for each in self._concerns[:top]), sum(each.many for each in self._concerns[end:])

    def show(self, concerns: Sequence[Concern], render: RenderContext) -> None:
        """Show these concerns; the cursor stays on its concern, or otherwise on its row."""
        before = self._index()
        followed = self._top <= before < self._top + self._height
        self._concerns = list(concerns)
        self._render_context = render
        lost = self._cursor is not None and all(each.identity != self._cursor for each in self._concerns)
        if self._concerns and lost:
            self._cursor = self._concerns[min(before, len(self._concerns) - 1)].identity
        self._lay_out(followed)

    def _index(self) -> int:
        for index, concern in enumerate(self._concerns):
            if concern.identity == self._cursor:
                return index
        return 0

    def _lay_out(self, followed: bool) -> None:
        """Set the scrollable height, keep the cursor visible if it was, and paint the differences."""
        if not self.is_mounted:
            return
        self.resize_content(Size(max(1, self.room.width), len(self._concerns)))
        if followed:
            self._reveal()
        self._draw()

    def _reveal(self) -> None:
        """Scroll as little as necessary to show the cursor."""
        index, top = self._index(), self._top
        wanted = min(max(top, index - self._height + 1), index)
        wanted = min(wanted, max(0, len(self._concerns) - self._height))
        if wanted != top:
            self.scroll_to(y=wanted, animate=False, force=True)

    # -- painting ------------------------------------------------------------------------------------------------

    @property
    def _top(self) -> int:
        return self.scroll_offset.y

    @property
    def _height(self) -> int:
        return max(1, self.room.height)

    def _draw(self) -> None:
        """Paint the visible cells that differ."""
        before, self._rows = self._rows, self._made()
        width = max(1, self.room.width)
        regions = [
            Region(left, y, min(right, width) - left, 1)
            for y, (was, now) in enumerate(zip_longest(before, self._rows, fillvalue=()))
            for left, right in differing(was, now)
            if left < width
        ]
        if regions:
            self.refresh(*regions)

    def _made(self) -> list[list[Piece]]:
        render = self._render_context
        if render is None:
            return []
        index, top = self._index(), self._top
        shown = enumerate(self._concerns[top : top + self._height], top)
        return [self._words(each, render, at == index and self.has_focus) for at, each in shown]

    def _words(self, concern: Concern, render: RenderContext, here: bool) -> list[Piece]:
        symbol = drawn(_SYMBOLS.get(concern.tone, "·"), render.symbols)
        pointer = drawn("►" if here else " ", render.symbols)
        many = drawn(f"\N{MULTIPLICATION SIGN}{amount(concern.many)}", render.symbols) if concern.many > 1 else ""
        age = "" if concern.since_ms is None else span_words(render.now_ms - concern.since_ms)
        room = self.room.width - 4 - _WORD - _MANY - _AGE - 1
        note = _NOTE if room - _NOTE - 2 >= 26 else 0
        room -= note + 2 if note else 0
        return [
            piece(f" {pointer}", concern.tone),
            piece(f"{symbol} ", concern.tone),
            piece(f"{concern.word:<{_WORD}}", concern.tone),
            piece(fit(concern.what, max(8, room)), Tone.STRONG if here else Tone.PLAIN),
            piece(f"{many:>{_MANY}}", concern.tone),
            piece(f"{age:>{_AGE}}"),
            *([piece("  "), piece(fit(concern.note, note), Tone.QUIET)] if note else []),
        ]

    def render_line(self, y: int) -> Strip:
        """Paint one visible line."""
        theme, base = theme_here(self), self.base
        row = self._rows[y] if y < len(self._rows) else []
        return Strip([_segment(each, base, theme) for each in row]).adjust_cell_length(max(1, self.room.width), base)

    def on_resize(self, _event: events.Resize) -> None:
        """Use the new size."""
        self._lay_out(True)
        self._rows = self._made()
        self.refresh()
        self.post_message(self.Scrolled())

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Show the newly visible lines."""
        self._rows = self._made()
        super().watch_scroll_y(old_value, new_value)
        if round(old_value) != round(new_value):
            self.post_message(self.Scrolled())

    def watch_has_focus(self, _has_focus: bool) -> None:
        """Show whether the list has the focus."""
        super().watch_has_focus(_has_focus)
        self._draw()

    # -- moving --------------------------------------------------------------------------------------------------

    def on_click(self, event: events.Click) -> None:
        """Open the clicked concern."""
        at = self._top + event.y
        if event.x < self.room.width and 0 <= at < len(self._concerns):
            self._cursor = self._concerns[at].identity
            self.post_message(self.Chosen(self._concerns[at]))

    def action_step(self, rows: int) -> None:
        """Move the cursor by rows."""
        if self._concerns:
            index = min(max(self._index() + rows, 0), len(self._concerns) - 1)
            self._cursor = self._concerns[index].identity
            self._reveal()
            self._draw()

    def action_page(self, pages: int) -> None:
        """Move the cursor by the visible height."""
        self.action_step(pages * max(1, self._height - 1))

    def action_edge(self, side: int) -> None:
        """Move the cursor to the first or last concern."""
        self.action_step(side * len(self._concerns))

    def action_choose(self) -> None:
        """Open the concern under the cursor."""
        if self._concerns:
            self.post_message(self.Chosen(self._concerns[self._index()]))


def _segment(piece: Piece, base: Style, theme: Theme) -> Segment:
    if isinstance(piece.look, Badge):
        return Segment(piece.text, base + theme.tones[piece.look.tone].rich + Style(reverse=True))
    look = theme.parts[piece.look] if isinstance(piece.look, Part) else theme.tones[piece.look]
    return Segment(piece.text, base + look.rich)
