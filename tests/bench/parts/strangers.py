"""Key latency under hostile input: endless lists, huge answers, floods of events, endless texts."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator

from tests.bench.bench import Bench
from tests.bench.figures import Figure, middle, most
from tests.bench.keys import Keys
from tests.bench.order import hot_rows
from tests.bench.seat import Load

FLOOD = 200_000
"""Events per second that are offered; the connection limits them to what the console accepts."""
USUAL_MS, WORST_MS = 100.0, 1_000.0
"""Limits for 99 percent of the keys and for every key."""
WAYS = ("a list without end", "answers of 15 MiB", "200 000 events/s", "endless texts in visible rows")
_TOLD = {"a list without end": "endless", "answers of 15 MiB": "huge", "endless texts in visible rows": "texts"}
SECONDS = 2.0
"""Seconds after which an attack has its full effect."""


def measure(bench: Bench) -> Iterator[Figure]:
    """Press keys in an idle console and under each attack, in turn."""
    found: dict[str, list[Keys]] = defaultdict(list)
    with bench.loads(1) as (load,):
        load.tell("world", calls=None)
        hot = hot_rows(load)
        with bench.seats.console(load) as line:
            for _ in range(min(2, bench.rounds)):
                found["idle"].append(bench.press(line))
                for way in WAYS:
                    _begin(load, way, hot)
                    time.sleep(bench.shortened(SECONDS))
                    found[way].append(bench.press(line))
                    _end(load)
                    line.until_quiet(bench.shortened(0.3))
    idle = middle(each.p99 for each in found["idle"])
    for way in WAYS:
        lost = sum(each.lost for each in found[way])
        p99, worst = middle(each.p99 for each in found[way]), max(each.worst for each in found[way])
        yield most(f"key to frame, {way}, p99", p99, USUAL_MS, baseline=idle, than="ours, idle")
        yield most(f"key to frame, {way}, the worst", worst if not lost else float("inf"), WORST_MS)


def _begin(load: Load, way: str, hot: list[str]) -> None:
    if way in _TOLD:
        load.tell("strange", way=_TOLD[way], hot=hot)
    else:
        load.tell("pace", pace=FLOOD, hot=hot)


def _end(load: Load) -> None:
    load.tell("strange", way="")
    load.tell("pace", pace=0, hot=[])
