"""The `console` command: builds the parser, and converts every result to an exit code and a message.

Commands are imported when they run, so that `--help` and completion respond at once.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Callable, Sequence
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TextIO

from console import __version__
from console.cli.exits import Exit, Failure, describe
from console.cli.front import (
    COMMANDS,
    ENDING,
    GROUPS,
    HELP_FLAGS,
    IN_GROUPS,
    OPENING,
    VERSION_FLAGS,
    answer,
    opening,
    unknown_command,
)
from console.cli.streams import prepare_streams
from console.text import clean
from console.widgets.textual_compat import frames

if TYPE_CHECKING:
    import cyclopts

_UNWRITTEN = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF, errno.ENXIO}
"""Error numbers of writing without space left, or to a stream that cannot be written."""


def build(arguments: Sequence[str] = ()) -> cyclopts.App:
    """Build the parser. A command in `arguments` is imported for its full help; the others have one line."""
    import cyclopts

    app = cyclopts.App(
        name="console",
        help_epilogue=ENDING,
        help_flags=HELP_FLAGS,
        version=__version__,
        version_flags=VERSION_FLAGS,
        # `run` ends interrupted commands.
        suppress_keyboard_interrupt=False,
        default_parameter=cyclopts.Parameter(negative=()),
    )
    for option, (_, about) in OPENING.items():
        _open.__annotations__[option.removeprefix("--")] = Annotated[str | None, cyclopts.Parameter(help=about)]
    app.default(_open)
    for name, target, about, _ in COMMANDS:
        app.command(target, name=name, help=None if name in arguments else about)
    for group, commands in IN_GROUPS.items():
        inner = cyclopts.App(name=group, help=GROUPS[group])
        for name, target, about in commands:
            inner.command(target, name=name, help=None if name in arguments else about)
        app.command(inner)
    return app


def _open(*, profile: str | None = None, config: str | None = None, theme: str | None = None) -> int:
    """Open the console."""
    from console.live import gc_tuning

    gc_tuning.begin()
    from console.cli.opening import open_console

    return open_console(profile, config, theme)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the program and end the process."""
    # Searching for plugins scans all installed packages: a tenth of the import time of pydantic.
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"
    frames.prepare(os.environ)
    signal.signal(signal.SIGTERM, _interrupt)
    signal.signal(signal.SIGHUP, _interrupt)
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
    return [*arguments[:1]] == ["status"] and not {"--check", "--check=true"}.isdisjoint(arguments)


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
    said = answer(arguments)
    if said is not None:
        print(said)
        return Exit.OK
    options = opening(arguments)
    if options is not None:
        return _open(**options)
    wrong = unknown_command(arguments)
    if wrong is not None:
        raise Failure(Exit.USAGE, wrong)

    import cyclopts

    app = build(arguments)
    try:
        return app(_with_values(arguments), exit_on_error=False, print_error=False, result_action="return_value")
    except cyclopts.CycloptsError as error:
        raise Failure(Exit.USAGE, f"{_words(error)} See `console --help`.") from None


def _with_values(arguments: Sequence[str]) -> list[str]:
    """Return the arguments with `--csv=true` for `--csv`, for which the parser would take the next one as its value."""
    has_csv = [*arguments[:1]] == ["list"] or [*arguments[:2]] == ["recordings", "changes"]
    return ["--csv=true" if has_csv and each == "--csv" else each for each in arguments]


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    """Treat a hangup like an interrupt, so that logins are ended and the terminal is restored."""
    raise KeyboardInterrupt


def _words(error: cyclopts.CycloptsError) -> str:
    text = " ".join(str(error).split())
    return text if text.endswith((".", "?", "!")) else f"{text}."


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
    words = f"internal error: {type(error).__name__}: {error}" + (f" (details in {place})" if place else "")
    return Exit.FAILED, [words]


def _record(error: Exception) -> str | None:
    """Write the details of an internal error to a file, and return its path."""
    import traceback
    from datetime import UTC, datetime

    from console.paths import make_private, places
    from console.toml_source import ConfigFault

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
