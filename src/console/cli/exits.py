"""Exit codes of commands."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from console.live.authentication import Fatal


class Exit(IntEnum):
    """The exit codes. They are an interface: a code never changes its meaning."""

    OK = 0
    FAILED = 1
    """Failed, or partly failed."""
    USAGE = 2
    """The command line or the configuration is invalid."""
    CONNECTION = 3
    """The service is not reachable, or did not answer in time. A retry may help."""
    LOGIN = 4
    """Not logged in, or not allowed."""
    CONDITION = 5
    """A requested condition is not met."""
    INTERRUPTED = 130


class Failure(Exception):
    """Ends a command with a message on stderr and an exit code."""

    def __init__(self, code: Exit, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def failure_of(fatal: Fatal) -> Failure:
    """Return the failure for a fatal error of the live engine."""
    details = "".join(f"\n  {line}" for line in fatal.details)
    if fatal.kind in {"login", "password"}:
        return Failure(Exit.LOGIN, f"the login was refused: {fatal.reason}{details}")
    return Failure(Exit.CONNECTION if fatal.kind == "certificate" else Exit.USAGE, f"{fatal.reason}{details}")
