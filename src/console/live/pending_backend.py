"""What the screens talk to until there is a backend: nothing is known yet.

Importing a backend takes as long as drawing the first frame, which shows nothing of it but that it is loading.
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
    """Keeps the promises of `backend_api` in the way of a backend that has heard nothing yet."""

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
        """Which kinds are in view, for the backend that takes over."""

    def start(self) -> None:
        """Have nothing to start."""

    def stop(self, timeout: float = 2.0) -> None:
        """Have nothing to stop."""

    def retry(self) -> None:
        """Have tried nothing yet."""

    def change_password(self, username: str, password: str, new: str) -> Future[None]:
        """Change nothing: nobody has been asked for a new password yet."""
        return _unreachable()

    def show(self, kinds: frozenset[str]) -> None:
        """Remember which kinds are in view."""
        self.shown = kinds

    def delta(self, kind: str, since: int) -> Delta[Any]:
        """Return that there is nothing."""
        return Delta(0, whole=False)

    def records(self, kind: str) -> Mapping[str, Record]:
        """Return no records."""
        return {}

    def health(self, kind: str) -> Health:
        """Say that it is loading."""
        return self.link

    def refresh(self, kind: str | None = None) -> None:
        """List nothing: all is listed as soon as there is a backend."""

    def ask(self, request: Request[Any]) -> Future[Any]:
        """Answer that nobody can be asked yet."""
        return _unreachable()

    def submit(self, command: Command) -> Ticket:
        """Take a decision, which ends as refused."""
        from console.live.command import Stage, Ticket

        return Ticket(command, Stage.REFUSED, reason=_NOT_YET)

    def undo(self, number: int | None = None) -> Ticket | None:
        """Have nothing to take back."""
        return None

    def send_held(self) -> None:
        """Hold nothing back."""

    def tickets(self) -> tuple[Ticket, ...]:
        """Have no commands."""
        return ()

    def forget_secrets(self, number: int) -> None:
        """Have no commands."""

    def saw_unresolved(self) -> None:
        """Know of nothing that is unresolved."""


def _unreachable() -> Future[Any]:
    future: Future[Any] = Future()
    future.set_exception(Unreachable(_NOT_YET))
    return future
