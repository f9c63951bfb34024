"""The functions that the execution of commands needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from console.api.request import Request
from console.records.record import Record


class CommandPorts(Protocol):
    """Functions that execution needs."""

    async def send(self, request: Request[Any], once: str) -> Any:
        """Send a change. Raise `api.errors`."""
        ...

    async def ask(self, request: Request[Any]) -> Any:
        """Send a read request. Raise `api.errors`."""
        ...

    def why_not(self) -> str | None:
        """Return why no change is possible at present, as a sentence, or None."""
        ...

    def who(self) -> str:
        """Return the caller's name for the journal."""
        ...

    def where(self) -> str:
        """Return the service's name for the journal."""
        ...

    def record(self, kind: str, key: str) -> Record | None:
        """Return the known record, or None."""
        ...

    def post(self, call: Callable[[], object]) -> bool:
        """Run a function on the engine's loop soon; return False if there is no engine."""
        ...

    def read_back(self, kinds: Iterable[str]) -> None:
        """List these kinds again."""
        ...

    def changed(self) -> None:
        """Report that a ticket changed."""
        ...
