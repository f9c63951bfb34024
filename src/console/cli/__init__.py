"""The command line. `main` is the entry point; each command is in its own module, imported when it runs."""

from __future__ import annotations

import importlib
import os
import signal
from types import FrameType

_INTERRUPTED = 130
"""`Exit.INTERRUPTED`, which is not imported yet."""


def main() -> None:
    """Run the program and end the process. An interrupt ends it quietly, also while modules are imported."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)
    importlib.import_module("console.cli.program").main()  # Most of the start.


def _leave(_signal: int, _frame: FrameType | None) -> None:
    os._exit(_INTERRUPTED)
