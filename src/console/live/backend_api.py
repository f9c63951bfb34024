"""What the screens may expect of a backend: everything known now, and everything that was decided, from one object."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Protocol

from console.live.authentication import Fatal
from console.live.command import Command, Ticket
from console.live.delta import Delta, Health
from console.live.history import History

if TYPE_CHECKING:
    from console.api.request import Request
    from console.records.people import Capabilities, CurrentUser
    from console.records.record import Record


class BackendApi(Protocol):
    """What a screen may expect of a backend; `Backend` is the real one, tests may have their own."""

    @property
    def me(self) -> CurrentUser | None:
        """Who is logged in; None until the service has said."""
        ...

    @property
    def session_id(self) -> str:
        """The id of the session that this console works in; empty when it is not known."""
        ...

    @property
    def capabilities(self) -> Capabilities | None:
        """What the caller's domain offers; None until known, and where the service does not say."""
        ...

    @property
    def read_only(self) -> bool:
        """Whether the profile forbids changes."""
        ...

    @property
    def link(self) -> Health:
        """The connection as a whole: LIVE with events, POLLING without, OFFLINE with `retry_in`, REFUSED when fatal."""
        ...

    @property
    def fatal(self) -> Fatal | None:
        """Why nothing is tried any more, if so; see `retry`."""
        ...

    @property
    def revision(self) -> int:
        """Rises whenever anything here changed, so that a beat with nothing new costs nothing."""
        ...

    @property
    def history(self) -> History:
        """Samples over time, for sparklines."""
        ...

    def start(self) -> None:
        """Start the engine's thread; returns at once. Call once."""
        ...

    def stop(self, timeout: float = 2.0) -> None:
        """Send what is held, revoke the session and end the engine, within `timeout` seconds."""
        ...

    def retry(self) -> None:
        """Forget what was fatal, and try again at once (after new credentials, or another certificate)."""
        ...

    def change_password(self, username: str, password: str, new: str) -> Future[None]:
        """Put a new password in the place of a temporary one; then `retry` logs in with it."""
        ...

    def show(self, kinds: frozenset[str]) -> None:
        """Say which kinds are in view: they are loaded at once and kept fresher than the others."""
        ...

    def delta(self, kind: str, since: int) -> Delta[Any]:
        """Return what changed after version `since` (0 for everything). Loads the kind on first demand."""
        ...

    def records(self, kind: str) -> Mapping[str, Record]:
        """Return the present records of a kind by key, another object after every change. Loads it on first demand."""
        ...

    def health(self, kind: str) -> Health:
        """Return how fresh a kind is, as of now."""
        ...

    def refresh(self, kind: str | None = None) -> None:
        """List a kind, or all that are loaded, again now."""
        ...

    def ask(self, request: Request[Any]) -> Future[Any]:
        """Ask something that changes nothing. The future holds the answer, or an error of `api.errors`."""
        ...

    def submit(self, command: Command) -> Ticket:
        """Take a decision: held back first if the command says so, then journaled, then sent.

        What was decided before about any of the same records goes first; if it is held, it is sent at once.
        """
        ...

    def undo(self, number: int | None = None) -> Ticket | None:
        """Take back that command, or the newest that can be.

        None when there is nothing to take back, or when the newest is on its way: none before it is meant then.

        Without a number, one call after the other goes back through the changes; what was taken back is done again
        only by the number of the command that took it back.

        A held one ends TAKEN_BACK without a trace at the service; for one that is done the inverses are sent as a new
        command, whose ticket is returned.
        """
        ...

    def send_held(self) -> None:
        """Send at once what is still held back."""
        ...

    def tickets(self) -> tuple[Ticket, ...]:
        """Return the latest commands and where they stand, the newest first."""
        ...

    def forget_secrets(self, number: int) -> None:
        """Put a mask in place of the secrets that a command was answered: somebody has seen them, or let them go."""
        ...

    @property
    def unresolved(self) -> tuple[Mapping[str, Any], ...]:
        """Changes of an earlier run of which nobody knows what became: intents, as the journal has them."""
        ...

    def saw_unresolved(self) -> None:
        """Note that somebody has looked at what is unresolved: the next console does not tell of it again."""
        ...
