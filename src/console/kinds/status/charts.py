"""The charts of Home and of the wallboard, and their values."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from console.base.frozen import Frozen
from console.kinds.calls import WAIT
from console.kinds.status import MEMORY
from console.live.history import History
from console.views.chart import falls, rates
from console.views.thresholds import Threshold

HOUR = 3600.0
DAY = 24 * HOUR
SPANS = (600.0, 1200.0, 1800.0, HOUR, 4 * HOUR, 12 * HOUR, DAY)
"""Spans that a chart shows, in seconds."""
LEAST_SECONDS = 120.0
"""Seconds of samples below which a curve is a dot beside an empty scale."""
_RATE_SECONDS = 60.0
"""A rate is the increase within so long."""
_HELD_SECONDS = 5.0
"""A value stands for the intervals after it for so long: in short intervals, some have no sample."""


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


class Curve(Frozen):
    """Data of a chart: values of equal intervals, the oldest first."""

    values: tuple[float | None, ...]
    """None where nothing was known."""
    now: float | None
    """The current value, None if it is not known."""
    restarts: frozenset[int]
    """Places of the values when the service began again."""


def shown_span(charts: Iterable[Chart], history: History, longest: float) -> float:
    """Return the span in seconds for the samples of these charts, from ten minutes to the longest."""
    known = max((history.reach(chart.series, longest) for chart in charts), default=0.0)
    return next(span for span in SPANS if span >= min(known, longest))


def seconds_to_curves(history: History) -> float | None:
    """Return the seconds until each chart with samples has a curve, 0 if they have; None without any sample."""
    sampled_charts = [chart for chart in CHARTS if history.latest(chart.series) is not None]
    known = [history.reach(chart.series, HOUR) - (_RATE_SECONDS if chart.rate else 0) for chart in sampled_charts]
    return max(0.0, LEAST_SECONDS - min(known)) if known else None


def sampled(chart: Chart, history: History, intervals: int, span: float) -> Curve:
    """Return the curve of the last `span` seconds in so many intervals."""
    points = intervals + _before(chart, intervals, span)
    whole_span = span * points / intervals
    values, uptime = history.series(chart.series, whole_span, points), history.series("uptime", whole_span, points)
    held = int(_HELD_SECONDS * intervals / span)
    return curve(chart, _held(values, held), uptime, history.latest(chart.series), intervals, span)


def _held(values: Sequence[float | None], most: int) -> Sequence[float | None]:
    """Return values where each stands also for at most so many missing ones after it."""
    if not most:
        return values
    filled = list(values)
    for place, value in enumerate(values):
        if value is None:
            before = (known for known in reversed(values[max(0, place - most) : place]) if known is not None)
            filled[place] = next(before, None)
    return filled


def curve(
    chart: Chart,
    samples: Sequence[float | None],
    uptime: Sequence[float | None],
    latest: float | None,
    intervals: int,
    span: float,
) -> Curve:
    """Return the curve of the intervals' samples, which follow the earlier samples that a rate needs.

    `latest` is the current value; for a one-day interval its maximum. `uptime` are the service's uptimes in the
    same intervals, which tell its restarts.
    """
    values, early = list(samples), _before(chart, intervals, span)
    if chart.rate:
        # The last interval is not over yet.
        values = rates(values, span / intervals, early - 1)[:-1]
    restarts = frozenset(place - max(0, early - 1) for place in falls(uptime))
    # The last interval has no sample in its first seconds.
    is_current = any(value is not None for value in values[-2:])
    now = values[-1] if chart.rate else latest if is_current else None
    return Curve(tuple(values), now, restarts)


def _before(chart: Chart, intervals: int, span: float) -> int:
    """Return how many earlier samples are needed: a rate is the increase within a minute or longer."""
    return max(1, math.ceil(_RATE_SECONDS * intervals / span)) + 1 if chart.rate else 0
