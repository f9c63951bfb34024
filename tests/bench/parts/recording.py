"""Recording: its cost while lists change, the size of the file, and the time to read any moment of it."""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench.bench import Bench
from tests.bench.figures import Figure, middle, most


def measure(bench: Bench) -> Iterator[Figure]:
    """Measure in fresh processes. One file and twenty minutes suffice: their sizes hardly differ from run to run."""
    rounds = [_inside(bench, "changes") for _ in range(bench.rounds)]
    file, played = _inside(bench, "file"), _inside(bench, "played")

    def value(name: str) -> float:
        return middle(each[name] for each in rounds)

    without = value("share without")
    share = value("share") - without
    yield most("recording 250 changes/s", share, 0.02, unit="%", baseline=without, than="the changes alone")
    yield most("a change told to the recorder", value("told") - value("untold"), 1.0, unit="us")
    yield most(
        "recorded bytes per changed field", file["bytes"], 25.0, unit="B", baseline=file["plain"], than="JSON lines"
    )
    yield most("20 minutes of world busy, recorded", played["played"], 4.0, unit="MB")
    yield most(
        "10 000 calls at any moment, p99", file["open"], 150.0, baseline=file["frame"], than="at a key frame, median"
    )
    yield most("a step of 10 s in 10 000 calls, p99", file["step"], 30.0)
    yield most("a day of 10 000 calls, 3 % a second", file["day"], 250.0, unit="MB")


def _inside(bench: Bench, costs: str) -> dict[str, float]:
    return bench.inside("recording", costs, str(bench.rounds))
