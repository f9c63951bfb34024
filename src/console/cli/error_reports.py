"""Messages of errors that end a command, and files with the details of internal ones."""

from __future__ import annotations

import os
import traceback
from collections.abc import Sequence
from datetime import UTC, datetime

from console.api import errors
from console.api.catalogue import catalogue
from console.base.text import SafeText, clean
from console.cli.exits import Exit, Failure
from console.config.paths import make_private, places
from console.config.toml_source import ConfigFault


def report(error: Exception) -> tuple[Exit, Sequence[str]]:
    """Return exit code and lines of an error. The details of an internal one are written to a file."""
    described = describe(error)
    if described is not None:
        return described
    place = _record(error)
    text = f"internal error: {type(error).__name__}: {error}" + (f" (details in {place})" if place else "")
    return Exit.FAILED, [text]


def _record(error: Exception) -> str | None:
    """Write the details of an internal error to a file, and return its path."""
    try:
        directory = places(os.environ).log
        make_private(directory)
        file = directory / f"fault-{datetime.now(UTC):%Y%m%d-%H%M%S}.txt"
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as out:
            traceback.print_exception(error, file=out)
    except (OSError, ConfigFault):
        return None
    return str(file)


def describe(error: Exception) -> tuple[Exit, list[SafeText]] | None:
    """Return exit code and lines for an expected error, or None for an internal one."""
    if isinstance(error, Failure):
        return error.code, [clean(line, 2000) for line in error.message.splitlines()]
    if isinstance(error, ConfigFault):
        return Exit.USAGE, [clean(problem, 1000) for problem in error.problems]
    if isinstance(error, errors.ApiError):
        return _code(error), [_sentence(error), *(clean(f"  {line}", 1000) for line in error.details)]
    if isinstance(error, OSError) and error.strerror:
        # The machine's: a full disk, too many open files.
        what = "" if error.filename is None else f"cannot use {os.fsdecode(error.filename)}: "
        return Exit.FAILED, [clean(f"{what}{error.strerror}", 2000)]
    return None


def _code(error: Exception) -> Exit:
    if isinstance(error, errors.Unreachable):
        return Exit.CONNECTION
    if isinstance(error, errors.LoginNeeded | errors.Forbidden | errors.ReadOnly):
        return Exit.LOGIN
    if isinstance(error, errors.BadRequest | errors.NotOffered):
        return Exit.USAGE
    return Exit.FAILED


def _sentence(error: Exception) -> SafeText:
    """Return the message for an error of `api.errors`: operation, result, and the service's reason."""
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
    request = catalogue().get(operation)
    return request is not None and request.operation.makes_change
