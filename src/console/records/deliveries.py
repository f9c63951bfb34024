"""Mails, SMS and pushes sent by the service: an extension of the contract."""

from __future__ import annotations

from typing import ClassVar

from console.records.fields import field
from console.records.record import Record


class Delivery(Record):
    """One message to one recipient, and its state. Times in ms since the epoch."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    """Also the Message-ID of a mail and the `webhook-id` of a webhook; the same in every attempt."""
    mechanism: str | None = None
    """`email`, `sms`, `push`, or `user` for a notice to a user."""
    kind: str | None = None
    """Why it is sent: `phone code`, `meeting created`, `push`."""
    recipient: str | None = None
    """A mail address, telephone number or user address, or the end of a push token."""
    subject: str | None = None
    """The id of the user, meeting or device concerned."""
    title: str | None = None
    text: str | None = None
    """The text for the recipient, with codes and PINs masked."""
    state: str | None = None
    """`pending`, `sent`, `dead` (given up) or `unsent` (without a transport)."""
    attempts: int | float | None = None
    last_error: str | None = None
    created_at: int | float | None = None
    next_attempt_at: int | float | None = None
    """When the next attempt is due."""
    expires_at: int | float | None = None
    """When the delivery is given up if it is still pending."""
    finished_at: int | float | None = None
    """When it was sent or given up."""
    secret: str | None = field(default=None, repr=False)
    """The code or PIN in the text; only in answers of `deliveries.get`."""
    token: str | None = field(default=None, repr=False)
    """The push token; only in answers of `deliveries.get`."""
