"""The command line: its commands, and the parser of each.

A command declares its options in its own module, which is imported when the command runs, asks for its help or is
completed. So `--help` responds at once.
"""

from __future__ import annotations

import re
import shutil
import textwrap
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Mapping, Sequence
from functools import partial
from importlib import import_module
from inspect import getdoc
from pathlib import Path
from typing import Any, NoReturn

from console import __version__
from console.cli.completers import completed_by, profile_names
from console.cli.exits import Exit, Failure
from console.cli.option_values import amount, count, named_file
from console.live import gc_tuning

ABOUT = """A terminal console for operators of a communications platform.

Without a command, the console opens with the configured profile. `console demo` opens it with an embedded service.
"""

ENDING = """Exit codes: 0 ok, 1 failed or partly failed, 2 invalid usage or configuration, 3 no connection or timeout,
4 login or permission, 5 condition not met, 130 interrupted. Data goes to stdout, everything else to stderr.

Environment: CONSOLE_CONFIG (configuration file), CONSOLE_HOME (directory for all of your files), CONSOLE_PROFILE,
CONSOLE_CORE (URL of a core service, instead of a profile), for it CONSOLE_PROVISIONING (URL), CONSOLE_VARIANT and
CONSOLE_PROVISIONING_VARIANT, CONSOLE_USERNAME, CONSOLE_PASSWORD, CONSOLE_PROXY_PASSWORD, CONSOLE_THEME,
CONSOLE_SYMBOLS, NO_COLOR.
"""

_WATCHING = "Console"
_HEADLESS = "Commands for scripts"
_SETTING_UP = "Setup"
HEADINGS = (_WATCHING, _HEADLESS, _SETTING_UP)
"""Headings of the help, in this order."""

COMMANDS: tuple[tuple[str, str, str, str], ...] = (
    (
        "demo",
        "service.demo:declare_demo",
        "Open the console with an embedded service and sample data.",
        _WATCHING,
    ),
    (
        "wallboard",
        "wallboard:declare_wallboard",
        "Show waits, queues, skills and alerts on a screen on the wall.",
        _WATCHING,
    ),
    (
        "replay",
        "past.replay:declare_replay",
        "Open the console on a recording, without a service.",
        _WATCHING,
    ),
    ("serve", "service.serve:declare_serve", "Run the embedded service.", _WATCHING),
    ("list", "lists.list:declare_list", "Print a list of calls, alerts, groups, ...", _HEADLESS),
    ("watch", "lists.watch:declare_watch", "Follow changes to calls, alerts, groups, ...", _HEADLESS),
    ("history", "past.recordings:declare_history", "Print the recorded changes of a record.", _HEADLESS),
    ("record", "past.record:declare_record", "Record all lists without a screen.", _HEADLESS),
    ("report", "past.report:declare_report", "Print the report of a shift from the recording.", _HEADLESS),
    (
        "status",
        "checks.status:declare_status",
        "Print the key figures, or check them for a monitoring system.",
        _HEADLESS,
    ),
    ("metrics", "checks.metrics:declare_metrics", "Serve the figures to Prometheus.", _HEADLESS),
    ("call", "lists.call:declare_call", "Call one operation of the API.", _HEADLESS),
    (
        "operations",
        "lists.operations:declare_operations",
        "List the operations of the API, or describe one.",
        _HEADLESS,
    ),
    (
        "setup",
        "profiles.setup:declare_setup",
        "Find out how a deployment is reached, and write a profile.",
        _SETTING_UP,
    ),
    ("doctor", "checks.doctor:declare_doctor", "Check which operations work with a profile.", _SETTING_UP),
    ("login", "profiles.login:declare_login", "Log in and stay logged in on this machine.", _SETTING_UP),
    ("logout", "profiles.login:declare_logout", "Log out.", _SETTING_UP),
    ("info", "checks.info:declare_info", "Show file locations and environment variables.", _SETTING_UP),
    ("completion", "completion:declare_completion", "Print a completion script for a shell.", _SETTING_UP),
)
"""Name, module and function that declares its options, description and heading."""

GROUPS: Mapping[str, str] = {
    "config": "Show and validate the configuration.",
    "routes": "Check routes files.",
    "rules": "List, check and try the rules that decide what needs attention.",
    "journal": "Show and verify the journal of your changes.",
    "recordings": "Show, compare, check, cut and shorten recordings.",
    "notes": "Show, add and dismiss hand-over notes.",
    "notify": "Try the ways of notices.",
}
"""Groups of commands, under the last heading."""

