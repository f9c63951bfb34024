"""The figures of a running service for a monitoring system, in the names and units of Prometheus.

Labels are names of operations and statuses, so their number is bounded whatever clients send, and no figure is about a
person. Figures are per node.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import accumulate
from typing import Any, cast

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
    # Only who asks for figures needs it.
    from prometheus_client.core import (
        CollectorRegistry,
        CounterMetricFamily,
        GaugeMetricFamily,
        HistogramMetricFamily,
        Metric,
    )
    from prometheus_client.openmetrics import exposition as openmetrics
    from prometheus_client.registry import Collector

    requests = CounterMetricFamily("service_requests", "Answered requests.", labels=("operation", "status"))
    durations = HistogramMetricFamily(
        "service_request_duration_seconds", "Time from the head of a request to its answer.", labels=("operation",)
    )
    for (operation, status), many in sorted(counts.by_status.items()):
        requests.add_metric((operation, str(status)), many)
    limits = [*map(str, BUCKETS), "+Inf"]
    for operation, classes in sorted(counts.by_duration.items()):
        buckets = list(zip(limits, map(float, accumulate(classes)), strict=True))
        durations.add_metric((operation,), buckets, counts.seconds[operation])

    class Figures(Collector):
        def collect(self) -> Iterable[Metric]:
            yield requests
            yield durations
            for name, (about, value) in gauges.items():
                family = CounterMetricFamily if name.endswith("_total") else GaugeMetricFamily
                yield family(name, about, value)

    registry = CollectorRegistry()
    registry.register(Figures())
    return cast("Any", openmetrics).generate_latest(registry)
