"""Handlers for alerts, their templates and pending notifications (contract 4.7)."""

from __future__ import annotations

from console.api.operations.support import (
    AcceptAlert,
    AttachReceivers,
    CancelAlert,
    CreateTemplate,
    DeleteTemplate,
    DetachReceivers,
    ListAlerts,
    ListTemplates,
    ResolveNotification,
    SendAlert,
    UpdateTemplate,
)
from console.records.responses import Acknowledgement
from console.records.support import Alert, AlertLists, AlertTemplate
from console.service.auth.caller import Caller
from console.service.auth.relation_checks import owns
from console.service.domain import alerts, chats, notifications, templates
from console.service.domain.alerts import ALERTS
from console.service.domain.notifications import NOTIFICATIONS
from console.service.domain.templates import TEMPLATES
from console.service.handlers.bindings import as_record, given_values, lists
from console.service.handlers.handler import DONE, bind, handles
from console.service.periodic_jobs import every
from console.service.platform import Platform
from console.service.refusal import Refusal, invalid
from console.service.store.transaction import Transaction


@every(0.25)
def keep_alerts_in_time(platform: Platform) -> None:
    """Repeat and expire due alerts."""
    alerts.keep_time(platform)


@handles(ListAlerts)
def list_alerts(request: ListAlerts, caller: Caller, tx: Transaction) -> AlertLists:
    """List alerts by state. A duration limits its list to alerts that ended within it; cancelled ones require it."""
    listed = alerts.listed(tx, caller)

    def of(state: str, span: int | None) -> tuple[Alert, ...]:
        since = 0 if span is None else tx.now - span
        return tuple(alert for alert in listed if alert.state == state and (alert.resolved_at or 0) >= since)

    return AlertLists(
        active=of("active", None),
        accepted=of("accepted", request.accepted_since),
        expired=of("expired", request.expired_since),
        canceled=() if request.canceled_since is None else of("canceled", request.canceled_since),
    )


@handles(ResolveNotification)
def resolve_notification(
    request: ResolveNotification, caller: Caller, platform: Platform, tx: Transaction
) -> Acknowledgement:
    """Accept or dismiss a pending notification of the caller: an alert or an offered chat."""
    if request.action not in {"accept", "dismiss"}:
        raise invalid("action", "must be accept or dismiss", "enum")
    notification = notifications.pending(tx, request.id, caller.id)
    if notification is None:
        why = "it was accepted by somebody else, rejected, cancelled, or it expired"
        raise Refusal(404, f"there is no {NOTIFICATIONS.singular} {request.id}: {why}")
    kind, subject = notification.kind or "", notification.subject or ""
    if request.action == "dismiss":
        notifications.settle_for(tx, kind, subject, caller.id)
    elif kind == alerts.NOTICE:
        alerts.accept(platform, caller, subject)
    else:
        chats.take(platform, caller, subject)
    return DONE


bind(SendAlert, alerts.send, answer="OK")
bind(AcceptAlert, alerts.accept, related=alerts.is_receiver)
bind(CancelAlert, alerts.cancel, alert_id="id", related=owns(ALERTS, "sender"))

bind(ListTemplates, lists(TEMPLATES), follows=TEMPLATES)
bind(CreateTemplate, templates.create, template=as_record(AlertTemplate))
bind(UpdateTemplate, templates.update, template_id="id", changes=given_values("id"))
bind(DeleteTemplate, templates.delete, template_id="id")
bind(AttachReceivers, templates.attach, template_id="id", users="user_ids")
bind(DetachReceivers, templates.detach, template_id="id")
