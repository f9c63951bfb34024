"""Frames as soon as something has changed, and no debugging options.

Needs the environment variable `TEXTUAL_FPS`, which `textual.constants` reads when it is imported. Without it, Textual
draws at most 60 frames per second.
"""

from __future__ import annotations

import importlib
from collections.abc import MutableMapping

from console.ui.textual_compat.pieces import has, switched_off

FRAMES = "500"
"""Maximum frames per second. After a pause Textual draws at once, but the next frame one or two periods later: at 60, a
key after a beat waited 17 to 33 ms for 2 ms of work, and these were the slowest keys. It does not cause more frames."""
DEBUGGING = ("LOG", "DEBUG", "PRESS", "SCREENSHOT", "SCREENSHOT_LOCATION", "SCREENSHOT_FILENAME", "DEVTOOLS_HOST")
"""Debugging options of Textual, with the prefix TEXTUAL_: they would log every key, including a password's, take
screenshots, or press keys."""


def check() -> None:
    """Raise Gone if Textual has no limit of frames."""
    has(importlib.import_module("textual.constants"), "MAX_FPS")
    has(importlib.import_module("textual.screen"), "UPDATE_PERIOD")


def prepare(environment: MutableMapping[str, str]) -> None:
    """Set the environment variables of Textual; it reads them when it is imported."""
    for name in ("TEXTUAL", *(f"TEXTUAL_{value}" for value in DEBUGGING)):
        environment.pop(name, None)
    if not switched_off("frames"):
        environment.setdefault("TEXTUAL_FPS", FRAMES)
