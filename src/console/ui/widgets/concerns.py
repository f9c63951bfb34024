"""The list of what needs attention, on Home: it scrolls, and its cursor stays on its episode when rows change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message

from console.base.signs import drawn
from console.base.text import clean, fit
from console.kinds.episodes.facts import since, unseen
from console.kinds.episodes.states import SEVERITIES
from console.records.episodes import Episode
from console.ui.widgets.piece_lines import PieceLines
from console.ui.widgets.styled_line import Piece, piece
from console.views.cell import Tone
from console.views.render_context import RenderContext
from console.views.wording import age_words, amount

_TITLE, _MANY, _AGE, _NEW = 10, 6, 8, 3
"""Widths of the fixed columns in cells; the words of an episode take the rest."""


class ConcernList(PieceLines):
    """The current episodes, the most urgent first; enter opens one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("k", "step(-1)", "up", show=False),
        Binding("j", "step(1)", "down", show=False),
        Binding("enter", "choose", "open", show=False),
    ]

    class Chosen(Message):
        """An episode was opened or clicked."""

        def __init__(self, episode: Episode) -> None:
            super().__init__()
            self.episode = episode

    class Scrolled(Message):
        """The visible episodes changed."""

    def __init__(self) -> None:
        super().__init__()
        self._episodes: list[Episode] = []
        self._cursor: str | None = None
        self._render_context: RenderContext | None = None

    @property
    def current(self) -> Episode | None:
        """The episode under the cursor."""
        return self._episodes[self._index()] if self._episodes else None

    @property
    def said(self) -> str:
        """The visible text, without styles."""
        return "\n".join("".join(part.text for part in row) for row in self._rows)

    @property
    def total(self) -> int:
        """Number of things that need attention, whatever number of records they combine."""
        return len(self._episodes)

    @property
    def loudest(self) -> Tone:
        """The tone of the worst episode."""
        tones = {_tone(episode) for episode in self._episodes}
        return next((value for value in (Tone.BAD, Tone.WARN) if value in tones), Tone.PLAIN)

    @property
    def hidden(self) -> tuple[int, int]:
        """Number of rows above and below the visible ones."""
        return self._top, len(self._episodes[self._top + self._height :])

    def show(self, episodes: Sequence[Episode], render: RenderContext) -> None:
        """Show these episodes; the cursor stays on its episode, or otherwise on its row."""
        before = self._index()
        followed = self._top <= before < self._top + self._height
        self._episodes = list(episodes)
        self._render_context = render
        lost = self._cursor is not None and all(episode.id != self._cursor for episode in self._episodes)
        if self._episodes and lost:
            self._cursor = self._episodes[min(before, len(self._episodes) - 1)].id
        self._lay_out(followed)

    def _index(self) -> int:
        for index, episode in enumerate(self._episodes):
            if episode.id == self._cursor:
                return index
        return 0

    def _lay_out(self, followed: bool) -> None:
        """Set the scrollable height, keep the cursor visible if it was, and paint the differences."""
        if not self.is_mounted:
            return
        self.resize_content(Size(max(1, self.room.width), len(self._episodes)))
        if followed:
            self._reveal()
        self._draw()

    def _reveal(self) -> None:
        """Scroll as little as necessary to show the cursor."""
        index, top = self._index(), self._top
        wanted = min(max(top, index - self._height + 1), index)
        wanted = min(wanted, max(0, len(self._episodes) - self._height))
        self._scroll(wanted)

    # -- painting ------------------------------------------------------------------------------------------------

    def _visible_rows(self) -> list[list[Piece]]:
        render = self._render_context
        if render is None:
            return []
        index, top = self._index(), self._top
        self._lit = index - top if self.has_focus and self._episodes else None
        rows = enumerate(self._episodes[top : top + self._height], top)
        return [self._words(episode, render, at == index) for at, episode in rows]

    def _words(self, episode: Episode, render: RenderContext, here: bool) -> list[Piece]:
        tone, began, count = _tone(episode), since(episode), episode.count or 1
        symbol = drawn(SEVERITIES.look(episode.severity).symbol, render.symbols)
        pointer = drawn(("►" if self.has_focus else "›") if here else " ", render.symbols)
        many = drawn(f"\N{MULTIPLICATION SIGN}{amount(count)}", render.symbols) if count > 1 else ""
        age = "" if began is None else age_words(render.now_ms - began)
        new = "new" if unseen(episode) else ""
        room = self.room.width - 4 - _TITLE - _MANY - _AGE - _NEW - 2
        return [
            piece(f" {pointer}{symbol} {fit(clean(episode.title or '', _TITLE - 1), _TITLE)}", tone),
            piece(fit(clean(episode.words or ""), max(8, room))),
            piece(f"{many:>{_MANY}}", tone),
            piece(f"{age:>{_AGE}}"),
            piece(f" {new:<{_NEW}}", Tone.NOTICE),
        ]

    def on_resize(self, _event: events.Resize) -> None:
        """Use the new size."""
        self._lay_out(True)
        self._draw()
        self.refresh()
        self.post_message(self.Scrolled())

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Show the newly visible lines, and report them."""
        super().watch_scroll_y(old_value, new_value)
        if round(old_value) != round(new_value):
            self.post_message(self.Scrolled())

    # -- moving --------------------------------------------------------------------------------------------------

    def on_click(self, event: events.Click) -> None:
        """Open the clicked episode."""
        at = self._top + event.y
        if event.x < self.room.width and 0 <= at < len(self._episodes):
            self._cursor = self._episodes[at].id
            self.post_message(self.Chosen(self._episodes[at]))

    def action_step(self, rows: int) -> None:
        """Move the cursor by rows."""
        if self._episodes:
            index = min(max(self._index() + rows, 0), len(self._episodes) - 1)
            self._cursor = self._episodes[index].id
            self._reveal()
            self._draw()

    def action_page(self, pages: int) -> None:
        """Move the cursor by the visible height."""
        self.action_step(pages * max(1, self._height - 1))

    def action_edge(self, side: int) -> None:
        """Move the cursor to the first or last episode."""
        self.action_step(side * len(self._episodes))

    def action_choose(self) -> None:
        """Open the episode under the cursor."""
        if self._episodes:
            self.post_message(self.Chosen(self._episodes[self._index()]))


def _tone(episode: Episode) -> Tone:
    return SEVERITIES.look(episode.severity).tone
