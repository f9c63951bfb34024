"""Polling a list that is already known."""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench.bench import Bench
from tests.bench.figures import Figure, middle, within


def measure(bench: Bench) -> Iterator[Figure]:
    """Measure in fresh processes."""
    found = [bench.inside("poll") for _ in range(bench.rounds)]

    def ms(name: str) -> float:
        return middle(each[name] for each in found)

    split, compare = ms("split"), ms("compare")
    yield within("poll, 1 % of 10 000 calls changed", ms("hundredth"), split, 2.5, than="splitting the body into rows")
    yield within("poll, body unchanged, no ETag", ms("unchanged"), compare, 4.0, than="comparing the body")
    yield Figure(
        "poll, 304",
        f"{ms('not modified'):.2f} ms",
        f"{compare:.2f} ms (comparing the body)",
        ms("not modified") / compare,
        "a 304",
        None,
    )
    yield within("first list of 10 000 calls", ms("first"), ms("validate"), 0.35, than="validating it as a whole")
