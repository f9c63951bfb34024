"""The `console` command: what there is to type, and how every end becomes an exit code and a sentence.

Nothing of a command is imported before it runs, so that `--help` and completion answer at once.
"""

from __future__ import annotations

import difflib
import errno
import os
import signal
import sys
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any, NoReturn, TextIO

import cyclopts

from console import __version__
from console.cli.exits import Exit, judge
from console.text import clean

ABOUT = """A terminal console for the people who run a communications platform.

Without a command it opens on the configured profile; `console demo` shows it on a service of its own.
"""

ENDING = """Exit codes: 0 ok, 1 failed or only partly done, 2 usage or configuration, 3 no connection or no answer in
time, 4 login or permission, 5 condition not met, 130 interrupted. Data goes to stdout, everything else to stderr.

Environment: CONSOLE_CONFIG (configuration file), CONSOLE_HOME (directory for everything of yours), CONSOLE_PROFILE,
CONSOLE_CORE (URL of a core service, instead of a profile), CONSOLE_USERNAME, CONSOLE_PASSWORD, CONSOLE_THEME,
CONSOLE_SYMBOLS, NO_COLOR.
"""

_WATCHING = cyclopts.Group("Console", sort_key=0)
_HEADLESS = cyclopts.Group("Without a screen, for scripts", sort_key=1)
_SETTING_UP = cyclopts.Group("Setting up", sort_key=2)

COMMANDS: tuple[tuple[str, str, str, cyclopts.Group], ...] = (
    (
        "demo",
        "console.cli.demo:demo",
        "Open the console on a service of its own, with people, calls and alerts.",
        _WATCHING,
    ),
    ("serve", "console.cli.serving:serve", "Run the embedded service.", _WATCHING),
    ("list", "console.cli.listing:list_rows", "List calls, alerts, groups, ... once.", _HEADLESS),
    ("watch", "console.cli.watching:watch", "Follow calls, alerts, groups, ... as they change.", _HEADLESS),
    ("call", "console.cli.calling:call", "Ask or change anything: call one operation of the API.", _HEADLESS),
    (
        "operations",
        "console.cli.operations:operations",
        "List what can be called, or describe one operation.",
        _HEADLESS,
    ),
    ("doctor", "console.cli.doctor:doctor", "Try what a profile can be asked, and say what works.", _SETTING_UP),
    ("login", "console.cli.logins:login", "Log in and stay logged in on this machine.", _SETTING_UP),
    ("logout", "console.cli.logins:logout", "End that login.", _SETTING_UP),
    ("info", "console.cli.info:info", "Say where files are and what is set.", _SETTING_UP),
    ("completion", "console.cli.completion:completion", "Print the completion script of a shell.", _SETTING_UP),
)
GROUPS = ("config", "routes", "journal")
"""Commands that hold others."""
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}
"""What writing fails with where there is no room for it."""

CONFIG_COMMANDS: tuple[tuple[str, str, str], ...] = (
    ("show", "show", "Print the configuration in force, and on request where each value comes from."),
    ("validate", "validate", "Check the configuration, its routes files, key map and themes; tell every fault."),
    ("schema", "schema", "Print the JSON Schema of the configuration."),
    ("example", "example", "Print an annotated example, to start from."),
)


def build() -> cyclopts.App:
    """Put the command line together."""
    app = cyclopts.App(
        name="console",
        help=ABOUT,
        help_epilogue=ENDING,
        version=__version__,
        version_flags=["--version", "-V"],
        default_parameter=cyclopts.Parameter(negative=()),
    )
    app.default(_open)
    for name, target, about, group in COMMANDS:
        app.command(target, name=name, help=about, group=group)
    config = cyclopts.App(name="config", help="Look at the configuration and check it.", group=_SETTING_UP)
    for name, function, about in CONFIG_COMMANDS:
        config.command(f"console.cli.configuring:{function}", name=name, help=about)
    app.command(config)
    routes = cyclopts.App(name="routes", help="Work on routes files.", group=_SETTING_UP)
    routes.command("console.cli.routing:check", name="check", help="Check a routes file, and tell every fault.")
    routes.command("console.cli.routing:example", name="example", help="Print one with every operation, to start from.")
    app.command(routes)
    journal = cyclopts.App(name="journal", help="Look at the record of what was changed from here.", group=_SETTING_UP)
    journal.command("console.cli.journal:show", name="show", help="Print the changes and what became of them.")
    journal.command("console.cli.journal:verify", name="verify", help="Check that the record is as it was written.")
    app.command(journal)
    return app


