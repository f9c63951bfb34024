"""Key latency: cursor keys are pressed at a person's pace, and the frame that shows each is searched in the output.

The n-th `down` after `home` is visible as the cursor drawn on the n-th row. Within a run the cursor only moves down, so
no older frame can show it there; a frame that shows it further down answers all keys up to that row.
"""

from __future__ import annotations

import random
import re
import time
from dataclasses import dataclass, field

from tests.bench.line import Line
from tests.bench.machine import NOTHING, Spent, spent

HOME, DOWN = "\x1b[H", "\x1b[B"
ROWS = 38
"""Keys per run: fewer than the visible rows, so that nothing scrolls."""
PACE = (0.030, 0.070)
"""Seconds between two keys, drawn uniformly."""
LOST_SECONDS = 5.0
QUIET_SECONDS = 0.15
"""Seconds without output after which the cursor is on the first row."""
LINE_BYTES = 8192
"""More bytes than are written for one line of the terminal, so that no match is cut in two."""

MARKED = re.compile(rb"\x1b\[(\d+);1H(?:\x1b\[[\d;]*m)*\xe2\x96[\xb8\xba]")
"""A line that begins with the cursor's marker, as the bare list and the console draw it. The group is its row."""
COLOURED = re.compile(rb"\x1b\[(\d+);\d+H(?:(?!\x1b\[\d+;\d+H)[\s\S])*?48;2;1;2;3")
"""A line with the background that the `DataTable` uses for its cursor."""


@dataclass
class Keys:
    """The result of a series of keys."""

    waits: list[float] = field(default_factory=list[float])
    """Seconds from each key to the frame that shows it."""
    lost: int = 0
    disorder: int = 0
    """Frames that showed the cursor below the pressed row, or above an earlier frame."""
    spent: Spent = NOTHING
    written: int = 0
    """Bytes written to the terminal during the series."""

    def at(self, share: float) -> float:
        """Return the latency that this share of the keys does not exceed, in ms. That of a lost key is infinite."""
        ordered = [*sorted(self.waits), *[float("inf")] * self.lost] or [float("inf")]
        return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]

    @property
    def p50(self) -> float:
        """The median latency, in ms."""
        return self.at(0.50)

    @property
    def p99(self) -> float:
        """The 99th percentile of the latency, in ms."""
        return self.at(0.99)

    @property
    def worst(self) -> float:
        """The longest latency, in ms."""
        return self.at(1.0)


def run(
    line: Line,
    sign: re.Pattern[bytes],
    count: int = ROWS,
    rng: random.Random | None = None,
    *,
    cursor: tuple[str, str] = (HOME, DOWN),
    quiet: float = QUIET_SECONDS,
) -> Keys:
    """Move to the top, then press `down` `count` times; return the seconds until each frame."""
    rng = rng or random.Random()
    home, down = cursor
    first = _top(line, sign, home, down, quiet)
    since = line.length
    before = spent(line.pid)
    presses: list[float] = []
    due = time.monotonic() + rng.uniform(*PACE)
    for _ in range(count):
        time.sleep(max(0.0, due - time.monotonic()))
        presses.append(line.press(down))
        due += rng.uniform(*PACE)
    read = since

    def arrived() -> bool:
        """Search only new output: nothing is read from the terminal meanwhile."""
        nonlocal read
        text = line.text(read)
        read = max(read, read + len(text) - LINE_BYTES)
        return any(int(found[1]) >= first + count for found in sign.finditer(text))

    try:
        line.until_true(arrived, LOST_SECONDS, "the last key's frame")
    except AssertionError:
        # Counted below as lost keys.
        line.until_quiet()
    after = spent(line.pid)
    text = line.text(since)
    seen = [(line.time_of(since + found.end() - 1), int(found[1]) - first) for found in sign.finditer(text)]
    keys = matched(presses, seen)
    keys.spent, keys.written = after.since(before), line.length - since
    return keys


def matched(presses: list[float], seen: list[tuple[float, int]]) -> Keys:
    """Match the n-th key with the first later frame that shows the cursor on row n or below."""
    keys = Keys()
    at = 0
    row = 0
    for number, pressed in enumerate(presses, 1):
        while at < len(seen) and seen[at][1] < number:
            at += 1
        if at == len(seen):
            keys.lost += 1
        else:
            keys.waits.append(seen[at][0] - pressed)
    for when, shown in seen:
        pressed_by_then = sum(pressed <= when for pressed in presses)
        keys.disorder += shown < row or shown > pressed_by_then
        row = shown
    return keys


def _top(line: Line, sign: re.Pattern[bytes], home: str, down: str, quiet: float) -> int:
    """Move the cursor to the first row of the list and return its row on the terminal."""
    since = line.length
    line.press(down)
    line.until_true(lambda: sign.search(line.text(since)), LOST_SECONDS, "the cursor")
    line.until_quiet(quiet)
    since = line.length
    line.press(home)
    line.until_true(lambda: sign.search(line.text(since)), LOST_SECONDS, "the cursor")
    line.until_quiet(quiet)
    return int(list(sign.finditer(line.text(since)))[-1][1])
