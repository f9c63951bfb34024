"""Style sheets parsed once per theme.

Needs a style sheet that is parsed by `reparse` after `set_variables`. Without it, Textual parses all of them twice on
the first visit to each screen.
"""

from __future__ import annotations

from collections.abc import Mapping

from textual.css.stylesheet import Stylesheet

from console.ui.textual_compat.pieces import takes


def check() -> None:
    """Raise Gone if style sheets are parsed in another way."""
    takes(Stylesheet, "__init__", "variables")
    takes(Stylesheet, "set_variables", "variables")
    takes(Stylesheet, "reparse")


class StylesOfTheme(Stylesheet):
    """Textual's style sheet, parsed only if its variables changed.

    Textual parses it again for each screen created after the theme was set, which is every screen. Only other
    variables, those of another theme, change the result; new sources are parsed on first use of their rules.
    """

    def __init__(self, *, variables: Mapping[str, str]) -> None:
        super().__init__(variables=dict(variables))
        self._parsed_with = dict(variables)
        self._stale = False

    def set_variables(self, variables: dict[str, str]) -> None:
        """Set the variables of a theme."""
        if variables != self._parsed_with:
            self._parsed_with, self._stale = dict(variables), True
            super().set_variables(variables)

    def reparse(self) -> None:
        """Parse everything if the variables changed."""
        if self._stale:
            super().reparse()
            self._stale = False
