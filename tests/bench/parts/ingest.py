"""Events per second from the socket to the screen, compared with only receiving them."""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench.bench import Bench
from tests.bench.figures import Figure, at_least, middle
from tests.bench.order import hot_rows
from tests.bench.seat import Talking

COUNT = 30_000


def measure(bench: Bench) -> Iterator[Figure]:
    """Send bursts to the console and to a bare receiver in turn; the last event changes a visible row."""
    count = 500 if bench.small else COUNT
    ours: list[float] = []
    bare: list[float] = []
    with bench.loads(2) as (load, other), Talking("apps.receive", other.events, str(count)) as receiver:
        load.tell("world")
        other.tell("world")
        hot = hot_rows(load)
        assert receiver.hear() == "ready"
        with bench.seats.console(load) as console:
            for each in (load, other):
                each.tell("pace", pace=0, hot=hot)
            for number in range(bench.rounds):
                began = other.tell("burst", count=count, key=hot[0], to=f"sip:last{number}")["began"]
                bare.append(count / (float(receiver.hear()) - began))
                since = console.length
                began = load.tell("burst", count=count, key=hot[0], to=f"sip:last{number}")["began"]
                ours.append(count / (console.until(b"last%d" % number, since, 60) - began))
    yield at_least("events received, stored and visible", middle(ours), middle(bare), 0.4, than="websockets alone")
