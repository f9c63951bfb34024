"""The list of what needs attention: a cursor by concern, not by row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message

from console.signs import drawn
from console.tables.attention import Concern
from console.tables.cell import Tone
from console.tables.sight import Sight
from console.tables.words import span_words
from console.text import SafeText, fit
from console.widgets.saying import Piece, Saying, piece

_SYMBOLS = {Tone.BAD: "×", Tone.WARN: "▲"}


class ConcernList(Saying, can_focus=True):
    """What needs attention, the worst first; enter goes to where it can be dealt with."""

    DEFAULT_CSS = """
    ConcernList { height: 1fr; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "step(-1)", "up", show=False),
        Binding("down,j", "step(1)", "down", show=False),
        Binding("enter", "choose", "open", show=False),
    ]

    class Chosen(Message):
        """A concern was entered or clicked."""

        def __init__(self, concern: Concern) -> None:
            super().__init__()
            self.concern = concern

    def __init__(self) -> None:
        super().__init__()
        self._concerns: list[Concern] = []
        self._cursor: tuple[str, str, str] | None = None
        self._sight: Sight | None = None

    @property
    def current(self) -> Concern | None:
        """The concern under the cursor."""
        return self._concerns[self._index()] if self._concerns else None

    def show(self, concerns: Sequence[Concern], sight: Sight) -> None:
        """Say these; the cursor stays on its concern while that lasts."""
        self._concerns = list(concerns)
        self._sight = sight
        self._draw()

    def _index(self) -> int:
        for index, concern in enumerate(self._concerns):
            if _identity(concern) == self._cursor:
                return index
        return 0

    def _draw(self) -> None:
        if self._sight is None:
            return
        sight, index = self._sight, self._index()
        room = max(1, self.size.height)
        first = max(0, index - room + 1)
        width = max(30, self.size.width - 2)
        rows: list[list[Piece]] = []
        for at, concern in enumerate(self._concerns[first : first + room], first):
            rows.append(self._row(concern, sight, width, at == index and self.has_focus))
        self.put(*rows)

    def _row(self, concern: Concern, sight: Sight, width: int, here: bool) -> list[Piece]:
        symbol = drawn(_SYMBOLS.get(concern.tone, "·"), sight.symbols)
        pointer = drawn("►" if here else " ", sight.symbols)
        age = "" if concern.since_ms is None else span_words(sight.now_ms - concern.since_ms)
        note: SafeText = fit(concern.note, 13)
        return [
            piece(pointer, concern.tone),
            piece(f"{symbol} {concern.word}", concern.tone),
            piece(" " * (9 - len(concern.word))),
            piece(fit(concern.what, max(8, width - 34)), Tone.STRONG if here else Tone.PLAIN),
            piece(f" {age:>6}  ", Tone.PLAIN),
            piece(note, Tone.QUIET),
        ]

    def watch_has_focus(self, _has_focus: bool) -> None:
        """Show whether the keys come here."""
        super().watch_has_focus(_has_focus)
        self._draw()

    def on_click(self, event: events.Click) -> None:
        """Go to the concern that was clicked."""
        room = max(1, self.size.height)
        at = max(0, self._index() - room + 1) + event.y
        if 0 <= at < len(self._concerns):
            self._cursor = _identity(self._concerns[at])
            self.post_message(self.Chosen(self._concerns[at]))

    def action_step(self, step: int) -> None:
        """Move the cursor."""
        if self._concerns:
            index = min(max(self._index() + step, 0), len(self._concerns) - 1)
            self._cursor = _identity(self._concerns[index])
            self._draw()

    def action_choose(self) -> None:
        """Go to the concern under the cursor."""
        if self._concerns:
            self.post_message(self.Chosen(self._concerns[self._index()]))


def _identity(concern: Concern) -> tuple[str, str, str]:
    return concern.word, concern.kind, concern.key
