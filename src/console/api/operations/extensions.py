"""Operations of the embedded service outside the contract.

A deployment with similar operations sets their routes in its routes file. A deployment without them answers 404, which
the console treats as "not offered".
"""

from __future__ import annotations

from typing import Literal

from console.api.annotations import EXTENSION, Access, Change, Guard, InPath, InQuery
from console.api.request import Request
from console.records.deliveries import Delivery
from console.records.fields import field
from console.records.meetings import MissedCall
from console.records.notifications import Notification
from console.records.responses import Acknowledgement


class ListMissedCalls(
    Request[tuple[MissedCall, ...]],
    name="missed-calls.list",
    section=EXTENSION,
    route="GET /missed-calls",
    access=Access.NAMED,
    error_shape="validation",
):
    """List the caller's missed calls, or for admins all users' missed calls, the newest first."""

    user: InQuery[str | None] = None
    unread: InQuery[bool | None] = None
    limit: InQuery[int | None] = field(default=None, ge=1)


class ListDeliveries(
    Request[tuple[Delivery, ...]],
    name="deliveries.list",
    section=EXTENSION,
    route="GET /deliveries",
    access=Access.ADMIN,
):
    """List mails, SMS and pushes with their states, the newest first.

    Codes are masked.
    """

    state: InQuery[Literal["pending", "sent", "dead", "unsent"] | None] = None
    mechanism: InQuery[Literal["email", "sms", "push", "user"] | None] = None
    limit: InQuery[int | None] = field(default=None, ge=1)


class GetDelivery(
    Request[Delivery],
    name="deliveries.get",
    section=EXTENSION,
    route="GET /deliveries/{id}",
    access=Access.ADMIN,
    answers_secret=True,
):
    """Get a delivery with its code or push token, which the list masks."""

    id: InPath[str]


class RetryDelivery(
    Request[Acknowledgement],
    name="deliveries.retry",
    label="send delivery again",
    section=EXTENSION,
    route="POST /deliveries/{id}/retry",
    change=Change(Guard.SMALL, done="queued", touches=("deliveries",)),
    access=Access.ADMIN,
    says="OK",
):
    """Send a delivery again that was given up or had no transport."""

    id: InPath[str]


class ListNotifications(
    Request[tuple[Notification, ...]],
    name="notifications.list",
    section=EXTENSION,
    route="GET /notifications",
):
    """List alerts and chats that wait for the caller's answer, the oldest first."""
