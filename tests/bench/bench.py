"""The context of a benchmark run: the recorded scenario, load generators, and functions that start programs."""

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
    """One run of the benchmark. `rounds` is how often each measurement is repeated; the subjects take turns."""

    def __init__(self, folder: Path, recorded: Path, rounds: int, runs: int, small: bool = False) -> None:
        self.folder = folder
        self.recorded = recorded
        self.rounds = rounds
        self.runs = runs
        """Runs of keys per round."""
        self.small = small
        """Whether to use the smallest counts and waits, to test the benchmark itself."""
        self.keys = 4 if small else ROWS
        """Keys per run."""
        self.seats = Seats(folder)

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
            raise RuntimeError(done.stderr)
        return json.loads(done.stdout.splitlines()[-1])
