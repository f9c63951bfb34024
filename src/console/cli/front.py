"""The declarations of the command line; and help, version and opening the console without the parser.

The parser is built from these declarations. It and its help renderer take half as long to import as a whole screen.
"""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Mapping, Sequence

from console import __version__

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
        "console.cli.demo:demo",
        "Open the console with an embedded service and sample data.",
        _WATCHING,
    ),
    (
        "wallboard",
        "console.cli.wallboard:wallboard",
        "Show waits, queues, skills and alerts on a screen on the wall.",
        _WATCHING,
    ),
    ("replay", "console.cli.replaying:replay", "Open the console on a recording, without a service.", _WATCHING),
    ("serve", "console.cli.serving:serve", "Run the embedded service.", _WATCHING),
    ("list", "console.cli.listing:list_rows", "Print a list of calls, alerts, groups, ...", _HEADLESS),
    ("watch", "console.cli.watching:watch", "Follow changes to calls, alerts, groups, ...", _HEADLESS),
    ("history", "console.cli.recordings:history", "Print the recorded changes of a record.", _HEADLESS),
    ("record", "console.cli.recording:record", "Record all lists without a screen.", _HEADLESS),
    ("report", "console.cli.report:report", "Print the report of a shift from the recording.", _HEADLESS),
    ("status", "console.cli.status:status", "Print the key figures, or check them for a monitoring system.", _HEADLESS),
    ("metrics", "console.cli.metrics:metrics", "Serve the figures to Prometheus.", _HEADLESS),
    ("call", "console.cli.calling:call", "Call one operation of the API.", _HEADLESS),
    (
        "operations",
        "console.cli.operations:operations",
        "List the operations of the API, or describe one.",
        _HEADLESS,
    ),
    ("setup", "console.cli.setup:setup", "Find out how a deployment is reached, and write a profile.", _SETTING_UP),
    ("doctor", "console.cli.doctor:doctor", "Check which operations work with a profile.", _SETTING_UP),
    ("login", "console.cli.logins:login", "Log in and stay logged in on this machine.", _SETTING_UP),
    ("logout", "console.cli.logins:logout", "Log out.", _SETTING_UP),
    ("info", "console.cli.info:info", "Show file locations and environment variables.", _SETTING_UP),
    ("completion", "console.cli.completion:completion", "Print a completion script for a shell.", _SETTING_UP),
)
"""Name, module, description and heading."""

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
    "config": (
        (
            "show",
            "console.cli.configuring:show",
            "Print the effective configuration, with --origin where each value comes from.",
        ),
        (
            "validate",
            "console.cli.configuring:validate",
            "Check the configuration, its routes files, key map and themes, and report all errors.",
        ),
        ("schema", "console.cli.configuring:schema", "Print the JSON Schema of the configuration."),
        ("example", "console.cli.configuring:example", "Print an annotated example configuration."),
    ),
    "routes": (
        ("check", "console.cli.routing:check", "Check a routes file and report all errors."),
        ("example", "console.cli.routing:example", "Print a routes file with every operation."),
    ),
    "rules": (
        ("list", "console.cli.ruling:list_rules", "Print all rules."),
        ("check", "console.cli.ruling:check", "Check a file of rules and report all errors."),
        ("show", "console.cli.ruling:show", "Print a rule as TOML."),
        ("test", "console.cli.ruling:try_rule", "Try a rule on the current rows."),
    ),
    "journal": (
        ("show", "console.cli.journal:show", "Print your changes and their outcomes."),
        ("verify", "console.cli.journal:verify", "Verify that the journal is unaltered."),
    ),
    "recordings": (
        ("list", "console.cli.recordings:list_recordings", "Print all recordings."),
        ("changes", "console.cli.comparing:changes", "Print what changed between two moments."),
        ("verify", "console.cli.recordings:verify", "Read all of a recording, and report damage."),
        ("cut", "console.cli.cutting:cut_recording", "Write a part of a recording into a small file."),
        ("prune", "console.cli.recordings:prune", "Remove the older part of a recording."),
    ),
    "notes": (
        ("list", "console.cli.notes:list_notes", "Print the notes of the last week."),
        ("add", "console.cli.notes:add", "Add a note for the next shift."),
        ("dismiss", "console.cli.notes:dismiss", "Take notes off your Home."),
    ),
    "notify": (
        ("test", "console.cli.notifying:try_ways", "Try every way of notices, and report what arrived."),
        ("secret", "console.cli.notifying:keep_secret", "Store the secret of the webhook in the system keyring."),
    ),
}
"""Name, module and description of each command in a group."""

