"""What the console takes while nothing happens, and what screens that are not shown take while much does."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator

from tests.bench.bench import Bench
from tests.bench.figures import Figure, middle, most, within
from tests.bench.line import Line
from tests.bench.machine import Spent, spent
from tests.bench.order import hot_rows
from tests.bench.seat import TO_LIST

SCREENS = "1345678"
SECONDS = 4.0
PACE = 1_000


def measure(bench: Bench) -> Iterator[Figure]:
    """Watch a console that has shown the calls only, and one that has shown every screen."""
    found: dict[str, list[Spent]] = defaultdict(list)
    seconds = 0.5 if bench.small else SECONDS
    with bench.loads(1) as (load,):
        rows = load.tell("world")["calls"]
        hot = hot_rows(load)
        with (
            bench.seats.bare(rows) as bare,
            bench.seats.console(load) as one,
            bench.seats.console(load) as all_shown,
        ):
            for key in (SCREENS[:1] if bench.small else SCREENS) + TO_LIST:
                all_shown.press(key)
                all_shown.until_quiet()
            for pace in (0, PACE):
                load.tell("pace", pace=pace, hot=hot)
                for _ in range(bench.rounds):
                    for name, each in _together({"bare": bare, "one": one, "all": all_shown}, seconds).items():
                        found[f"{name} {pace}"].append(each)
            load.tell("pace", pace=0)

    def share(name: str) -> float:
        return middle(each.share for each in found[name])

    def screen(name: str) -> float:
        return middle(1000 * each.screen / each.at for each in found[name])

    yield most("idle, every screen visited", share("all 0"), 0.01, unit="%", baseline=share("bare 0"), than="bare list")
    yield within(
        f"screens not shown, {PACE} events/s, screen's thread, ms a second",
        screen(f"all {PACE}"),
        screen(f"one {PACE}"),
        1.15,
        than="only the calls ever shown",
    )


def _together(lines: dict[str, Line], seconds: float) -> dict[str, Spent]:
    before = {name: spent(line.pid) for name, line in lines.items()}
    time.sleep(seconds)
    return {name: spent(line.pid).since(before[name]) for name, line in lines.items()}
