"""The labels of the tabs: the screens, with the number of their records."""

from __future__ import annotations

from console.kinds.alerts import facts as alerts
from console.kinds.scope import titled
from console.screens.app_context import AppContext
from console.screens.specs import ScreenSpec
from console.widgets.frame import TabLabel


def tab_of(spec: ScreenSpec, context: AppContext) -> TabLabel:
    """Return the tab of a screen, with the number of its records, if known, and their scope."""
    kind = spec.counted
    if not kind or context.backend.health(kind).age is None:
        return TabLabel(spec.name, spec.digit, spec.title, spec.short)
    render = context.render_context()
    count = len(alerts.active(render)) if kind == "alerts" else len(context.backend.records(kind))
    counted, short = (titled(kind, title, count, render) for title in (spec.title, spec.short))
    return TabLabel(spec.name, spec.digit, spec.title, spec.short, counted, short)
