"""Concerns about call quality."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from console.kinds.attention import Concern
from console.text import clean
from console.views import words
from console.views.cell import Tone
from console.views.render_context import RenderContext

if TYPE_CHECKING:
    from console.records.traffic import CallAlarm

ALARMS_SPAN_MS = 15 * 60_000


def concerns(render: RenderContext) -> Iterator[Concern]:
    """Yield a concern about recent alarms."""
    known = cast("Iterator[CallAlarm]", iter(render.lookup("alarms").values()))
    recent = [at for each in known if (at := words.at(each.timestamp)) and render.now_ms - at <= ALARMS_SPAN_MS]
    if recent:
        yield Concern(
            tone=Tone.WARN,
            word="quality",
            what=clean("call quality alarms in 15 min"),
            since_ms=min(recent),
            note=clean("the oldest"),
            kind="alarms",
            filter="age<=15m",
            many=len(recent),
            about="quality",
        )
