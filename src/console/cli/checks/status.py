"""`console status`: the key figures, and whether they are within their limits, for monitoring systems."""

from __future__ import annotations

import asyncio
import json as jsonlib
import math
import sys
from argparse import ArgumentParser
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence, Set
from contextlib import AsyncExitStack
from enum import IntEnum
from typing import TypeVar, cast

from console.api.errors import ApiError, TimedOut
from console.base.frozen import Frozen, replace
from console.base.signs import drawn
from console.base.text import clean
from console.cli.connection import SelectedProfile, Where, add_where, choose, logged_in, run_async
from console.cli.exits import Exit, Failure
from console.cli.lists.list import myself
from console.cli.lists.rows import LoadedKinds, fetch, render_context_of
from console.cli.option_values import finite
from console.cli.output import talk
from console.config.settings import nearest
from console.kinds.agents.facts import free
from console.kinds.alerts import AGE as ALERT_AGE
from console.kinds.alerts import facts as alerts
from console.kinds.calls import WAIT
from console.kinds.calls import facts as calls
from console.kinds.scope import of_them
from console.kinds.skills.facts import all_staffing
from console.live.bounds import bounds_for
from console.records.extent import Extent
from console.records.moments import at
from console.records.traffic import Call
from console.views.render_context import RenderContext
from console.views.spans import span
from console.views.thresholds import Threshold, level
from console.views.wording import duration, has_begun

T = TypeVar("T")

_LISTS = ("calls", "agents", "skills", "alerts")
LONGEST_SECONDS = 3_600


class CheckOutcome(IntEnum):
    """Exit codes of `--check`, as monitoring plugins have them."""

    OK = 0
    WARNING = 1
    CRITICAL = 2
    UNKNOWN = 3


class CheckLimits(Frozen):
    """From which value on a figure is a warning, and critical; None for never."""

    warning: float | None = None
    critical: float | None = None


class KeyFigure(Frozen):
    """One key figure."""

    title: str
    needs: tuple[str, ...]
    """The lists that it is computed from."""
    value: Callable[[RenderContext], tuple[float | None, bool]]
    """Returns its value, None if the lists do not tell it, and whether it is exact: it may be higher otherwise."""
    seconds: bool = False
    below: bool = False
    """Whether low values are bad."""
    threshold: Threshold | None = None
    """The threshold of the configuration that limits it."""
    limits: CheckLimits = CheckLimits()

    def limited(self, render: RenderContext) -> KeyFigure:
        """Return the figure with the limits of the configuration."""
        if self.threshold is None:
            return self
        threshold = level(self.threshold, render)
        return replace(self, limits=CheckLimits(threshold.warn / threshold.unit, threshold.bad / threshold.unit))

    def outcome(self, value: float, *, exact: bool = True) -> CheckOutcome:
        """Compare a value with the limits. UNKNOWN if it is not exact, and a higher one has another outcome."""
        limits = ((self.limits.critical, CheckOutcome.CRITICAL), (self.limits.warning, CheckOutcome.WARNING))
        for limit, outcome in limits:
            if limit is not None and (value <= limit if self.below else value >= limit):
                return CheckOutcome.UNKNOWN if self.below and not exact else outcome
        is_above = self.below and any(limit is not None for limit, _ in limits)
        return CheckOutcome.OK if exact or is_above else CheckOutcome.UNKNOWN

    def range_of(self, limit: float) -> str:
        """Return the range of values within a limit as plugins write it: `60` for up to 60, `2:` for 2 and more.

        A figure is bad at its limit, a plugin beyond its range: for counts, the range ends at the count before it.
        """
        if self.below:
            return f"{math.floor(limit) + 1}:"
        return f"{limit:.15g}" if self.seconds else f"{'~:' if limit <= 0 else ''}{math.ceil(limit) - 1}"

    def words(self, value: float) -> str:
        """Return a value in words."""
        return duration(int(value) * 1000) if self.seconds else f"{value:g}"


def _calls(render: RenderContext) -> list[Call]:
    return [call for call in cast("Mapping[str, Call]", render.lookup("calls")).values() if not calls.over(call)]


def _active_calls(render: RenderContext) -> tuple[int, bool]:
    known = [calls.waits_if_known(call) is not None for call in _calls(render)]
    return sum(known), render.extent("calls") is Extent.WHOLE and all(known)


def _waiting(render: RenderContext) -> tuple[int, bool]:
    return len(calls.waits(render)), calls.waits_exact(render)


def _longest_wait(render: RenderContext) -> tuple[float | None, bool]:
    waits = calls.waits(render)
    longest = waits[0].ms(render.now_ms) if waits else 0
    exact = calls.longest_exact(waits, render) and _have_begun((wait.since for wait in waits), render)
    return None if longest is None else max(0.0, longest) / 1000, exact


def _failures(render: RenderContext) -> tuple[int, bool]:
    return len(calls.recent_failures(render)), calls.failures_exact(render)


def _alerts(render: RenderContext) -> tuple[int, bool]:
    return len(alerts.active(render)), alerts.active_exact(render)


