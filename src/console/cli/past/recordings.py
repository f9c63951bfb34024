"""`console recordings`: lists, verifies and shortens recordings. `console history`: the changes of one record."""

from __future__ import annotations

import json
import json as json_text
import os
import sqlite3
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from console.base.clock import SystemClock
from console.base.zone import zone_of
from console.cli.completers import completed_by
from console.cli.connection import Where, add_where, choose
from console.cli.exits import Exit, Failure
from console.cli.lists.rows import check_name
from console.cli.output import escaped, one_line, print_json, talk
from console.cli.past.profile_recording import RECORDED, moment, opened, recording_of, report_damage
from console.config.paths import matching_files, places
from console.live.delta import Freshness
from console.recording.changes import RecordedChange
from console.recording.files import SUFFIX, companions_of, folder_of
from console.recording.format import CALLER, HEALTH, SAMPLES, RecordingFault, open_to_write
from console.recording.limits import prune as remove_old
from console.recording.recording import ListRecording
from console.records.moments import LATEST_MS
from console.views.differences import differing
from console.views.past import clock_text
from console.views.spans import span
from console.views.wording import plural

_LONGEST = 120
_NOTED_MS = 1_000
"""After the rows of a list, that it is cut is recorded within this time."""
_FOREVER = 1 << 62


def declare_list(parser: ArgumentParser) -> None:
    """Declare `console recordings list`."""
    parser.add_argument("--json", action="store_true", help="Print a JSON array.")
    parser.set_defaults(run=list_recordings)


def list_recordings(*, json: bool) -> int:
    """Print all recordings with the time that they contain, their gaps and their sizes.

    Exits with 1 if one cannot be read.
    """
    folder = folder_of(places(os.environ))
    try:
        recordings = matching_files(folder, f"*{SUFFIX}")
    except OSError as error:
        raise Failure(Exit.FAILED, f"cannot read {folder}: {error.strerror}") from None
    files = [_about(file) for file in recordings]
    if json:
        print_json(files)
    else:
        for about in files:
            print(escaped(_line(about)))
        if not files:
            talk("nothing was recorded yet")
    return Exit.FAILED if any("fault" in about for about in files) else Exit.OK


def _about(file: Path) -> dict[str, Any]:
    size = sum(companion.stat().st_size for companion in companions_of(file) if companion.exists())
    try:
        with ListRecording.open(file) as recording:
            known, meta = recording.span, recording.meta
            return {
                "file": str(file),
                "profile": meta.get("profile"),
                "service": meta.get("service"),
                "account": meta.get("account"),
                "from": known[0] if known else None,
                "to": known[1] if known else None,
                "gaps": len(recording.gaps),
                "bytes": size,
            }
    except RecordingFault as fault:
        return {"file": str(file), "bytes": size, "fault": str(fault)}


def _line(about: dict[str, Any]) -> str:
    if "fault" in about:
        return f"{about['fault']}"
    zone = zone_of(None)
    when = f"{clock(about['from'], zone)} to {clock(about['to'], zone)}" if about["from"] else "empty"
    gaps = f", {plural(about['gaps'], 'gap')}" if about["gaps"] else ""
    whose = " ".join(filter(None, (about["profile"], about["account"], about["service"])))
    return f"{whose}  {when}{gaps}  {about['bytes'] / 1e6:.1f} MB  {about['file']}"


def declare_verify(parser: ArgumentParser) -> None:
    """Declare `console recordings verify`."""
    parser.add_argument(
        "file", metavar="FILE", nargs="?", type=Path, help="Recording to read instead of the profile's own."
    )
    add_where(parser)
    parser.set_defaults(run=verify)


def verify(*, file: Path | None, where: Where) -> int:
    """Read all of a recording, and report damage.

    Exits with 5 if a part cannot be read, or nothing was recorded.
    """
    path = file or recording_of(choose(where))
    try:
        with ListRecording.open(path) as recording:
            kinds = recording.kinds
            many, faults = verified(recording)
    except RecordingFault as fault:
        raise Failure(Exit.FAILED, str(fault)) from None
    for value in faults:
        talk(f"{path} is damaged: {value}")
    print(escaped(f"{plural(many, 'change')} of {plural(len(kinds), 'list')} can be read: {path}"))
    return Exit.CONDITION if faults else Exit.OK


def declare_prune(parser: ArgumentParser) -> None:
    """Declare `console recordings prune`."""
    parser.add_argument("--keep", metavar="TEXT", required=True, help="How much to keep, such as 2h.")
    add_where(parser)
    parser.set_defaults(run=prune)


