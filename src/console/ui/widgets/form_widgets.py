"""Widgets of forms alone: the selection of one of a few values, and the line that says what to enter."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import RenderResult
from textual.message import Message
from textual.widget import Widget

from console.base.text import SafeText, clean, fit
from console.ui.widgets.theme import ScreenPart
from console.ui.widgets.tones import styled
from console.views.cell import Tone


class Cycle(Widget, can_focus=True):
    """Shows the selected value; left, right and space select another."""

    DEFAULT_CSS = """
    Cycle { height: 1; width: 1fr; background: $panel; }
    Cycle:focus { background-tint: $foreground 5%; }
    """

    class Changed(Message):
        """Another value was selected."""

    def __init__(self, offered: Sequence[str], value: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._offered = tuple(offered) if value in offered else (value, *offered)
        self.value = value
        """The text of the selected value."""
        self.instead: SafeText | None = None
        """The text for a value that cannot be selected."""

    def put_instead(self, text: SafeText | None) -> None:
        """Show this text instead of the value, until another is selected; None restores the value."""
        self.instead = text
        self.refresh()
        self.post_message(self.Changed())

    def render(self) -> RenderResult:
        """Paint the value between arrows."""
        look = ScreenPart.KEY if self.has_focus else Tone.QUIET
        if self.instead is not None:
            return styled("< ", look) + styled(self.instead, Tone.STRONG) + styled(" >", look)
        place = f"  {self._offered.index(self.value) + 1} of {len(self._offered)}"
        return styled("< ", look) + styled(self.value) + styled(" >", look) + styled(place, Tone.QUIET)

    def _turn(self, step: int) -> None:
        self.value = self._offered[(self._offered.index(self.value) + step) % len(self._offered)]
        self.instead = None
        self.refresh()
        self.post_message(self.Changed())

    def on_key(self, event: events.Key) -> None:
        """Select a value; a letter selects the next value that starts with it."""
        if event.key in {"left", "right", "space"}:
            self._turn(-1 if event.key == "left" else 1)
        elif event.character and event.character.isalnum():
            at = self._offered.index(self.value)
            order = [*self._offered[at + 1 :], *self._offered[: at + 1]]
            found = next((value for value in order if value.casefold().startswith(event.character.casefold())), None)
            if found is None:
                return
            self._turn(self._offered.index(found) - at)
        else:
            return
        event.stop()

    def on_click(self) -> None:
        """Select the next value."""
        self._turn(1)


class HintLine(Widget):
    """One line below the fields: what to enter in the field in focus."""

    DEFAULT_CSS = "HintLine { height: 1; margin-top: 1; }"

    def __init__(self) -> None:
        super().__init__()
        self._text = clean("")

    def show(self, text: SafeText) -> None:
        """Replace the text."""
        self._text = text
        self.refresh()

    def render(self) -> RenderResult:
        """Paint the text, shortened to the line."""
        return styled(fit(self._text, self.size.width), Tone.QUIET)