IN_GROUPS: Mapping[str, tuple[tuple[str, str, str], ...]] = {
    "serve": (
        ("export", "service.transfer:declare_export", "Write all data of the service into a file."),
        ("import", "service.transfer:declare_import", "Read such a file into an empty database."),
    ),
    "config": (
        (
            "show",
            "profiles.config:declare_show",
            "Print the effective configuration, with --origin where each value comes from.",
        ),
        (
            "validate",
            "profiles.config:declare_validate",
            "Check the configuration, its routes files, key map and themes, and report all errors.",
        ),
        ("schema", "profiles.config:declare_schema", "Print the JSON Schema of the configuration."),
        ("example", "profiles.config:declare_example", "Print an annotated example configuration."),
    ),
    "routes": (
        ("validate", "profiles.routes:declare_validate", "Check a routes file and report all errors."),
        ("example", "profiles.routes:declare_example", "Print a routes file with every operation."),
    ),
    "rules": (
        ("list", "rules.rules:declare_list", "Print all rules."),
        ("validate", "rules.rules:declare_validate", "Check a file of rules and report all errors."),
        ("show", "rules.rules:declare_show", "Print a rule as TOML."),
        ("test", "rules.rules:declare_test", "Try a rule on the current rows."),
    ),
    "journal": (
        ("show", "past.journal:declare_show", "Print your changes and their outcomes."),
        ("verify", "past.journal:declare_verify", "Verify that the journal is unaltered."),
    ),
    "recordings": (
        ("list", "past.recordings:declare_list", "Print all recordings."),
        ("changes", "past.changes:declare_changes", "Print what changed between two moments."),
        ("verify", "past.recordings:declare_verify", "Read all of a recording, and report damage."),
        ("cut", "past.cut:declare_cut", "Write a part of a recording into a small file."),
        ("prune", "past.recordings:declare_prune", "Remove the older part of a recording."),
    ),
    "notes": (
        ("list", "past.notes:declare_list", "Print the notes of the last week."),
        ("add", "past.notes:declare_add", "Add a note for the next shift."),
        ("dismiss", "past.notes:declare_dismiss", "Take notes off your Home."),
    ),
    "notify": (
        ("test", "rules.notify:declare_test", "Try every way of notices, and report what arrived."),
        ("secret", "rules.notify:declare_secret", "Store the secret of the webhook in the system keyring."),
    ),
}
"""Name, module and function that declares its options, and description of each command in a group.

`serve` is a command itself.
"""

HELP_FLAGS = ("--help", "-h")
MOMENTS = ("--from", "--to", "--at", "--since", "--sort")
"""Options whose values may begin with a hyphen: -15m, -age."""


class Parser(ArgumentParser):
    """A parser that raises Failure instead of ending the process."""

    def __init__(self, path: Sequence[str], description: str, epilog: str) -> None:
        """Create the parser of a command without options; `path` has the words of its name."""
        super().__init__(
            prog=" ".join(("console", *path)),
            description=_filled(description),
            epilog=f"{epilog}\n\n{_filled(ENDING)}".lstrip(),
            formatter_class=partial(RawDescriptionHelpFormatter, width=_width()),
            allow_abbrev=False,
        )
        self.register("type", float, amount)
        self.register("type", int, count)
        self.register("type", Path, named_file)

    def print_help(self, file: Any = None) -> None:
        """Print the help. Raise OSError if that fails, which argparse ignores."""
        print(self.format_help(), end="", file=file)

    def error(self, message: str) -> NoReturn:
        """Raise Failure."""
        number = _NOT_A_NUMBER.fullmatch(message)
        if number is not None:
            message = f"{number['option']}: {number['value']} is not a {_NUMBERS[number['type']]}"
        raise Failure(Exit.USAGE, f"{message.removeprefix('argument ')}. See `{self.prog} --help`.")


_NUMBERS = {"int": "whole number", "float": "number"}
_NOT_A_NUMBER = re.compile(r"argument (?P<option>[^:]+): invalid (?P<type>int|float) value: (?P<value>.*)", re.DOTALL)


def parse(arguments: Sequence[str]) -> dict[str, Any]:
    """Return the options of a command line; `run` is the function that takes the others, None if there is none.

    Print help if it is asked for, and raise SystemExit. Raise Failure for an invalid command line.
    """
    plain_arguments = [argument for argument in arguments if argument not in HELP_FLAGS]
    path = path_of(plain_arguments)
    parser = parser_of(path)
    rest = _joined(plain_arguments[len(path) :])
    if len(plain_arguments) < len(arguments) or (not rest and path and path[0] in GROUPS and len(path) == 1):
        parser.parse_args(HELP_FLAGS[:1])
    options = vars(parser.parse_intermixed_args(rest))
    deployment = options.pop("where", None)
    if deployment is not None:
        options["where"] = deployment(options.pop("profile"), options.pop("config"))
    return options


