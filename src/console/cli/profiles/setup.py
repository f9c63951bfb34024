"""`console setup`: finds out how a deployment is reached, and writes a profile for it."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, BooleanOptionalAction
from pathlib import Path
from typing import Any

from console.cli.exits import Exit
from console.cli.opening import show
from console.cli.profiles.credentials import person_is_there
from console.cli.profiles.questions import Interview
from console.cli.profiles.setup_steps import GivenUp, Setup, merged, setting
from console.config.paths import places


def declare_setup(parser: ArgumentParser) -> None:
    """Declare `console setup`."""
    parser.add_argument("--url", metavar="TEXT", help="Address of the core service, with or without https:// and path.")
    parser.add_argument("--username", metavar="TEXT", help="User name to log in with.")
    parser.add_argument("--name", metavar="TEXT", help="Name of the profile; an existing one is replaced.")
    parser.add_argument(
        "--read-only",
        action=BooleanOptionalAction,
        help="Refuse all changes with this profile; --no-read-only allows them.",
    )
    parser.add_argument("--keyring", action=BooleanOptionalAction, help="Store the password in the system keyring.")
    parser.add_argument(
        "--routes",
        type=Path,
        metavar="FILE",
        help="Routes file of the deployment, if its paths differ from the contract.",
    )
    parser.add_argument("--tls-ca", type=Path, metavar="FILE", help="File of CA certificates to trust.")
    parser.add_argument(
        "--password-command", metavar="TEXT", help="Command that prints the password, instead of asking for it."
    )
    parser.add_argument(
        "--set",
        dest="set_",
        action="append",
        metavar="TEXT",
        help=(
            "A key of the profile as in the configuration file, such as --set 'headers = { X-Tenant = \"7\" }'. "
            "Repeatable."
        ),
    )
    parser.add_argument("--unchecked", action="store_true", help="Write the profile even if a step fails.")
    parser.add_argument(
        "--open",
        dest="open_",
        action=BooleanOptionalAction,
        default=True,
        help="Open the console afterwards; --no-open does not.",
    )
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="Configuration file to write instead of the default one."
    )
    parser.set_defaults(run=setup)


def setup(
    *,
    url: str | None,
    username: str | None,
    name: str | None,
    read_only: bool | None,
    keyring: bool | None,
    routes: Path | None,
    tls_ca: Path | None,
    password_command: str | None,
    set_: list[str] | None,
    unchecked: bool,
    open_: bool,
    config: Path | None,
) -> int:
    """Find out how a deployment is reached, log in, and write a profile for it.

    Asks for what no option gives. Without a terminal, everything comes from the options, and the password from
    --password-command or CONSOLE_PASSWORD. Each request of the search changes nothing; the test login is ended. Nothing
    is written before the login worked, unless you ask for it.
    """
    answers = {"url": url, "username": username, "name": name, "read-only": read_only, "keyring": keyring}
    answers |= {"routes": routes, "tls-ca": tls_ca}
    interview = Interview(answers, interactive=person_is_there() and sys.stdout.isatty())
    values: dict[str, Any] = {}
    for text in set_ or ():
        values = merged(values, setting(text))
    if password_command:
        values["password_command"] = password_command
    file = config or places(os.environ).config_file
    try:
        written = Setup(interview, values, file, unchecked).run()
    except GivenUp as ended:
        return ended.code
    if open_ and interview.interactive:
        profile = written.config.profiles[written.name]
        return show(written.config, written.name, profile, written.username, written.password)
    return Exit.OK if written.verified else Exit.FAILED
