"""The figures of a running console for a monitoring system, in the names and units of Prometheus.

Their number is bounded whatever the service sends: labels are names of lists, operations and states that the console
knows, the operator's rules, and at most `MOST_NAMES` names of skills and of queues.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, cast
from wsgiref.simple_server import WSGIServer

from prometheus_client import Counter as CounterFigure
from prometheus_client import Histogram, start_http_server
from prometheus_client.core import (
    CollectorRegistry,
    CounterMetricFamily,
    GaugeMetricFamily,
    InfoMetricFamily,
    Metric,
    StateSetMetricFamily,
)
from prometheus_client.registry import Collector

from console import __version__
from console.base.text import clean
from console.kinds.agents import facts as agents
from console.kinds.alerts import facts as alerts
from console.kinds.calls import facts as calls
from console.kinds.catalogue import LIVE
from console.kinds.episodes.facts import over
from console.kinds.presence.facts import Availability
from console.kinds.queues.facts import in_time, waiting_of
from console.kinds.scope import hides_those_of_others
from console.kinds.skills.facts import all_staffing
from console.kinds.tables import TABLES
from console.live.backend_api import ListsApi
from console.live.delta import Freshness
from console.records.extent import Extent
from console.records.state_words import CONNECTED, HELD, RINGING, normalized
from console.views import wording
from console.views.render_context import RenderContext
from console.views.wording import has_begun

if TYPE_CHECKING:
    from console.records.episodes import Episode
    from console.records.queues import Queue
    from console.records.support import Agent
    from console.records.traffic import Call, StatusSummary

MOST_NAMES = 200
"""Most skills, and most queues, with figures of their own."""
LONGEST_NAME = 64
_COVERS = tuple(availability.value for availability in Availability)
_CALLS = ("ringing", "waiting", "connected", "held", "ended", "other")


class RequestFigures:
    """How long the console's own requests take, and how they fail."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._seconds = Histogram(
            "console_request_duration_seconds",
            "Time until the answer to a request of the console.",
            ("operation",),
            registry=registry,
            buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0),
        )
        self._errors = CounterFigure(
            "console_request_errors", "Failed requests of the console.", ("operation", "error"), registry=registry
        )

    def answered(self, operation: str, seconds: float, error: str) -> None:
        """Note a request; `error` is the class of its error, empty for none."""
        self._seconds.labels(operation).observe(max(0.0, seconds))
        if error:
            self._errors.labels(operation, error).inc()


class LiveFigures(Collector):
    """The current figures of the lists, computed when they are asked for."""

    def __init__(self, backend: ListsApi, render: Callable[[], RenderContext]) -> None:
        self._backend = backend
        self._render = render

    def collect(self) -> Iterator[Metric]:
        """Yield all figures.

        A list that is not known has none, nor one of only the caller's own records: none is better than a wrong zero.
        Beside records of unknown state or time, a count or an age is the least that it can be: without it, a rule for
        a wait that is too long would be silent. A zero that may be more is left out.
        """
        render = self._render()

        def is_whole(kind: str) -> bool:
            return self._backend.health(kind).extent is Extent.WHOLE and not hides_those_of_others(kind, render)

        yield InfoMetricFamily("console", "The running console.", {"version": __version__})
        link = self._backend.link.state
        states = {freshness.value: freshness is link for freshness in Freshness}
        yield StateSetMetricFamily("console_link", "State of the connection to the service.", states)
        ages = GaugeMetricFamily(
            "console_list_age_seconds", "Time since a list was known to be current.", labels=["list"]
        )
        rows = GaugeMetricFamily("console_list_rows", "Number of records in a list.", labels=["list"])
        for kind in sorted(LIVE):
            health = self._backend.health(kind)
            if health.age is not None:
                ages.add_metric([kind], health.age)
            table = TABLES.get(kind)
            if table is None or table.combined is None:
                if is_whole(kind):
                    rows.add_metric([kind], len(self._backend.records(kind)))
            elif all(map(is_whole, (kind, *table.follows))):
                rows.add_metric([kind], len(table.combined(render)))
        yield ages
        yield rows
        for kind, figures in _FIGURES:
            if is_whole(kind):
                yield from figures(render)


