"""The time zone that times are shown in."""

from __future__ import annotations

import io
import os
import re
import struct
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_LOCALTIME = Path("/etc/localtime")
_RULE = re.compile(r"(?:<[A-Za-z0-9+-]{3,}>|[A-Za-z]{3,})[+-]?\d[\d:]*(?P<summer><[A-Za-z0-9+-]{3,}>|[A-Za-z]{3,})?.*")
_USUAL_SUMMER = ",M3.2.0,M11.1.0"
"""When summer time is in a rule that does not say so, as the C library has it."""


def zone_of(name: str | None, environ: Mapping[str, str] | None = None, localtime: Path = _LOCALTIME) -> ZoneInfo:
    """Return the named zone; without a name, the zone in TZ or the machine's own.

    TZ has all forms of the C library: a name, the path of a file, or a POSIX rule such as
    `CET-1CEST,M3.5.0,M10.5.0/3`; anything else is UTC.
    """
    environ = os.environ if environ is None else environ
    named = _zone(name, environ.get("TZDIR", "")) if name else None
    return named or machine_zone(environ, localtime)[0]


def machine_zone(environ: Mapping[str, str], localtime: Path = _LOCALTIME) -> tuple[ZoneInfo, str]:
    """Return the zone of TZ or of the machine, and its source; the source also says if TZ names none."""
    if "TZ" in environ:
        text = environ["TZ"].removeprefix(":")
        zone = _zone(text, environ.get("TZDIR", ""))
        return zone or ZoneInfo("UTC"), "TZ" if zone or not text else f"TZ={text} is not a time zone"
    linked = str(localtime.resolve()).partition("zoneinfo/")[2] if localtime.is_symlink() else ""
    return _zone(linked, "") or _from_file(localtime, "local time") or ZoneInfo("UTC"), str(localtime)


def _zone(text: str, folder: str) -> ZoneInfo | None:
    """Return the zone of a name, of the path of a file, or of a rule; None for another text."""
    if not text:
        return None
    if os.path.isabs(text):
        name = text.partition("zoneinfo/")[2]
        return (_named(name) if name else None) or _from_file(Path(text), text)
    return _named(text) or (_from_file(Path(folder) / text, text) if folder else None) or _from_rule(text)


def _named(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, ZoneInfoNotFoundError):
        return None


def _from_file(path: Path, name: str) -> ZoneInfo | None:
    try:
        with path.open("rb") as file:
            return _usable(ZoneInfo.from_file(file, key=name))
    except (OSError, ValueError, struct.error):
        return None


def _from_rule(rule: str) -> ZoneInfo | None:
    """Return the zone of a POSIX rule, by way of a zone file that has nothing but this rule."""
    parts = _RULE.fullmatch(rule)
    if parts is None:
        return None
    text = rule + _USUAL_SUMMER if parts["summer"] and "," not in rule else rule
    header = struct.pack(">4sc15x6l", b"TZif", b"2", 0, 0, 0, 0, 1, 4)
    block = struct.pack(">lBB", 0, 0, 0) + b"UTC\0"
    try:
        return _usable(ZoneInfo.from_file(io.BytesIO((header + block) * 2 + b"\n" + text.encode() + b"\n"), key=rule))
    except (ValueError, struct.error):
        return None


def _usable(zone: ZoneInfo) -> ZoneInfo:
    """Return the zone. Raise ValueError for one a day or more from UTC, of which no time can be computed."""
    for month in (1, 7):
        datetime(2026, month, 1, tzinfo=zone).utcoffset()
    return zone
