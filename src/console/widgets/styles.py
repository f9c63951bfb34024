"""Style sheets that are read once for each theme, not twice for each screen that is gone to for the first time."""

from __future__ import annotations

from collections.abc import Mapping

from textual.css.stylesheet import Stylesheet


class StylesOfTheme(Stylesheet):
    """Textual's style sheet, which knows whether it has to be parsed anew.

    Textual asks for that whenever a screen comes up that was made after the theme was chosen, which all are. Only other
    variables, those of another theme, make a difference to what was parsed; sources that came in since are parsed when
    their rules are needed first.
    """

    def __init__(self, *, variables: Mapping[str, str]) -> None:
        super().__init__(variables=dict(variables))
        self._parsed_with = dict(variables)
        self._stale = False

    def set_variables(self, variables: dict[str, str]) -> None:
        """Take the variables of a theme."""
        if variables != self._parsed_with:
            self._parsed_with, self._stale = dict(variables), True
            super().set_variables(variables)

    def reparse(self) -> None:
        """Parse everything anew if that was parsed with other variables."""
        if self._stale:
            super().reparse()
            self._stale = False
