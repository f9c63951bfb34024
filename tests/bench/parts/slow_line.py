"""A terminal behind a line of 64 kbit/s: how much outdated output is written before the newest state."""

from __future__ import annotations

import time
from collections.abc import Iterator

from tests.bench.bench import Bench
from tests.bench.figures import Figure, middle, within
from tests.bench.line import Line
from tests.bench.order import hot_rows
from tests.bench.prepared_rows import IN_SIGHT
from tests.bench.seat import TO_LIST, Load

BYTES_PER_SECOND = 8_000
PACE = 1_000
SECONDS = 5.0
LONGEST = 15.0
"""Seconds to wait for the newest state."""


def measure(bench: Bench) -> Iterator[Figure]:
    """Change many visible rows, then one more; count the bytes written until that change is shown."""
    pace = 50 * BYTES_PER_SECOND if bench.small else BYTES_PER_SECOND
    with bench.loads(2) as (ours, theirs):
        for load in (ours, theirs):
            load.tell("world")
        hot = hot_rows(ours)
        with bench.seats.console(ours) as quick:
            whole = min(_whole_screen(quick) for _ in range(1 if bench.small else 3))
        with bench.seats.console(ours, pace) as console:
            found = [_behind(bench, console, ours, hot, number) for number in range(min(2, bench.rounds))]
        with bench.seats.data_table(theirs, pace) as table:
            try:
                obvious, _ = _behind(bench, table, theirs, hot, 0)
            except AssertionError:
                obvious = LONGEST
    seconds, written = (middle(each[at] for each in found) for at in (0, 1))
    yield within(
        "slow line, bytes until the newest is seen", written, whole, 2.0, unit="B", than="the screen drawn once"
    )
    yield Figure(
        "slow line, seconds until the newest is seen",
        f"{seconds:.1f} s",
        f"{obvious:.1f} s (DataTable)",
        seconds / obvious,
        "< DataTable",
        seconds < obvious,
    )


def _whole_screen(line: Line) -> int:
    """Return the number of bytes of drawing the calls once, coming from another screen."""
    line.press("1")
    line.until_quiet()
    since = line.length
    line.press(TO_LIST)
    line.until_true(lambda: line.length > since, LONGEST, "another screen")
    line.until_quiet(0.1)
    return line.length - since


def _behind(bench: Bench, line: Line, load: Load, hot: list[str], number: int) -> tuple[float, int]:
    """Return the seconds and the bytes from the last change to the frame that shows it."""
    load.tell("pace", pace=PACE, hot=hot)
    time.sleep(bench.shortened(SECONDS))
    load.tell("pace", pace=0)
    since, began = line.length, time.monotonic()
    load.tell("change", key=hot[3], touch=IN_SIGHT, to=f"newest{number}")
    seen = line.until(b"newest%d" % number, since, LONGEST)
    return seen - began, line.length - since
