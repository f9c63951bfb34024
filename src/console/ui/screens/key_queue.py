"""Handle keys one after the other, so that keys typed ahead have the same effect as keys typed slowly.

Textual sends a key to the focused widget, and the focus moves only after the key that moves it has been handled. Keys
that arrive together, as over a slow line, would go astray: of `/new` only the slash would reach the filter, and `n`,
`e` and `w` would each act on the list.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, cast

from textual import events
from textual.app import App
from textual.screen import Screen
from textual.widget import Widget

from console.ui.widgets.cursor_view import CursorView
from console.ui.widgets.once import once

LONGEST_SECONDS = 1.0
"""Time limit after which the next key is sent: the widget waits for something else."""
CLOSED_SECONDS = 0.05
"""The same if the key closed the widget, or led to another screen: the widget may never tell that it is done."""
ROUNDS = 3
"""Number of passes through the queue: a key may cause a message, and that another one that moves the focus."""
ENDING = frozenset({"ctrl+c", "ctrl+q", "ctrl+z"})
"""Keys of the application itself, which are never held."""


class KeyDone(events.Event, bubble=True):
    """Follows a key through the queues and reaches the application when the key has been handled."""

    def __init__(self, number: int, target: Widget, rounds: int = ROUNDS) -> None:
        super().__init__()
        self.number = number
        self.target = target
        self.rounds = rounds


class KeyHold:
    """Keys that wait for a screen which is not open yet, as long as one of `screens` is in front."""

    def __init__(self, screen: Screen[Any], cancel: Callable[[], object]) -> None:
        """Escape calls `cancel`."""
        self.screens = [screen]
        self.cancel = cancel


class KeyQueueApp(App[None]):
    """An application that sends a key or a paste to its widgets when the earlier ones have been handled."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self._typed: deque[events.Key | events.Paste] = deque()
        self._under_way = False
        self._number = 0
        self._holds: list[KeyHold] = []

    async def on_event(self, event: events.Event) -> None:
        """Queue keys and pastes; handle other events at once."""
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            if self._holds and isinstance(event, events.Key) and event.key in ENDING:
                await super().on_event(event)
                return
            self._typed.append(event)
            if not self._under_way:
                await self._next()
        else:
            await super().on_event(event)

    @contextmanager
    def holding_keys(self, cancel: Callable[[], object]) -> Generator[KeyHold]:
        """Hold keys until the block has ended: they are for the dialog that is opened then, not for the screen below.

        Escape drops the keys before it and calls `cancel`. An exception of the block drops all.
        """
        hold = KeyHold(self.screen, cancel)
        self._holds.append(hold)
        try:
            yield hold
        except BaseException:
            self._typed.clear()
            raise
        finally:
            self._holds.remove(hold)
            # The dialog is opened before this is handled.
            self.call_later(self._go_on)

    async def _go_on(self) -> None:
        if not self._under_way:
            await self._next()

    def _is_holding(self) -> bool:
        """Return whether keys must wait; an escape among them cancels what they wait for."""
        hold = next((hold for hold in self._holds if self.screen in hold.screens), None)
        if hold is None:
            return False
        if any(isinstance(event, events.Key) and event.key == "escape" for event in self._typed):
            self._typed.clear()
            hold.cancel()
        return True

    def on_key_done(self, event: KeyDone) -> None:
        """Continue when no messages follow, after a focus change, which is in the same queue."""
        event.stop()
        rounds = event.rounds - 1
        if not rounds or not event.target.post_message(KeyDone(event.number, event.target, rounds)):
            self.call_later(self._done, event.number)

    async def _next(self) -> None:
        """Send keys until one has to be waited for, or all have to wait."""
        while self._typed and not (self._holds and self._is_holding()):
            self._number += 1
            self._under_way = True
            target = cast("Widget", self.focused or self.screen)
            event = self._typed.popleft()
            await super().on_event(event)
            if isinstance(event, events.Key) and isinstance(target, CursorView) and event.key in target.MOVES:
                self.moved_by(event)
                continue
            if target.post_message(KeyDone(self._number, target)):
                once(self, LONGEST_SECONDS, lambda number=self._number: self._done(number))
                once(
                    self,
                    CLOSED_SECONDS,
                    lambda number=self._number, target=target: self._done_if_closed(number, target),
                )
                return
        self._under_way = False

    def moved_by(self, event: events.Key) -> None:
        """Record a key that a widget handles without messages, as its `MOVES` declare, so that the next key may follow
        at once.

        Waiting for it would cost as much as the key itself.
        """

    async def _done_if_closed(self, number: int, target: Widget) -> None:
        if not target.is_attached or target.screen is not self.screen:
            await self._done(number)

    async def _done(self, number: int) -> None:
        if number == self._number and self._under_way:
            await self._next()
