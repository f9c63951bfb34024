"""The memory of a call, and whether the memory of a console grows in an hour."""

from __future__ import annotations

import time
from collections.abc import Iterator

from tests.bench.bench import Bench
from tests.bench.figures import Figure, middle, most
from tests.bench.machine import resident
from tests.bench.seat import Load

FEW = 10
LENGTHS = (0, 765)
"""Bytes of a call: as in the scenario, and as in the limit of the requirements."""
MOST = {0: 2.5, 765: 1.8}
"""Limit for each length, as a multiple of the call's JSON."""
PACE = 6_000
SETTLING_SECONDS = 3.0
"""Seconds after which the memory of a console that has started no longer changes."""
HOUR = 120_000
"""Events of an hour in the scenario `large`: 180 calls a minute with five changes each, as many changes of users."""
GROWN = 1.03
"""Limit of the memory after the hour relative to its first quarter, including noise of the allocator."""


def measure(bench: Bench) -> Iterator[Figure]:
    """Measure fresh consoles, one with ten calls and others with all; send the events of an hour to one of these."""
    found: dict[int, list[float]] = {length: [] for length in LENGTHS}
    sizes = dict.fromkeys(LENGTHS, 1.0)
    quarter, after = 0, 0
    rounds = min(2, bench.rounds)
    with bench.loads(1) as (load,):
        for number in range(rounds):
            load.tell("world", alone=True, calls=FEW)
            with bench.seats.console(load) as console:
                time.sleep(bench.shortened(SETTLING_SECONDS))
                few = resident(console.pid)
            for length in LENGTHS:
                told = load.tell("world", alone=True, long=length)
                sizes[length] = told["bytes"] / told["calls"]
                with bench.seats.console(load) as console:
                    time.sleep(bench.shortened(SETTLING_SECONDS))
                    found[length].append((resident(console.pid) - few) / (told["calls"] - FEW))
                    if number == rounds - 1 and not length:
                        quarter, after = _hour(bench, load, console.pid)
    for length in LENGTHS:
        size = sizes[length]
        yield most(
            f"memory per call of {size:.0f} bytes, against its JSON",
            middle(found[length]) / size,
            MOST[length],
            unit="x",
            baseline=float(bench.inside("whole", str(length))) / size,
            than="validated models",
        )
    yield most("memory after an hour of changes, against a quarter", after / quarter, GROWN, unit="x")


def _hour(bench: Bench, load: Load, pid: int) -> tuple[int, int]:
    """Send the events of an hour in seconds; return the memory after a quarter of them and at the end."""
    sent = load.tell("told")["sent"]
    hour = 400 if bench.small else HOUR
    load.tell("pace", pace=PACE, churn=True)
    held: list[int] = []
    for part in (hour // 4, hour):
        while load.tell("told")["sent"] - sent < part:
            time.sleep(0.1)
        held.append(resident(pid))
    load.tell("pace", pace=0)
    time.sleep(bench.shortened(SETTLING_SECONDS))
    return held[0], max(held[1], resident(pid))
