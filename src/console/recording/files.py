"""Where recordings are."""

from __future__ import annotations

from pathlib import Path

from console.paths import Places

SUFFIX = ".rec"


def folder_of(places: Places) -> Path:
    """Return the directory of all recordings."""
    return places.state / "recordings"


def recording_file(places: Places, key: str) -> Path:
    """Return the file of an identity (`identities.Identity.key`)."""
    return folder_of(places) / f"{key}{SUFFIX}"


def companions_of(file: Path) -> tuple[Path, ...]:
    """Return the file of a recording with those that belong to it, whether they exist or not."""
    return tuple(file.with_name(file.name + each) for each in ("", "-wal", "-shm", ".lock"))
