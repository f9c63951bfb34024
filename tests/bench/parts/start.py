"""Time from the start of the process to a frame: while loading, with live rows, and `--help`."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping

from tests.bench.bench import Bench
from tests.bench.figures import Figure, middle, within
from tests.bench.line import Line
from tests.bench.screen_texts import HOME_LOADING, HOME_ROWS
from tests.bench.seat import PATHS
from tests.terminal.served import Served

CONSOLE = [sys.executable, "-m", "console"]


def measure(bench: Bench) -> Iterator[Figure]:
    """Start each program in turn."""
    found: dict[str, list[float]] = defaultdict(list)
    served = bench.seats.home("http://127.0.0.1:9/core")
    with bench.loads(1) as (load,), Served(bench.folder / "busy.db", served.environment(PYTHONPATH=PATHS)) as busy:
        load.tell("world")
        large = bench.seats.home(load.core, f'events = "{load.events}"')
        real = bench.seats.home(busy.core)
        login = {"CONSOLE_USERNAME": "eva", "CONSOLE_PASSWORD": "demo", "PYTHONPATH": PATHS}
        real.run("login", "--store", "file", **login)
        paths = {"PYTHONPATH": PATHS}
        bare = [sys.executable, "-m", "tests.bench.apps.bare", "10000"]
        for command, words in ((bare, rb"connected"), (CONSOLE, HOME_ROWS)):
            # Not counted: the first start compiles and reads from the disk for all that follow.
            _shown(command, real.environment(**paths), words)
        for _ in range(bench.rounds if bench.small else 2 * bench.rounds):
            found["bare"].append(_shown(bare, real.environment(**paths), rb"connected"))
            found["loading"].append(_shown(CONSOLE, real.environment(**paths), HOME_LOADING))
            found["busy"].append(_shown(CONSOLE, real.environment(**paths), HOME_ROWS))
            found["large"].append(_shown(CONSOLE, large.environment(**paths), HOME_ROWS))
            found["help"].append(_helped(real.environment(**paths)))
    ms = {name: 1000 * middle(each) for name, each in found.items()}
    than = "bare Textual's first frame"
    yield within("start, first frame (loading)", ms["loading"], ms["bare"], 1.6, than=than)
    yield within("start, live rows, scenario busy, real service", ms["busy"], ms["bare"], 2.0, than=than)
    yield within("start, live rows, 10 000 calls", ms["large"], ms["bare"], 2.5, than=than)
    yield within("console --help", ms["help"], ms["bare"], 0.5, than=than)


def _shown(command: list[str], environment: Mapping[str, str], words: bytes) -> float:
    """Return the seconds from the start of a program to a frame with these words."""
    with Line(command, environment) as line:
        return line.until(words) - line.started


def _helped(environment: Mapping[str, str]) -> float:
    began = time.monotonic()
    subprocess.run([*CONSOLE, "--help"], env=dict(environment), stdout=subprocess.DEVNULL, check=True)
    return time.monotonic() - began
