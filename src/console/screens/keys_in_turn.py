"""One key after the other: what is typed ahead goes where it would have gone if it had been typed slowly.

Textual hands a key to whatever has the focus at that moment, and the focus moves only after the key that moves it has
been dealt with. Keys that arrive together, as over a slow line, would so go astray: of `/new` only the slash would
find the filter's field, and `n`, `e` and `w` would each do what they do to a list.
"""

from __future__ import annotations

from collections import deque
from typing import Any, cast

from textual import events
from textual.app import App
from textual.widget import Widget

from console.widgets.cursor_view import CursorView
from console.widgets.once import once

LONGEST_SECONDS = 1.0
"""How long a key may keep the next one waiting. Whatever takes longer has been closed, or waits for something else."""


ROUNDS = 3
"""How often it is made sure that nothing follows: a key may lead to a message, and that to one more that moves the
focus."""


class KeyDone(events.Event, bubble=True):
    """Takes the way of a key right behind it, so it reaches the application when the key has been dealt with."""

    def __init__(self, number: int, target: Widget, rounds: int = ROUNDS) -> None:
        super().__init__()
        self.number = number
        self.target = target
        self.rounds = rounds


class KeysInTurn(App[None]):
    """An application that gives a key, or what was pasted, to its widgets when those before have had their effect."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self._typed: deque[events.Key | events.Paste] = deque()
        self._under_way = False
        self._number = 0

    async def on_event(self, event: events.Event) -> None:
        """Let keys wait for their turn; everything else takes its course."""
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            self._typed.append(event)
            if not self._under_way:
                await self._next()
        else:
            await super().on_event(event)

    def on_key_done(self, event: KeyDone) -> None:
        """Go on when nothing follows, after the focus has moved if that was wanted: it waits in this very queue."""
        event.stop()
        rounds = event.rounds - 1
        if not rounds or not event.target.post_message(KeyDone(event.number, event.target, rounds)):
            self.call_later(self._done, event.number)

    async def _next(self) -> None:
        """Give away keys until one has to be waited for."""
        while self._typed:
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
                return
        self._under_way = False

    def moved_by(self, event: events.Key) -> None:
        """Take note of a key that a widget answers by itself, as its `MOVES` say: it leads nowhere else, so the next
        one may follow it. Making sure of that would cost as much as the key."""

    async def _done(self, number: int) -> None:
        if number == self._number and self._under_way:
            await self._next()
