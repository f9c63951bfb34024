"""The messages that transports carry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from console.base.frozen import Frozen, field

GIVEN_UP_MS = 3 * 24 * 3600 * 1000
"""How long the service retries, unless the message expires earlier."""

Mechanism = Literal["user", "email", "sms", "push"]


class Message(Frozen):
    """One message to one recipient by one mechanism."""

    mechanism: Mechanism
    recipient: str
    """A user address for `user`, an e-mail address for `email`, a telephone number for `sms`, a token for `push`."""
    kind: str
    """Why it is sent, such as `meeting created`."""
    subject: str
    """The id of its subject."""
    content: Mapping[str, Any] = field(default_factory=dict[str, Any])
    good_for_ms: int = GIVEN_UP_MS
    """How long it is useful."""


class DueMessage(Frozen):
    """A message that is due."""

    id: str
    tries: int
    """Attempts since it was queued."""
    message: Message
