"""The dialog that asks for a line of text, or for several."""

from __future__ import annotations

from collections.abc import Iterable

from textual.app import ComposeResult
from textual.widgets import Input, TextArea

from console.actions.action import TextAsk
from console.tables.cell import Tone
from console.text import clean, clean_lines
from console.widgets.clean_area import CleanArea
from console.widgets.clean_input import LONGEST, CleanInput
from console.widgets.dialogs.dialog import Dialog, KeyButton, Words
from console.widgets.tones import block, styled


class TextDialog(Dialog[str | None]):
    """Answers with the text, or None when it was left. What is wrong with it is said while it is typed.

    One line is taken with Enter, several with `ctrl+y`, so that a pasted list is never taken before it was seen.
    """

    def __init__(self, ask: TextAsk) -> None:
        super().__init__(ask.title)
        self._ask = ask
        self._touched = False

    def body(self) -> ComposeResult:
        """Lay out the field, what is wrong, and what would come of it."""
        yield CleanArea(self._ask.initial) if self._ask.lines else CleanInput(self._ask.initial)
        yield Words(styled(""), id="fault")
        if self._ask.preview is not None:
            yield Words(styled(""), id="preview")

    def buttons(self) -> Iterable[KeyButton]:
        """Give the way out first."""
        yield KeyButton("escape", "esc", "Leave it", first=True)
        shown = ("ctrl+y", "^y") if self._ask.lines else ("enter", "⏎")
        yield KeyButton(*shown, "Take it", Tone.STRONG)

    def begin(self) -> None:
        """Let the text be typed."""
        field = self.query_one(CleanArea) if self._ask.lines else self.query_one(CleanInput)
        field.focus()
        if isinstance(field, CleanInput):
            field.cursor_position = len(field.value)
        self._say()

    @property
    def text(self) -> str:
        """The text as it would be taken; where nothing was typed that is the very text it began with."""
        initial = self._ask.initial
        if self._ask.lines:
            typed = self.query_one(CleanArea).text
            return initial if typed == "\n".join(clean_lines(initial)) else typed
        typed = self.query_one(CleanInput).value
        return initial if typed == clean(initial, LONGEST) else typed

    def _fault(self) -> str | None:
        text = self.text
        if not text.strip():
            return "Something must be typed." if self._ask.required else None
        return self._ask.check(text) if self._ask.check else None

    def _say(self, pressed: bool = False) -> None:
        fault = self._fault()
        quiet = not pressed and not self.text.strip()
        self.query_one("#fault", Words).put(styled("" if fault is None or quiet else fault, Tone.WARN))
        if self._ask.preview is not None:
            self.query_one("#preview", Words).put(block(self._ask.preview(self.text)))

    def on_input_changed(self, _event: Input.Changed) -> None:
        """Check what is typed."""
        self._say()

    def on_text_area_changed(self, _event: TextArea.Changed) -> None:
        """Check what is typed."""
        self._say()

    def pressed(self, key: str, character: str | None) -> bool:
        """Take the text, if nothing is wrong with it."""
        if key != ("ctrl+y" if self._ask.lines else "enter"):
            return False
        if self._fault() is None:
            self.dismiss(self.text)
        else:
            self._say(pressed=True)
        return True
