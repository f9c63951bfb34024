"""Open the console. The only place that connects the command line and the application."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from console.api.errors import LoginNeeded
from console.cli.deployment import endpoint_of
from console.cli.exits import Exit, Failure, failure_of
from console.cli.output import talk
from console.cli.profiles.credentials import credentials
from console.cli.profiles.faults import faults_beyond_the_model
from console.cli.profiles.login_store import store_of
from console.cli.rules.notice_secret import outside_of
from console.config.paths import places
from console.config.reader import load, pick_profile
from console.config.schema import Config, Profile
from console.config.toml_source import ConfigFault
from console.live.authentication import LoginDetails

if TYPE_CHECKING:
    from console.client.stored_login import LoginStore
    from console.ui.runner import Opening

Origins = Callable[[str], Mapping[str, str]]
"""Returns file and line of each key of a profile that is set, by the profile's name."""


NO_TERMINAL = "no terminal: use `console list`, `console watch` or `console call` instead (see `console --help`)"


def _no_origins(_name: str) -> Mapping[str, str]:
    return {}


def open_console(profile: str | None, config: str | None, theme: str | None) -> int:
    """Open the console with a profile and return the exit code."""
    require_terminal()
    loaded = load(Path(config) if config else None, os.environ, {"theme": theme})
    faults = faults_beyond_the_model(loaded)
    if faults:
        raise ConfigFault(faults)
    settings = loaded.config
    if not settings.profiles and profile is None:
        return _first_run(Path(config) if config else places(os.environ).config_file)
    name, chosen = pick_profile(settings, profile)
    loaded.check_files(name)
    if chosen.channel is not None:
        # Takes 80 ms, which a profile without `channel` does not need.
        from console.cli.profiles.channels import require_channel

        require_channel(loaded, name)
    login, origins = credentials(name, chosen, os.environ), loaded.origins_of
    if login.kept is not None:
        return show(
            settings, name, chosen, login.kept.username, token=store_of(name, chosen, login.kept), origins=origins
        )
    return show(settings, name, chosen, *login.source(), alone=login.alone, origins=origins)


def _first_run(file: Path) -> int:
    """Ask for a profile, and open the console with it."""
    # Only without a profile: 110 ms.
    from console.cli.profiles.questions import Interview

    # As above.
    from console.cli.profiles.setup_steps import GivenUp, Setup

    interview = Interview({}, interactive=True)
    interview.say("No profile is configured yet. (`console demo` shows the console with sample data.)")
    try:
        written = Setup(interview, {}, file, unchecked=False).run()
    except GivenUp as ended:
        return ended.code
    return show(written.config, written.name, written.config.profiles[written.name], written.username, written.password)


def _finder(config: Config, origins: Origins) -> Callable[[str], Opening]:
    """Return a function that finds what another profile needs to be opened, without asking a person."""
    # As in `show`.
    from console.ui.runner import Opening

    def find(name: str) -> Opening:
        profile = config.profiles[name]
        login = credentials(name, profile, os.environ, prompts=False)
        kept = login.kept
        username = kept.username if kept is not None else profile.username or ""
        details = LoginDetails(username, "", login.alone, login.source)
        try:
            endpoint = endpoint_of(profile, origins(name))
        except LoginNeeded as error:
            # The login for the proxy: the profile cannot be opened, and the others stay open.
            raise ValueError(str(error)) from error
        return Opening(endpoint, details, store_of(name, profile, kept))

    return find


def require_terminal() -> None:
    """Raise Failure without a usable terminal."""
    if not (sys.stdin.isatty() and sys.stdout.isatty() and sys.stderr.isatty()):
        raise Failure(Exit.USAGE, NO_TERMINAL)
    if os.environ.get("TERM", "dumb") == "dumb":
        raise Failure(Exit.USAGE, f"this terminal (TERM={os.environ.get('TERM', '')}) cannot draw; {NO_TERMINAL}")


def show(
    config: Config,
    name: str,
    profile: Profile,
    username: str,
    password: str = "",
    *,
    token: LoginStore | None = None,
    alone: bool = False,
    origins: Origins = _no_origins,
    wallboard: bool = False,
) -> int:
    """Run the application until the user quits, and return the exit code.

    With a stored login, no password is needed; if it has ended, the application asks. With `alone`, the profile never
    needs one. `origins` returns the places of the keys of a profile. With `wallboard`, only its boards are shown.
    Report the last commands that failed. Raise Failure after a fatal error.
    """
    endpoint = endpoint_of(profile, origins(name))
    # A shell may export the size of another window, which the framework would use instead of the terminal's.
    for variable in ("COLUMNS", "LINES"):
        os.environ.pop(variable, None)

    # Takes 450 ms, which the help of commands with a screen, and faults of the configuration, need not wait for.
    from console.ui.runner import run

    login = LoginDetails(username, password, alone)
    try:
        find, outside = _finder(config, origins), outside_of(config.notices, os.environ)
        left = run(config, name, profile, endpoint, places(os.environ), login, token, find, outside, wallboard)
    except ValueError as error:
        raise Failure(Exit.USAGE, f"invalid profile {name}: {error}") from error
    except OSError as error:
        raise Failure(Exit.FAILED, f"{error.filename or 'the journal'}: {error.strerror or error}") from error
    if left.undone:
        for line in left.undone:
            talk(line)
    if left.interrupted:
        return Exit.INTERRUPTED
    if left.fault is not None:
        raise left.fault
    if left.fatal is not None:
        raise failure_of(left.fatal)
    if left.unreached:
        raise Failure(Exit.CONNECTION, f"not connected: {left.unreached}")
    return Exit.FAILED if left.undone else Exit.OK
