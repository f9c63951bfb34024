"""Fifty times the calls: the effect of a changed call on the list of queues, in processor time of its thread."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator
from random import Random

from console.live.delta import Freshness
from console.records.record import read
from console.records.traffic import Call
from tests.bench.bench import Bench
from tests.bench.figures import Figure, middle, within
from tests.kinds.queues.desk import Desk

FEW, MANY = 1_000, 50_000
CHANGED = 100
"""Calls that change between two updates: a thousand per second."""
UPDATES = 50
QUEUES = 20
WAITING = 0.2
"""Share of calls that wait. The others talk, until they change."""


class Calls:
    """Calls that begin to wait, are answered and end in turn, as rows of a service."""

    def __init__(self, size: int) -> None:
        self._rng = Random(1)
        self._desk = Desk()
        self._states = {f"c{each}": "queued" if self._rng.random() < WAITING else "connected" for each in range(size)}
        self._desk.opens()
        self._change(list(self._states))
        self._desk.state = Freshness.LIVE
        self._desk.passes(5)

    def _change(self, keys: list[str]) -> None:
        upserts = {key: self._call(key) for key in keys}
        self._desk.lists["calls"].change(upserts)

    def _call(self, key: str) -> Call:
        state, at = self._states[key], self._desk.now - 1000 * self._rng.randrange(100)
        target = f"queue {hash(key) % QUEUES}"
        row = f'{{"id":"{key}","state":"{state}","target":"{target}","caller":"tel:1","date":{at},"from":{at}}}'
        return read(Call, row.encode(), key)

    def changed(self) -> float:
        """Change calls, and return the time of an update in ms per changed call."""
        keys = self._rng.sample(list(self._states), CHANGED)
        for key in keys:
            self._states[key] = {"queued": "connected", "connected": "ended", "ended": "queued"}[self._states[key]]
        self._change(keys)
        self._desk.now += 100
        began = time.thread_time()
        self._desk.queues.update()
        return 1000 * (time.thread_time() - began) / CHANGED


def measure(bench: Bench) -> Iterator[Figure]:
    """Change calls in two lists, one with few calls and one with many, in turn."""
    sizes = (100, 500) if bench.small else (FEW, MANY)
    worlds = {size: Calls(size) for size in sizes}
    found: dict[int, list[float]] = defaultdict(list)
    for _ in range(bench.rounds * (2 if bench.small else UPDATES)):
        for size, world in worlds.items():
            found[size].append(world.changed())
    few, many = (middle(found[size]) for size in sizes)
    yield within(
        f"a changed call in the list of queues, {sizes[0]} -> {sizes[1]} calls",
        many,
        few,
        1.3,
        than=f"{sizes[0]} calls",
    )
