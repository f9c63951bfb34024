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
from console.notices.ways.way import NotDelivered, Way

if TYPE_CHECKING:
    from console.client.endpoint import Endpoint

    # As in `tell`.
    from console.client.webhook import WebhookClient
    from console.notices.notice import Notice

ATTEMPTS = 130
"""Attempts over an hour at least, so that a receiver may be replaced."""
FIRST_PAUSE = 1.0
"""Seconds before the second attempt; doubled before each further one, and partly random."""
LONGEST_PAUSE = 60.0
_NOTEWORTHY = 3
"""Failed attempts after which a person should know."""


class WebhookWay(Way):
    """Posts each notice until the receiver takes it, in order. Used by one thread."""

    name = "webhook"

    def __init__(
        self,
        url: str,
        secret: Callable[[], bytes | None],
        deployment: Callable[[str], Endpoint | None],
        attempts: int = ATTEMPTS,
        first_pause: float = FIRST_PAUSE,
        wait: Callable[[float], bool] | None = None,
    ) -> None:
        """Post to a URL.

        `secret` may wait, and raises ValueError with the reason if the secret cannot be read. `deployment` returns the
        deployment of a profile, whose certificates and proxy are used. `wait` waits for some seconds, and returns
        whether to give up.
        """
        self._url = url
        self._secret = secret
        self._deployment = deployment
        self._attempts = attempts
        self._first_pause = first_pause
        self._clients: dict[str, WebhookClient] = {}
        self._ended = threading.Event()
        self._wait = wait or self._ended.wait
        self._fault = ""
        self.answered = 0
        """The status of the last answer that took a notice."""

    def send(self, notice: Notice) -> None:
        """Post the notice; wait between attempts. Raise NotDelivered."""
        # Takes 65 ms, with httpx, and few configurations post notices.
        from console.client.webhook import NotPosted

        key = uuid.uuid4().hex
        body = json.dumps({"id": key, "type": "notice", "data": notice.to_object()}, separators=(",", ":")).encode()
        pause = self._first_pause
        for attempt in range(1, self._attempts + 1):
            try:
                self._post(key, body, notice.profile)
                self._fault = ""
                return
            except (NotPosted, OSError, ValueError) as error:
                after, for_good = (
                    (error.after_seconds, error.for_good) if isinstance(error, NotPosted) else (0.0, False)
                )
                if attempt >= _NOTEWORTHY:
                    self._fault = str(error)
                wait = max(after, pause * random.uniform(0.5, 1.0))
                if for_good or attempt == self._attempts or self._wait(wait):
                    raise NotDelivered(str(error)) from error
                pause = min(2 * pause, LONGEST_PAUSE)

    def fault(self) -> str:
        """Return why the notice that is under way has not arrived yet; otherwise empty."""
        return self._fault

    def expected_effect(self) -> str:
        """Return what the receiver answered."""
        return f"answered {self.answered}"

    def close(self) -> None:
        """Make no further attempt."""
        self._ended.set()

    def _post(self, key: str, body: bytes, profile: str) -> None:
        # As in `tell`.
        from console.client.webhook import WebhookClient

        client = self._clients.get(profile)
        if client is None:
            client = self._clients[profile] = WebhookClient(self._url, self._deployment(profile))
        now = time.time()
        # Read for each request: a rotated secret is used at once.
        self.answered = client.post(body, headers_of(key, int(now), body, self._secret()), now)
