"""Concerns about open alerts."""

from __future__ import annotations

from collections.abc import Iterator

from console.kinds.alerts.facts import active, active_filter, oldest
from console.kinds.attention import Concern, alike
from console.kinds.notifications.facts import offered_alerts
from console.text import clean
from console.views.cell import Tone
from console.views.render_context import RenderContext


def concerns(render: RenderContext) -> Iterator[Concern]:
    """Yield open alerts, except those offered to the caller."""
    mine = offered_alerts(render)
    others = [each for each in active(render) if each.alert_id not in mine]
    for title, equal in alike(others, lambda alert: alert.title or alert.alert_id):
        yield Concern(
            tone=Tone.BAD,
            word="alert",
            what=clean(title, 60),
            since_ms=oldest(equal),
            note=clean("not accepted"),
            kind="alerts",
            key=equal[0].alert_id if len(equal) == 1 else "",
            filter="" if len(equal) == 1 else active_filter(title),
            keys=tuple(each.alert_id for each in equal),
            many=len(equal),
            about=title,
        )
