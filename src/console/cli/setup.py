"""`console setup`: finds out how a deployment is reached, and writes a profile for it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from console.cli.credentials import person_is_there
from console.cli.exits import Exit
from console.cli.interview import Interview
from console.cli.opening import show
from console.cli.setting_up import GivenUp, Setup, merged, setting
from console.paths import places


def setup(
    *,
    url: str | None = None,
    username: str | None = None,
    name: str | None = None,
    read_only: Annotated[bool | None, Parameter(negative="--no-read-only")] = None,
    keyring: Annotated[bool | None, Parameter(negative="--no-keyring")] = None,
    routes: Path | None = None,
    tls_ca: Path | None = None,
    password_command: str | None = None,
    set_: Annotated[list[str] | None, Parameter(name="--set", negative="")] = None,
    unchecked: bool = False,
    open_: Annotated[bool, Parameter(name="--open", negative="--no-open")] = True,
    config: Annotated[Path | None, Parameter(name="--config")] = None,
) -> int:
    """Find out how a deployment is reached, log in, and write a profile for it.

    Asks for what no option gives. Without a terminal, everything comes from the options, and the password from
    --password-command or CONSOLE_PASSWORD. Each request of the search changes nothing; the test login is ended. Nothing
    is written before the login worked, unless you ask for it.

    Parameters
    ----------
    url
        Address of the core service, with or without https:// and path.
    username
        User name to log in with.
    name
        Name of the profile; an existing one is replaced.
    read_only
        Refuse all changes with this profile; --no-read-only allows them.
    keyring
        Store the password in the system keyring.
    routes
        Routes file of the deployment, if its paths are not those of the contract.
    tls_ca
        File of CA certificates to trust.
    password_command
        Command that prints the password, instead of asking for it.
    set_
        A key of the profile as in the configuration file, such as --set 'headers = { X-Tenant = "7" }'. Repeatable.
    unchecked
        Write the profile even if a step fails.
    open_
        Open the console afterwards; --no-open does not.
    config
        Configuration file to write instead of the default one.
    """
    given = {"url": url, "username": username, "name": name, "read-only": read_only, "keyring": keyring}
    given |= {"routes": routes, "tls-ca": tls_ca}
    interview = Interview(given, interactive=person_is_there() and sys.stdout.isatty())
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
