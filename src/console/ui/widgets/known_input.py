"""Input with known values: typing narrows them, and a key puts in the next one."""

from __future__ import annotations

from collections.abc import Sequence

from console.ui.widgets.clean_input import CleanInput


class KnownInput(CleanInput):
    """A text of which some values are known. Right at the end of the text puts in the next one; others can be typed."""

    def __init__(self, value: str, known: Sequence[str], *, id: str | None = None) -> None:
        super().__init__(value, id=id)
        self._known = tuple(known)
        self._typed = ""
        """The text that narrows the values, as typed."""
        self._put_in = value
        """The value that was put in last, which narrows nothing."""

    @property
    def matches(self) -> Sequence[str]:
        """The known values that contain the typed text, those that begin with it first."""
        if self.value != self._put_in:
            self._typed, self._put_in = self.value, ""
        typed = self._typed.casefold()
        first = [value for value in self._known if value.casefold().startswith(typed)]
        starts = {*first}
        return [*first, *(value for value in self._known if typed in value.casefold() and value not in starts)]

    def action_cursor_right(self, select: bool = False) -> None:
        """Move right; at the end of the text, put in the next value."""
        matches = self.matches
        if select or self.cursor_position < len(self.value) or not matches:
            super().action_cursor_right(select)
            return
        at = matches.index(self.value) if self.value in matches else -1
        self._put_in = matches[(at + 1) % len(matches)]
        self.value = self._put_in
        self.cursor_position = len(self.value)
