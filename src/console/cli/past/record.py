"""`console record`: records the lists without a screen."""

from __future__ import annotations

import os
import time
from argparse import ArgumentParser

from console.base.zone import zone_of
from console.cli.connection import Where, add_where, choose
from console.cli.exits import Exit, Failure
from console.cli.live_backend import followed
from console.cli.output import talk
from console.cli.profiles.credentials import known_username
from console.config.paths import places
from console.kinds.catalogue import FEEDS
from console.live.backend import Backend
from console.live.delta import Freshness
from console.recording.identities import CurrentIdentity
from console.recording.recorder import Recorder, record_with
from console.rules.reading import load_rules
from console.views.spans import span

BEAT_SECONDS = 0.1


def declare_record(parser: ArgumentParser) -> None:
    """Declare `console record`."""
    parser.add_argument("--for", dest="length", metavar="TEXT", help="Stop after this time, such as 90m or 8h.")
    add_where(parser)
    parser.set_defaults(run=record)


def record(*, length: str | None, where: Where) -> int:
    """Record all lists of a profile, without a screen, until interrupted.

    Another console of the same account that records goes on; this one takes over when that one ends. Exits with 1 if
    nothing was recorded or recording failed, with 3 if the service was not reachable.
    """
    wanted = None if length is None else span(length)
    if length is not None and (wanted is None or wanted.ms <= 0):
        raise Failure(Exit.USAGE, f"--for {length!r} is not a time such as 90m or 8h")
    chosen = choose(where, channel=True)
    here, profile = places(os.environ), chosen.profile
    recorders: list[Recorder] = []

    def prepare(backend: Backend) -> None:
        settings, zone = chosen.config.recording, zone_of(profile.time_zone)
        identity = CurrentIdentity(here, chosen.name, backend, lambda: known_username(chosen.name, profile, os.environ))
        recorders.append(record_with(backend, settings, identity, zone, here))

    end = None if wanted is None else time.monotonic() + wanted.ms / 1000
    with followed(chosen, rules=load_rules(here, profile.rules), prepare=prepare) as running:
        running.backend.show(frozenset(FEEDS))
        last_text, recorded = "", False
        while end is None or time.monotonic() < end:
            running.check()
            text = _state(recorders[0], running.backend.recording_fault)
            if text != last_text:
                talk(last_text := text)
            recorded = recorded or _is_recorded(recorders[0], running.backend)
            time.sleep(BEAT_SECONDS)
        fault, link = running.backend.recording_fault, running.backend.link
    if fault or not recorded:
        is_away = link.state is Freshness.OFFLINE
        reason = fault or (is_away and link.reason) or "the time ended before a list was loaded"
        text = f"recording stopped: {reason}" if recorded else f"nothing was recorded: {reason}"
        raise Failure(Exit.CONNECTION if is_away and not fault else Exit.FAILED, text)
    return Exit.OK


def _is_recorded(recorder: Recorder, backend: Backend) -> bool:
    """Return whether lists are recorded, by this console or another one."""
    attended = recorder.records.is_set() or recorder.waits.is_set()
    return attended and any(backend.health(kind).age is not None for kind in FEEDS)


def _state(recorder: Recorder, fault: str) -> str:
    if fault:
        return f"nothing is recorded: {fault}"
    if recorder.records.is_set():
        return f"recording to {recorder.file}"
    return "another console of this account records" if recorder.waits.is_set() else "starting"
