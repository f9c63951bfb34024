"""The `console` command: runs a command line, and converts every result to an exit code and a message."""

from __future__ import annotations

import codecs
import errno
import io
import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn, TextIO, cast

from console.base.put_aside import untold
from console.base.text import clean
from console.cli.exits import Exit, Failure
from console.cli.parser import names_in, parse, parser_of, path_of
from console.ui.textual_compat import frames

if TYPE_CHECKING:
    from typing_extensions import Buffer


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
        _complete()
    arguments = sys.argv[1:] if arguments is None else arguments
    prepare_streams(arguments)
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    code = run(arguments)
    if not _flushed() and (code == Exit.OK or _is_check(arguments)):
        code = _UNKNOWN if _is_check(arguments) else Exit.FAILED
    sys.exit(code)


def _complete() -> None:
    """Answer the completion script of a shell, and end the process."""
    import argcomplete  # Takes 10 ms, and only shells need it.

    line = os.environ["COMP_LINE"][: int(os.environ["COMP_POINT"])]
    arguments = line.split()[1:] if line[-1:].isspace() else line.split()[1:-1]
    try:
        path = path_of(arguments)
    except Failure:
        path = ()
    parser = parser_of(path)
    if names := names_in(path):
        parser.add_argument("command", choices=names)
    # The parser of a command reads the words after its name.
    os.environ["_ARGCOMPLETE"] = str(len(path) + 1)
    argcomplete.autocomplete(parser)


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code. Print errors to stderr, and errors of a check to stdout."""
    try:
        code = _checked(arguments) if _is_check(arguments) else _run(arguments)
    except KeyboardInterrupt:  # While an error was reported.
        code = _UNKNOWN if _is_check(arguments) else Exit.INTERRUPTED
    while untold:
        _say(untold.popleft())
    return code


_UNKNOWN = 3
"""The exit code of monitoring plugins without a verdict."""


def _is_check(arguments: Sequence[str]) -> bool:
    """Return whether a monitoring system runs `console status --check`."""
    # Also if options before the command make it invalid, which is not a verdict either.
    return {"status", "--check"} <= {*arguments}


def _checked(arguments: Sequence[str]) -> int:
    """Run a check. Any other end than a verdict is unknown, with its reason on one line of stdout."""
    try:
        outcome = _done(arguments)
    except (KeyboardInterrupt, EOFError):
        reason = "interrupted"
    except Exception as error:  # Any error leaves the state unknown.
        reason = " ".join(_reported(error)[1])
    else:
        return int(outcome) if isinstance(outcome, int) else _UNKNOWN
    # A `|` separates the text from performance data.
    _quietly(lambda: print(f"CONSOLE UNKNOWN - {clean(reason.replace('|', '/'), 1000)}"))
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
    """Return exit code and lines of an error."""
    # Needs the names of the API's errors: 30 ms, for which a command without an error need not wait.
    from console.cli.error_reports import report

    return report(error)


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


_JSON_ESCAPES = "json_escapes"


def prepare_streams(arguments: Sequence[str]) -> None:
    """Make stdin, stdout and stderr usable. The arguments tell whether stdout gets JSON.

    A stream may be closed, not blocking, without space, or of an encoding that lacks a sign. None of this ends a
    command, except that data which could not be written to stdout is an error.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        _open_closed(number, name)
    for number in (1, 2):
        with suppress(OSError):
            os.set_blocking(number, True)
    codecs.register_error(_JSON_ESCAPES, _json_escapes)
    is_json = [*arguments[:1]] == ["call"] or not {"--json", "--jsonl", "json", "--format=json"}.isdisjoint(arguments)
    out, messages = cast("Any", sys.stdout), cast("Any", sys.stderr)
    if isinstance(out, io.TextIOWrapper):
        # Excel reads a byte order mark in UTF-8, whatever the locale is; lines already have their ends.
        encoding = "utf-8" if "--csv=excel" in arguments else None
        out.reconfigure(errors=_JSON_ESCAPES if is_json else "replace", encoding=encoding)
    if isinstance(messages, io.TextIOWrapper):
        encoding = messages.encoding
        raw = io.BufferedWriter(_Messages(2, "w", closefd=False))
        sys.stderr = io.TextIOWrapper(raw, encoding, "backslashreplace", line_buffering=True)


def _open_closed(number: int, name: str) -> None:
    """Open a closed stream on the null device, so that no other file gets its number."""
    try:
        os.fstat(number)
    except OSError:
        null = os.open(os.devnull, os.O_RDWR)
        if null != number:
            os.dup2(null, number)
            os.close(null)
    if getattr(sys, name) is None:
        stream = open(number, "r" if number == 0 else "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - open as long as the process
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


class _Messages(io.FileIO):
    """Stderr. A message that cannot be written changes nothing about the result of a command."""

    def write(self, data: Buffer, /) -> int | None:
        try:
            return super().write(data)
        except OSError:
            return memoryview(data).nbytes


def _json_escapes(error: UnicodeError) -> tuple[str, int]:
    """Escape what an encoding lacks as JSON does, so that the data is the same."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end
