"""Facts about alerts: which are open, and when they are sent again (contract 2.17)."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, cast

from console.kinds.notifications.facts import offers_alert
from console.records import state_words
from console.records.extent import Extent
from console.records.support import AlertTemplate
from console.views import wording
from console.views.index import Derived, Index

if TYPE_CHECKING:
    from console.records.support import Alert
    from console.views.render_context import RenderContext


def is_active(alert: Alert) -> bool:
    """Return whether an alert is active. Without a state, it is active unless it was resolved."""
    if alert.state:
        return state_words.normalized(alert.state) in state_words.ACTIVE_ALERT
    return wording.at(alert.resolved_at) is None and not alert.accepted_by


def is_offered(alert: Alert, render: RenderContext) -> bool:
    """Return whether an alert is offered to the caller."""
    return offers_alert(alert.alert_id, render)


def is_cancelled(alert: Alert) -> bool:
    """Return whether an alert was cancelled."""
    return state_words.normalized(alert.state or "") in state_words.CANCELLED_ALERT


def is_accepted(alert: Alert) -> bool:
    """Return whether somebody is known to have accepted an alert."""
    return bool(alert.accepted_by) or state_words.normalized(alert.state or "") == "accepted"


def unaccepted(alert: Alert) -> bool:
    """Return whether nobody is known to have accepted an alert: it is active, or its state says how it ended."""
    return not is_accepted(alert) and (is_active(alert) or is_cancelled(alert) or is_expired(alert))


def is_expired(alert: Alert) -> bool:
    """Return whether an alert expired."""
    return state_words.normalized(alert.state or "") == "expired"


def time_to_accept(alert: Alert) -> float | None:
    """Return the ms from sending an alert to its acceptance, None if it was not accepted or a time is unknown."""
    if not is_accepted(alert):
        return None
    created, resolved = wording.at(alert.created_at), wording.at(alert.resolved_at)
    return None if created is None or resolved is None else max(0, resolved - created)


def _active(render: RenderContext) -> Sequence[Alert]:
    possible = cast("Collection[Alert]", render.in_state("alerts", *state_words.POSSIBLY_ACTIVE_ALERT))
    return sorted(
        filter(is_active, possible), key=lambda alert: (wording.at(alert.created_at) or math.inf, alert.alert_id)
    )


_ACTIVE = Derived("alerts", _active)


def active(render: RenderContext) -> Sequence[Alert]:
    """Return the known alerts that nobody has accepted, the oldest first."""
    alerts = _ACTIVE.of(render)
    return () if alerts and render.extent("alerts") is Extent.UNKNOWN else alerts


def may_be_active(alert: Alert) -> bool:
    """Return whether it is unknown if an alert is active: its state says nothing, and nothing says that it is over."""
    if state_words.normalized(alert.state or "") in state_words.ALERT:
        return False
    return wording.at(alert.resolved_at) is None and not alert.accepted_by


def active_exact(render: RenderContext) -> bool:
    """Return whether all active alerts are known: the list is complete, and no state is without meaning."""
    others = cast("Collection[Alert]", render.in_other_state("alerts", state_words.ALERT))
    return render.extent("alerts") is Extent.WHOLE and not any(map(may_be_active, others))


def oldest(alerts: Sequence[Alert]) -> float | None:
    """Return when the oldest one was sent, in ms since the epoch, or None; `alerts` are in the order of `active`."""
    return wording.at(alerts[0].created_at) if alerts else None


def oldest_exact(alerts: Sequence[Alert], *, exact: bool) -> bool:
    """Return whether none is older than `oldest`: all active alerts are known, and when they were sent."""
    return exact and not (alerts and wording.at(alerts[-1].created_at) is None)


def _template_id(alert: Alert) -> str | None:
    named = alert.model_extra.get("templateId")
    return named if isinstance(named, str) else None


_BY_ORIGIN: Index[Alert] = Index("alerts", lambda alert: [alert.title, _template_id(alert)])
_TITLED: Index[AlertTemplate] = Index("templates", lambda template: [template.title])


def template_of(alert: Alert, render: RenderContext) -> AlertTemplate | None:
    """Return the template of an alert: the one it refers to, otherwise the only one with its title."""
    named = _template_id(alert)
    record = None if named is None else render.find("templates", named)
    if isinstance(record, AlertTemplate):
        return record
    same = _TITLED.any_of(render, alert.title)
    return same[0] if len(same) == 1 else None


def open_of(template: AlertTemplate, render: RenderContext) -> list[Alert]:
    """Return the known active alerts of a template."""
    alerts = _BY_ORIGIN.any_of(render, template.key, template.title)
    return [alert for alert in alerts if is_active(alert) and template_of(alert, render) is template]


def titled(title: str | None, render: RenderContext) -> list[Alert]:
    """Return the known alerts with a title."""
    return [alert for alert in _BY_ORIGIN.any_of(render, title) if alert.title == title]


def retry_moments(template: AlertTemplate) -> list[float] | None:
    """Return the times of retries in ms after sending; None if the template does not define them."""
    many, every = wording.number(template.number_of_retries), wording.number(template.time_in_ms_between_retries)
    if many is None or (every is None and many > 0):
        return None
    return [every * (step + 1) for step in range(min(1000, max(0, int(many))))] if every is not None else []
