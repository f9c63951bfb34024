"""Locations of recordings."""

from __future__ import annotations

import os
from pathlib import Path

from console.config.paths import Places

SUFFIX = ".rec"


def folder_of(places: Places) -> Path:
    """Return the directory of all recordings."""
    return places.state / "recordings"


def recording_file(places: Places, key: str) -> Path:
    """Return the file of an identity (`identities.Identity.key`)."""
    return folder_of(places) / f"{key}{SUFFIX}"


def aside(file: Path) -> Path:
    """Return the name of a recording that was put aside."""
    return file.with_name(f"{file.stem}-ahead{SUFFIX}")


def put_aside(file: Path) -> None:
    """Rename a recording, so that another one begins under its name. The one that was put aside before goes.

    Raise OSError.
    """
    for companion, other in zip(companions_of(file), companions_of(aside(file)), strict=True):
        if companion.exists() and companion.suffix != ".lock":
            os.replace(companion, other)


def companions_of(file: Path) -> tuple[Path, ...]:
    """Return the file of a recording with those that belong to it, whether they exist or not."""
    return tuple(file.with_name(file.name + value) for value in ("", "-wal", "-shm", ".lock"))
