"""The processes of a measurement: the load generator, and programs on pseudo terminals that use it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import console
from console.config.paths import places
from tests.bench.keys import MARKED
from tests.bench.line import Line
from tests.bench.screen_texts import LIVE
from tests.terminal.home import Home

ROOT = Path(__file__).resolve().parents[2]
PATHS = f"{Path(console.__file__).parents[1]}:{ROOT}"
"""PYTHONPATH of the programs: the console that this process imports, and these benchmarks."""
TO_LIST = "2"
"""The key of the Calls screen."""


class Talking:
    """A module of the benchmark in a process of its own, which is controlled line by line and ends with the block."""

    def __init__(self, module: str, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", f"tests.bench.{module}", *arguments],
            env=os.environ | {"PYTHONPATH": PATHS},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def say(self, words: object) -> None:
        """Write a line to its standard input."""
        assert self.process.stdin is not None
        print(words, file=self.process.stdin, flush=True)

    def hear(self) -> str:
        """Read the next line of its standard output."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, f"{self.process.args!r} has ended"
        return line.strip()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.communicate()


class Load(Talking):
    """The load generator."""

    def __init__(self, folder: Path) -> None:
        super().__init__("load", str(folder))
        self.core, self.events = self.hear(), self.hear()

    def tell(self, what: str, **asked: Any) -> Any:
        """Send a control request (see `load`) and return its answer."""
        url = f"{self.core.removesuffix('/core')}/bench/{what}"
        request = urllib.request.Request(url, json.dumps(asked).encode(), method="POST")
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def get(self, path: str) -> bytes:
        """Return the body of a list."""
        with urllib.request.urlopen(f"{self.core}{path}", timeout=60) as answer:
            return answer.read()


class Seats:
    """Starts programs on pseudo terminals, each with a home directory of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._count = 0

    def home(self, core: str, profile: str = "", token: str = "bench") -> Home:
        """Create a home directory with a profile for a service and a stored login with a valid token."""
        self._count += 1
        home = Home(self._folder / f"home-{self._count}")
        home.configure(core, profile=profile)
        kept = {"desk": {"core": core, "username": "eva", "session_id": "s", "token": token}}
        place = places(home.environment()).tokens
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        place.write_text(json.dumps(kept), encoding="utf-8")
        place.chmod(0o600)
        return home

    @contextmanager
    def console(self, load: Load, bytes_per_second: int | None = None) -> Generator[Line]:
        """Start the console and go to the list of calls."""
        home = self.home(load.core, f'events = "{load.events}"')
        command = [sys.executable, "-m", "console"]
        with Line(command, home.environment(PYTHONPATH=PATHS), bytes_per_second) as line:
            line.until(LIVE)
            before = line.length
            line.press(TO_LIST)
            line.until_true(lambda: MARKED.search(line.text(before)), 30.0, "the first row")
            line.until_quiet()
            yield line

    @contextmanager
    def bare(self, rows: int) -> Generator[Line]:
        """Start the bare list."""
        with self._app("bare", str(rows)) as line:
            line.until(b"connected")
            yield line

    @contextmanager
    def data_table(self, load: Load, bytes_per_second: int | None = None) -> Generator[Line]:
        """Start the `DataTable` implementation."""
        with self._app("data_table", load.core, load.events, bytes_per_second=bytes_per_second) as line:
            line.until(rb"svc-user")
            yield line

    @contextmanager
    def _app(self, name: str, *arguments: str, bytes_per_second: int | None = None) -> Generator[Line]:
        environment = Home(self._folder / "apps").environment(PYTHONPATH=PATHS)
        with Line(
            [sys.executable, "-m", f"tests.bench.apps.{name}", *arguments], environment, bytes_per_second
        ) as line:
            yield line
            line.until_quiet(0.1)
