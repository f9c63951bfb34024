"""Fifty rules over all calls: a beat in which nothing changed that they are about, and the effect of more rows."""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench.bench import Bench
from tests.bench.figures import Figure, most, within


def measure(bench: Bench) -> Iterator[Figure]:
    """Measure in a fresh process. Its medians of many beats hardly differ from those of another."""
    costs = bench.inside("rules")

    def ms(size: int, name: str) -> float:
        return costs[size][name]

    yield most("50 rules, 10 000 calls, a beat without changes", ms(1, "idle"), 1.0)
    yield within("50 rules, 1000 -> 50 000 calls, without changes", ms(2, "idle"), ms(0, "idle"), 1.3, than="1000 rows")
    yield within("50 rules, 1000 -> 50 000 calls, 20 others changed", ms(2, "busy"), ms(0, "busy"), 1.3, than="1000")
    yield most("50 rules, 10 000 calls, the first time", ms(1, "first"), 5_000.0)
