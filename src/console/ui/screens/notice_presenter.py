"""Shows the person at this console notices about the episodes of all open profiles."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.app import App
from textual.message import Message

from console.base.signs import drawn
from console.base.text import of_number
from console.notices.claims import Claims
from console.notices.notice import RANKS, SIGNS, Notice
from console.notices.notifier import Notifier
from console.notices.outside import Outside
from console.notices.ways.known_terminals import sequence_for
from console.notices.ways.lanes import lanes
from console.notices.ways.terminal import Bell, TerminalNotification, Title
from console.rules.watch import EPISODES
from console.ui.screens.console_screen import ConsoleScreen
from console.ui.screens.updating import FullScreen
from console.ui.textual_compat import output
from console.ui.widgets.message_line import MESSAGE_SECONDS
from console.ui.widgets.styled_line import Piece, piece
from console.ui.widgets.tones import Badge
from console.views.cell import Tone
from console.views.wording import amount

if TYPE_CHECKING:
    from console.client.endpoint import Endpoint
    from console.config.schema import Config
    from console.live.delta import Delta
    from console.notices.ways.way import Way
    from console.records.episodes import Episode
    from console.ui.screens.app_context import AppContext

_TONES = {"critical": Tone.BAD, "warning": Tone.WARN, "notice": Tone.NOTICE}


def seconds() -> float:
    """Return the time for intervals."""
    return time.monotonic()


class EpisodesChanged(Message):
    """Episodes of a profile changed."""


class _OpenEpisodes:
    """The episodes of an open profile."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self.profile = context.profile_name
        self.zone = context.zone

    @property
    def whose(self) -> str:
        return f"{self._context.profile.core}\n{self._context.user_id}"

    def changes(self, since: int) -> Delta[Episode]:
        return self._context.backend.delta(EPISODES, since)

    def known(self) -> Collection[str]:
        watch = self._context.watch
        return watch.judged if watch is not None else ()

    def saw(self, episodes: Mapping[str, int]) -> None:
        me, watch = self._context.backend.me, self._context.watch
        if watch is not None:
            # It waits for the evaluation of the rules, and writes a file.
            self._context.worker.submit(watch.see, episodes, me.user.username or "" if me else "", episodes)


class NoticePresenter:
    """Shows notices by the ways of the terminal and on the screen. The application calls it on each beat and key."""

    def __init__(self, app: App[Any], config: Config, outside: Outside, state: Path) -> None:
        """Prepare; `state` is the directory of what the consoles of a person share about notices."""
        self._app = app
        self._config = config
        self._deployments: dict[str, Endpoint] = {}
        """The deployments of the open profiles, by their names as notices have them."""
        outer = lanes(config.notices, outside, self._deployments.get)
        self._notifier = Notifier(config.notices, (*self._ways(), *outer), seconds, Claims(state))
        self._waiting: list[Notice] = []
        """Notices that the screen could not show yet, because of a dialog or another message."""
        self._shown: Notice | None = None
        """The notice on the screen."""
        self._words: list[Piece] = []
        self._profiles = 0
        """Number of open profiles. Where there is only one, and none other is configured, it is not named."""
        self._until = 0.0
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
        for app_context in opened:
            if self._notifier.follow(_OpenEpisodes(app_context)):
                self._follow(app_context)
        self._waiting += [
            sent_notice.notice for sent_notice in self._notifier.beat(here.clock.now_ms()) if sent_notice.on_screen
        ]
        screen = self._app.screen
        if self._touched and isinstance(screen, ConsoleScreen):
            self._touched = False
            if screen.cursor_key and screen.context is here:
                self._notifier.looked_at(here.profile_name, screen.kind_in_focus(), {screen.cursor_key})
        if not isinstance(screen, FullScreen):
            return
        if self._waiting and screen.message_line.is_free:
            self._take()
        notice = self._words if self._still_shown() else ()
        # Beside a notice nothing is counted, which would cost as much as a beat.
        is_alone = bool(notice) and screen.message_line.is_free
        screen.message_line.show_notice(notice, () if is_alone else self._unseen_words(here))

    def _unseen_words(self, here: AppContext) -> list[Piece]:
        """Return how many episodes are unseen, mere notices left out, and the key that lists them."""
        unseen = [severity for severity in self._notifier.unseen if severity != "notice"]
        if not unseen:
            return []
        worst = max(unseen, key=RANKS.__getitem__)
        key = here.key_words("view.episodes")
        count = f"{amount(len(unseen))} new {of_number(len(unseen), 'needs')} attention"
        sign = piece(f"{drawn(SIGNS[worst], self._config.symbols)} {count}", _TONES[worst])
        return [sign, piece(f" ({key})", Tone.QUIET)] if key else [sign]

    def _follow(self, app_context: AppContext) -> None:
        """Begin with another profile: from the second one on, notices name them."""
        self._profiles += 1
        self._reword()
        if app_context.watch is not None:
            app_context.watch.changed = self._changed

    def _changed(self) -> None:
        """Tell at once, without waiting for the next beat. Called by another thread."""
        self._app.post_message(EpisodesChanged())

    def _take(self) -> None:
        """Show the most serious notice that waits, silent ones last, and count the others."""
        notices, self._waiting = self._waiting, []
        worst = max(notices, key=lambda notice: (not notice.silent, RANKS[notice.severity]))
        self._words = [self._line_of(worst)]
        if len(notices) > 1:
            self._words.append(piece(f" and {len(notices) - 1} more", Tone.STRONG))
        for notice in notices:
            self._notifier.was_shown(notice)
        self._shown, self._until = worst, seconds() + MESSAGE_SECONDS

    def _line_of(self, notice: Notice) -> Piece:
        sign = drawn(SIGNS[notice.severity], self._config.symbols)
        text = notice.line if max(self._profiles, len(self._config.profiles)) > 1 else notice.text
        return piece(f" {sign} {text} ", Badge(_TONES[notice.severity]))

    def _reword(self) -> None:
        """Word the shown notice anew."""
        if self._shown is not None:
            self._words = [self._line_of(self._shown), *self._words[1:]]

    def _still_shown(self) -> bool:
        """Return whether the notice has to stay: for some seconds, and until it is seen unless it is a mere notice.

        The number of concerns is the current one.
        """
        before = self._shown
        if before is not None and before.silent:
            self._shown = self._notifier.as_now(before)
        if self._shown is None:
            return False
        if self._shown is not before:
            self._reword()
        lasting = self._shown.severity != "notice" and self._notifier.is_unseen(self._shown)
        if not lasting and seconds() >= self._until:
            self._shown = None
        return self._shown is not None

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
