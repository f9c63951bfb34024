"""Confirmation dialogs: one with a key, and one that requires typing a name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual.app import ComposeResult
from textual.content import Content

from console.base.text import SafeText, clean
from console.ui.dialogs.dialog import Dialog, KeyButton, Words
from console.ui.widgets.clean_input import CleanInput
from console.ui.widgets.theme import ScreenPart
from console.ui.widgets.tones import block, styled
from console.views.cell import Line, Tone

_FEW = 3


class ConfirmDialog(Dialog[bool]):
    """Shows the records and the effect, and confirms only by `ctrl+y`. Enter and Escape cancel.

    `lines` are names and ids of the records; `warning` is one sentence, above a long list. With `ready`, Enter confirms
    as well, for small changes of several records. Returns False for any other key.
    """

    WIDTH = 72

    def __init__(
        self,
        title: str,
        lines: Sequence[SafeText],
        warning: SafeText,
        *,
        keep: str = "Cancel",
        does: str = "",
        ready: bool = False,
    ) -> None:
        super().__init__(title)
        self._lines = lines
        self._warning = warning
        self._keep = keep
        self._does = clean(does, 40) if does else self._title
        self._ready = ready

    def body(self) -> ComposeResult:
        """Lay out names and warning."""
        yield from named(self._lines, styled(self._warning))

    def buttons(self) -> Iterable[KeyButton]:
        """Return the buttons, the safe one first."""
        yield KeyButton("escape", "esc", self._keep, Tone.STRONG)
        if self._ready:
            yield KeyButton("enter", "enter", self._does, Tone.NOTICE)
        else:
            yield KeyButton("ctrl+y", "^y", self._does, Tone.BAD)

    def pressed(self, key: str, character: str | None) -> bool:
        """Confirm on `ctrl+y`, and on Enter only if it is shown."""
        if key == "ctrl+y" or (key == "enter" and self._ready):
            self.dismiss(True)
        elif key == "enter":
            self.leave()
        else:
            return character is not None
        return True

    def leave(self) -> None:
        """Cancel."""
        self.dismiss(False)


class PlanDialog(ConfirmDialog):
    """Lists the changes of several records, and confirms by Enter."""

    WIDTH = 76

    def __init__(self, title: str, plan: Sequence[Line], warning: SafeText, *, does: str = "") -> None:
        super().__init__(title, (), warning, keep="Cancel", does=does, ready=True)
        self._plan = tuple(plan)

    def body(self) -> ComposeResult:
        """Lay out the warning, then the plan line by line."""
        yield Words(styled(self._warning))
        yield Words(block(self._plan), apart=True)


def named(lines: Sequence[SafeText], warning: Content) -> ComposeResult:
    """Lay out records and warning: the warning is above a long list, to be visible."""
    many = len(lines) > _FEW
    if many:
        yield Words(warning)
    for index, line in enumerate(lines):
        first = index == 0
        yield Words(styled(line, Tone.STRONG if first or many else Tone.QUIET), apart=first and many)
    if not many:
        yield Words(warning, apart=bool(lines))


class TypeNameDialog(Dialog[bool]):
    """Confirms wide or irreversible changes: the word must be typed before `ctrl+y`."""

    FOOT = 5
    TYPED = True
    DEFAULT_CSS = """
    TypeNameDialog CleanInput { margin-top: 1; }
    """

    def __init__(
        self, title: str, lines: Sequence[SafeText], warning: SafeText, word: SafeText, *, does: str = ""
    ) -> None:
        super().__init__(title)
        self._lines = lines
        self._warning = warning
        self._word = word
        self._does = clean(does, 40) if does else self._title

    def body(self) -> ComposeResult:
        """Lay out names and warning."""
        yield from named(self._lines, styled(self._warning, Tone.WARN))

    def foot(self) -> ComposeResult:
        """Lay out the required word and its input."""
        yield Words(
            styled("Type ", Tone.QUIET) + styled(self._word, Tone.STRONG) + styled(" to continue.", Tone.QUIET),
            apart=True,
        )
        yield CleanInput()
        yield Words(styled(""), id="fault")

    def buttons(self) -> Iterable[KeyButton]:
        """Return the buttons, the safe one first."""
        yield KeyButton("escape", "esc", "Cancel", Tone.STRONG)
        yield KeyButton("ctrl+y", "^y", self._does, Tone.BAD)

    def begin(self) -> None:
        """Move the focus to the input."""
        self.query_one(CleanInput).focus()

    def pressed(self, key: str, character: str | None) -> bool:
        """Confirm on `ctrl+y` if the word matches; Enter only reports a mismatch."""
        if key not in {"ctrl+y", "enter"}:
            return False
        right = clean(self.query_one(CleanInput).value).strip().casefold() == self._word.strip().casefold()
        if right and key == "ctrl+y":
            self.dismiss(True)
        elif right:
            self.query_one("#fault", Words).update(styled("^y", ScreenPart.KEY) + styled(" confirms.", Tone.NOTICE))
        else:
            self.query_one("#fault", Words).update(styled("The text does not match.", Tone.WARN))
        return True

    def leave(self) -> None:
        """Cancel."""
        self.dismiss(False)
