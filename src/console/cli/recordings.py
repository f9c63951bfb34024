"""`console recordings`: lists, verifies and shortens recordings. `console history`: the changes of one record."""

from __future__ import annotations

import json as json_text
import os
import sqlite3
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from cyclopts import Parameter

from console.cli.connection import Where, choose
from console.cli.exits import Exit, Failure
from console.cli.output import escaped, one_line, print_json, talk
from console.cli.past import RECORDED, damage, moment, opened, recording_of
from console.cli.rows import check_name
from console.clock import SystemClock
from console.paths import places
from console.recording.changes import Change
from console.recording.files import SUFFIX, companions_of, folder_of
from console.recording.format import RecordingFault, open_to_write
from console.recording.limits import prune as remove_old
from console.recording.recording import Recording
from console.recording.verifying import verified
from console.views.differences import differing
from console.views.spans import span
from console.views.words import plural
from console.zone import zone_of

_LONGEST = 120
_FOREVER = 1 << 62


def list_recordings(*, json: bool = False) -> int:
    """Print all recordings with the time that they contain, their gaps and their sizes.

    Parameters
    ----------
    json
        Print a JSON array.
    """
    found = [_about(file) for file in sorted(folder_of(places(os.environ)).glob(f"*{SUFFIX}"))]
    if json:
        print_json(found)
        return Exit.OK
    for each in found:
        print(escaped(_line(each)))
    if not found:
        talk("nothing was recorded yet")
    return Exit.OK


def _about(file: Path) -> dict[str, Any]:
    size = sum(each.stat().st_size for each in companions_of(file) if each.exists())
    try:
        with Recording.open(file) as recording:
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


def verify(file: Annotated[Path | None, Parameter(name="FILE")] = None, /, *, where: Where = Where()) -> int:
    """Read all of a recording, and report damage.

    Exits with 5 if a part cannot be read, or nothing was recorded.

    Parameters
    ----------
    file
        Recording to read instead of that of the profile.
    """
    path = file or recording_of(choose(where))
    try:
        with Recording.open(path) as recording:
            kinds = recording.kinds
            many, found = verified(recording)
    except RecordingFault as fault:
        raise Failure(Exit.FAILED, str(fault)) from None
    for each in found:
        talk(f"the recording is damaged: {each}")
    print(escaped(f"{plural(many, 'change')} of {plural(len(kinds), 'list')} can be read: {path}"))
    return Exit.CONDITION if found else Exit.OK


def prune(*, keep: str, where: Where = Where()) -> int:
    """Remove the older part of the recording of a profile.

    Parameters
    ----------
    keep
        How much to keep, such as 2h.
    """
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


def history(
    name: Annotated[str, Parameter(name="NAME")],
    key: Annotated[str, Parameter(name="ID")],
    /,
    *,
    since: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    json: bool = False,
    where: Where = Where(),
) -> int:
    """Print each recorded change of a record: its moment, and the fields before and after.

    Exits with 5 if nothing is recorded about it.

    Parameters
    ----------
    name
        calls, alerts, agents, queues, presence, episodes or another list.
    key
        Id of the record.
    since
        Print only what changed since then: `10:42`, `-15m`, `yesterday 22:10`, `8h`.
    json
        Print one JSON object per change.
    """
    check_name(name, RECORDED)
    chosen = choose(where)
    first = moment(since, "--since", chosen) if since is not None else 0
    zone = zone_of(chosen.profile.time_zone)
    with opened(chosen) as recording:
        found = [each for each in recording.life(name, key) if each.at_ms >= first]
        for each in damage(recording):
            talk(each)
    for each in found:
        print(one_line(_object(each)) if json else "\n".join(map(escaped, _lines(each, zone))))
    if not found:
        talk(f"nothing is recorded about {key} in the {name}")
        return Exit.CONDITION
    return Exit.OK


def _object(change: Change) -> dict[str, Any]:
    return {"at": change.at_ms, "change": _kind(change), "fields": differing(change.before, change.after)}


def _kind(change: Change) -> str:
    return "came" if change.before is None else "went" if change.after is None else "changed"


def _lines(change: Change, zone: ZoneInfo) -> list[str]:
    lines = [f"{clock(change.at_ms, zone)}  {_kind(change)}"]
    if change.after is not None:
        for name, (before, after) in differing(change.before, change.after).items():
            told = _short(after) if change.before is None else f"{_short(before)} -> {_short(after)}"
            lines.append(f"    {name}: {told}")
    return lines


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json_text.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def clock(at_ms: int, zone: ZoneInfo) -> str:
    """Return a moment with its date."""
    at = datetime.fromtimestamp(at_ms / 1000, zone)
    return f"{at:%Y-%m-%d %H:%M:%S}.{at_ms % 1000:03d}"
