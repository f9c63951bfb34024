"""Alerts."""

from __future__ import annotations

from console.api.operations.support import ListAlerts
from console.kinds.alerts.listing import expires, rows_by_state
from console.kinds.kind import Kind, Scope, Screen
from console.live.feeds import DAY_MS, Feed
from console.records.state_words import ALERT, POSSIBLY_ACTIVE_ALERT
from console.records.support import Alert
from console.views.thresholds import MINUTE, of_age

AGE = of_age("alerts.age", 2 * MINUTE, 5 * MINUTE)
LEFT = of_age("alerts.left", 5 * MINUTE, MINUTE, below=True)

KIND = Kind(
    "alerts",
    feed=Feed(
        "alerts",
        Alert,
        (ListAlerts(accepted_since=DAY_MS, expired_since=DAY_MS, canceled_since=DAY_MS),),
        rows=rows_by_state,
        expires=expires,
        apart=POSSIBLY_ACTIVE_ALERT,
        states=ALERT,
    ),
    thresholds=(AGE, LEFT),
    screen=Screen("6", "Alerts", "Alerts"),
    scope=Scope.OWN,
)
