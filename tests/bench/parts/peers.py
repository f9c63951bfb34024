"""The console next to programs that a user might run instead. These rows have no limit.

posting is installed into a virtual environment in the folder of the run, sngrep is used if it is on the PATH. A program
that cannot be had is named on standard error, with the reason, and has no rows.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyte

from tests.bench import capture, keys
from tests.bench.bench import Bench
from tests.bench.figures import Figure, middle, said
from tests.bench.keys import Keys
from tests.bench.line import SIZE, Line
from tests.bench.parts.start import CONSOLE, LIVE, LOADING
from tests.bench.seat import PATHS, Load

POSTING = ("posting==2.11.1", "tree-sitter==0.25.2")
"""With tree-sitter 0.26.1, which pip would choose, posting crashes at start."""
INSTALL_SECONDS = 300
READ_SECONDS = 60.0
CURSOR = re.compile(rb"\x1b\[(\d+);2H\x1b\[37m\x1b\[44m")
"""A line of sngrep's list with the background of its cursor."""
APPLICATION_KEYS = ("\x1bOH", "\x1bOB")
"""`home` and `down` as a terminal sends them to sngrep, which sets the application mode of the cursor keys."""


@dataclass(frozen=True)
class Program:
    """A program, and a function that waits for its first usable frame and returns when it arrived."""

    command: Sequence[str]
    environment: Mapping[str, str]
    usable: Callable[[Line], float]

    def seconds(self) -> float:
        """Start the program; return the seconds until its first usable frame."""
        with Line(self.command, self.environment) as line:
            return self.usable(line) - line.started


def measure(bench: Bench) -> Iterator[Figure]:
    """Start each program in turn, then press keys in the lists of the console and of sngrep."""
    with bench.loads(1) as (load,):
        calls = load.tell("world")["calls"]
        home = bench.seats.home(load.core, f'events = "{load.events}"')
        ours, theirs = home.environment(PYTHONPATH=PATHS), home.environment()
        table = [sys.executable, "-m", "tests.bench.apps.data_table", load.core, load.events]
        programs = {
            "loading": Program(CONSOLE, ours, lambda line: line.until(LOADING)),
            "live": Program(CONSOLE, ours, lambda line: line.until(LIVE)),
            "DataTable": Program(table, ours, lambda line: line.until(rb"svc-user")),
        }
        for each in programs.values():
            # Not counted: the first start compiles and reads from the disk for all that follow.
            each.seconds()
        programs |= _had(
            {
                "posting": lambda: _posting(bench.folder, theirs),
                "sngrep": lambda: _sngrep(bench.folder, theirs, calls),
            }
        )
        seconds: dict[str, list[float]] = defaultdict(list)
        for _ in range(bench.rounds if bench.small else 2 * bench.rounds):
            for name, each in programs.items():
                seconds[name].append(each.seconds())
        ms = {name: 1000 * middle(each) for name, each in seconds.items()}
        yield _beside("start, live rows, 10 000 calls", ms["live"], ms["DataTable"], "DataTable")
        if "posting" in ms:
            yield _beside("start, first frame (loading)", ms["loading"], ms["posting"], "posting")
            yield _beside("start, live rows, 10 000 calls", ms["live"], ms["posting"], "posting's first frame")
        if "sngrep" in ms:
            yield _beside("start, live rows, 10 000 calls", ms["live"], ms["sngrep"], "sngrep, from a capture")
            yield from _pressed(bench, load, programs["sngrep"])


def _had(peers: Mapping[str, Callable[[], Program]]) -> dict[str, Program]:
    """Return the programs that can be had and started; say which cannot, and why."""
    had: dict[str, Program] = {}
    for name, made in peers.items():
        try:
            program = made()
            program.seconds()
        except (AssertionError, OSError, subprocess.SubprocessError) as fault:
            print(f"peers: no figures of {name}: {fault}", file=sys.stderr)
        else:
            had[name] = program
    return had


def _pressed(bench: Bench, load: Load, sngrep: Program) -> Iterator[Figure]:
    """Press `down` in the console's list of calls and in sngrep's, in turn."""
    found: dict[str, list[Keys]] = defaultdict(list)
    with bench.seats.console(load) as console, Line(sngrep.command, sngrep.environment) as line:
        sngrep.usable(line)
        for _ in range(bench.rounds * bench.runs):
            found["ours"].append(keys.run(console, keys.MARKED, bench.keys))
            found["theirs"].append(keys.run(line, CURSOR, bench.keys, cursor=APPLICATION_KEYS))
    for share in (0.5, 0.99):
        ours, theirs = (middle(each.at(share) for each in found[name]) for name in ("ours", "theirs"))
        yield _beside(f"key to frame, idle, p{100 * share:.0f}", ours, theirs, "sngrep")


def _beside(name: str, ours: float, theirs: float, peer: str) -> Figure:
    """Return a figure without a limit."""
    return Figure(f"{name}, next to {peer}", said(ours, "ms"), said(theirs, "ms"), ours / theirs, "", None)


def _posting(folder: Path, environment: Mapping[str, str]) -> Program:
    """Install posting and return it. Its first usable frame has the input for a URL."""
    place = folder / "posting"
    pip = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", *POSTING)
    for command in ((sys.executable, "-m", "venv", str(place)), (str(place / "bin" / "python"), *pip)):
        done = subprocess.run(command, env=os.environ, capture_output=True, text=True, timeout=INSTALL_SECONDS)
        if done.returncode:
            raise OSError((done.stderr or done.stdout).strip().rpartition("\n")[2])
    return Program([str(place / "bin" / "posting")], environment, lambda line: line.until(rb"Enter a URL"))


def _sngrep(folder: Path, environment: Mapping[str, str], calls: int) -> Program:
    """Return sngrep with a capture of as many calls. Its frame is usable when it has counted all of them."""
    binary = shutil.which("sngrep")
    if binary is None:
        raise OSError("it is not on the PATH")
    file = capture.write(folder / "calls.pcap", calls)

    def counted(line: Line) -> float:
        """Draw the output on a screen: sngrep writes only the digits that change."""
        screen = pyte.Screen(*SIZE)
        stream = pyte.ByteStream(screen)
        read = 0

        def found() -> bool:
            nonlocal read
            text = line.text(read)
            read += len(text)
            stream.feed(text)
            return any(f"Dialogs: {calls} " in row for row in screen.display)

        return line.until_true(found, READ_SECONDS, f"{calls} calls")

    return Program([binary, "-F", "-I", str(file)], environment, counted)
