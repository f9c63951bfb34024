"""Concerns about long waits and failed calls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, cast

from console.kinds.attention import Concern, alike
from console.kinds.calls import WAIT, facts
from console.kinds.calls.facts import Wait
from console.text import clean
from console.views import words
from console.views.cell import Tone
from console.views.quoting import quoted
from console.views.render_context import RenderContext
from console.views.thresholds import level

if TYPE_CHECKING:
    from console.records.traffic import Call

FAILURES_SPAN_MS = 5 * 60_000
FAILURES_FROM = 3


def concerns(render: RenderContext, waits: Sequence[Wait] | None = None) -> Iterator[Concern]:
    """Yield long waits by target, and failures. `waits` are all waits, the longest first."""
    yield from _long_waits(facts.waits(render) if waits is None else waits, render)
    yield from _recent_failures(render)


def _long_waits(waiting: Sequence[Wait], render: RenderContext) -> Iterator[Concern]:
    """Yield for each target the longest wait and the number of long waits."""
    levels, known = level(WAIT, render), cast("Mapping[str, Call]", render.lookup("calls"))
    latest = render.now_ms - levels.warn
    long = takewhile(lambda wait: wait.since is not None and wait.since <= latest, waiting)
    for target, equal in alike(long, lambda wait: wait.target):
        longest, alone = equal[0], len(equal) == 1
        call = known.get(longest.key)
        place = None if call is None else call.queue_position
        whole = f"{(call and call.caller) or 'unknown'} → {target or (call and call.callee) or 'unknown'}"
        yield Concern(
            tone=levels.tone(longest.ms(render.now_ms)),
            word="wait",
            what=clean(whole if alone else target or "without a target", 60),
            since_ms=longest.since,
            note=clean("the longest" if not alone else "" if place is None else f"place {words.count(place, render)}"),
            kind="calls",
            key=longest.key if alone else "",
            filter="" if alone else f"waiting:yes target={quoted(target)} age>={levels.warn / 1000:g}s",
            many=len(equal),
            about=target,
        )


def _recent_failures(render: RenderContext) -> Iterator[Concern]:
    ends = [at for call in facts.failures(render) if (at := facts.ended_at(call)) is not None]
    recent = [at for at in ends if render.now_ms - at <= FAILURES_SPAN_MS]
    if len(recent) >= FAILURES_FROM:
        yield Concern(
            tone=Tone.BAD,
            word="calls",
            what=clean("server errors in 5 min"),
            since_ms=min(recent),
            note=clean("show calls"),
            kind="calls",
            filter="failed:yes age<=5m",
            many=len(recent),
            about="servererror",
        )
