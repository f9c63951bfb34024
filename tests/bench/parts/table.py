"""The cost of one changed row and of all rows changed at once: time of the main thread, and bytes written."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from tests.bench.bench import Bench
from tests.bench.figures import Figure, middle, most, within
from tests.bench.line import Line
from tests.bench.machine import spent
from tests.bench.order import keys_in_order
from tests.bench.prepared_rows import IN_SIGHT
from tests.bench.seat import Load

CHANGES = 8
APART = 0.125
"""Seconds between two changes: longer than the refresh interval, so that each has a refresh of its own."""
CALM = 1.5
"""Seconds after a key until the console writes only differences again."""
AFTER = 1.0
"""Seconds until highlighting of a change has ended. Windows last whole seconds, because ages change once a second."""
FIRST = 5
"""The first visible row that is changed: the row under the cursor is also shown in the detail."""


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of a window of time."""

    ms: float
    """Processor time of the main thread."""
    written: int


def measure(bench: Bench) -> Iterator[Figure]:
    """Change rows one by one, visible and hidden, in the console and in the `DataTable`; then all at once."""
    found: dict[str, list[Cost]] = defaultdict(list)
    worst: dict[str, list[float]] = defaultdict(list)
    changes = 1 if bench.small else CHANGES
    with bench.loads(2) as (ours, theirs):
        rows = ours.tell("world")["calls"]
        theirs.tell("world")
        order = keys_in_order(ours)
        seen, hidden = order[FIRST : FIRST + 20], order[len(order) // 2 : len(order) // 2 + 2 * changes]
        with (
            bench.seats.bare(rows) as bare,
            bench.seats.console(ours) as console,
            bench.seats.data_table(theirs) as table,
        ):
            for _ in range(bench.rounds):
                # Otherwise the idle window is the most expensive, and a change costs less than nothing.
                time.sleep(bench.shortened(CALM))
                for name, line, load in (("ours", console, ours), ("table", table, theirs)):
                    found[f"{name} idle"].append(_window(bench, line, lambda: _wait(changes)))
                    found[f"{name} seen"].append(_window(bench, line, lambda load=load: _change(load, seen, changes)))
                    found[f"{name} hidden"].append(
                        _window(bench, line, lambda load=load: _change(load, hidden, changes))
                    )
                before = found["ours idle"][-1]
                whole = _window(bench, console, lambda: (ours.tell("replace"), _wait(changes)))
                found["replaced"].append(Cost(whole.ms - before.ms, whole.written - before.written))
                worst["bare"].append(bench.press(bare).worst)
                worst["ours"].append(_pressed_while(bench, console, lambda: ours.tell("replace")))

    def each(name: str, which: str) -> tuple[float, float]:
        """Return the cost of one change: ms, and bytes written."""
        pairs = list(zip(found[f"{name} {which}"], found[f"{name} idle"], strict=True))
        ms = middle(max(0.0, one.ms - idle.ms) / changes for one, idle in pairs)
        return ms, middle(max(0, one.written - idle.written) / changes for one, idle in pairs)

    seen_ms, seen_bytes = each("ours", "seen")
    hidden_ms, hidden_bytes = each("ours", "hidden")
    table_ms, table_bytes = each("table", "seen")
    table_hidden_ms, table_hidden_bytes = each("table", "hidden")
    yield most("one visible row changes, screen's thread", seen_ms, 1.5, baseline=table_ms, than="DataTable")
    yield most("one row that is not shown changes", hidden_ms, 0.5, baseline=table_hidden_ms, than="DataTable")
    yield within("bytes written, visible row", seen_bytes, table_bytes, 0.1, unit="B", than="DataTable")
    yield most(
        "bytes written, row that is not shown",
        hidden_bytes,
        200,
        unit="B",
        baseline=table_hidden_bytes,
        than="DataTable",
    )
    replaced = middle(cost.ms for cost in found["replaced"])
    yield most(f"whole list of {rows} replaced, screen's thread", replaced, 12.0)
    yield within(
        "worst key while the list is replaced",
        middle(worst["ours"]),
        middle(worst["bare"]),
        2.0,
        than="bare list, idle",
    )


def _wait(changes: int) -> None:
    time.sleep(changes * APART)


_names = count()


def _change(load: Load, rows: Sequence[str], changes: int) -> None:
    """Change rows one after the other, each visibly."""
    due = time.monotonic()
    for number in range(changes):
        load.tell("change", key=rows[number % len(rows)], touch=IN_SIGHT, to=f"sip:{next(_names)}@desk.example")
        due += APART
        time.sleep(max(0.0, due - time.monotonic()))


def _window(bench: Bench, line: Line, work: Callable[[], object]) -> Cost:
    before, written = spent(line.pid), line.length
    work()
    time.sleep(bench.shortened(AFTER))
    return Cost(1000 * spent(line.pid).since(before).screen, line.length - written)


def _pressed_while(bench: Bench, line: Line, work: Callable[[], object]) -> float:
    """Press keys while `work` runs; return the longest latency in ms."""
    timer = threading.Timer(0.7, work)
    timer.start()
    try:
        return bench.press(line).worst
    finally:
        timer.join()
