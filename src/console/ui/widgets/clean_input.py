"""Single-line input that cleans pasted text."""

from __future__ import annotations

from textual import events
from textual.widgets import Input

from console.base.text import SafeText, clean, clean_and_rest
from console.ui.widgets.theme import app_of

LONGEST = 4096


def shown_in_input(value: str) -> SafeText:
    """Return the text that an input shows of a value; empty for a value above the limit.

    A cut value could not be distinguished from typed text, and the rest would be lost.
    """
    return clean("") if _rest(value) else clean(value, LONGEST)


def _rest(value: str) -> SafeText:
    return clean_and_rest(value, LONGEST)[1]


def replaces(value: str) -> SafeText:
    """Return the note for a value that is too long for its input."""
    return clean(f"{len(value):,} characters, too long to show; typing replaces them")


class CleanInput(Input):
    """A single-line `Input`. Pasted text is cleaned; a line end in it does not submit."""

    DEFAULT_CSS = """
    CleanInput, CleanInput:focus {
        height: 1; border: none; padding: 0; background: $panel; color: $foreground;
    }
    CleanInput:focus { background-tint: $foreground 5%; }
    CleanInput.instead > .input--placeholder { color: $foreground; text-style: bold; }
    """

    def __init__(
        self, value: str = "", *, placeholder: str = "", password: bool = False, id: str | None = None
    ) -> None:
        self._usual = replaces(value) if _rest(value) else clean(placeholder)
        super().__init__(
            shown_in_input(value),
            placeholder=self._usual,
            password=password,
            select_on_focus=False,
            max_length=LONGEST,
            id=id,
        )
        self._instead: SafeText | None = None
        self._under = clean("")

    @property
    def instead(self) -> SafeText | None:
        """The text for a value that cannot be typed; None after typing."""
        return None if self.value else self._instead

    def put_instead(self, text: SafeText | None) -> None:
        """Show this text instead of the content, until something is typed; None restores the content."""
        if self._instead is None:
            self._under = clean(self.value, LONGEST)
        self._instead = text
        self.placeholder: str = self._usual if text is None else text
        self.value = self._under if text is None else ""
        self.set_class(text is not None, "instead")

    def on_paste(self, event: events.Paste) -> None:
        """Insert the cleaned first line, instead of Textual's handling."""
        lines = event.text.splitlines()
        if lines:
            self.put_in(lines[0])
        event.stop()
        event.prevent_default()

    def action_paste(self) -> None:
        """Paste text that was copied in the application."""
        self.put_in(app_of(self).clipboard)

    def action_copy(self) -> None:
        """Copy the selection; never of a password."""
        if not self.password:
            super().action_copy()

    def action_cut(self) -> None:
        """Cut the selection; never of a password."""
        if not self.password:
            super().action_cut()

    def put_in(self, text: str) -> None:
        """Insert a text instead of the selection, cleaned."""
        self.replace(clean(text, LONGEST), *self.selection)
