"""The time zone that times are shown in."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_LOCALTIME = Path("/etc/localtime")


def zone_of(name: str | None, environ: Mapping[str, str] | None = None, localtime: Path = _LOCALTIME) -> ZoneInfo:
    """Return the named zone; without a name the machine's own, or UTC if that is unknown."""
    environ = os.environ if environ is None else environ
    linked = str(localtime.resolve()).partition("zoneinfo/")[2] if localtime.is_symlink() else ""
    for each in (name, environ.get("TZ", "").removeprefix(":"), linked):
        try:
            if each:
                return ZoneInfo(each)
        except (ValueError, OSError, ZoneInfoNotFoundError):
            continue
    try:
        with localtime.open("rb") as file:
            return ZoneInfo.from_file(file, key="local time")
    except (OSError, ValueError):
        return ZoneInfo("UTC")
