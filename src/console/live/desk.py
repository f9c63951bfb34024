"""What the screens talk to: everything known now, and everything that was decided, from one object.

Every method may be called from any thread, and none waits for the network.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from console.api.request import Request
from console.live.command import Command, Ticket
from console.live.delta import Delta, Health
from console.live.history import History
from console.records.people import Capabilities, CurrentUser
from console.records.record import Record


@dataclass(frozen=True, slots=True)
class Fatal:
    """Why nothing is tried any more until somebody helps."""

    kind: Literal["login", "certificate", "config"]
    reason: str
    """In remote or local words: clean before painting."""


class DeskApi(Protocol):
    """What a screen may expect of a desk; `Desk` is the real one, tests may have their own."""

    @property
    def me(self) -> CurrentUser | None:
        """Who is logged in; None until the service has said."""
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
        """Revoke the session and end the engine, within `timeout` seconds. Held commands are not sent."""
        ...

    def retry(self) -> None:
        """Forget what was fatal, and try again at once (after new credentials, or another certificate)."""
        ...

    def show(self, kinds: frozenset[str]) -> None:
        """Say which kinds are in view: they are loaded at once and kept fresher than the others."""
        ...

    def delta(self, kind: str, since: int) -> Delta[Any]:
        """Return what changed after version `since` (0 for everything). Loads the kind on first demand."""
        ...

    def records(self, kind: str) -> Mapping[str, Record]:
        """Return the present records of a kind by key: a snapshot that never changes. Loads it on first demand."""
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
        """Take a decision: held back first if the command says so, then journaled, then sent."""
        ...

    def undo(self, number: int | None = None) -> Ticket | None:
        """Take back that command, or the newest that can be; None when there is nothing to take back.

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
