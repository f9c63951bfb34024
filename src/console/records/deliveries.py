"""Messages that the service sends by mail, SMS and push: an extension, which the contract does not have."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from console.records.record import Record


class Delivery(Record):
    """One message to one recipient, and whether it was sent. Times in ms since the epoch."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    """Also the Message-ID of a mail and the `webhook-id` of a webhook: the same in every attempt."""
    mechanism: str | None = None
    """`email`, `sms`, `push`, or `user` for a notice to a user."""
    kind: str | None = None
    """Why it is sent: `phone code`, `meeting created`, `push`."""
    recipient: str | None = None
    """A mail address, telephone number or user address; of a push token only the end."""
    subject: str | None = None
    """The id of the user, meeting or device that it is about."""
    title: str | None = None
    text: str | None = None
    """What the recipient reads, with codes and PINs masked."""
    state: str | None = None
    """`pending`, `sent`, `dead` (given up) or `unsent` (there was no transport for it)."""
    attempts: int | float | None = None
    last_error: str | None = None
    created_at: int | float | None = None
    next_attempt_at: int | float | None = None
    """When a pending delivery is due."""
    expires_at: int | float | None = None
    """When it is given up if it has not been sent by then."""
    finished_at: int | float | None = None
    """When it was sent or given up."""
    secret: str | None = Field(default=None, repr=False)
    """The code or PIN in the text; only `deliveries.get` answers it."""
    token: str | None = Field(default=None, repr=False)
    """The push token that it goes to; only `deliveries.get` answers it."""
