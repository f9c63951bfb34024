"""Dialog for one or several lines of text."""

from __future__ import annotations

from collections.abc import Iterable

from textual import events
from textual.app import ComposeResult
from textual.widgets import Input, TextArea

from console.base.text import clean
from console.commands.action import NEXT, TextAsk
from console.ui.dialogs.dialog import Dialog, KeyButton, Words
from console.ui.widgets.clean_area import CleanArea, shown_in_area
from console.ui.widgets.clean_input import CleanInput, shown_in_input
from console.ui.widgets.detail_pane import DetailPane
from console.ui.widgets.theme import ScreenPart
from console.ui.widgets.tones import styled
from console.views.cell import Cell, Line, Section, Tone

_USED: Line = (Cell(clean("↑↓"), Tone.NOTICE), Cell(clean(" used before"), Tone.QUIET))


def _used_line(text: str, *, chosen: bool) -> Line:
    return (Cell(clean("► " if chosen else "  "), Tone.STRONG), Cell(clean(text, 200)))


class TextDialog(Dialog[str | None]):
    """Returns the text, or None after cancelling. Errors are shown while typing.

    Enter submits a single line, `ctrl+y` several. Up and Down put in earlier answers. A pasted list with a preview
    moves the focus to the preview, where Enter submits; typing returns to the text.
    """

    TYPED = True
    WIDTH = 72
    DEFAULT_CSS = """
    TextDialog DetailPane { background: $surface; height: 1; margin-top: 1; display: none; }
    TextDialog DetailPane:focus { background-tint: $foreground 5%; }
    """

    def __init__(self, ask: TextAsk) -> None:
        super().__init__(ask.title)
        self._ask = ask
        self._own = ask.initial
        """The text before an answer of before was put in."""

    def body(self) -> ComposeResult:
        """Lay out input, error and preview."""
        if self._ask.hint:
            yield Words(styled(clean(self._ask.hint), Tone.QUIET), id="hint")
        yield CleanArea(self._ask.initial, table=True) if self._ask.lines else CleanInput(self._ask.initial)
        yield Words(styled(""), id="fault")
        if self._ask.preview is not None or self._ask.used:
            yield DetailPane()

    def buttons(self) -> Iterable[KeyButton]:
        """Return the buttons, cancel first."""
        yield KeyButton("escape", "esc", "Cancel")
        accept = ("ctrl+y", "^y") if self._ask.lines else ("enter", "enter")
        self._accept = KeyButton(*accept, self._ask.verb, Tone.STRONG)
        yield self._accept

    def begin(self) -> None:
        """Focus the input."""
        field = self._field
        field.focus()
        if self._ask.anew:
            field.select_all()
        self._say()

    @property
    def _field(self) -> CleanArea | CleanInput:
        return self.query_one(CleanArea) if self._ask.lines else self.query_one(CleanInput)

    @property
    def text(self) -> str:
        """The text as it would be submitted; unchanged text is exactly the initial text."""
        initial = self._ask.initial
        field = self._field
        if isinstance(field, CleanArea):
            return initial if field.text == "\n".join(shown_in_area(initial)) else field.text
        return initial if field.value == shown_in_input(initial) else field.value

    def _fault(self) -> str | None:
        text = self.text
        if not text.strip():
            return "Enter a value." if self._ask.required else None
        return self._ask.check(text) if self._ask.check else None

    def _say(self, pressed: bool = False) -> None:
        fault = self._fault()
        quiet = not pressed and not self.text.strip()
        content = styled("" if fault is None or quiet else fault, Tone.WARN)
        if fault is None and self._looked_at:
            content = styled("enter", ScreenPart.KEY) + styled(" accepts this; type to change it.", Tone.QUIET)
        self.query_one("#fault", Words).update(content)
        asks_again = fault is None and self._ask.confirmed is not None and self._ask.confirmed(self.text)
        self._accept.name_it(NEXT if asks_again else self._ask.verb)
        for pane in self.query(DetailPane):
            section = self._below()
            pane.display = bool(section.lines)
            pane.show(section.id, (section,))
            self._fit_preview(pane)

    def _below(self) -> Section:
        """Return the lines below the text: its effect, or earlier answers."""
        if self._ask.preview is not None:
            return Section("preview", "Preview", self._ask.preview(self.text))
        lines = [_used_line(value, chosen=value == self.text) for value in self._ask.used]
        return Section("used", "Used before", (_USED, *lines) if lines else ())

    def _fit_preview(self, pane: DetailPane) -> None:
        """Size the preview to its content, or to the remaining screen with two rows for errors; it scrolls."""
        field = (6 if self._ask.lines else 1) + bool(self._ask.hint)
        pane.styles.height = max(2, min(pane.rows, self.rows_below_a_line(self.size.height) - 1 - field))

    def on_resize(self, event: events.Resize) -> None:
        """Resize the preview as well."""
        super().on_resize(event)
        for pane in self.query(DetailPane):
            self.call_after_refresh(self._fit_preview, pane)

    def on_input_changed(self, _event: Input.Changed) -> None:
        """Check the text."""
        self._say()

    def on_text_area_changed(self, _event: TextArea.Changed) -> None:
        """Check the text."""
        self._say()

    def on_clean_area_pasted(self, _message: CleanArea.Pasted) -> None:
        """Focus the preview of a pasted list, where Enter submits it."""
        self._say()
        for pane in self.query(DetailPane):
            if pane.display:
                self.set_focus(pane)
                self._say()

    def on_paste(self, event: events.Paste) -> None:
        """Insert further pastes into the text, whatever has the focus."""
        event.stop()
        if self._looked_at:
            self.query_one(CleanArea).put_in(event.text)
            self._say()

    @property
    def _looked_at(self) -> bool:
        return isinstance(self.focused, DetailPane)

    def pressed(self, key: str, character: str | None) -> bool:
        """Submit valid text; in the preview, return to the text on typing."""
        if (key == "ctrl+y" and self._ask.lines) or (key == "enter" and (self._looked_at or not self._ask.lines)):
            self._take()
        elif self._looked_at and (character is not None or key in {"backspace", "tab", "shift+tab"}):
            field = self.query_one(CleanArea)
            self.set_focus(field)
            if character is not None:
                field.insert(character)
            self._say()
        elif self._ask.used and key in {"up", "down"}:
            self._put_in(-1 if key == "up" else 1)
        elif not self._ask.lines and key in {"up", "down", "pageup", "pagedown"}:
            self._scroll_preview(key)
        else:
            return False
        return True

    def _put_in(self, step: int) -> None:
        """Put the next answer of before into the input; before the first is the text that was there."""
        used, text = self._ask.used, self.text
        at = used.index(text) if text in used else -1
        if at < 0:
            self._own = text
        at = min(max(-1, at + step), len(used) - 1)
        field = self.query_one(CleanInput)
        field.value = self._own if at < 0 else used[at]
        field.cursor_position = len(field.value)

    def _scroll_preview(self, key: str) -> None:
        for pane in self.query(DetailPane):
            step = 1 if key in {"up", "down"} else max(1, pane.size.height - 1)
            pane.scroll_relative(y=step if key.endswith("down") else -step, animate=False, force=True)

    def _take(self) -> None:
        if self._fault() is None:
            self.dismiss(self.text)
        else:
            self._say(pressed=True)
