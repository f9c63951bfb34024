"""What fifty rules cost per beat, by the number of rows, in ms of processor time.

python -m tests.bench.inside.rules FOLDER [--small]
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from console.records.record import read
from console.records.traffic import Call
from tests.rules.desk import Desk, rules_of

RULES, BEATS, CHANGED = 50, 200, 20
_FILTERS = ("waiting:yes", "failed:yes", "waiting:yes age>2m", "caller:+34999*", "state:connected age>9h")


def rules() -> str:
    """Return rules with conditions of all sorts, of which none applies."""
    conditions = ("count > 90000", "longest > 9h", "rate > 90000/min", "sum(queue) > 9e9", "any for 9h")
    return "\n".join(
        f'[rules.r{number}]\nlist = "calls"\nfilter = "{_FILTERS[number % 5]} !target:t{number}"\n'
        f'condition = "{conditions[number // 5 % 5]}"\neach = "{("", "target")[number // 25]}"\n'
        for number in range(RULES)
    )


def call(number: int, position: int, now_ms: int) -> Call:
    """Return a call as it is read from the wire."""
    state = "queued" if number % 5 == 0 else "connected"
    row = {
        "id": f"c{number}",
        "state": state,
        "date": now_ms - 1000 * (number % 300),
        "target": f"queue {number % 12}",
        "caller": f"+34600{number:06}",
        "queuePosition": position,
    }
    return read(Call, json.dumps(row).encode())


def costs(many: int) -> dict[str, float]:
    """Return the median cost of a beat in which nothing changed, and of one in which other rows did."""
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(rules_of(Path(folder), rules()))
    desk.put("calls", *(call(number, 1, desk.now_ms) for number in range(many)))
    before = time.thread_time()
    desk.watch.update()
    first = time.thread_time() - before
    idle: list[float] = []
    busy: list[float] = []
    for beat in range(BEATS):
        desk.clock.advance(0.001)
        before = time.thread_time()
        desk.watch.update()
        idle.append(time.thread_time() - before)
        # Not those that wait: they are in groups of the rules.
        numbers = (5 * ((beat * CHANGED + each) % (many // 5)) + 1 for each in range(CHANGED))
        desk.put("calls", *(call(number, beat, desk.now_ms) for number in numbers))
        before = time.thread_time()
        desk.watch.update()
        busy.append(time.thread_time() - before)
    return {"first": 1000 * first, "idle": 1000 * median(idle), "busy": 1000 * median(busy)}


if __name__ == "__main__":
    sizes = (100, 300, 500) if "--small" in sys.argv else (1_000, 10_000, 50_000)
    print(json.dumps([costs(each) for each in sizes]))
