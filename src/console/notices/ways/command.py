"""Run a program for each notice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from console.notices.ways.way import NotDelivered, Way

if TYPE_CHECKING:
    from console.notices.notice import Notice

SECONDS = 10.0
"""After this time, the program and those that it started are killed."""
AT_ONCE = 4
"""Most programs at the same time."""


class CommandWay(Way):
    """Runs a program with the notice as JSON on its input. Its output is dropped, and no shell reads anything."""

    name = "command"

    def __init__(self, arguments: tuple[str, ...], environ: Mapping[str, str], seconds: float = SECONDS) -> None:
        self._arguments = arguments
        self._environ = dict(environ)
        self._seconds = seconds

    def send(self, notice: Notice) -> None:
        """Run the program, and wait for it. Raise NotDelivered."""
        program = self._arguments[0]
        try:
            process = subprocess.Popen(
                self._arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=self._environ,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise NotDelivered(f"{program} cannot be run: {reason}") from error
        try:
            process.communicate(json.dumps(notice.to_object()).encode() + b"\n", timeout=self._seconds)
        except subprocess.TimeoutExpired:
            _kill(process)
            raise NotDelivered(f"{program} was ended after {self._seconds:g} s") from None
        if process.returncode:
            raise NotDelivered(f"{program} ended with {process.returncode}")

    def expected_effect(self) -> str:
        """Return how the program ended."""
        return f"{self._arguments[0]} ended with 0"


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a program with the programs that it started, and reap it."""
    with suppress(ProcessLookupError):  # It may have ended just now.
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if process.stdin is not None:
        process.stdin.close()
