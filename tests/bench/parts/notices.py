"""From the event of a new alert to the bell: under events, with twenty rules, compared with a minimal program."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

from console.rules.reading import load_rules
from tests.bench.bench import Bench
from tests.bench.figures import Figure, most, said
from tests.bench.keys import Keys
from tests.bench.line import Line
from tests.bench.order import hot_rows
from tests.bench.seat import PATHS, Load

PACE = 5_000
RULES = 20
ALERTS = 40
"""Alerts per round."""
PAUSE_SECONDS = 2.3
"""Longer than notices are gathered."""
LIMIT_MS = 300.0
CONFIG = """
hold_seconds = 0
profile = "desk"
[profiles.desk]
core = "{core}"
events = "{events}"
[notices]
ways = {{ critical = ["terminal", "bell"], warning = [], notice = [] }}
terminal = "osc777"
repeat = 0
[thresholds]
"calls.wait" = {{ warn = 1e8, bad = 2e8 }}
"skills.online" = {{ warn = 0, bad = 0 }}
"""
"""The random calls of the load generator begin no waits, which would be gathered with the alerts."""
OWN = """
[rules.own-{number}]
list = "calls"
filter = "caller:{number} age<{number}s"
condition = "count > 1000000"
each = "target"
title = "own {number}"
"""


def measure(bench: Bench) -> Iterator[Figure]:
    """Raise alerts, one after the other, in the console and in the minimal program."""
    alerts = 3 if bench.small else ALERTS
    ours, theirs = list[float](), list[float]()
    with bench.loads(2) as (one, other):
        for load in (one, other):
            load.tell("world")
        with _console(bench, one) as console, _minimal(bench, other) as minimal:
            for load in (one, other):
                load.tell("pace", pace=PACE, hot=hot_rows(load))
            for number in range(bench.rounds * alerts):
                ours.append(_rung(one, console, number, rb"\x1b\]777;notify;[^\x1b]*ring-%d-[^\x1b]*\x1b\\\x07"))
                theirs.append(_rung(other, minimal, number, rb"\x07ring-%d-"))
                time.sleep(0.1 if bench.small else PAUSE_SECONDS)
    than = "a bell for the bare event"
    for share in (0.5, 0.99):
        what = f"event to bell, {PACE} events/s, {RULES} rules, p{share * 100:.0f}"
        yield most(what, Keys(waits=ours).at(share), LIMIT_MS, baseline=Keys(waits=theirs).at(share), than=than)
    yield Figure(
        "event to bell, the worst", said(1000 * max(ours), "ms"), said(1000 * max(theirs), "ms"), None, "", None
    )


def _console(bench: Bench, load: Load) -> Line:
    home = bench.seats.home(load.core)
    home.write(CONFIG.format(core=load.core, events=load.events))
    shipped = len(load_rules(None).rules)
    own = "".join(OWN.format(number=number) for number in range(shipped + 1, RULES + 1))
    (home.folder / "rules.toml").write_text(own, encoding="utf-8")
    line = Line([sys.executable, "-m", "console"], home.environment(PYTHONPATH=PATHS))
    line.until(rb"LIVE")
    # The alerts of before are shown on one line.
    line.until(rb"open episode")
    return line


def _minimal(bench: Bench, load: Load) -> Line:
    environment = bench.seats.home(load.core).environment(PYTHONPATH=PATHS)
    line = Line([sys.executable, "-m", "tests.bench.apps.ring", load.events], environment)
    line.until(rb"ready")
    return line


def _rung(load: Load, line: Line, number: int, pattern: bytes) -> float:
    """Raise an alert, and return the seconds until the bell. Both programs use the clock of this machine."""
    since = line.length
    sent: float = load.tell("alert", key=f"ring-{number}-", title=f"ring-{number}-")["sent"]
    return line.until(pattern % number, since) - sent
