"""Tell the person at this console about the episodes of all open profiles."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from textual.app import App

from console.kinds.catalogue import LIVE
from console.notices.notice import SIGNS, Notice, profile_of
from console.notices.notifier import Notifier
from console.notices.outside import Outside
from console.notices.ways.known_terminals import sequence_for
from console.notices.ways.lanes import lanes
from console.notices.ways.terminal import Bell, TerminalNotification, Title
from console.screens.console_screen import ConsoleScreen
from console.signs import drawn
from console.views.cell import Tone
from console.widgets.styled_line import Piece, piece
from console.widgets.textual_compat import output
from console.widgets.tones import Badge

if TYPE_CHECKING:
    from console.client.endpoint import Endpoint
    from console.config import Config
    from console.notices.ways.way import Way
    from console.screens.app_context import AppContext

EPISODES = "episodes"
"""The list whose records are told."""
_TONES = {"critical": Tone.BAD, "warning": Tone.WARN, "notice": Tone.NOTICE}


def seconds() -> float:
    """Return the time for intervals."""
    return time.monotonic()


class NoticeTeller:
    """Tells by the ways of the terminal, and on the screen. The application calls it on each beat and for each key."""

    def __init__(self, app: App[Any], config: Config, outside: Outside) -> None:
        self._app = app
        self._config = config
        self._deployments: dict[str, Endpoint] = {}
        """The deployments of the open profiles, by their names as notices have them."""
        outer = lanes(config.notices, outside, self._deployments.get)
        self._notifier = Notifier(config.notices, (*self._ways(), *outer), seconds)
        self._waiting: list[Notice] = []
        """Notices that the screen could not show yet, because a dialog is open."""
        self._shown: Notice | None = None
        """The notice that stays on the screen until it is seen."""
        self._touched = False

    def _ways(self) -> Iterator[Way]:
        config, app = self._config, self._app
        if config.bell:
            yield Bell(lambda _: app.bell())

        def write(sequence: str) -> None:
            output.write(app, sequence)

        yield Title(write, config.symbols)
        named = config.notices.terminal
        yield TerminalNotification(write, sequence_for(os.environ) if named == "auto" else named)

    def beat(self, opened: Iterable[AppContext], here: AppContext) -> None:
        """Tell what is due in the open profiles, and show it on the screen."""
        for each in opened if EPISODES in LIVE else ():
            self._notifier.follow(each.profile_name, partial(each.backend.delta, EPISODES), each.zone)
            if each.endpoint is not None:
                self._deployments.setdefault(profile_of(each.profile_name), each.endpoint)
        self._waiting += self._notifier.beat(here.clock.now_ms())
        screen = self._app.screen
        if not isinstance(screen, ConsoleScreen):
            return
        if self._touched:
            self._touched = False
            if screen.cursor_key:
                self._notifier.looked_at(here.profile_name, screen.kind_in_focus(), {screen.cursor_key})
        if self._waiting:
            self._show(screen)
        elif self._shown is not None and screen.toasts.is_empty:
            if self._notifier.is_unseen(self._shown):
                screen.say_pieces(self._pieces(self._shown))
            else:
                self._shown = None

    def _show(self, screen: ConsoleScreen) -> None:
        """Show the most serious notice that waits, and count the others."""
        notices, self._waiting = self._waiting, []
        worst = max(notices, key=lambda each: _SERIOUS.index(each.severity))
        words = self._pieces(worst)
        if len(notices) > 1:
            words.append(piece(f" and {len(notices) - 1} more", Tone.STRONG))
        screen.say_pieces(words)
        for each in notices:
            self._notifier.was_shown(each)
        self._shown = None if worst.severity == "notice" else worst

    def _pieces(self, notice: Notice) -> list[Piece]:
        tone = _TONES[notice.severity]
        return [piece(f" {drawn(SIGNS[notice.severity], self._config.symbols)} {notice.line} ", Badge(tone))]

    def touched(self) -> None:
        """Note that a person pressed a key or a button of the mouse."""
        self._touched = True
        self._notifier.key_pressed()

    def failures(self) -> list[str]:
        """Return which ways began to fail since the last call, as sentences."""
        return self._notifier.failures()

    def close(self) -> None:
        """Restore the terminal."""
        self._notifier.close()


_SERIOUS = ("notice", "warning", "critical")
