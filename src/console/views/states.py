"""Display of states: symbol, tone, and whether the state is final.

The contract leaves most states open, so an unknown state is shown unchanged, with a neutral symbol.
"""

from __future__ import annotations

from collections.abc import Mapping

from console.base.frozen import Frozen
from console.base.signs import drawn
from console.base.text import clean
from console.records import state_words
from console.views.cell import Cell, Tone
from console.views.render_context import RenderContext
from console.views.wording import amount


class StateLook(Frozen):
    """Display of a state."""

    symbol: str
    """One of `console.base.signs`."""
    tone: Tone = Tone.PLAIN
    over: bool = False
    rank: int = 5
    """Position in lists of states: the most urgent first."""


_UNKNOWN = StateLook("·", Tone.PLAIN, rank=8)
_NONE = StateLook("·", Tone.QUIET, rank=9)
FAILED = StateLook("×", Tone.BAD, over=True, rank=6)
UNANSWERED = StateLook("○", Tone.NOTICE, over=True, rank=6)
OVER = StateLook("√", Tone.QUIET, over=True, rank=7)
ONGOING = StateLook("●", Tone.GOOD, rank=3)
RINGING = StateLook("◊", Tone.NOTICE, rank=2)


class States(Frozen):
    """Display of a kind's states."""

    looks: Mapping[str, StateLook]
    """By state, as sent or normalized."""

    def look(self, state: str | None) -> StateLook:
        """Return the display of a state."""
        if not state:
            return _NONE
        return self.looks.get(state) or self.looks.get(state_words.normalized(state), _UNKNOWN)

    def knows(self, state: str) -> bool:
        """Return whether a state has a display of its own."""
        return self.look(state) is not _UNKNOWN

    def at_end(self, state: str | None, *, ended: bool) -> str | None:
        """Return the state of a record: `ended` if it has an end, and a state that does not say so."""
        seen = self.look(state)
        return "ended" if ended and not seen.over and seen is not _UNKNOWN else state

    def cell(self, state: str | None, render: RenderContext, *, ended: bool = False) -> Cell:
        """Return symbol and text in the state's tone; `ended` tells that the record has an end, whatever its state."""
        state = self.at_end(state, ended=ended)
        seen = self.look(state)
        seen = OVER if ended and not seen.over else seen
        return Cell(clean(f"{symbol(seen, render)} {state_words.display_word(state or 'unknown')}"), seen.tone)

    def words(self, state: str | None) -> Cell:
        """Return the text in the state's tone, without the symbol, which stands elsewhere in the row."""
        return Cell(clean(state_words.display_word(state or "unknown")), self.look(state).tone)

    def counted(self, state: str, many: int, render: RenderContext) -> Cell:
        """Return the count of a state, for totals."""
        seen = self.look(state)
        return Cell(clean(f"{symbol(seen, render)} {amount(many)} {state_words.display_word(state)}", 32), seen.tone)


def symbol(seen: StateLook, render: RenderContext) -> str:
    """Return the symbol in the terminal's symbol set."""
    return drawn(seen.symbol, render.symbols)
