"""All uses of private or deep parts of Textual; everything else uses its documented interface.

Each piece is one module, written for the version of Textual that `pieces.py` names. `check` in the module says what it
needs; if that is gone or has another signature, the console does without the piece, as Textual itself would. The
functions here choose between the two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from console.ui.textual_compat.pieces import works

if TYPE_CHECKING:
    from textual.app import App
    from textual.driver import Driver
    from textual.screen import Screen


def use_compositor(screen: Screen[Any]) -> None:
    """Paint and send only the changed, visible cells of a screen. Otherwise, Textual also paints covered widgets."""
    if works("compositor"):
        # Imported only if Textual has what the piece needs; so are the next two.
        from console.ui.textual_compat.compositor import CellsCompositor

        within: Any = screen
        within._compositor = CellsCompositor()


def use_stylesheet(app: App[Any]) -> None:
    """Parse the style sheets of an app once per theme. Otherwise, Textual parses them for each screen."""
    if works("stylesheet"):
        # As above.
        from console.ui.textual_compat.stylesheet import StylesOfTheme

        app.stylesheet = StylesOfTheme(variables=app.get_css_variables())


def use_current_styles(app: App[Any], screen: Screen[Any]) -> None:
    """Note that a new screen gets the styles of the current theme. Otherwise, Textual computes them once more."""
    if works("stylesheet"):
        within_app: Any = app
        within: Any = screen
        within._css_update_count = within_app._css_update_count


def driver_class() -> type[Driver] | None:
    """Return the driver that restores the terminal in all cases; None for Textual's."""
    if works("terminal"):
        # As above.
        from console.ui.textual_compat.terminal import TerminalDriver

        return TerminalDriver
    return None
