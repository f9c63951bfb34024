"""The context of a benchmark run: the recorded scenario, load generators, and functions that start programs."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Generator, Iterable
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tests.bench import keys
from tests.bench.figures import Figure
from tests.bench.keys import ROWS, Keys
from tests.bench.line import Line
from tests.bench.seat import PATHS, Load, Seats

Part = Callable[["Bench"], Iterable[Figure]]
"""Measures one subject."""
SMALL_SECONDS = 0.1
"""The longest deliberate wait of the smallest form."""


class Bench:
    """One run of the benchmark. `rounds` is how often each measurement is repeated; the subjects take turns."""

    def __init__(self, folder: Path, recorded: Path, rounds: int, small: bool = False) -> None:
        self.folder = folder
        self.recorded = recorded
        self.rounds = rounds
        self.small = small
        """Whether to use the smallest counts and waits, to test the benchmark itself."""
        self.keys = 4 if small else ROWS
        """Keys per series."""
        self.seats = Seats(folder)

    def shortened(self, seconds: float) -> float:
        """Return the duration of a wait in this run: much shorter in its smallest form."""
        return min(seconds, SMALL_SECONDS) if self.small else seconds

    def press(
        self, line: Line, sign: re.Pattern[bytes] = keys.MARKED, cursor: tuple[str, str] = (keys.HOME, keys.DOWN)
    ) -> Keys:
        """Run a series of keys (see `keys.run`)."""
        return keys.run(line, sign, self.keys, cursor=cursor, quiet=self.shortened(keys.QUIET_SECONDS))

    @contextmanager
    def loads(self, count: int = 1) -> Generator[list[Load]]:
        """Start load generators."""
        with ExitStack() as stack:
            yield [stack.enter_context(Load(self.recorded)) for _ in range(count)]

    def inside(self, name: str, *arguments: str) -> Any:
        """Run a module of `tests.bench.inside` in a fresh process and return its result."""
        small = ["--small"] if self.small else []
        command = [sys.executable, "-m", f"tests.bench.inside.{name}", str(self.recorded), *arguments, *small]
        environment = os.environ | {"PYTHONPATH": PATHS, "CONSOLE_HOME": str(self.folder)}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
        if done.returncode:
            raise RuntimeError(done.stderr.strip().rpartition("\n")[2])
        return json.loads(done.stdout.splitlines()[-1])
