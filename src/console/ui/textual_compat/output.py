"""Control sequences for notices: the title of the window, and notifications of the terminal.

Needs the driver of the application. Without it, nothing is written; the bell has a public method.
"""

from __future__ import annotations

from typing import Any, cast

from textual.app import App
from textual.driver import Driver

from console.ui.textual_compat.pieces import has, works


def check() -> None:
    """Raise Gone if an application has no driver that writes."""
    has(App, "_driver")
    has(Driver, "write")


def write(app: App[Any], sequence: str) -> None:
    """Write a control sequence between two frames, if there is a terminal."""
    if app.is_headless or not works("output"):
        return
    driver = cast("Any", app)._driver
    if driver is not None:
        driver.write(sequence)