def _gauge(name: str, about: str, label: str, values: Iterable[tuple[str, float]]) -> GaugeMetricFamily:
    gauge_metric_family = GaugeMetricFamily(name, about, labels=[label])
    for value, number in values:
        gauge_metric_family.add_metric([value], number)
    return gauge_metric_family


def _add_age(
    family: GaugeMetricFamily, labels: Sequence[str], since_ms: float | None, many: int | None, render: RenderContext
) -> None:
    """Add the age of the oldest known of so many records; None of them if it is not known how many there are.

    None are 0 s old; without a known time, or with one that is still to come, there is no sample.
    """
    if since_ms is not None and not has_begun(since_ms, render.now_ms):
        return
    if since_ms is not None:
        family.add_metric(labels, max(0.0, render.now_ms - since_ms) / 1000)
    elif many == 0:
        family.add_metric(labels, 0.0)


def state_of(call: Call) -> str:
    """Return the group of a call's state: `ringing`, `waiting`, `connected`, `held`, `ended` or `other`."""
    state = normalized(call.state or "")
    if calls.over(call):
        return "ended"
    if calls.waiting(call):
        return "waiting"
    groups = (("ringing", RINGING), ("connected", CONNECTED), ("held", HELD))
    return next((name for name, states in groups if state in states), "other")


def _of_calls(render: RenderContext) -> Iterator[Metric]:
    known = cast("Iterable[Call]", render.lookup("calls").values())
    counts = Counter(state_of(call) for call in known)
    exact = calls.waits_exact(render)
    matching_calls = [call for call in _CALLS if exact or counts[call] or call == "other"]
    yield _gauge("console_calls", "Calls by state.", "state", ((value, counts[value]) for value in matching_calls))
    since = [wait.since for wait in calls.waits(render)]
    longest = min((value for value in since if value is not None), default=None)
    about = "Duration of the longest wait; 0 without a waiting caller."
    wait = GaugeMetricFamily("console_calls_longest_wait_seconds", about, labels=())
    _add_age(wait, (), longest, len(since) if exact else None, render)
    yield wait


def _of_agents(render: RenderContext) -> Iterator[Metric]:
    known = cast("Iterable[Agent]", render.lookup("agents").values())
    counts = Counter(agents.cover(agent).value for agent in known)
    yield _gauge("console_agents", "Agents by availability.", "cover", _known_covers(counts))


