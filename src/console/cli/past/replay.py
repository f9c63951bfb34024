"""`console replay`: the console on a recording, without a service and a login."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from pathlib import Path

from console.base.zone import zone_of
from console.cli.exits import Exit, Failure
from console.cli.opening import require_terminal
from console.cli.past.profile_recording import opened_file
from console.config.paths import places
from console.config.reader import load_config
from console.config.schema import Config, Profile
from console.recording.past import Past
from console.recording.recording import ListRecording
from console.views.past import FORMS, clock_text, past_ms

_NO_SERVICE = "http://recording.invalid/core"
"""The service of a recording whose deployment is not configured here. It is never connected to."""


def declare_replay(parser: ArgumentParser) -> None:
    """Declare `console replay`."""
    parser.add_argument(
        "file", metavar="FILE", type=Path, help="Recording to open, such as a part that a colleague cut."
    )
    parser.add_argument(
        "--at",
        metavar="TEXT",
        help=(
            "Moment to begin with: 10:42, yesterday 22:10, -15m before the end of the recording. Default: the "
            "first thing that mattered."
        ),
    )
    parser.add_argument("--theme", metavar="TEXT", help="Theme to start with.")
    parser.set_defaults(run=replay)


def replay(*, file: Path, at: str | None, theme: str | None) -> int:
    """Open the console on a recording, without a service and without a login.

    The file is only read. `T` goes to a moment, `{` and `}` to what mattered, `space` lets time pass.
    """
    config = load_config(None, os.environ, {"theme": theme})
    with opened_file(file) as recording:
        name, profile = profile_of(recording, config)
        past = Past(recording, 0)
        past.move(past.beginning() if at is None else moment(recording, at, profile), 0)
        require_terminal()

        # Takes 350 ms, which the help of the command need not wait for.
        from console.ui.runner import replay as run

        left = run(config, name, profile, past, places(os.environ))
    if left.fault is not None:
        raise left.fault
    return Exit.INTERRUPTED if left.interrupted else Exit.OK


def profile_of(recording: ListRecording, config: Config) -> tuple[str, Profile]:
    """Return name and settings of the deployment of a recording: those that are configured here for the same service.

    They have the deployment's words for states, and forms of its addresses.
    """
    meta = recording.meta
    name, service = meta.get("profile", ""), meta.get("service", "")
    known = config.profiles.get(name)
    if known is not None and known.core == service:
        return name, known
    return name or "recording", Profile(core=_NO_SERVICE)


def moment(recording: ListRecording, at: str, profile: Profile | None = None) -> int:
    """Return a moment as typed, in ms since the epoch; the end of the recording is taken for now. Raise Failure."""
    assert recording.span is not None
    first, last = recording.span
    zone = zone_of((profile.time_zone if profile else None) or recording.meta.get("zone"))
    at_ms = past_ms(at, last, zone)
    if at_ms is None:
        raise Failure(Exit.USAGE, f"--at {at!r} is not a moment until the end of the recording, such as {FORMS}")
    if at_ms < first:
        raise Failure(Exit.USAGE, f"--at {at}: the recording begins at {clock_text(first, zone)}")
    return at_ms