def _open(*, profile: str | None = None, config: str | None = None, theme: str | None = None) -> int:
    """Open the console.

    Parameters
    ----------
    profile
        Profile to work on, instead of the configured one.
    config
        Configuration file, instead of your own.
    theme
        Theme to begin with.
    """
    from console.cli.opening import open_console

    return open_console(profile, config, theme)


TELLTALES = ("LOG", "DEBUG", "PRESS", "SCREENSHOT", "SCREENSHOT_LOCATION", "SCREENSHOT_FILENAME", "DEVTOOLS_HOST")
"""What the screens' framework would do if the environment said so with TEXTUAL_ in front: write down every key that is
pressed, those of a password too, take pictures, or press keys itself."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the program and end the process."""
    for name in ("TEXTUAL", *(f"TEXTUAL_{each}" for each in TELLTALES)):
        os.environ.pop(name, None)
    signal.signal(signal.SIGTERM, _interrupt)
    signal.signal(signal.SIGHUP, _interrupt)
    code = run(sys.argv[1:] if arguments is None else arguments)
    if not _flushed() and code == Exit.OK:
        code = Exit.FAILED
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code. Says on stderr why, if it failed."""
    app = build()
    try:
        outcome: Any = app(list(arguments), exit_on_error=False, print_error=False, result_action="return_value")
    except cyclopts.CycloptsError as error:
        _say(f"{_words(error, arguments)} See `console --help`.")
        return Exit.USAGE
    except (KeyboardInterrupt, EOFError):
        return Exit.INTERRUPTED
    except BrokenPipeError:
        _abandon(sys.stdout)
        return Exit.OK
    except OSError as error:
        if error.errno not in _FULL or error.filename is not None:
            return _failed(error)
        _unwritten(error)
        return Exit.FAILED
    except Exception as error:
        return _failed(error)
    return int(outcome) if isinstance(outcome, int) else Exit.OK


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    """Treat the end of the session like an interrupt, so that logins are ended and the terminal is restored."""
    raise KeyboardInterrupt


def _words(error: cyclopts.CycloptsError, arguments: Sequence[str]) -> str:
    names = [*(name for name, *_ in COMMANDS), *GROUPS]
    if isinstance(error, cyclopts.UnusedCliTokensError) and arguments and arguments[0] not in names:
        near = difflib.get_close_matches(arguments[0], names, n=1)
        return f"There is no command {arguments[0]}" + (f"; did you mean {near[0]}?" if near else ".")
    text = " ".join(str(error).split())
    return text if text.endswith((".", "?", "!")) else f"{text}."


def _failed(error: Exception) -> int:
    judged = judge(error)
    if judged is not None:
        code, lines = judged
        for line in lines:
            _say(line)
        return code
    place = _record(error)
    _say(
        f"a fault of the console itself: {type(error).__name__}: {error}" + (f" (details in {place})" if place else "")
    )
    return Exit.FAILED


def _record(error: Exception) -> str | None:
    """Keep the details of our own fault where they can be sent to us from."""
    import traceback
    from datetime import UTC, datetime

    from console.paths import make_private, places

    try:
        directory = places(os.environ).log
        make_private(directory)
        file = directory / f"fault-{datetime.now(UTC):%Y%m%d-%H%M%S}.txt"
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as out:
            traceback.print_exception(error, file=out)
    except OSError:
        return None
    return str(file)


def _say(message: str) -> None:
    _quietly(lambda: print(f"console: {clean(message, 2000)}", file=sys.stderr))


def _flushed() -> bool:
    """Write out what is left, and say whether that went. The interpreter's own last try must not fail after us."""
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
    _say(f"the output could not be written: {error.strerror}")
    _abandon(sys.stdout)


def _abandon(stream: TextIO) -> None:
    """Let what is still to be written go nowhere: nobody reads on."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _quietly(act: Callable[[], None]) -> None:
    try:
        act()
    except OSError:
        return
