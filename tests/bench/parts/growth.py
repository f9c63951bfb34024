"""Fifty times the rows: the effect on key latency and on a refresh; plain, sorted and filtered, under events."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tests.bench import keys
from tests.bench.bench import Bench
from tests.bench.figures import Figure, middle, within
from tests.bench.keys import Keys
from tests.bench.line import Line
from tests.bench.order import IN_SIGHT, keys_in_order
from tests.bench.seat import Load

FEW, MANY = 1_000, 50_000
PACE = 1_000
VIEW_SECONDS = 0.5
"""Seconds without output after which a list is sorted. Ages change once a second, so that it is rarely quiet longer."""
BEATS = 10
"""Refreshes per second."""


@dataclass(frozen=True, slots=True)
class Look:
    """A way to view the calls."""

    name: str
    typed: str
    """The keys that switch to it from the previous view."""
    sort: str = ""
    wanted: str = ""
    """The filter."""


LOOKS = (Look("plain", ""), Look("sorted", ">", sort="-queue"), Look("filtered", "</queue>9", wanted="queue>9"))


def measure(bench: Bench) -> Iterator[Figure]:
    """Press keys in two consoles, one with few calls and one with many, in turn, while rows change."""
    found: dict[tuple[str, int], list[Keys]] = defaultdict(list)
    sizes = (100, 500) if bench.small else (FEW, MANY)
    with bench.loads(2) as loads:
        for load, size in zip(loads, sizes, strict=True):
            load.tell("world", thin=size, alone=True)
        with bench.seats.console(loads[0]) as few, bench.seats.console(loads[1]) as many:
            for look in LOOKS:
                orders = [keys_in_order(load, sort=look.sort, wanted=look.wanted) for load in loads]
                for line in (few, many):
                    _go(bench, line, look)
                for _ in range(min(2, bench.rounds)):
                    for load, order, line, size in zip(loads, orders, (few, many), sizes, strict=True):
                        found[look.name, size].append(_pressed(bench, load, order, line))
    for look in LOOKS:
        few_keys, many_keys = found[look.name, sizes[0]], found[look.name, sizes[1]]
        words = f"{sizes[0]} -> {sizes[1]} rows, {look.name}"
        yield within(
            f"key to frame, {words}, p99",
            middle(each.p99 for each in many_keys),
            middle(each.p99 for each in few_keys),
            1.3,
            than=f"{sizes[0]} rows",
        )
        yield within(f"a beat, {words}", _beat(many_keys), _beat(few_keys), 1.3, than=f"{sizes[0]} rows")


def _beat(runs: list[Keys]) -> float:
    """Return the time of the main thread per refresh in ms, including that of the keys in this period."""
    return middle(1000 * each.spent.screen / each.spent.at / BEATS for each in runs)


def _go(bench: Bench, line: Line, look: Look) -> None:
    """Type the keys of a view, and wait until the list has the focus and draws its cursor."""
    line.press(look.typed)
    line.until_quiet(bench.shortened(VIEW_SECONDS))
    if look.wanted:
        since = line.length
        line.press("\r")
        line.until_true(lambda: keys.MARKED.search(line.text(since)), 30.0, "the filtered list")
    line.until_quiet(bench.shortened(0.3))


def _pressed(bench: Bench, load: Load, order: Sequence[str], line: Line) -> Keys:
    """Press keys while visible rows change, and rows below them move or start or stop matching."""
    load.tell("pace", pace=PACE, hot=list(order[:IN_SIGHT]), moving=list(order[len(order) // 2 :]))
    found = bench.press(line)
    load.tell("pace", pace=0)
    return found
