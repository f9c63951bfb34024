"""Post notices as signed JSON to an address."""

from __future__ import annotations

import json
import random
import threading
import time
import uuid
from collections.abc import Callable
from typing import TYPE_CHECKING

from console.api.webhooks import headers_of
from console.notices.ways.way import NotTold, Way

if TYPE_CHECKING:
    from console.client.endpoint import Endpoint
    from console.client.webhook import WebhookClient
    from console.notices.notice import Notice

ATTEMPTS = 6
FIRST_PAUSE = 1.0
"""Seconds before the second attempt; doubled before each further one, and partly random."""


class Webhook(Way):
    """Posts each notice until the receiver takes it, in order. Used by one thread."""

    name = "webhook"

    def __init__(
        self,
        url: str,
        secret: Callable[[], bytes | None],
        deployment: Callable[[str], Endpoint | None],
        attempts: int = ATTEMPTS,
        first_pause: float = FIRST_PAUSE,
    ) -> None:
        """Post to a URL.

        `secret` may wait, and raises ValueError with the reason if the secret cannot be read. `deployment` returns the
        deployment of a profile, whose certificates and proxy are used.
        """
        self._url = url
        self._secret = secret
        self._deployment = deployment
        self._attempts = attempts
        self._first_pause = first_pause
        self._clients: dict[str, WebhookClient] = {}
        self._ended = threading.Event()
        self.answered = 0
        """The status of the last answer that took a notice."""

    def tell(self, notice: Notice) -> None:
        """Post the notice; wait between attempts. Raise NotTold."""
        from console.client.webhook import NotPosted

        key = uuid.uuid4().hex
        body = json.dumps({"id": key, "type": "notice", "data": notice.to_object()}, separators=(",", ":")).encode()
        pause = self._first_pause
        for attempt in range(1, self._attempts + 1):
            try:
                self._post(key, body, notice.profile)
                return
            except NotPosted as failed:
                wait = max(failed.after_seconds, pause * random.uniform(0.5, 1.0))
                if failed.for_good or attempt == self._attempts or self._ended.wait(wait):
                    raise NotTold(str(failed)) from failed
                pause *= 2
            except (OSError, ValueError) as error:
                raise NotTold(str(error)) from error

    def told(self) -> str:
        """Return what the receiver answered."""
        return f"answered {self.answered}"

    def close(self) -> None:
        """Make no further attempt."""
        self._ended.set()

    def _post(self, key: str, body: bytes, profile: str) -> None:
        from console.client.webhook import WebhookClient

        client = self._clients.get(profile)
        if client is None:
            client = self._clients[profile] = WebhookClient(self._url, self._deployment(profile))
        now = time.time()
        # Read for each request: a rotated secret is used at once.
        self.answered = client.post(body, headers_of(key, int(now), body, self._secret()), now)
