"""Accounts whose files a test prepares."""

from __future__ import annotations

import os
from pathlib import Path

from console.config.paths import places
from console.recording.files import recording_file
from console.recording.identities import Identities, Identity, KnownService

BUSY = Identity(KnownService("busy", "https://voice.desk.example/core", "busy"), "eva")
"""Whose files the console over an idle backend shows."""


def recording_of_busy(folder: Path) -> Path:
    """Return the recording that the console over an idle backend finds in this directory of its files."""
    return recording_file(places({"CONSOLE_HOME": str(folder)}), BUSY.key)


def connected(core: str = "http://127.0.0.1:9/core", profile: str = "desk", account: str = "eva") -> Identity:
    """Remember, in the user's directory, that a console was connected as an account."""
    return Identities(places(os.environ)).note(profile, core, "", account)


def recording_of_desk() -> Path:
    """Return the recording of the profile that `tests.cli.conftest.profile` writes, for a service that is away."""
    return recording_file(places(os.environ), connected().key)
