"""The console next to programs that a user might run instead. These rows have no limit.

posting is installed into a virtual environment in the folder of the run, sngrep is used if it is on the PATH. The rows
of a program that is not available fail, with the reason.
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
from tests.bench.figures import Figure, middle, said, unmeasured
from tests.bench.keys import Keys
from tests.bench.line import SIZE, Line
from tests.bench.parts.start import CONSOLE
from tests.bench.screen_texts import HOME_LOADING, HOME_ROWS
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
    marker: re.Pattern[bytes] = keys.MARKED
    """The line with the cursor; the group is its row."""
    cursor_keys: tuple[str, str] = (keys.HOME, keys.DOWN)

    def seconds(self) -> float:
        """Start the program; return the seconds until its first usable frame."""
        with Line(self.command, self.environment) as line:
            return self.usable(line) - line.started


@dataclass(frozen=True)
class Comparison:
    """A row about the start: two programs by name, and what the row calls the second one."""

    name: str
    ours: str
    peer: str
    peer_title: str


LOADING, ROWS = "start, first frame (loading)", "start, live rows, 10 000 calls"
COMPARISONS = (
    Comparison(ROWS, "live", "DataTable", "DataTable"),
    Comparison(LOADING, "loading", "posting", "posting"),
    Comparison(ROWS, "live", "posting", "posting's first frame"),
    Comparison(ROWS, "live", "sngrep", "sngrep, from a capture"),
)


def measure(bench: Bench) -> Iterator[Figure]:
    """Start each program in turn, then press keys in the lists of the console and of sngrep."""
    with bench.loads(1) as (load,):
        calls = load.tell("world")["calls"]
        home = bench.seats.home(load.core, f'events = "{load.events}"')
        ours, theirs = home.environment(PYTHONPATH=PATHS), home.environment()
        table = [sys.executable, "-m", "tests.bench.apps.data_table", load.core, load.events]
        programs = {
            "loading": Program(CONSOLE, ours, lambda line: line.until(HOME_LOADING)),
            "live": Program(CONSOLE, ours, lambda line: line.until(HOME_ROWS)),
            "DataTable": Program(table, ours, lambda line: line.until(rb"svc-user")),
        }
        for each in programs.values():
            # Not counted: the first start compiles and reads from the disk for all that follow.
            each.seconds()
        peers = {
            "posting": lambda: _posting(bench.folder, theirs),
            "sngrep": lambda: _sngrep(bench.folder, theirs, calls),
        }
        if bench.small:
            # The smallest form installs nothing. What it tests does not depend on these programs.
            peers = dict.fromkeys(peers, lambda: small_peer(ours, calls))
        available, faults = _prepared(peers)
        programs |= available
        seconds: dict[str, list[float]] = defaultdict(list)
        for _ in range(bench.rounds):
            for name, each in programs.items():
                seconds[name].append(each.seconds())
        ms = {name: 1000 * middle(each) for name, each in seconds.items()}
        for row in COMPARISONS:
            name = f"{row.name}, next to {row.peer_title}"
            if row.peer in faults:
                yield unmeasured(name, faults[row.peer])
            else:
                yield _beside(name, ms[row.ours], ms[row.peer])
        names = {share: f"key to frame, idle, p{100 * share:.0f}, next to sngrep" for share in (0.5, 0.99)}
        if "sngrep" in faults:
            yield from (unmeasured(name, faults["sngrep"]) for name in names.values())
            return
        ours_keys, sngrep_keys = _pressed(bench, load, programs["sngrep"])
        for share, name in names.items():
            yield _beside(name, *(middle(each.at(share) for each in runs) for runs in (ours_keys, sngrep_keys)))


def _prepared(peers: Mapping[str, Callable[[], Program]]) -> tuple[dict[str, Program], dict[str, Exception]]:
    """Return the programs that were installed and started, and why the others were not."""
    programs: dict[str, Program] = {}
    faults: dict[str, Exception] = {}
    for name, prepare in peers.items():
        try:
            program = prepare()
            program.seconds()
        except (AssertionError, OSError, subprocess.SubprocessError) as fault:
            faults[name] = fault
        else:
            programs[name] = program
    return programs, faults


def _pressed(bench: Bench, load: Load, peer: Program) -> tuple[list[Keys], list[Keys]]:
    """Press `down` in the console's list of calls and in that of another program, in turn."""
    ours: list[Keys] = []
    theirs: list[Keys] = []
    with bench.seats.console(load) as console, Line(peer.command, peer.environment) as line:
        peer.usable(line)
        for _ in range(bench.rounds):
            ours.append(bench.press(console))
            theirs.append(bench.press(line, peer.marker, peer.cursor_keys))
    return ours, theirs


def _beside(name: str, ours: float, theirs: float) -> Figure:
    """Return a figure without a limit."""
    return Figure(name, said(ours, "ms"), said(theirs, "ms"), ours / theirs, "", None)


def small_peer(environment: Mapping[str, str], rows: int) -> Program:
    """Return the bare list, which stands for the other programs in the smallest form."""
    command = [sys.executable, "-m", "tests.bench.apps.bare", str(rows)]
    return Program(command, environment, lambda line: line.until(rb"connected"))


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
        raise OSError("sngrep is not on the PATH: install it")
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

    return Program([binary, "-F", "-I", str(file)], environment, counted, CURSOR, APPLICATION_KEYS)