def path_of(arguments: Sequence[str]) -> tuple[str, ...]:
    """Return the words at the beginning that name a command or a group. Raise Failure for an unknown command."""
    path: tuple[str, ...] = ()
    for word in arguments[:2]:
        names = names_in(path)
        if word.startswith("-") or not names:
            break
        if word not in names:
            raise Failure(Exit.USAGE, _no_command(path, word, names))
        path += (word,)
    return path


def names_in(path: tuple[str, ...]) -> Sequence[str]:
    """Return the names of the commands and groups of the program or of a group; empty for a command."""
    if not path:
        return [*(name for name, *_ in COMMANDS), *GROUPS]
    return [name for name, *_ in IN_GROUPS.get(path[0], ())] if len(path) == 1 else []


def _no_command(path: Sequence[str], wrong: str, names: Sequence[str]) -> str:
    # Takes 1 ms, which `--help` need not wait for.
    import difflib

    near = difflib.get_close_matches(wrong, names, n=1)
    hint = f"; did you mean {' '.join([*path, near[0]])}?" if near else f". Commands: {', '.join(names)}."
    return f"There is no command {' '.join([*path, wrong])}{hint} See `{' '.join(['console', *path])} --help`."


def parser_of(path: tuple[str, ...]) -> Parser:
    """Return the parser of the program, of a group or of a command."""
    if not path:
        parser = Parser(path, ABOUT, _commands())
        parser.usage = "console [OPTIONS]\n       console COMMAND ..."
        profile = parser.add_argument("--profile", metavar="NAME", help="Profile to use instead of the configured one.")
        completed_by(profile, profile_names)
        parser.add_argument("--config", metavar="FILE", help="Configuration file to use instead of the default one.")
        parser.add_argument("--theme", metavar="NAME", help="Theme to start with.")
        parser.add_argument("--version", "-V", action="store_true", help="Print the version.")
        parser.set_defaults(run=_open)
        return parser
    inner = IN_GROUPS.get(path[0], ())
    listed = _listed("Commands", [(name, about) for name, _, about in inner]) if inner and len(path) == 1 else ""
    if len(path) == 1 and path[0] in GROUPS:
        parser = Parser(path, GROUPS[path[0]], listed)
        parser.usage = f"{parser.prog} COMMAND ..."
        return parser
    target = next(target for name, target, *_ in (inner if len(path) == 2 else COMMANDS) if name == path[-1])
    module, _, declare = target.partition(":")
    parser = Parser(path, "", listed)
    getattr(import_module(f"console.cli.{module}"), declare)(parser)
    parser.description = _filled(getdoc(parser.get_default("run")) or "")
    return parser


def _open(*, profile: str | None, config: str | None, theme: str | None, version: bool) -> int:
    """Open the console, or print its version."""
    if version:
        print(__version__)
        return Exit.OK
    gc_tuning.begin()
    # Takes 370 ms, of which `--help` and other commands need nothing.
    from console.cli.opening import open_console

    return open_console(profile, config, theme)


def _joined(arguments: Sequence[str]) -> list[str]:
    """Return the arguments with `--from=-15m` for `--from -15m`, which would be read as two options."""
    joined: list[str] = []
    for argument in arguments:
        if joined and joined[-1] in MOMENTS and argument.startswith("-") and not argument.startswith("--"):
            joined[-1] += f"={argument}"
        else:
            joined.append(argument)
    return joined


def _commands() -> str:
    listed = {
        heading: [(name, about) for name, _, about, under in COMMANDS if under == heading] for heading in HEADINGS
    }
    listed[_SETTING_UP] += sorted(GROUPS.items())
    return "\n\n".join(_listed(heading, rows) for heading, rows in listed.items())


def _filled(text: str) -> str:
    return "\n\n".join(textwrap.fill(part.replace("`", ""), _width()) for part in text.strip().split("\n\n"))


def _listed(heading: str, rows: Sequence[tuple[str, str]]) -> str:
    room = max(len(name) for name, _ in rows) + 4
    lines = [
        textwrap.fill(about, _width(), initial_indent=f"  {name}".ljust(room), subsequent_indent=" " * room)
        for name, about in rows
    ]
    return "\n".join([f"{heading}:", *lines])


def _width() -> int:
    return max(40, min(shutil.get_terminal_size().columns, 100))
