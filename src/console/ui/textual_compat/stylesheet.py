"""Style sheets parsed once per theme, the styles of a screen computed once, and closed widgets freed with their lines.

Needs a style sheet that is parsed by `reparse` after `set_variables`, and a count of the themes so far in app and
screen. Without it, Textual parses all style sheets twice on the first visit to each screen. It also computes all styles
of the screen that is left on the first visit to another, and of the other on each visit.

Needs the cache of `StylesCache` and the list of watchers of an app. Without it, Textual keeps the painted lines of up
to a thousand closed widgets, and each closed text area until the theme changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from textual import _styles_cache, events
from textual.app import App
from textual.css.stylesheet import Stylesheet
from textual.message_pump import MessagePump
from textual.screen import Screen

from console.ui.textual_compat.pieces import has, takes, works


def check() -> None:
    """Raise Gone if style sheets are parsed in another way, or lines of widgets are cached in another way."""
    takes(Stylesheet, "__init__", "variables")
    takes(Stylesheet, "set_variables", "variables")
    takes(Stylesheet, "reparse")
    has(App, "_css_update_count")
    has(Screen, "_css_update_count")
    has(_styles_cache.StylesCache, "get_inner_outer")
    has(_styles_cache.StylesCache.get_inner_outer, "cache_clear")
    has(MessagePump, "_closing")


class StylesOfTheme(Stylesheet):
    """Textual's style sheet, parsed only if its variables changed.

    Textual parses it again for each screen created after the theme was set, which is every screen. Only other
    variables, as with another theme, change the result; new sources are parsed on first use of their rules.
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


class StylesKept:
    """Base class of screens whose styles are not computed again when they come to the front.

    Every change of a class, of the focus and of the theme computes the styles that it affects, also of hidden screens.
    """

    def _on_screen_resume(self, event: events.ScreenResume) -> None:
        # Textual calls the handlers of all base classes, its own last.
        if works("stylesheet"):
            event.refresh_styles = False
            _free_closed_widgets(self)


def _free_closed_widgets(screen: Any) -> None:
    """Forget the widgets that are closed by now. Widgets of the screen that was left last may follow next time."""
    # The method of each widget's cache is cached with the widget's lines as its first argument.
    cache: Any = _styles_cache.StylesCache.get_inner_outer
    cache.cache_clear()
    for watchers in getattr(screen.app, "__watchers", {}).values():
        watchers[:] = [(watching, callback) for watching, callback in watchers if not watching._closing]
