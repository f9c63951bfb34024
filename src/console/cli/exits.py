"""Exit codes of commands, and messages of errors."""

from __future__ import annotations

import os
from enum import IntEnum
from typing import TYPE_CHECKING

from console.base.text import SafeText, clean

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


def given_up(fatal: Fatal) -> Failure:
    """Return the failure for a fatal error of the live engine."""
    details = "".join(f"\n  {line}" for line in fatal.details)
    if fatal.kind in {"login", "password"}:
        return Failure(Exit.LOGIN, f"the login was refused: {fatal.reason}{details}")
    return Failure(Exit.CONNECTION if fatal.kind == "certificate" else Exit.USAGE, f"{fatal.reason}{details}")


def describe(error: Exception) -> tuple[Exit, list[SafeText]] | None:
    """Return exit code and lines for an expected error, or None for an internal one."""
    from console.api import errors
    from console.config.toml_source import ConfigFault

    if isinstance(error, Failure):
        return error.code, [clean(line, 2000) for line in error.message.splitlines()]
    if isinstance(error, ConfigFault):
        return Exit.USAGE, [clean(problem, 1000) for problem in error.problems]
    if isinstance(error, errors.ApiError):
        return _code(error), [_sentence(error), *(clean(f"  {line}", 1000) for line in error.details)]
    if isinstance(error, OSError) and error.filename is not None:
        return Exit.FAILED, [clean(f"cannot use {os.fsdecode(error.filename)}: {error.strerror}", 2000)]
    return None


def _code(error: Exception) -> Exit:
    from console.api import errors

    if isinstance(error, errors.Unreachable):
        return Exit.CONNECTION
    if isinstance(error, errors.LoginNeeded | errors.Forbidden | errors.ReadOnly):
        return Exit.LOGIN
    if isinstance(error, errors.BadRequest | errors.NotOffered):
        return Exit.USAGE
    return Exit.FAILED


def _sentence(error: Exception) -> SafeText:
    """Return the message for an error of `api.errors`: operation, result, and the service's reason."""
    from console.api import errors

    if not isinstance(error, errors.ApiError):
        return clean(error)
    reason = error.in_full or type(error).__name__
    if isinstance(error, errors.BadCertificate):
        text = reason
    elif isinstance(error, errors.TimedOut) and _changes(error.operation):
        text = f"{reason}; the change may have been made"
    elif isinstance(error, errors.BadAnswer) and _changes(error.operation):
        text = f"{reason}; it is unknown whether the change was made"
    elif isinstance(error, errors.Unreachable):
        text = f"cannot reach the service: {reason}"
    elif isinstance(error, errors.NewPasswordNeeded):
        text = f"the login was refused: {reason}; choose a new password with `console login` or in the console"
    elif isinstance(error, errors.LoginNeeded):
        text = f"the login was refused: {reason}"
    elif isinstance(error, errors.Forbidden):
        text = f"not allowed: {reason}"
    elif isinstance(error, errors.NotFound):
        text = f"not found: {reason}"
    elif isinstance(error, errors.TooMany) and error.retry_after is not None:
        text = f"too many requests, try again in {error.retry_after:g} s: {reason}"
    else:
        text = reason
    return clean(f"{error.operation}: {text}" if error.operation else text, 1000)


def _changes(operation: str) -> bool:
    """Return whether an operation changes more than the login."""
    from console.api.catalogue import catalogue

    found = catalogue().get(operation)
    return found is not None and found.operation.makes_change
