"""Interface of the backend for screens: all current data and all commands.

The defaults describe a backend without data.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Protocol

from console.api.errors import ReadOnly
from console.live.authentication import Fatal
from console.live.command import Command, Ticket
from console.live.delta import Delta, Health
from console.live.history import History
from console.records.extent import Extent

if TYPE_CHECKING:
    from console.api.request import Request
    from console.records.people import Capabilities, CurrentUser
    from console.records.record import Record


class ListsApi(Protocol):
    """The current lists, how fresh they are, and the state of this console."""

    @property
    def link(self) -> Health:
        """The connection: LIVE with events, POLLING without, OFFLINE with `retry_in`, REFUSED after a fatal error."""
        return Health()

    @property
    def clock_difference(self) -> int | None:
        """By how many ms the service's clock is ahead of this machine's; None if unknown."""
        return None

    @property
    def journal_fault(self) -> str:
        """Why the journal cannot be written, and no change sent; empty if it can."""
        return ""

    @property
    def recorded(self) -> bool:
        """Whether this console, or another one of the same account on this machine, records the lists."""
        return False

    @property
    def recording_fault(self) -> str:
        """Why nothing is recorded; empty if it is, or need not be."""
        return ""

    def delta(self, kind: str, since: int) -> Delta[Any]:
        """Return the changes after version `since` (0 for everything). Loads the kind on first use."""
        return Delta(0, whole=False)

    def records(self, kind: str) -> Mapping[str, Record]:
        """Return the current records of a kind by key, a new object after every change. Loads the kind on first use."""
        return {}

    def health(self, kind: str) -> Health:
        """Return the current freshness of a kind."""
        return self.link

    def extent(self, kind: str) -> Extent:
        """Return how much of a kind is known."""
        return self.health(kind).extent


class CommandsApi(Protocol):
    """The commands of this console. By default a console has sent none."""

    def submit(self, command: Command) -> Ticket:
        """Submit a command: hold it if required, write it to the journal, send it.

        Earlier commands about the same records are sent first; held ones at once.
        """
        ...

    def undo(self, number: int | None = None) -> Ticket | None:
        """Undo this command, or the newest one that can be undone.

        Return None if there is none, or if the newest command is being sent; earlier ones are not undone then.

        Without a number, repeated calls go back through the commands; a command that undoes another is itself undone
        only by its number.

        A held command becomes TAKEN_BACK without a request. For a finished one, the inverse requests are sent as a new
        command, whose ticket is returned.
        """
        return None

    def send_held(self) -> None:
        """Send held commands at once."""

    def tickets(self) -> tuple[Ticket, ...]:
        """Return the latest commands with their states, the newest first."""
        return ()

    def forget_secrets(self, number: int) -> None:
        """Mask the secrets in the answer to a command, after the user saw or dismissed them."""


class NoCommands(CommandsApi):
    """The commands of a backend that sends none."""

    def __init__(self, why_not: str) -> None:
        """`why_not` is a sentence."""
        self._why_not = why_not

    def submit(self, command: Command) -> Ticket:
        """Raise ReadOnly."""
        raise ReadOnly(self._why_not)


class BackendApi(ListsApi, Protocol):
    """Interface of a backend; `Backend` implements it, and tests may have their own."""

    @property
    def me(self) -> CurrentUser | None:
        """The logged-in user; None until known."""
        return None

    @property
    def session_id(self) -> str:
        """The id of this console's session; empty if unknown."""
        return ""

    @property
    def capabilities(self) -> Capabilities | None:
        """The services offered to the caller; None until known, or if the service does not tell."""
        return None

    @property
    def fatal(self) -> Fatal | None:
        """The error after which nothing is retried, or None; see `retry`."""
        return None

    @property
    def revision(self) -> int:
        """Increases with every change of data, so that a beat without changes is cheap."""
        return 0

    @property
    def commands(self) -> CommandsApi:
        """The commands of this console."""
        ...

    @property
    def history(self) -> History:
        """Samples over time, for sparklines."""
        ...

    def start(self) -> None:
        """Start the engine's thread, without waiting. Call once."""

    def stop(self, timeout: float = 2.0) -> None:
        """Send held commands, revoke the session and stop the engine, within `timeout` seconds."""

    def retry(self) -> None:
        """Retry after a fatal error, at once: after new credentials, or a new certificate."""

    async def change_password(self, username: str, password: str, new: str) -> None:
        """Replace a temporary password; then `retry` logs in with the new one. Raise `api.errors`."""
        ...

    def show(self, kinds: frozenset[str]) -> None:
        """Set the shown kinds: they are loaded at once, and updated more often than others."""
        ...

    def refresh(self, kind: str | None = None) -> None:
        """List a kind, or all loaded ones, again."""

    def ask(self, request: Request[Any]) -> Future[Any]:
        """Send a read request. The future contains the answer, or an error of `api.errors`."""
        ...

    @property
    def unresolved(self) -> tuple[Mapping[str, Any], ...]:
        """Changes of an earlier session whose outcome is unknown: intents from the journal."""
        return ()

    def saw_unresolved(self) -> None:
        """Mark the unresolved changes as seen: the next console does not report them again."""
