"""Follows a link to a record that is not listed any more: the recording tells since when, and how it was."""

from __future__ import annotations

from typing import TYPE_CHECKING

from console.base.text import clean
from console.kinds.catalogue import LIVE
from console.ui.screens.detail import DetailScreen
from console.ui.screens.life import LifeSection
from console.ui.widgets.theme import app_of

if TYPE_CHECKING:
    from console.ui.screens.list_screen import ListScreen


class GoneRecord:
    """Looks for one record in the recording, and opens it as it was last known."""

    def __init__(self, screen: ListScreen) -> None:
        self._screen = screen
        self._life = LifeSection(screen.context)
        self._wanted: tuple[str, str] | None = None

    def seek(self, kind: str, key: str) -> None:
        """Look for a record, unless its list has it, or is not known."""
        pane = self._screen.pane
        known = pane.kind == kind in LIVE and pane.health.age is not None
        self._wanted = (kind, key) if known and key and pane.find(key) is None else None

    def update(self) -> None:
        """Open the record once it is read; say so if nothing is known of it. Called on every beat."""
        if self._wanted is None:
            return
        screen, (kind, key) = self._screen, self._wanted
        pane = screen.pane
        if pane.kind != kind or pane.find(key) is not None:
            self._wanted = None
            return
        self._life.update(pane.table, key, None)
        if self._life.is_on and self._life.life is None:
            return
        self._wanted = None
        if self._life.last is not None:
            app_of(screen).push_screen(DetailScreen(pane, key))
        else:
            screen.say(f"This {pane.table.one} is not listed: {clean(key, 60)}")

    def stop(self) -> None:
        """End reading."""
        self._life.stop()
