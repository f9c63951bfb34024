"""Placeholder of the backend until it is imported.

Importing the backend takes as long as drawing the first frame, which only shows that it is loading.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from console.api.errors import Unreachable
from console.clock import Clock
from console.live.delta import Delta, Health
from console.live.history import History

if TYPE_CHECKING:
    from console.api.request import Request
    from console.live.authentication import Fatal
    from console.live.command import Command, Ticket
    from console.records.people import Capabilities, CurrentUser
    from console.records.record import Record

_NOT_YET = "the console is still starting"


class PendingBackend:
    """Implements `backend_api` as a backend without data."""

    def __init__(self, clock: Clock, *, read_only: bool) -> None:
        self.me: CurrentUser | None = None
        self.session_id = ""
        self.capabilities: Capabilities | None = None
        self.read_only = read_only
        self.link = Health()
        self.fatal: Fatal | None = None
        self.revision = 0
        self.history = History(clock)
        self.unresolved: tuple[Mapping[str, Any], ...] = ()
        self.shown: frozenset[str] = frozenset()
        """The shown kinds, for the backend that replaces this one."""

    def start(self) -> None:
        """Do nothing."""

    def stop(self, timeout: float = 2.0) -> None:
        """Do nothing."""

    def retry(self) -> None:
        """Do nothing."""

    def change_password(self, username: str, password: str, new: str) -> Future[None]:
        """Return a failed future."""
        return _unreachable()

    def show(self, kinds: frozenset[str]) -> None:
        """Store the shown kinds."""
        self.shown = kinds

    def delta(self, kind: str, since: int) -> Delta[Any]:
        """Return an empty delta."""
        return Delta(0, whole=False)

    def records(self, kind: str) -> Mapping[str, Record]:
        """Return no records."""
        return {}

    def health(self, kind: str) -> Health:
        """Return that it is loading."""
        return self.link

    def refresh(self, kind: str | None = None) -> None:
        """Do nothing: everything is listed when the backend is available."""

    def ask(self, request: Request[Any]) -> Future[Any]:
        """Return a failed future."""
        return _unreachable()

    def submit(self, command: Command) -> Ticket:
        """Refuse the command."""
        from console.live.command import Stage, Ticket

        return Ticket(command, Stage.REFUSED, reason=_NOT_YET)

    def undo(self, number: int | None = None) -> Ticket | None:
        """Return None."""
        return None

    def send_held(self) -> None:
        """Do nothing."""

    def tickets(self) -> tuple[Ticket, ...]:
        """Return no commands."""
        return ()

    def forget_secrets(self, number: int) -> None:
        """Do nothing."""

    def saw_unresolved(self) -> None:
        """Do nothing."""


def _unreachable() -> Future[Any]:
    future: Future[Any] = Future()
    future.set_exception(Unreachable(_NOT_YET))
    return future
