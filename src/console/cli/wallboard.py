"""`console wallboard`: the boards for a screen on the wall."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import get_args

from console.base.frozen import replace
from console.cli.connection import Where, add_where, choose
from console.cli.exits import Exit, Failure
from console.cli.opening import require_terminal, show
from console.cli.profiles.login_store import store_of
from console.config.settings import nearest
from console.config.wallboard_settings import BoardName

_BOARDS: tuple[str, ...] = get_args(BoardName)


def declare_wallboard(parser: ArgumentParser) -> None:
    """Declare `console wallboard`."""
    parser.add_argument(
        "--boards",
        metavar="TEXT",
        help="Boards in order, separated by commas: figures, queues, skills, attention, charts.",
    )
    parser.add_argument("--seconds", type=float, metavar="NUMBER", help="Seconds for which each board is shown.")
    parser.add_argument("--names", action="store_true", help="Show names of people.")
    parser.add_argument("--theme", metavar="TEXT", help="Theme to use.")
    add_where(parser)
    parser.set_defaults(run=wallboard)


def wallboard(
    *,
    boards: str | None,
    seconds: float | None,
    names: bool,
    theme: str | None,
    where: Where,
) -> int:
    """Show waits, queues, skills and alerts in large characters, in turn.

    No keys are needed; `q` quits. Nothing can be changed, a login is tried again by itself, and names of people are
    shown only on request. Log in with `console login`, or with a password command, so that it can start unattended.
    """
    require_terminal()
    chosen = choose(where, channel=True)
    wallboard_settings = chosen.config.wallboard
    if boards is not None:
        wanted = tuple(part.strip() for part in boards.split(",") if part.strip())
        for value in wanted:
            if value not in _BOARDS:
                known = nearest(value, _BOARDS) or f"; known: {', '.join(_BOARDS)}"
                raise Failure(Exit.USAGE, f"--boards: there is no board {value!r}{known}")
        wallboard_settings = replace(wallboard_settings, boards=wanted or wallboard_settings.boards)
    if seconds is not None:
        if not 2 <= seconds <= 3600:
            raise Failure(Exit.USAGE, "--seconds must be between 2 and 3600")
        wallboard_settings = replace(wallboard_settings, seconds=seconds)
    config = replace(
        chosen.config,
        wallboard=replace(wallboard_settings, names=wallboard_settings.names or names),
        theme=theme or chosen.config.theme,
    )
    profile, credentials = replace(chosen.profile, read_only=True), chosen.credentials
    origins = {chosen.name: chosen.origins}
    if credentials.kept is not None:
        username, password = credentials.kept.username, ""
    else:
        username, password = credentials.source()
    return show(
        config,
        chosen.name,
        profile,
        username,
        password,
        token=store_of(chosen.name, chosen.profile, credentials.kept),
        alone=credentials.alone,
        origins=lambda name: origins.get(name, {}),
        wallboard=True,
    )
