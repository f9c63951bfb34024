"""Placeholder of the backend until it is imported.

Importing the backend takes as long as drawing the first frame, which only shows that it is loading.
"""

from __future__ import annotations

from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from console.api.errors import Unreachable
from console.clock import Clock
from console.live.backend_api import BackendApi
from console.live.history import History

if TYPE_CHECKING:
    from console.api.request import Request
    from console.live.command import Command, Ticket

_NOT_YET = "the console is still starting"


class PendingBackend(BackendApi):
    """A backend without data."""

    def __init__(self, clock: Clock) -> None:
        self._history = History(clock)
        self.shown: frozenset[str] = frozenset()
        """The shown kinds, for the backend that replaces this one."""

    @property
    def history(self) -> History:
        """No samples."""
        return self._history

    async def change_password(self, username: str, password: str, new: str) -> None:
        """Raise Unreachable."""
        raise Unreachable(_NOT_YET)

    def show(self, kinds: frozenset[str]) -> None:
        """Store the shown kinds."""
        self.shown = kinds

    def ask(self, request: Request[Any]) -> Future[Any]:
        """Return a failed future."""
        future: Future[Any] = Future()
        future.set_exception(Unreachable(_NOT_YET))
        return future

    def submit(self, command: Command) -> Ticket:
        """Refuse the command."""
        from console.live.command import Stage, Ticket

        return Ticket(command, Stage.REFUSED, reason=_NOT_YET)
