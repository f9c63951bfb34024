"""Where recordings are."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from console.paths import Places

SUFFIX = ".rec"


def folder_of(places: Places) -> Path:
    """Return the directory of all recordings."""
    return places.state / "recordings"


def file_of(places: Places, profile: str) -> Path:
    """Return the file of a profile."""
    return folder_of(places) / f"{quote(profile, safe='')[:100]}{SUFFIX}"


def companions_of(file: Path) -> tuple[Path, ...]:
    """Return the file of a recording with those that belong to it, whether they exist or not."""
    return tuple(file.with_name(file.name + each) for each in ("", "-wal", "-shm", ".lock"))


def remove(file: Path) -> None:
    """Remove a recording, if it exists and can be removed."""
    for each in companions_of(file):
        with suppress(OSError):
            each.unlink(missing_ok=True)
