"""The labels of the tabs: the screens, with the number of their records."""

from __future__ import annotations

from console.kinds.alerts import facts as alerts
from console.kinds.scope import count_words, titled
from console.ui.screens.app_context import AppContext
from console.ui.screens.specs import ScreenSpec
from console.ui.widgets.frame import TabLabel
from console.views.wording import known_count


def tab_of(spec: ScreenSpec, context: AppContext) -> TabLabel:
    """Return the tab of a screen, with the number of its records, if known, and their scope."""
    kind = spec.counted
    health = context.backend.health(kind) if kind else None
    count = None if health is None else count_words(len(context.backend.records(kind)), health.extent, health.total)
    if count is None:
        return TabLabel(spec.name, spec.digit, spec.title, spec.short)
    render = context.render_context()
    if kind == "alerts":
        count = known_count(len(alerts.active(render)), render, exact=alerts.active_exact(render))
    counted, short = (titled(kind, title, count, render, short=True) for title in (spec.title, spec.short))
    return TabLabel(spec.name, spec.digit, spec.title, spec.short, counted, short)
