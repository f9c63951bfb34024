"""Something asked of the service for a detail, and asked again while it is looked at."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from console.api.errors import ApiError, NotFound
from console.api.request import Request
from console.screens.app_context import AppContext
from console.text import clean
from console.views.cell import Cell, Line, Tone


class Asked:
    """One question and how its answer reads. Nothing is asked before `lines` is called for the first time."""

    def __init__(
        self,
        context: AppContext,
        request: Request[Any],
        read: Callable[[Any], tuple[Line, ...]],
        none: str,
        again: float = 10.0,
    ) -> None:
        """`none` is said when there is no such thing; `again` is in seconds."""
        self._context = context
        self._request = request
        self._read = read
        self._none = none
        self._again = again
        self._future: Future[Any] | None = None
        self._asked_at: float | None = None
        self.answer: Any = None
        """What was answered last; None as well when there is no such thing."""
        self.answered = False
        """Whether it is known what there is, be it nothing."""
        self._lines: tuple[Line, ...] = (_say("Loading…"),)

    def refresh(self) -> None:
        """Ask again as soon as the lines are wanted."""
        self._asked_at = None

    def lines(self) -> tuple[Line, ...]:
        """Return what is known; takes an answer that has come, and asks again when it is old."""
        now = self._context.clock.monotonic()
        if self._future is not None and self._future.done():
            asked, self._future = self._future, None
            self._lines = self._take(asked)
        elif self._future is None and (self._asked_at is None or now - self._asked_at >= self._again):
            self._asked_at = now
            self._future = self._context.backend.ask(self._request)
        return self._lines

    def _take(self, asked: Future[Any]) -> tuple[Line, ...]:
        try:
            self.answer, self.answered = asked.result(), True
            return self._read(self.answer)
        except NotFound:
            self.answer, self.answered = None, True
            return (_say(self._none),)
        except ApiError as error:
            self.answered = False
            return (_say(f"Cannot load: {error.reason}", Tone.WARN),)


def _say(words: str, tone: Tone = Tone.QUIET) -> Line:
    return (Cell(clean(words, 300), tone),)
