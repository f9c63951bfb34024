"""The cost of an idle console, and of hidden screens while rows change."""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from collections.abc import Iterator

from tests.bench.bench import Bench
from tests.bench.figures import Figure, middle, most, within
from tests.bench.line import Line
from tests.bench.machine import Spent, spent
from tests.bench.order import hot_rows
from tests.bench.screen_texts import HOME_ROWS, LIVE
from tests.bench.seat import PATHS, TO_LIST
from tests.terminal.served import Served

SCREENS = "1345678"
SECONDS = 3.0
PACE = 1_000
HOME_SIZES = ((120, 40), (200, 60))
HOME_SECONDS = 10.0
HOME_BYTES = 2_000
"""Limit for Home, in bytes per second, while only its clocks change."""


def measure(bench: Bench) -> Iterator[Figure]:
    """Measure a console that has shown only the calls, and one that has shown every screen."""
    found: dict[str, list[Spent]] = defaultdict(list)
    seconds = bench.shortened(SECONDS)
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
    yield from _home(bench)


def _home(bench: Bench) -> Iterator[Figure]:
    """Count the bytes that Home writes in the scenario `busy` while nothing changes."""
    served = bench.seats.home("http://127.0.0.1:9/core")
    with Served(bench.folder / "idle.db", served.environment(PYTHONPATH=PATHS)) as busy:
        real = bench.seats.home(busy.core)
        environment = real.environment(PYTHONPATH=PATHS)
        real.run("login", "--store", "file", CONSOLE_USERNAME="eva", CONSOLE_PASSWORD="demo", PYTHONPATH=PATHS)
        for size in HOME_SIZES:
            with Line([sys.executable, "-m", "console"], environment, size=size) as line:
                line.until(LIVE)
                line.until(HOME_ROWS)
                time.sleep(bench.shortened(SECONDS))
                before, began = line.length, time.monotonic()
                time.sleep(bench.shortened(HOME_SECONDS))
                written, seconds = line.length - before, time.monotonic() - began
            name = f"home, only clocks tick, {size[0]} x {size[1]}, bytes a second"
            yield most(name, written / seconds, HOME_BYTES, unit="B")


def _together(lines: dict[str, Line], seconds: float) -> dict[str, Spent]:
    before = {name: spent(line.pid) for name, line in lines.items()}
    time.sleep(seconds)
    return {name: spent(line.pid).since(before[name]) for name, line in lines.items()}
