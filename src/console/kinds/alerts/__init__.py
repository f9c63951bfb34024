"""Alerts, the format of their list, and how long it contains ended ones (contract 4.7)."""

from __future__ import annotations

from collections.abc import Iterable

from console.api.operations.support import ListAlerts
from console.kinds.alerts.facts import is_active
from console.kinds.kind import Kind, Scope, Screen
from console.live.feeds import DAY_MS, Feed, listed_rows
from console.records.moments import at
from console.records.raw import Json, fields
from console.records.state_words import ALERT, POSSIBLY_ACTIVE_ALERT
from console.records.support import Alert
from console.views.thresholds import MINUTE, of_age

_STATES = {
    "active": "active",
    "accepted": "accepted",
    "expired": "expired",
    "canceled": "canceled",
    "cancelled": "canceled",
}
"""The states of the lists, by their names in the answer."""


def rows_by_state(body: bytes, most: int) -> Iterable[Json]:
    """Convert the lists by state to rows with a state; a missing list is empty.

    Rows that a deployment sends in one list have their own states.
    """
    if body[:1] == b"[":
        yield from listed_rows(body, most)
        return
    if body[:1] != b"{":
        raise ValueError("it is not an object" if body else "it is empty")
    lists = fields(body, tuple(_STATES))
    if not lists:
        raise ValueError("it is an object without any list of alerts")
    for name, state in _STATES.items():
        rows = bytes(lists.get(name, b"[]"))
        for row in listed_rows(b"[]" if rows == b"null" else rows, most):
            yield Json(_with_state(bytes(row).strip(), state))


def _with_state(row: bytes, state: str) -> bytes:
    """Append the state to an object, where it overrides any other; other values are unchanged."""
    if not (row.startswith(b"{") and row.endswith(b"}")):
        return row
    fields = row[:-1].rstrip()
    return fields + (b"" if fields == b"{" else b",") + f'"state":"{state}"}}'.encode()


def expires(alert: Alert) -> float | None:
    """Return when the list stops showing an ended alert: the requested duration is inclusive."""
    resolved = at(alert.resolved_at)
    return None if is_active(alert) or resolved is None else resolved + DAY_MS + 1


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
