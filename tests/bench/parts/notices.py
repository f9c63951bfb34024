"""From the event of a new alert to the bell: under events, with twenty rules, compared with a minimal program."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator

from console.rules.reading import load_rules
from tests.bench.bench import Bench
from tests.bench.figures import Figure, most, said
from tests.bench.keys import Keys
from tests.bench.line import Line
from tests.bench.screen_texts import LIVE
from tests.bench.seat import PATHS, Load

PACE = 5_000
RULES = 20
ALERTS = 8
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
ways = {{ critical = ["terminal", "bell", "flash"], warning = [], notice = [] }}
terminal = "osc777"
repeat = 0
[thresholds]
"calls.wait" = {{ warn = 1e7, bad = 2e7 }}
"""
"""Nothing else that is critical begins meanwhile: it would be gathered with the alerts."""

_OWN = """
[rules.own-{number}]
list = "calls"
filter = "waiting:yes queue>{number}"
condition = "longest > {number}h"
each = "target"
severity = "notice"
title = "own {number}"
"""


_NOTICE = rb"\x1b\]777;notify;[^\x1b]*ring-%d-[^\x1b]*\x1b\\\x07"
"""The notification with the name of the alert, and the bell after it."""


def measure(bench: Bench) -> Iterator[Figure]:
    """Raise alerts, one after the other, in the console and in the minimal program, in turn."""
    alerts = 2 if bench.small else ALERTS
    ours: list[float] = []
    theirs: list[float] = []
    with bench.loads(1) as (load,):
        load.tell("world")
        calls = [str(row["id"]) for row in json.loads(load.get("/calls"))]
        with _console(bench, load) as console, _minimal(bench, load) as minimal:
            for turn in range(bench.rounds):
                numbers = range(turn * alerts, (turn + 1) * alerts)
                load.tell("pace", pace=PACE, moving=calls)
                for number in numbers:
                    sent = _raised(load, number)
                    theirs.append(minimal.until(rb"\x07ring-%d-" % number) - sent)
                    ours.append(console.until(_NOTICE % number) - sent)
                    time.sleep(bench.shortened(PAUSE_SECONDS))
                load.tell("pace", pace=0)
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
    own = [_OWN.format(number=number) for number in range(len(load_rules(None).rules), RULES)]
    (home.folder / "rules.toml").write_text("".join(own), encoding="utf-8")
    line = Line([sys.executable, "-m", "console"], home.environment(PYTHONPATH=PATHS))
    line.until(LIVE)
    # The alerts of before are shown on one line.
    line.until(rb"need attention")
    return line


def _minimal(bench: Bench, load: Load) -> Line:
    environment = bench.seats.home(load.core).environment(PYTHONPATH=PATHS)
    line = Line([sys.executable, "-m", "tests.bench.apps.ring", load.events], environment)
    line.until(rb"ready")
    return line


def _raised(load: Load, number: int) -> float:
    """Raise an alert, and return when its event was sent. All programs use the clock of this machine."""
    return load.tell("alert", key=f"ring-{number}-", title=f"ring-{number}-")["sent"]
