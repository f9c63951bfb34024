"""Recordings for commands: the one of a profile, moments as typed, lists as they were."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from console.base.clock import SystemClock
from console.base.frozen import replace
from console.base.zone import zone_of
from console.cli.connection import SelectedProfile
from console.cli.exits import Exit, Failure
from console.cli.lists.rows import Wanted, render_context_of, with_learnt_addresses
from console.cli.output import OutputFormat, room, talk, written
from console.cli.profiles.credentials import known_username
from console.config.paths import places
from console.kinds.catalogue import LIVE
from console.kinds.tables import TABLES
from console.live.delta import CURRENT, Delta, Health
from console.recording.files import recording_file
from console.recording.format import RecordingFault
from console.recording.identities import Identities, Identity
from console.recording.recording import ListRecording
from console.records.extent import Extent
from console.records.record import Record
from console.views.past import FORMS, past_ms
from console.views.render_context import RenderContext
from console.views.spans import span
from console.views.wording import span_words

RECORDED = tuple(kind for kind in TABLES if kind in LIVE)
"""The lists that can be in a recording."""


def identity_of(chosen: SelectedProfile) -> Identity | None:
    """Return the account of a profile that a console of this machine was connected with last; None if none was."""
    login = known_username(chosen.name, chosen.profile, os.environ)
    return Identities(places(os.environ)).last(chosen.profile.core, login)


def recording_of(chosen: SelectedProfile) -> Path:
    """Return the recording of a profile. Raise Failure if no console was connected to its service."""
    identity = identity_of(chosen)
    if identity is None:
        login = known_username(chosen.name, chosen.profile, os.environ)
        who = f" as {login}" if login else ""
        raise Failure(
            Exit.FAILED,
            f"there is no recording of {chosen.profile.core}{who}; `console record` makes one, and so does the console "
            "while it runs; `console recordings list` shows those that there are",
        )
    return recording_file(places(os.environ), identity.key)


def opened(chosen: SelectedProfile) -> ListRecording:
    """Open the recording of a profile. Raise Failure."""
    file = recording_of(chosen)
    try:
        return ListRecording.open(file)
    except RecordingFault as fault:
        text = f"{fault}; `console record` makes one, and so does the console while it runs"
        raise Failure(Exit.FAILED, text if "there is no" in text else str(fault)) from None


@contextmanager
def opened_file(file: Path) -> Generator[ListRecording]:
    """Open a recording that is not written any more. Raise Failure if it cannot be read, or is empty."""
    try:
        recording = ListRecording.open(file, finished=True)
    except RecordingFault as fault:
        raise Failure(Exit.FAILED, str(fault)) from None
    with recording:
        if recording.span is None:
            damage = f": {recording.damage[0]}" if recording.damage else ""
            raise Failure(Exit.FAILED, f"{file} contains no recorded time{damage}")
        yield recording


def moment(text: str, option: str, chosen: SelectedProfile) -> int:
    """Return a moment in ms since the epoch; a length of time, such as 8h, is that long ago. Raise Failure."""
    now_ms = SystemClock().now_ms()
    length = span(text) if text[:1].isdigit() and text[-1:].isalpha() else None
    at_ms = now_ms - round(length.ms) if length else past_ms(text, now_ms, zone_of(chosen.profile.time_zone))
    if at_ms is None:
        raise Failure(Exit.USAGE, f"{option} {text!r} is not a past moment such as {FORMS}")
    return at_ms


def render_at(recording: ListRecording, at_ms: int, chosen: SelectedProfile) -> RenderContext:
    """Return the render context of a moment."""

    def lookup(kind: str) -> Mapping[str, Record]:
        return recording.rows(kind, at_ms)

    def extent(kind: str) -> Extent:
        return recording.health(kind, at_ms).extent if kind in LIVE else Extent.WHOLE

    me = recording.me(at_ms)
    render = render_context_of(chosen.profile, chosen.config, me.user if me is not None else None, lookup, extent)
    return with_learnt_addresses(replace(render, now_ms=at_ms), lookup)


def list_at(
    chosen: SelectedProfile, asked: Wanted, at: str, form: OutputFormat, limit: int | None
) -> tuple[range, bool]:
    """Print a list as it was.

    Return the possible numbers of matching rows, and whether all rows of that moment are known. Raise Failure.
    """
    name, at_ms = asked.table.kind, moment(at, "--at", chosen)
    with opened(chosen) as recording:
        check_recorded(recording, name, at_ms)
        view = asked.view(render_at(recording, at_ms, chosen))
        combined = view.table.combined
        rows = recording.rows(name, at_ms) if combined is None else combined(view.render_context)
        view.apply(Delta(version=1, whole=True, upserts=rows))
        shown_rows: list[Any] = list(view.shown())[:limit]
        sys.stdout.write(written(form, shown_rows, asked.columns, view.render_context, room=room()))
        matched = asked.possible_matches(view)
        missing = _missing(name, recording.health(name, at_ms))
        for value in missing:
            talk(value)
        is_damaged = report_damage(recording)
    if len(shown_rows) < view.matched:
        talk(f"{len(shown_rows)} of {view.matched} shown")
    return matched, not missing and not is_damaged


def check_recorded(recording: ListRecording, name: str, at_ms: int) -> None:
    """Raise Failure if nothing is known of a list at a moment."""
    known = recording.span
    if known is None or at_ms < known[0]:
        raise Failure(Exit.FAILED, "nothing was recorded at that time; see `console recordings list`")
    if name not in recording.kinds:
        why = "cannot be read" if report_damage(recording) else "were not loaded, so they are not in the recording"
        raise Failure(Exit.FAILED, f"the {name} {why}")


def report_damage(recording: ListRecording) -> bool:
    """Print what could not be read until now; return whether that is anything."""
    for value in recording.damage:
        talk(f"{recording.path} is damaged: {value}")
    return bool(recording.damage)


def _missing(name: str, health: Health) -> tuple[str, ...]:
    """Return why rows may be missing or out of date; empty if all are known."""
    cut = (f"{name}: {health.cut}",) if health.cut else ()
    if health.state in CURRENT:
        return cut
    reason = health.reason or health.state.value
    if health.age is None:
        return (f"the {name} were not known at that time: {reason}",)
    return (f"the {name} are {span_words(health.age * 1000)} older than that: {reason}", *cut)
