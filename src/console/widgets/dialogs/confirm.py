"""Dialogs before what cannot be taken back: one that asks, and one that wants the name typed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual.app import ComposeResult

from console.tables.cell import Tone
from console.text import SafeText, clean
from console.widgets.clean_input import CleanInput
from console.widgets.dialogs.dialog import Dialog, KeyButton, Words
from console.widgets.theme import Part
from console.widgets.tones import styled


class ConfirmDialog(Dialog[bool]):
    """Names what is met, says what will happen, and does it only on `ctrl+y`. Enter, like Escape, keeps everything.

    `lines` are the objects' names and ids, `warning` is one sentence; False is the answer of every way out but one.
    """

    def __init__(self, title: str, lines: Sequence[SafeText], warning: SafeText, *, keep: str = "Keep it") -> None:
        super().__init__(title)
        self._lines = lines
        self._warning = warning
        self._keep = keep

    def body(self) -> ComposeResult:
        """Lay out names and warning."""
        for index, words in enumerate(self._lines):
            yield Words(styled(words, Tone.STRONG if index == 0 else Tone.QUIET))
        yield Words(styled(self._warning, Tone.PLAIN), apart=bool(self._lines))

    def buttons(self) -> Iterable[KeyButton]:
        """Give the safe choice first."""
        yield KeyButton("escape", "esc", self._keep, Tone.STRONG, first=True)
        yield KeyButton("ctrl+y", "^y", self._title, Tone.BAD)

    def pressed(self, key: str, character: str | None) -> bool:
        """Confirm on `ctrl+y` alone."""
        if key == "ctrl+y":
            self.dismiss(True)
        elif key == "enter":
            self.leave()
        return True

    def leave(self) -> None:
        """Keep everything."""
        self.dismiss(False)


class TypeNameDialog(Dialog[bool]):
    """Confirms what is wide or final: the word must be typed first, then `ctrl+y` pressed."""

    DEFAULT_CSS = """
    TypeNameDialog CleanInput { margin-top: 1; }
    """

    def __init__(self, title: str, lines: Sequence[SafeText], warning: SafeText, word: SafeText) -> None:
        super().__init__(title)
        self._lines = lines
        self._warning = warning
        self._word = word

    def body(self) -> ComposeResult:
        """Lay out names, warning and the field."""
        for index, words in enumerate(self._lines):
            yield Words(styled(words, Tone.STRONG if index == 0 else Tone.QUIET))
        yield Words(styled(self._warning, Tone.WARN), apart=bool(self._lines))
        yield Words(
            styled("Type ", Tone.QUIET) + styled(self._word, Tone.STRONG) + styled(" to go on.", Tone.QUIET), apart=True
        )
        yield CleanInput()
        yield Words(styled(""), id="fault")

    def buttons(self) -> Iterable[KeyButton]:
        """Give the safe choice first."""
        yield KeyButton("escape", "esc", "Keep everything", Tone.STRONG, first=True)
        yield KeyButton("ctrl+y", "^y", self._title, Tone.BAD)

    def begin(self) -> None:
        """Let the word be typed."""
        self.query_one(CleanInput).focus()

    def pressed(self, key: str, character: str | None) -> bool:
        """Confirm on `ctrl+y`, if the word is right; Enter only says what is missing."""
        if key not in {"ctrl+y", "enter"}:
            return False
        right = clean(self.query_one(CleanInput).value).strip().casefold() == self._word.strip().casefold()
        if right and key == "ctrl+y":
            self.dismiss(True)
        elif right:
            self.query_one("#fault", Words).put(styled("^y", Part.KEY) + styled(" does it.", Tone.NOTICE))
        else:
            self.query_one("#fault", Words).put(styled("That is not what is asked for.", Tone.WARN))
        return True

    def leave(self) -> None:
        """Keep everything."""
        self.dismiss(False)