def _known_covers(counts: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """Yield the number of agents of each availability; not that there are none, which one in doubt may have."""
    for cover in _COVERS:
        if counts[cover] or not counts[Availability.UNKNOWN]:
            yield cover, counts[cover]


def _of_skills(render: RenderContext) -> Iterator[Metric]:
    staff = GaugeMetricFamily("console_skill_agents", "Agents of a skill by availability.", labels=["skill", "cover"])
    lacking = GaugeMetricFamily("console_skill_understaffed", "1 if too few agents can take work.", labels=["skill"])
    oldest = GaugeMetricFamily("console_skill_oldest_chat_seconds", "Age of the oldest support chat.", labels=["skill"])
    staffing = all_staffing(render)
    staffings = {str(clean(skill.skill, LONGEST_NAME)): counted for skill, counted in staffing[:MOST_NAMES]}
    for name, counted in staffings.items():
        if not counted.is_known:
            continue
        for cover, number in _known_covers({cover: getattr(counted, cover) for cover in _COVERS}):
            staff.add_metric([name, cover], number)
        if counted.understaffed or counted.covered:
            lacking.add_metric([name], float(counted.understaffed))
        _add_age(oldest, [name], counted.oldest_chat, counted.chats, render)
    yield from (staff, lacking, oldest)
    left = float(len(staffing) - len(staffings))
    yield GaugeMetricFamily("console_skills_left_out", "Skills without figures of their own.", left)


def _of_alerts(render: RenderContext) -> Iterator[Metric]:
    active, exact = alerts.active(render), alerts.active_exact(render)
    if active or exact:
        yield GaugeMetricFamily("console_alerts_active", "Alerts that nobody has accepted.", len(active))
    about = "Age of the oldest of them; 0 without one."
    age = GaugeMetricFamily("console_alerts_oldest_seconds", about, labels=())
    _add_age(age, (), alerts.oldest(active), len(active) if exact else None, render)
    yield age


def _of_queues(render: RenderContext) -> Iterator[Metric]:
    labels = ["queue"]
    waiting = GaugeMetricFamily("console_queue_waiting", "Calls that wait in a queue.", labels=labels)
    longest = GaugeMetricFamily("console_queue_longest_wait_seconds", "Longest wait; 0 without one.", labels=labels)
    free = GaugeMetricFamily("console_queue_free_agents", "Agents who can take a call of a queue.", labels=labels)
    share = GaugeMetricFamily(
        "console_queue_in_time_ratio", "Calls of the last hour that were served in time.", labels=labels
    )
    known = cast("Iterable[Queue]", render.lookup("queues").values())
    ordered = sorted(known, key=lambda queue: (-(queue.waiting or 0), queue.queue))
    queues = {str(clean(queue.queue, LONGEST_NAME)): queue for queue in ordered[:MOST_NAMES]}
    for name, queue in queues.items():
        many = waiting_of(queue, render)
        if many is not None:
            waiting.add_metric([name], many)
        _add_age(longest, [name], wording.at(queue.longest_at), many, render)
        if queue.free is not None:
            free.add_metric([name], queue.free)
        percent = in_time(queue, "60")
        if percent is not None:
            share.add_metric([name], percent / 100)
    yield from (waiting, longest, free, share)
    left = float(len(ordered) - len(queues))
    yield GaugeMetricFamily("console_queues_left_out", "Queues without figures of their own.", left)


def _of_episodes(render: RenderContext) -> Iterator[Metric]:
    gauge_metric_family = GaugeMetricFamily(
        "console_episodes", "Episodes of rules that go on.", labels=["rule", "severity"]
    )
    known = cast("Iterable[Episode]", render.lookup("episodes").values())
    counts = Counter((episode.rule or "", episode.severity or "") for episode in known if not over(episode))
    for (rule, severity), count in sorted(counts.items()):
        gauge_metric_family.add_metric([str(clean(rule, LONGEST_NAME)), severity], count)
    yield gauge_metric_family


def _of_status(render: RenderContext) -> Iterator[Metric]:
    status = cast("StatusSummary | None", render.lookup("status").get("status"))
    if status is None:
        return
    memory = status.memory_usage
    figures = (
        ("console_service_uptime_seconds", "Uptime of the service.", status.uptime),
        ("console_service_active_users", "Users that the service calls active.", status.users_now),
        ("console_service_memory_rss_bytes", "Resident memory of the service.", memory.rss),
        ("console_service_memory_heap_used_bytes", "Used heap of the service.", memory.heap_used),
        ("console_service_memory_heap_total_bytes", "Heap of the service.", memory.heap_total),
    )
    for name, about, value in figures:
        if value is not None:
            yield GaugeMetricFamily(name, about, value)
    if status.calls.since_reboot is not None:
        about = "Calls since the service started."
        yield CounterMetricFamily("console_service_calls", about, status.calls.since_reboot)


_FIGURES: tuple[tuple[str, Callable[[RenderContext], Iterator[Metric]]], ...] = (
    ("calls", _of_calls),
    ("agents", _of_agents),
    ("skills", _of_skills),
    ("alerts", _of_alerts),
    ("queues", _of_queues),
    ("episodes", _of_episodes),
    ("status", _of_status),
)
"""Figures by the list that they need."""


def new_registry() -> CollectorRegistry:
    """Return an empty registry, without figures of the process."""
    return CollectorRegistry(auto_describe=False)


def serve(registry: CollectorRegistry, address: str, port: int) -> WSGIServer:
    """Serve figures at /metrics in a thread, and return the server. Raise OSError if nothing can listen there."""
    server, _ = start_http_server(port, address, registry)
    return server
