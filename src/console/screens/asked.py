"""Answers shown as lines of a detail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from console.api.request import Request
from console.live.store import Asked, Store
from console.text import clean
from console.views.cell import Cell, Line, Tone


class AskedLines(Asked):
    """A request whose answer is rendered once, when it arrives."""

    def __init__(
        self,
        store: Store,
        request: Request[Any],
        read: Callable[[Any], tuple[Line, ...]],
        none: str,
        again: float = 10.0,
    ) -> None:
        """`none` is the text for "not found"; `again` is the interval in seconds."""
        super().__init__(store, request, again)
        self._read = read
        self._none = none
        self._lines: tuple[Line, ...] = (_say("Loading…"),)

    def lines(self) -> tuple[Line, ...]:
        """Return the current lines; the first call sends the request."""
        if self.look():
            if not self.answered:
                self._lines = (_say(f"Cannot load: {self.reason}", Tone.WARN),)
            else:
                self._lines = self._read(self.answer) if self.answer is not None else (_say(self._none),)
        return self._lines


def _say(words: str, tone: Tone = Tone.QUIET) -> Line:
    return (Cell(clean(words, 300), tone),)
