"""Damaged files of the user's state, which are renamed before they are written anew."""

from __future__ import annotations

import itertools
import os
from collections import deque
from contextlib import suppress
from pathlib import Path

untold: deque[str] = deque(maxlen=8)
"""Sentences on renamed files that the user was not told yet."""


def put_aside(file: Path, reason: str) -> None:
    """Rename a damaged file to `NAME.damaged1`, so that a person can repair it. Raise nothing."""
    names = (file.with_name(f"{file.name}.damaged{number}") for number in itertools.count(1))
    aside = next(name for name in names if not os.path.lexists(name))
    with suppress(OSError):
        os.rename(file, aside)
        untold.append(f"{file.name} cannot be read: {reason}. It is kept as {aside}.")
