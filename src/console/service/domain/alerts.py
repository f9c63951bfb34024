"""Alerts: sent to the receivers of a template, repeated, and ended by acceptance, cancellation or expiry.

Retries and expiry follow from the time of sending and the template's numbers at that time (contract 2.17, 3): the k-th
retry is due k intervals after sending, and the alert expires `timeToExpire` after the last. Without `timeToExpire` it
stays open. `as_of` computes the state at a given time; `keep_time` stores it.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, cast

import sqlalchemy as sa

from console.base.frozen import Frozen
from console.records.notifications import Notification
from console.records.support import Alert, AlertTemplate
from console.service.auth.caller import Caller
from console.service.domain import notifications, templates
from console.service.domain.people import USERS
from console.service.domain.relations import whole
from console.service.domain.templates import TEMPLATES
from console.service.events.visibility import Admins, Among, AnyOf, Same, by_id
from console.service.platform import Platform
from console.service.refusal import conflict
from console.service.store.documents import Documents
from console.service.store.transaction import Transaction

NOTICE = "alert"
"""Kind of the notification that each receiver of an open alert has."""
KEEP_MS = 7 * 24 * 3600 * 1000
"""How long ended alerts stay listed."""


class RetryPlan(Frozen):
    """Retries and expiry of an alert, copied from its template when it is sent. Durations in ms."""

    retries: int
    every: int
    expires: int | None

    @classmethod
    def of(cls, template: AlertTemplate) -> RetryPlan:
        """Return the plan of a template."""
        return cls(
            int(template.number_of_retries or 0),
            int(template.time_in_ms_between_retries or 0),
            whole(template.time_to_expire),
        )


def _columns(alert: Alert) -> dict[str, Any]:
    return {
        "sender": alert.from_ or "",
        "state": alert.state or "active",
        "sent": int(alert.created_at or 0),
        "resolved": whole(alert.resolved_at),
        "due": _due(alert),
    }


def _due(alert: Alert) -> int | None:
    """Return the time of the next automatic change, in ms since the epoch: the next retry, or finally the expiry."""
    if alert.state != "active":
        return None
    extra = alert.model_extra or {}
    retry = extra.get("nextRetryAt")
    return extra.get("expiresAt") if retry is None else retry


ALERTS = Documents(
    "alerts",
    Alert,
    columns=(
        sa.Column("sender", sa.Text, nullable=False),
        sa.Column("receivers", sa.JSON, nullable=False, default=list),
        sa.Column("state", sa.Text, nullable=False, index=True),
        sa.Column("sent", sa.Integer, nullable=False),
        sa.Column("resolved", sa.Integer),
        sa.Column("due", sa.Integer, index=True),
        sa.Column("retries", sa.Integer, nullable=False, default=0),
        sa.Column("every", sa.Integer, nullable=False, default=0),
        sa.Column("expires", sa.Integer),
    ),
    extract=_columns,
    rule=AnyOf(Admins(), Same("sender", by_id), Among("receivers", by_id)),
)


def as_of(alert: Alert, plan: RetryPlan, now: int) -> Alert:
    """Return the alert as it is at a time, in ms since the epoch. Only active alerts change with time."""
    if alert.state != "active":
        return alert
    sent = int(alert.created_at or 0)
    passed = max(0, now - sent)
    done = plan.retries if plan.every == 0 else min(plan.retries, passed // plan.every)
    expires_at = None if plan.expires is None else sent + plan.retries * plan.every + plan.expires
    changes: dict[str, Any] = {
        "state": "active",
        "retriesLeft": plan.retries - done,
        "nextRetryAt": sent + (done + 1) * plan.every if done < plan.retries else None,
        "expiresAt": expires_at,
    }
    if expires_at is not None and now >= expires_at:
        changes |= {"state": "expired", "resolvedAt": expires_at, "retriesLeft": 0, "nextRetryAt": None}
    return Alert.model_validate({**alert.wire(), **changes})


def retry_plan_of(row: sa.Row[Any]) -> RetryPlan:
    """Return the plan stored with an alert."""
    return RetryPlan(int(row.retries), int(row.every), row.expires)


def send(platform: Platform, caller: Caller, template_id: str, alert_id: str) -> Alert:
    """Send an alert to all receivers of a template.

    Refuse with 404 if the template is unknown, with 409 if the `alertId` was used before or the template has no
    receivers.
    """
    with platform.write() as tx:
        template = TEMPLATES.need(tx, template_id)
        known = USERS.get_many(tx, named := templates.receivers_of(tx, template_id))
        receivers = [receiver for receiver in named if receiver in known]
        if ALERTS.row(tx, alert_id) is not None:
            raise conflict(f"there is an alert {alert_id} already")
        if not receivers:
            raise conflict(f"nobody receives the alerts of the template {template_id}")
        sent = Alert.model_validate(
            {
                "alertId": alert_id,
                "from": caller.id,
                "title": template.title,
                "payload": template.payload,
                "createdAt": tx.now,
                "state": "active",
                "templateId": template_id,
            }
        )
        return store(tx, sent, receivers, RetryPlan.of(template))


def store(tx: Transaction, alert: Alert, receivers: list[str], plan: RetryPlan) -> Alert:
    """Store an alert in its current state, and notify its receivers while it is open."""
    alert = as_of(alert, plan, tx.now)
    ALERTS.put(
        tx, alert, receivers=receivers, retries=plan.retries, every=plan.every, expires=plan.expires
    )  # fmt: skip
    if alert.state == "active":
        notifications.notify(tx, NOTICE, [(notice(alert), receivers)])
    return alert


def notice(alert: Alert) -> Notification:
    """Return the notification for the receivers of an open alert."""
    return Notification(
        kind=NOTICE,
        subject=alert.alert_id,
        title=alert.title,
        from_user=alert.from_,
        created_at=alert.created_at,
    )


def accept(platform: Platform, caller: Caller, alert_id: str) -> None:
    """Accept an alert for all receivers. Refuse with 409 and the reason if it has ended."""
    with platform.write() as tx:
        alert = ALERTS.need(tx, alert_id)
        _end(tx, alert, "accepted", accepted_by=caller.id)


def cancel(platform: Platform, alert_id: str) -> None:
    """Cancel an alert. Refuse with 409 and the reason if it has ended."""
    with platform.write() as tx:
        alert = ALERTS.need(tx, alert_id)
        _end(tx, alert, "canceled")


def _end(tx: Transaction, alert: Alert, state: str, accepted_by: str | None = None) -> None:
    row = ALERTS.row(tx, alert.alert_id)
    if row is None:
        return
    alert = as_of(alert, retry_plan_of(row), tx.now)
    if alert.state != "active":
        raise conflict(f"the alert {alert.alert_id} {_how_it_ended(tx, alert)}")
    extra = alert.model_extra or {}
    ended = {"state": state, "resolvedAt": tx.now, "acceptedBy": accepted_by, "nextRetryAt": None, "expiresAt": None}
    ALERTS.put(tx, Alert.model_validate({**alert.wire(), **ended, "retriesLeft": extra.get("retriesLeft", 0)}))
    notifications.settle(tx, NOTICE, [alert.alert_id])


def _how_it_ended(tx: Transaction, alert: Alert) -> str:
    at = datetime.fromtimestamp(int(alert.resolved_at or 0) / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    if alert.state == "accepted":
        user = USERS.get(tx, alert.accepted_by or "")
        who = f"{user.alias or user.username} ({user.id})" if user else alert.accepted_by
        return f"was accepted by {who} at {at}"
    return f"was canceled by its sender at {at}" if alert.state == "canceled" else f"expired at {at}"


def receivers_of(tx: Transaction, alert_id: str) -> tuple[str, ...]:
    """Return the ids of the receivers of an alert. Refuse an unknown one with 404."""
    return tuple(cast("list[str]", ALERTS.need_row(tx, alert_id).receivers or []))


def is_receiver(tx: Transaction, caller: Caller, alert_id: str) -> bool:
    """Return whether the caller is a receiver of an alert. Refuse an unknown one with 404."""
    return caller.id in receivers_of(tx, alert_id)


def listed(tx: Transaction, caller: Caller) -> tuple[Alert, ...]:
    """Return all alerts that the caller may see, in their current state, the newest first."""
    rows = tx.rows(
        sa.select(ALERTS.table)
        .where(ALERTS.rule.clause(caller, ALERTS.c))
        .order_by(ALERTS.c.sent.desc(), ALERTS.c.key)
    )  # fmt: skip
    return tuple(as_of(ALERTS.read(row.body), retry_plan_of(row), tx.now) for row in rows)


def keep_time(platform: Platform) -> None:
    """Store due retries and expiries, and delete alerts that ended long ago."""
    with platform.read() as tx:
        something = sa.or_(ALERTS.c.due <= tx.now, ALERTS.c.resolved < tx.now - KEEP_MS)
        if not ALERTS.count(tx, something):
            return
    with platform.write() as tx:
        due = tx.rows(sa.select(ALERTS.table).where(ALERTS.c.due <= tx.now).order_by(ALERTS.c.due, ALERTS.c.key))
        changed = [as_of(ALERTS.read(row.body), retry_plan_of(row), tx.now) for row in due]
        ALERTS.put_many(tx, changed)
        notifications.settle(tx, NOTICE, [alert.alert_id for alert in changed if alert.state != "active"])
        receivers = {row.key: cast("list[str]", row.receivers or []) for row in due}
        still_open = [alert for alert in changed if alert.state == "active"]
        notifications.notify(tx, NOTICE, [(notice(alert), receivers[alert.alert_id]) for alert in still_open])
        old = sa.select(ALERTS.c.key).where(ALERTS.c.resolved < tx.now - KEEP_MS)
        ALERTS.remove_many(tx, tx.run(old).scalars().all())
