"""Dialog for a conflict with somebody else's change: before, theirs and mine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Literal

from textual.app import ComposeResult

from console.base.text import SafeText, clean, fit, join
from console.ui.dialogs.dialog import Dialog, KeyButton, Words
from console.ui.widgets.tones import block, styled
from console.ui.widgets.wrapping import wrap
from console.views.cell import Cell, Line, Tone

Settled = Literal["theirs", "mine", "edit"]
_SIDES = ("before", "theirs", "mine")


class ConflictDialog(Dialog[Settled]):
    """Shows the three versions side by side. Escape keeps theirs, `e` edits mine, `ctrl+y` sends mine."""

    WIDTH = 76

    def __init__(
        self,
        title: str,
        before: Sequence[SafeText],
        theirs: Sequence[SafeText],
        mine: Sequence[SafeText],
        *,
        editable: bool = True,
    ) -> None:
        super().__init__(title)
        self._columns = (before, theirs, mine)
        self._editable = editable

    def body(self) -> ComposeResult:
        """Lay out the versions in columns."""
        yield Words(styled("Not sent: somebody else changed it in the meantime.", Tone.WARN))
        yield Words(block(self._lines()), apart=True)

    def _lines(self) -> Iterable[Line]:
        width = (self.WIDTH - 10) // len(self._columns)
        yield tuple(Cell(fit(clean(each), width), Tone.QUIET) for each in _SIDES)
        nothing = clean("")
        for before, theirs, mine in zip_longest(*self._columns, fillvalue=nothing):
            tones = (
                Tone.QUIET,
                Tone.PLAIN if theirs == before else Tone.WARN,
                Tone.PLAIN if mine == before else Tone.STRONG,
            )
            columns = [_rows(side, width - 1) for side in (before, theirs, mine)]
            for row in zip_longest(*columns, fillvalue=nothing):
                yield tuple(Cell(fit(words, width), tone) for words, tone in zip(row, tones, strict=True))

    def buttons(self) -> Iterable[KeyButton]:
        """Return the buttons, the safe one first."""
        yield KeyButton("escape", "esc", "Keep theirs", Tone.STRONG)
        if self._editable:
            yield KeyButton("e", "e", "Edit mine again")
        yield KeyButton("ctrl+y", "^y", "Send mine", Tone.BAD)

    def pressed(self, key: str, character: str | None) -> bool:
        """Decide; Enter does nothing."""
        if key == "ctrl+y":
            self.dismiss("mine")
        elif key == "e" and self._editable:
            self.dismiss("edit")
        else:
            return character is not None or key == "enter"
        return True

    def leave(self) -> None:
        """Keep theirs."""
        self.dismiss("theirs")


def _rows(text: SafeText, width: int) -> list[SafeText]:
    """Wrap text in a column, so that it is completely visible."""
    return [join("", [cell.text for cell in row]) for row in wrap((Cell(text),), width)]
