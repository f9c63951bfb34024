"""The figures of a running service for a monitoring system, in the names and units of Prometheus.

Labels are names of operations and statuses, so their number is bounded whatever clients send, and no figure is about a
person. Figures are per node.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import accumulate
from typing import Any, cast

import sqlalchemy as sa

from console.service.events.hub import Hub
from console.service.platform import Platform
from console.service.store.faults import StorageFault
from console.service.store.outbox import outbox

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper limits of the classes of durations, in seconds."""
MEDIA_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8"


class RequestCounts:
    """How many requests a node has answered, and how long that took. Belongs to one event loop."""

    def __init__(self) -> None:
        self.by_status: Counter[tuple[str, int]] = Counter()
        """Number of answers by operation and status; the operation is empty for an unknown path."""
        self.by_duration: dict[str, list[int]] = {}
        """Number of answers in each class of `BUCKETS`, and of longer ones, by operation."""
        self.seconds: dict[str, float] = {}
        """Sum of the durations by operation."""

    def answered(self, operation: str, status: int, seconds: float) -> None:
        """Count a request."""
        self.by_status[operation, status] += 1
        counts = self.by_duration.get(operation)
        if counts is None:
            counts = self.by_duration[operation] = [0] * (len(BUCKETS) + 1)
            self.seconds[operation] = 0.0
        counts[bisect_left(BUCKETS, seconds)] += 1
        self.seconds[operation] += seconds


def exposition(counts: RequestCounts, gauges: Mapping[str, tuple[str, float]]) -> bytes:
    """Return all figures in the OpenMetrics format.

    `gauges` are descriptions and values by name; one that ends with `_total` only rises.
    """
    # Takes 35 ms, and only who asks for figures needs it.
    from prometheus_client import core, registry

    # As above.
    from prometheus_client.openmetrics import exposition as openmetrics

    requests = core.CounterMetricFamily("service_requests", "Answered requests.", labels=("operation", "status"))
    durations = core.HistogramMetricFamily(
        "service_request_duration_seconds", "Time from the head of a request to its answer.", labels=("operation",)
    )
    for (operation, status), many in sorted(counts.by_status.items()):
        requests.add_metric((operation, str(status)), many)
    limits = [*map(str, BUCKETS), "+Inf"]
    for operation, classes in sorted(counts.by_duration.items()):
        buckets = list(zip(limits, map(float, accumulate(classes)), strict=True))
        durations.add_metric((operation,), buckets, counts.seconds[operation])

    class Figures(registry.Collector):
        def collect(self) -> Iterable[core.Metric]:
            yield requests
            yield durations
            for name, (about, value) in gauges.items():
                family = core.CounterMetricFamily if name.endswith("_total") else core.GaugeMetricFamily
                yield family(name, about, value)

    collectors = core.CollectorRegistry()
    collectors.register(Figures())
    return cast("Any", openmetrics).generate_latest(collectors)


Gauges = dict[str, tuple[str, float]]
"""Description and value by name."""


async def gauges(platform: Platform, hub: Hub) -> Gauges:
    """Return the figures; without the outbox's if the database does not answer."""
    database = platform.database
    values: Gauges = {
        "service_event_channels": ("Open event channels of this node.", hub.channels),
        "service_on_duty": ("Whether this node runs background work.", database.has_duty),
        "service_outbox_offset": ("Offset of the last event that this node has sent.", database.head),
        "service_tail_current": ("Whether events of other nodes are known.", database.is_current),
    }
    if (pool := database.pool) is not None:
        values |= {
            "service_pool_size": ("Most connections of this node to the database.", pool.size),
            "service_pool_used": ("Connections that a transaction uses now.", pool.used),
            "service_pool_waiting": ("Transactions that wait for a thread now.", pool.waiting),
            "service_pool_wait_seconds_total": ("Time that transactions have waited for a thread.", pool.waited),
            "service_writer_wait_seconds_total": (
                "Time that transactions have waited for their turn to write, among all nodes.",
                pool.writer_waited,
            ),
        }
    try:
        values |= await database.run(partial(_outbox, platform))
    except StorageFault:
        values["service_database_up"] = ("Whether the database answers.", False)
    return values


def _outbox(platform: Platform) -> Gauges:
    """Return the figures that need the database. Raise StorageFault."""
    sent = platform.database.head
    moments = sa.select(outbox.c.offset, outbox.c.at).order_by(outbox.c.offset).limit(1)
    with platform.read() as tx:
        first = tx.rows(moments)
        unsent = tx.rows(moments.where(outbox.c.offset > sent))
        # Offsets have no gaps, so the rows need not be counted.
        rows = tx.head + 1 - first[0].offset if first else 0
        lag = max(0, tx.head - sent)
    now = platform.now_ms()

    def age(events: Sequence[sa.Row[Any]]) -> float:
        return max(0, now - events[0].at) / 1000 if events else 0.0

    return {
        "service_database_up": ("Whether the database answers.", True),
        "service_outbox_rows": ("Events in the outbox.", rows),
        "service_outbox_oldest_seconds": ("Age of the oldest event in the outbox.", age(first)),
        "service_tail_lag_events": ("Events of the database that this node has not sent yet.", lag),
        "service_tail_lag_seconds": ("Age of the oldest event that this node has not sent yet.", age(unsent)),
    }
