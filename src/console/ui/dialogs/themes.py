"""Dialog to choose a theme with a live preview."""

from __future__ import annotations

from collections.abc import Iterable

from textual.app import ComposeResult

from console.base.text import clean
from console.commands.action import Choice
from console.ui.dialogs.dialog import Dialog, KeyButton, Words
from console.ui.widgets.pick_list import PickList
from console.ui.widgets.theme import app_of, themes_of
from console.ui.widgets.tones import styled
from console.views.cell import Tone


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
