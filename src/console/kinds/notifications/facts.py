"""Facts about offers to the caller (an extension of the embedded service)."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from console.base.text import SafeText, clean
from console.views import wording
from console.views.index import Index

if TYPE_CHECKING:
    from collections.abc import Mapping

    from console.records.notifications import Notification
    from console.views.render_context import RenderContext

ALERT = "alert"
CHAT = "chat"


def what(offer: Notification) -> SafeText:
    """Return the content of an offer: the title of an alert, or the subject of a chat."""
    if offer.kind == CHAT:
        return clean(f"chat about {offer.title}" if offer.title else "chat", 60)
    return clean(offer.title or offer.subject or offer.id, 60)


def offers(render: RenderContext) -> list[Notification]:
    """Return the offers to the caller: chats before alerts, the oldest first, without a time last."""
    known = cast("Mapping[str, Notification]", render.lookup("notifications"))
    return sorted(
        known.values(),
        key=lambda notification: (
            notification.kind == ALERT,
            wording.oldest_first(wording.at(notification.created_at)),
            notification.id,
        ),
    )


def offered_chats(render: RenderContext) -> list[Notification]:
    """Return the offered chats, the oldest first."""
    return [offer for offer in offers(render) if offer.kind != ALERT]


_OFFERED_ALERTS: Index[Notification] = Index(
    "notifications", lambda offer: [offer.subject or offer.id] if offer.kind == ALERT else []
)


def offers_alert(alert_id: str, render: RenderContext) -> bool:
    """Return whether an alert waits for the caller's answer."""
    return alert_id in _OFFERED_ALERTS.of(render)
