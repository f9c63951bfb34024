"""The charts of the home screen."""

from __future__ import annotations

from console.frozen import Frozen
from console.kinds.calls import WAIT
from console.kinds.status import MEMORY
from console.views.thresholds import Threshold

HOUR = 3600.0
DAY = 24 * HOUR


class Chart(Frozen):
    """A number over time."""

    name: str
    title: str
    series: str
    """The name of its time series."""
    unit: str = ""
    """`ms`, `bytes`, or nothing for a number."""
    rate: bool = False
    """Whether the series counts up, and its increase per minute is shown."""
    threshold: Threshold | None = None


CHARTS = (
    Chart("rate", "Calls a minute", "calls_since_reboot", rate=True),
    Chart("waiting", "Waiting", "calls_waiting"),
    Chart("active", "Active calls", "active_calls"),
    Chart("free", "Free agents", "agents_free"),
    Chart("longest", "Longest wait", "longest_wait", "ms", threshold=WAIT),
    Chart("memory", "Memory rss", "memory_rss", "bytes", threshold=MEMORY),
)
"""In order; the last ones are left out if there is too little space."""