def _oldest_alert(render: RenderContext) -> tuple[float | None, bool]:
    active = alerts.active(render)
    oldest = alerts.oldest(active) if active else render.now_ms
    age = None if oldest is None else max(0.0, render.now_ms - oldest) / 1000
    exact = alerts.oldest_exact(active, exact=alerts.active_exact(render))
    return age, exact and _have_begun((at(alert.created_at) for alert in active), render)


def _have_begun(moments: Iterable[float | None], render: RenderContext) -> bool:
    """Return whether no known moment is still to come: since when is not known after a clock was set back."""
    return all(moment is None or has_begun(moment, render.now_ms) for moment in moments)


def _understaffed(render: RenderContext) -> tuple[int, bool]:
    staffings = [staffing for _, staffing in all_staffing(render)]
    exact = render.extent("skills") is Extent.WHOLE and all(
        staffing.covered or (staffing.is_known and staffing.understaffed) for staffing in staffings
    )
    return sum(staffing.is_known and staffing.understaffed for staffing in staffings), exact


FIGURES: Mapping[str, KeyFigure] = {
    "calls": KeyFigure("active calls", ("calls",), _active_calls),
    "waiting": KeyFigure("waiting calls", ("calls",), _waiting),
    "wait": KeyFigure("longest wait", ("calls",), _longest_wait, seconds=True, threshold=WAIT),
    "failures": KeyFigure(f"failed in {calls.FAILED_MINUTES} min", ("calls",), _failures),
    "free": KeyFigure("free agents", ("agents",), free, below=True),
    "understaffed": KeyFigure(
        "understaffed skills", ("agents", "skills"), _understaffed, limits=CheckLimits(warning=1)
    ),
    "alerts": KeyFigure("open alerts", ("alerts",), _alerts),
    "alert-age": KeyFigure("oldest open alert", ("alerts",), _oldest_alert, seconds=True, threshold=ALERT_AGE),
}
"""The figures by name, in their order."""


class Measured(Frozen):
    """The value of a figure, or why there is none."""

    name: str
    figure: KeyFigure
    value: float | None
    reason: str = ""
    part: str = ""
    """Which records are counted, after the value: ` of yours`, or empty for all."""
    at_least: str = ""
    """The sign before a value that may be higher: `≥ `, or empty for an exact one."""

    @property
    def exact(self) -> float | None:
        """The value, if it is exact: programs cannot see the sign."""
        return None if self.at_least else self.value

    @property
    def outcome(self) -> CheckOutcome:
        """How the value compares with the limits."""
        return CheckOutcome.UNKNOWN if self.value is None else self.figure.outcome(self.value, exact=not self.at_least)

    def words(self) -> str:
        """Return the value in words with its scope, and why it is not known or not exact."""
        if self.value is None:
            return self.reason or "unknown"
        text = f"{self.at_least}{self.figure.words(self.value)}{self.part}"
        return f"{text} ({self.reason})" if self.at_least and self.outcome is CheckOutcome.UNKNOWN else text

    def line(self) -> str:
        """Return a line for people."""
        text = self.words()
        verdict = {CheckOutcome.WARNING: "  warning", CheckOutcome.CRITICAL: "  CRITICAL"}.get(self.outcome, "")
        return f"{self.figure.title:<20} {text}{verdict}"


def declare_status(parser: ArgumentParser) -> None:
    """Declare `console status`."""
    parser.add_argument(
        "--check", action="store_true", help="Compare with the limits, in the format of monitoring plugins."
    )
    parser.add_argument(
        "--warning",
        action="append",
        metavar="TEXT",
        default=[],
        help="Limit of a warning: --warning wait=90s, --warning free=2. May be repeated.",
    )
    parser.add_argument("--critical", action="append", metavar="TEXT", default=[], help="Limit of a critical state.")
    parser.add_argument(
        "--timeout",
        type=float,
        metavar="NUMBER",
        default=30.0,
        help="Seconds after which a figure that the service has not answered is unknown. Default: %(default)s.",
    )
    parser.add_argument("--json", action="store_true", help="Print a JSON object.")
    add_where(parser)
    parser.set_defaults(run=status)


def status(
    *,
    check: bool,
    warning: Sequence[str],
    critical: Sequence[str],
    timeout: float,
    json: bool,
    where: Where,
) -> int:
    """Print the key figures: calls, waits, free agents, understaffed skills, alerts.

    With --check, print one line and performance data, and exit with 0 (ok), 1 (warning), 2 (critical) or 3 (unknown),
    as Nagios, Icinga and Checkmk expect it. Limits are the thresholds of the configuration, unless given here.
    """
    limits = {"warning": _limits("--warning", warning), "critical": _limits("--critical", critical)}
    chosen = choose(where)
    if not 0 < timeout <= LONGEST_SECONDS:
        raise Failure(Exit.USAGE, f"--timeout: write a number of seconds, at most {LONGEST_SECONDS}")
    measurements = run_async(lambda: _measure(chosen, limits, timeout))
    if json:
        values = {
            measured.name: None if measured.exact is None else round(measured.exact, 1) for measured in measurements
        }
        sys.stdout.write(jsonlib.dumps(values) + "\n")
    if check:
        worst = max((measured.outcome for measured in measurements), key=_RANK.index)
        if not json:
            print(_plugin_line(measurements, worst))
        return worst
    if not json:
        sys.stdout.write("".join(f"{clean(measured.line(), 200)}\n" for measured in measurements))
    parts = [measured.figure.title for measured in measurements if measured.value is not None and measured.part]
    if parts:
        talk(f"only your own are counted, as others are shown to admins only: {', '.join(parts)}")
    missing = [measured for measured in measurements if measured.exact is None]
    for measured in missing:
        talk(f"{measured.figure.title}: {measured.reason}")
    return Exit.FAILED if missing else Exit.OK


