"""The command palette."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain

from textual.command import Hits, Provider

from console.api.catalogue import catalogue
from console.commands.guards import blocked
from console.ui.screens import navigation
from console.ui.screens.console_screen import ConsoleScreen
from console.ui.screens.operations import run
from console.ui.screens.overlay import Overlay, beneath
from console.ui.screens.specs import SCREENS
from console.ui.widgets.palette_hits import found, offered
from console.ui.widgets.theme import app_of, themes_of
from console.views.wording import capitalized


class ConsoleCommands(Provider):
    """Actions, view keys, screens and themes of the front screen."""

    def _console_screen(self) -> ConsoleScreen | None:
        """Return the front screen, or the one below an overlay."""
        front = self.screen
        if isinstance(front, Overlay):
            return beneath(front)
        return front if isinstance(front, ConsoleScreen) else None

    def _commands(self) -> Iterator[tuple[str, str, Callable[[], object]]]:
        front = self.screen
        screen = self._console_screen()
        if screen is None:
            return
        perform = front.perform if isinstance(front, Overlay) else screen.perform
        context = screen.context
        situation = context.situation(screen.selected())
        for action in screen.actions_here():
            reason = blocked(action, situation, screen.acted_on(action))
            key = context.key_words(action.id)
            about = reason or action.about or f"key {key}"
            yield f"{capitalized(action.title)} ({action.id})", about, partial(perform, action.id)
        for view_key in screen.view_keys():
            yield (
                capitalized(view_key.title),
                view_key.about or f"key {context.key_words(view_key.id)}",
                partial(perform, view_key.id),
            )
        for spec in SCREENS:
            yield f"Go to {spec.title}", f"key {spec.digit}", partial(navigation.go, app_of(screen), context, spec.name)
        for theme in themes_of(app_of(screen)).by_name.values():
            yield f"Theme: {theme.title}", "change the theme", partial(setattr, app_of(screen), "theme", theme.name)

    def _operations(self) -> Iterator[tuple[str, str, Callable[[], object]]]:
        """Yield every operation of both services, run through a form. They are too many to offer before a search."""
        screen = self._console_screen()
        if screen is not None:
            for name, request in catalogue().items():
                about = screen.context.lacks(request.operation) or "fill in its form, and send it"
                yield f"{request.operation.title} (run {name})", about, partial(run, screen, name)

    async def search(self, query: str) -> Hits:
        """Yield the commands that match the query."""
        matcher = self.matcher(query)
        for name, about, do in chain(self._commands(), self._operations()):
            hit = found(matcher, name, about, do)
            if hit is not None:
                yield hit

    async def discover(self) -> Hits:
        """Yield all commands while the query is empty."""
        for name, about, do in self._commands():
            yield offered(name, about, do)