def prune(*, keep: str, where: Where) -> int:
    """Remove the older part of the recording of a profile."""
    chosen = choose(where)
    length = span(keep)
    if length is None:
        raise Failure(Exit.USAGE, f"--keep {keep!r} is not a time such as 2h")
    with opened(chosen) as recording:
        meta = recording.meta
    try:
        db = open_to_write(recording_of(chosen), meta)
        try:
            db.execute("BEGIN IMMEDIATE")
            removed = remove_old(db, SystemClock().now_ms() - round(length.ms), _FOREVER)
            db.execute("COMMIT")
            db.execute("PRAGMA incremental_vacuum").fetchall()
        finally:
            db.close()
    except (OSError, sqlite3.Error, RecordingFault) as error:
        raise Failure(Exit.FAILED, f"the recording cannot be changed: {error}") from None
    print(f"{plural(removed, 'part')} removed")
    return Exit.OK


def declare_history(parser: ArgumentParser) -> None:
    """Declare `console history`."""
    name = parser.add_argument(
        "name", metavar="NAME", help="calls, alerts, agents, queues, presence, episodes or another list."
    )
    completed_by(name, lambda: RECORDED)
    parser.add_argument("key", metavar="ID", help="Id of the record.")
    parser.add_argument(
        "--since", metavar="TEXT", help="Print only what changed since then: 10:42, -15m, yesterday 22:10, 8h."
    )
    parser.add_argument("--json", action="store_true", help="Print one JSON object per change.")
    add_where(parser)
    parser.set_defaults(run=history)


def history(
    *,
    name: str,
    key: str,
    since: str | None,
    json: bool,
    where: Where,
) -> int:
    """Print each recorded change of a record: its moment, and the fields before and after.

    A row is `listed` or `unlisted`, and did not come or go, where the list was cut, and `listed` where a recording
    begins: it may have existed before, or may still exist. Exits with 1 if a part of the recording cannot be read, with
    5 if nothing is recorded about the record.
    """
    check_name(name, RECORDED)
    chosen = choose(where)
    first = moment(since, "--since", chosen) if since is not None else 0
    zone = zone_of(chosen.profile.time_zone)
    with opened(chosen) as recording:
        starts = frozenset(recording.starts(name))
        matching_changes = [
            ("listed" if change.before is None and change.at_ms in starts else _kind(change, name, recording), change)
            for change in recording.history(name, key)
            if change.at_ms >= first
        ]
        is_damaged = report_damage(recording)
    for kind, change in matching_changes:
        print(one_line(_object(kind, change)) if json else "\n".join(map(escaped, _lines(kind, change, zone))))
    if is_damaged:
        return Exit.FAILED
    if not matching_changes:
        talk(f"nothing is recorded about {key} in the {name}")
        return Exit.CONDITION
    return Exit.OK


def _kind(change: RecordedChange, name: str, recording: ListRecording) -> str:
    """Return what happened to a record, as far as a list tells that may be cut."""
    if change.before is not None and change.after is not None:
        return "changed"
    moments = (change.at_ms - 1, change.at_ms, change.at_ms + _NOTED_MS)
    is_cut = any(recording.health(name, at_ms).cut for at_ms in moments)
    if change.before is None:
        return "listed" if is_cut else "came"
    return "unlisted" if is_cut else "went"


def _object(kind: str, change: RecordedChange) -> dict[str, Any]:
    return {"at": change.at_ms, "change": kind, "fields": differing(change.before, change.after)}


def _lines(kind: str, change: RecordedChange, zone: ZoneInfo) -> list[str]:
    lines = [f"{clock(change.at_ms, zone)}  {kind}"]
    if change.after is not None:
        for name, (before, after) in differing(change.before, change.after).items():
            short = _short(after) if change.before is None else f"{_short(before)} -> {_short(after)}"
            lines.append(f"    {name}: {short}")
    return lines


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json_text.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def clock(at_ms: int, zone: ZoneInfo) -> str:
    """Return a moment with its date, to the millisecond."""
    return clock_text(at_ms, zone, "milliseconds")


_STATES = frozenset(freshness.value for freshness in Freshness)


def verified(recording: ListRecording) -> tuple[int, tuple[str, ...]]:
    """Return the number of changes of all lists, and what is damaged, which is nothing for a whole file."""
    changes = sum(1 for kind in recording.kinds for _ in recording.changes(kind, 0, LATEST_MS))
    recording.commands(0, LATEST_MS)
    wrong = dict.fromkeys(f"the {name} cannot be read" for name in _wrong(recording))
    empty = () if recording.span is not None else ("it contains no recorded time",)
    return changes, (*empty, *recording.damage, *wrong)


def _wrong(recording: ListRecording) -> Iterator[str]:
    """Yield the names of what has rows without meaning."""
    for kind, name in ((HEALTH, "freshness of a list"), (SAMPLES, "samples of the charts"), (CALLER, "logged-in user")):
        for change in recording.changes(kind, 0, LATEST_MS):
            row = _json_object(change.after.encoded()) if change.after is not None else {}
            if row is None or (kind == HEALTH and change.after is not None and row.get("state") not in _STATES):
                yield name


def _json_object(row: bytes) -> dict[str, object] | None:
    try:
        loads: dict[str, object] | None = json.loads(row)
    except (ValueError, RecursionError):
        return None
    return loads if isinstance(loads, dict) else None