_RANK = (CheckOutcome.OK, CheckOutcome.UNKNOWN, CheckOutcome.WARNING, CheckOutcome.CRITICAL)
"""Outcomes by urgency: a critical value counts more than an unknown one."""


def _plugin_line(measurements: Sequence[Measured], worst: CheckOutcome) -> str:
    """Return the line of a monitoring plugin: the worst figures, and all exact values as performance data."""
    concerning = [
        measured for measured in measurements if measured.outcome is worst and worst is not CheckOutcome.OK
    ] or measurements[:3]
    text = ", ".join(f"{one.figure.title} {one.words()}" for one in concerning)
    data = " ".join(_performance(measured) for measured in measurements if measured.exact is not None)
    # The first "|" separates text from data.
    return clean(f"CONSOLE {worst.name} - {text.replace('|', '/')} | {data}", 1000)


def _performance(measured: Measured) -> str:
    figure = measured.figure
    ends = [
        "" if limit is None else figure.range_of(limit) for limit in (figure.limits.warning, figure.limits.critical)
    ]
    value = f"{measured.value:.3f}".rstrip("0").rstrip(".")
    return f"{measured.name}={value}{'s' if figure.seconds else ''};{ends[0]};{ends[1]};0"


async def _measure(
    chosen: SelectedProfile, limits: Mapping[str, Mapping[str, float]], seconds: float
) -> list[Measured]:
    """Fetch the lists once, and compute the figures. A list that fails makes its figures unknown.

    All requests together take at most so many seconds. Raise ApiError if nothing can be listed.
    """
    known, reasons = LoadedKinds(), dict[str, str]()
    end = asyncio.get_running_loop().time() + seconds

    async def in_time(answer: Awaitable[T]) -> T:
        try:
            async with asyncio.timeout_at(end):
                return await answer
        except TimeoutError:
            raise TimedOut(f"no answer within {seconds:g} s") from None

    async with AsyncExitStack() as stack:
        client = await in_time(stack.enter_async_context(logged_in(chosen)))
        me = await in_time(myself(client))
        for kind in _LISTS:
            try:
                cut = await in_time(fetch(client, kind, known, bounds_for(chosen.profile.max_rows)))
            except ApiError as error:
                known.note(kind, error)
                reasons[kind] = f"{kind} cannot be listed: {error.reason}"
                continue
            if cut or kind in known.own:
                reasons[kind] = cut or f"only your own {kind} are shown to you"
        render = render_context_of(chosen.profile, chosen.config, me, known, known.extent)
    return [
        _measured(name, figure.limited(render), limits, reasons, render, known.own) for name, figure in FIGURES.items()
    ]


def _measured(
    name: str,
    figure: KeyFigure,
    limits: Mapping[str, Mapping[str, float]],
    reasons: Mapping[str, str],
    render: RenderContext,
    own: Set[str],
) -> Measured:
    chosen_limits = {side: values[name] for side, values in limits.items() if name in values}
    figure = replace(figure, limits=replace(figure.limits, **chosen_limits))
    reason = next((reasons[kind] for kind in figure.needs if kind in reasons), "")
    value, exact = figure.value(render)
    exact = exact and not reason
    if not exact and (not value or not own.isdisjoint(figure.needs)):
        value = None
    if not exact and not reason:
        reason = f"the service does not tell enough about its {' and '.join(figure.needs)}"
    part = next(filter(None, (of_them(kind, render) for kind in figure.needs)), "")
    return Measured(name, figure, value, reason, part, "" if exact else f"{drawn('≥', render.symbols)} ")


def _limits(option: str, texts: Sequence[str]) -> dict[str, float]:
    """Parse `NAME=VALUE` limits. Raise Failure with the nearest valid name."""
    limits: dict[str, float] = {}
    for value in texts:
        name, _, text = value.partition("=")
        figure = FIGURES.get(name)
        if figure is None:
            known = nearest(name, FIGURES) or f"; known: {', '.join(FIGURES)}"
            raise Failure(Exit.USAGE, f"{option} {value!r}: there is no figure {name!r}{known}")
        try:
            length = span(text) if figure.seconds else None
            limits[name] = length.ms / 1000 if length is not None else finite(text)
        except ValueError:
            looks = "a duration such as 90s" if figure.seconds else "a number"
            raise Failure(Exit.USAGE, f"{option} {value!r}: write {name}= and {looks}") from None
    return limits
