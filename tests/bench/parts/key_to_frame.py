"""Key latency: idle, under events, and compared with the straightforward implementation."""

from __future__ import annotations

import re
import time
from collections import defaultdict
from collections.abc import Iterator

from tests.bench import keys
from tests.bench.bench import Bench
from tests.bench.figures import Figure, at_least, middle, within
from tests.bench.keys import Keys
from tests.bench.line import Line
from tests.bench.order import hot_rows
from tests.bench.seat import Load

PACES = (0, 1_000, 5_000, 20_000)
WARM_SECONDS = 0.5


def measure(bench: Bench) -> Iterator[Figure]:
    """Press keys in the bare list, in the console at every event rate, and in the `DataTable`, in turn."""
    found: dict[str, list[Keys]] = defaultdict(list)
    with bench.loads(2) as (ours, theirs):
        rows = ours.tell("world")["calls"]
        theirs.tell("world")
        hot = hot_rows(ours)
        with (
            bench.seats.bare(rows) as bare,
            bench.seats.console(ours) as console,
            bench.seats.data_table(theirs) as table,
        ):
            for _ in range(bench.rounds):
                found["bare"].append(_pressed(bench, bare))
                for pace in PACES:
                    found[f"ours {pace}"].append(_pressed(bench, console, (ours, pace, hot)))
                found["table 5000"].append(_pressed(bench, table, (theirs, 5_000, hot), keys.COLOURED))

    def p(share: float, name: str) -> float:
        return middle(each.at(share) for each in found[name])

    def cpu(name: str) -> float:
        return middle(each.spent.share for each in found[name])

    bare_p99, idle_p99 = p(0.99, "bare"), p(0.99, "ours 0")
    than = "bare Textual list, idle"
    yield within("key to frame, idle, p50", p(0.5, "ours 0"), p(0.5, "bare"), 2.0, than=than)
    yield within("key to frame, idle, p99", idle_p99, bare_p99, 20 / 13, than=than)
    yield within("key to frame, 1 000 events/s, p99", p(0.99, "ours 1000"), idle_p99, 1.5, than="ours, idle")
    yield within("key to frame, 5 000 events/s, p99", p(0.99, "ours 5000"), bare_p99, 2.5, than=than)
    yield within("key to frame, 20 000 events/s, p99", p(0.99, "ours 20000"), bare_p99, 5.0, than=than)
    lost = sum(each.lost + each.disorder for name in found if name.startswith("ours") for each in found[name])
    yield Figure("keys lost or answered out of order", str(lost), "", None, "0", lost == 0)
    worst = max(each.worst for name in found if name.startswith("ours") for each in found[name])
    yield Figure("key to frame, the worst at any pace", f"{worst:.0f} ms", "", None, "", None)
    yield at_least(
        "key to frame, DataTable / ours, 5 000 events/s, p99",
        p(0.99, "table 5000"),
        p(0.99, "ours 5000"),
        5.0,
        unit="ms",
        than="ours",
    )
    yield at_least(
        "processor, DataTable / ours, 5 000 events/s", cpu("table 5000"), cpu("ours 5000"), 3.0, unit="%", than="ours"
    )
    yield Figure("processor, 20 000 events/s", f"{100 * cpu('ours 20000'):.0f} %", "", None, "", None)


def _pressed(
    bench: Bench,
    line: Line,
    load: tuple[Load, int, list[str]] | None = None,
    sign: re.Pattern[bytes] = keys.MARKED,
) -> Keys:
    """Press keys while a load generator sends events at a rate."""
    if load is not None:
        load[0].tell("pace", pace=load[1] // 10 if bench.small else load[1], hot=load[2])
        if load[1]:
            time.sleep(bench.shortened(WARM_SECONDS))
    result = bench.press(line, sign)
    if load is not None:
        load[0].tell("pace", pace=0)
    return result
