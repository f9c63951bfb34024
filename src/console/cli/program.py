"""The `console` command: runs a command line, and converts every result to an exit code and a message."""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any, NoReturn, TextIO

from console.base.text import clean
from console.cli.exits import Exit, describe
from console.cli.parser import parse
from console.cli.streams import prepare_streams
from console.ui.textual_compat import frames

_UNWRITTEN = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF, errno.ENXIO}
"""Error numbers of writing without space left, or to a stream that cannot be written."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the program and end the process."""
    # Searching for plugins scans all installed packages: a tenth of the import time of pydantic.
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"
    frames.prepare(os.environ)
    signal.signal(signal.SIGTERM, _interrupt)
    signal.signal(signal.SIGHUP, _interrupt)
    if "_ARGCOMPLETE" in os.environ:
        from console.cli.completion import complete

        complete()
    arguments = sys.argv[1:] if arguments is None else arguments
    prepare_streams(arguments)
    code = run(arguments)
    if not _flushed() and (code == Exit.OK or _is_check(arguments)):
        code = _UNKNOWN if _is_check(arguments) else Exit.FAILED
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code. Print errors to stderr, those of a check to stdout."""
    return _checked(arguments) if _is_check(arguments) else _run(arguments)


_UNKNOWN = 3
"""The exit code of monitoring plugins without a verdict."""


def _is_check(arguments: Sequence[str]) -> bool:
    """Return whether a monitoring system runs `console status --check`."""
    return [*arguments[:1]] == ["status"] and "--check" in arguments


def _checked(arguments: Sequence[str]) -> int:
    """Run a check. Everything that is no verdict is unknown, with its reason on one line of stdout."""
    try:
        outcome = _done(arguments)
    except (KeyboardInterrupt, EOFError):
        words = "interrupted"
    except Exception as error:  # Any error leaves the state unknown.
        words = " ".join(_reported(error)[1])
    else:
        return int(outcome) if isinstance(outcome, int) else _UNKNOWN
    # A `|` separates the text from performance data.
    _quietly(lambda: print(f"CONSOLE UNKNOWN - {clean(words.replace('|', '/'), 1000)}"))
    return _UNKNOWN


def _run(arguments: Sequence[str]) -> int:
    try:
        outcome = _done(arguments)
    except (KeyboardInterrupt, EOFError):
        return Exit.INTERRUPTED
    except BrokenPipeError:
        _abandon(sys.stdout)
        return Exit.OK
    except OSError as error:
        if error.errno not in _UNWRITTEN or error.filename is not None:
            return _failed(error)
        _unwritten(error)
        return Exit.FAILED
    except Exception as error:  # Everything else is an internal error, which `_failed` reports.
        return _failed(error)
    return int(outcome) if isinstance(outcome, int) else Exit.OK


def _done(arguments: Sequence[str]) -> Any:
    """Run a command line, and return the command's result."""
    try:
        options = parse(arguments)
    except SystemExit:
        return Exit.OK  # The help is printed.
    return options.pop("run")(**options)


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    """Treat a hangup like an interrupt, so that logins are ended and the terminal is restored."""
    raise KeyboardInterrupt


def _failed(error: Exception) -> int:
    code, lines = _reported(error)
    for line in lines:
        _say(line)
    return code


def _reported(error: Exception) -> tuple[Exit, Sequence[str]]:
    """Return exit code and lines of an error. The details of an internal one are written to a file."""
    described = describe(error)
    if described is not None:
        return described
    place = _record(error)
    text = f"internal error: {type(error).__name__}: {error}" + (f" (details in {place})" if place else "")
    return Exit.FAILED, [text]


def _record(error: Exception) -> str | None:
    """Write the details of an internal error to a file, and return its path."""
    import traceback
    from datetime import UTC, datetime

    from console.config.paths import make_private, places
    from console.config.toml_source import ConfigFault

    try:
        directory = places(os.environ).log
        make_private(directory)
        file = directory / f"fault-{datetime.now(UTC):%Y%m%d-%H%M%S}.txt"
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as out:
            traceback.print_exception(error, file=out)
    except (OSError, ConfigFault):
        return None
    return str(file)


def _say(message: str) -> None:
    _quietly(lambda: print(f"console: {clean(message, 2000)}", file=sys.stderr))


def _flushed() -> bool:
    """Flush stdout, and return whether it succeeded. The interpreter's own attempt must not fail later."""
    went = True
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _abandon(sys.stdout)
    except OSError as error:
        _unwritten(error)
        went = False
    try:
        sys.stderr.flush()
    except OSError:
        _abandon(sys.stderr)
    return went


def _unwritten(error: OSError) -> None:
    _say(f"cannot write the output: {error.strerror}")
    _abandon(sys.stdout)


def _abandon(stream: TextIO) -> None:
    """Discard further output to a closed pipe."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _quietly(act: Callable[[], None]) -> None:
    try:
        act()
    except OSError:
        return
