"""make bench: run all parts of the benchmark, print one table and write it into docs/figures.md."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from tests.bench import figures as told
from tests.bench import machine, paper
from tests.bench.bench import Bench, Part
from tests.bench.figures import Figure, unmeasured
from tests.bench.parts import (
    growth,
    idle,
    ingest,
    key_to_frame,
    memory,
    notices,
    peers,
    poll,
    queues,
    recording,
    rules,
    service,
    slow_line,
    start,
    strangers,
    table,
)

PARTS: dict[str, Part] = {
    "keys": key_to_frame.measure,
    "growth": growth.measure,
    "queues": queues.measure,
    "table": table.measure,
    "poll": poll.measure,
    "rules": rules.measure,
    "ingest": ingest.measure,
    "notices": notices.measure,
    "recording": recording.measure,
    "memory": memory.measure,
    "start": start.measure,
    "idle": idle.measure,
    "slow": slow_line.measure,
    "service": service.measure,
    "strangers": strangers.measure,
    "peers": peers.measure,
}
"""All parts by name, in the order of the table."""


def measured(name: str, bench: Bench) -> Iterator[Figure]:
    """Return the figures of a part; the last one is a failed one with the reason if the part raises an exception."""
    try:
        yield from PARTS[name](bench)
    except Exception as fault:
        # A part that fails must not cost the results of the others.
        traceback.print_exc()
        yield unmeasured(f"part {name}", fault)


def main(arguments: list[str]) -> int:
    """Run the parts; return 1 if a target is missed or a part fails."""
    parser = argparse.ArgumentParser("python -m tests.bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one round of each part")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"default: all of {', '.join(PARTS)}")
    options = parser.parse_args(arguments)
    quick, wanted = options.quick, options.parts or list(PARTS)
    unknown = [each for each in wanted if each not in PARTS]
    if unknown:
        parser.error(f"there is no part {unknown[0]}; there are {', '.join(PARTS)}")
    busy = machine.load()
    began = time.monotonic()
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory(prefix="bench-") as place:
        recorded = Path(place) / "large"
        paper.record(recorded, "large")
        bench = Bench(Path(place), recorded, rounds=1 if quick else 3)
        for name in wanted:
            part_began = time.monotonic()
            figures += measured(name, bench)
            print(f"{name}: {time.monotonic() - part_began:.0f} s", file=sys.stderr, flush=True)
    conditions = (
        f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, Python {sys.version.split()[0]}, load before the start {busy}, "
        f"{time.monotonic() - began:.0f} s, medians of {bench.rounds}."
    )
    print(f"\n{conditions}\n\n{told.table(figures)}")
    if wanted == list(PARTS) and not quick:
        told.keep(figures, conditions)
    return int(any(each.held is False for each in figures))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