HELP_FLAGS = ("--help", "-h")
VERSION_FLAGS = ("--version", "-V")

OPENING: Mapping[str, tuple[str, str]] = {
    "--profile": ("NAME", "Profile to use instead of the configured one."),
    "--config": ("FILE", "Configuration file to use instead of the default one."),
    "--theme": ("NAME", "Theme to start with."),
}
"""Options for opening the console."""


def opening(arguments: Sequence[str]) -> dict[str, str] | None:
    """Return the options for opening the console; None for any other or more complex command line."""
    names, values = arguments[::2], arguments[1::2]
    if len(names) != len(values) or len(set(names)) != len(names) or not OPENING.keys() >= {*names}:
        return None
    if any(value.startswith("-") or not value for value in values):
        return None
    return {name.removeprefix("--"): value for name, value in zip(names, values, strict=True)}


def unknown_command(arguments: Sequence[str]) -> str | None:
    """Return the message for an unknown command, or None.

    The parser ignores it: with `--help` after the name, it prints its general help.
    """
    words = [each for each in arguments if each not in HELP_FLAGS]
    path: list[str] = []
    names: Sequence[str] = [*(name for name, *_ in COMMANDS), *GROUPS]
    for word in words[:2]:
        if word.startswith("-"):
            return None
        if word not in names:
            return _no_command(path, word, names)
        path.append(word)
        if word not in IN_GROUPS or len(path) > 1:
            return None
        names = [name for name, *_ in IN_GROUPS[word]]
    return None


def _no_command(path: Sequence[str], wrong: str, names: Sequence[str]) -> str:
    import difflib

    near = difflib.get_close_matches(wrong, names, n=1)
    hint = f"; did you mean {' '.join([*path, near[0]])}?" if near else f". Commands: {', '.join(names)}."
    return f"There is no command {' '.join([*path, wrong])}{hint} See `{' '.join(['console', *path])} --help`."


def answer(arguments: Sequence[str]) -> str | None:
    """Return the answer to a question about the program itself, or None for any other command line."""
    words = [each for each in arguments if each not in HELP_FLAGS]
    if len(words) < len(arguments) and (not words or words[0].startswith("-")):
        return help_text(max(40, min(shutil.get_terminal_size().columns, 100)))
    return __version__ if len(words) == 1 and words[0] in VERSION_FLAGS else None


def help_text(width: int) -> str:
    """Return the help text, in lines of at most this width."""
    options = [(f"{name} {value}", about) for name, (value, about) in OPENING.items()]
    options += [
        (", ".join(VERSION_FLAGS), "Print the version."),
        (", ".join(HELP_FLAGS), "Print this help; see also `console COMMAND --help`."),
    ]
    parts = [
        "Usage: console [OPTIONS]\n       console COMMAND ...",
        *_filled(ABOUT, width),
        _listed("Options", options, width),
    ]
    for heading in HEADINGS:
        rows = [(name, about) for name, _, about, under in COMMANDS if under == heading]
        rows += sorted(GROUPS.items()) if heading == HEADINGS[-1] else []
        parts.append(_listed(heading, rows, width))
    return "\n\n".join([*parts, *_filled(ENDING, width)])


def _filled(text: str, width: int) -> list[str]:
    return [textwrap.fill(each.replace("`", ""), width) for each in text.strip().split("\n\n")]


def _listed(heading: str, rows: Sequence[tuple[str, str]], width: int) -> str:
    room = max(len(name) for name, _ in rows) + 4
    lines = [
        textwrap.fill(about, width, initial_indent=f"  {name}".ljust(room), subsequent_indent=" " * room)
        for name, about in rows
    ]
    return "\n".join([f"{heading}:", *lines])
