"""What every part of the measurement is given: the recorded world, load generators, and places for programs to run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Generator, Iterable
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tests.bench.figures import Figure
from tests.bench.keys import ROWS
from tests.bench.seat import PATHS, Load, Seats

Part = Callable[["Bench"], Iterable[Figure]]
"""Measures one subject."""


class Bench:
    """One run. `rounds` is how often everything is measured, one thing after the other in turn."""

    def __init__(self, folder: Path, recorded: Path, rounds: int, runs: int, small: bool = False) -> None:
        self.folder = folder
        self.recorded = recorded
        self.rounds = rounds
        self.runs = runs
        """Runs of keys in each round."""
        self.small = small
        """Whether counts and waits are to be as small as they can be: to try the measurement itself."""
        self.keys = 4 if small else ROWS
        """Keys of one run."""
        self.seats = Seats(folder)

    @contextmanager
    def loads(self, count: int = 1) -> Generator[list[Load]]:
        """Start load generators."""
        with ExitStack() as stack:
            yield [stack.enter_context(Load(self.recorded)) for _ in range(count)]

    def inside(self, name: str, *arguments: str) -> Any:
        """Measure something in a fresh process (`tests.bench.inside`), and return what it found."""
        small = ["--small"] if self.small else []
        command = [sys.executable, "-m", f"tests.bench.inside.{name}", str(self.recorded), *arguments, *small]
        environment = os.environ | {"PYTHONPATH": PATHS, "CONSOLE_HOME": str(self.folder)}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
        if done.returncode:
            raise RuntimeError(done.stderr)
        return json.loads(done.stdout.splitlines()[-1])
