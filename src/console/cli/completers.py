"""Names by which shells complete the arguments of commands."""

from __future__ import annotations

import os
from argparse import Action
from collections.abc import Callable, Iterable


def completed_by(action: Action, names: Callable[[], Iterable[str]]) -> None:
    """Complete the values of an argument with names."""

    def completer(**_: object) -> Iterable[str]:
        return names()

    vars(action)["completer"] = completer


def profile_names() -> Iterable[str]:
    """Return the names of the configured profiles."""
    # Takes 100 ms, and only completion needs it.
    from console.config.reader import load

    return load(None, os.environ).config.profiles
