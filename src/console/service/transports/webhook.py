"""SMS, pushes and notices to users by a signed webhook (`api/webhooks.py`)."""

from __future__ import annotations

import asyncio
import json
import ssl
import time
from email.utils import parsedate_to_datetime

import httpx

from console.api.webhooks import headers_of
from console.service.domain.delivery_texts import compose
from console.service.transports.message import DueMessage
from console.service.transports.options import Webhook
from console.service.transports.transport import ATTEMPT_SECONDS, Failed, Rejected, Transport, one_line

FOR_GOOD = frozenset({400, 410, 413, 415, 422})
"""Status codes that reject this message permanently. All others are temporary."""
LARGEST_ANSWER = 1024
"""Bytes of a refusal that are read for its message."""
LONGEST_WAIT = 3600.0
"""Longest delay in seconds that a receiver may request."""
_TIMEOUT = httpx.Timeout(10.0)


class WebhookTransport(Transport):
    """Posts deliveries to one address."""

    mechanisms = frozenset({"sms", "push", "user"})
    name = "webhook"

    def __init__(self, options: Webhook) -> None:
        super().__init__()
        self._options = options
        self._tls = ssl.create_default_context()

    @property
    def words(self) -> str:
        """The receiver's address."""
        return self._options.words

    async def send(self, due: DueMessage) -> None:
        """Post one delivery; any 2xx is a success. Redirects and proxies from the environment are not used."""
        body = written(due)
        headers = headers_of(due.id, int(time.time()), body, self._options.secret)
        try:
            async with (
                asyncio.timeout(ATTEMPT_SECONDS),
                httpx.AsyncClient(verify=self._tls, timeout=_TIMEOUT, trust_env=False) as client,
                client.stream("POST", self._options.url, content=body, headers=headers) as answer,
            ):
                if answer.is_success:
                    return
                beginning = await _beginning(answer)
                text = one_line(f"{self.words} answered {answer.status_code} {beginning}")
                if answer.status_code in FOR_GOOD:
                    raise Rejected(text)
                down = answer.status_code not in {408, 409, 425, 429}
                raise Failed(text, down=down, after_seconds=_after(answer, time.time()))
        except (TimeoutError, httpx.TimeoutException) as error:
            raise Failed(f"{self.words} did not answer in time", down=True) from error
        except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
            raise Failed(f"{self.words}: {one_line(error) or type(error).__name__}", down=True) from error


def written(due: DueMessage) -> bytes:
    """Return the body of a request."""
    message = due.message
    title, text = compose(message.kind, message.content, hide=False)
    data = {
        "recipient": message.recipient,
        "kind": message.kind,
        "subject": message.subject,
        "title": title,
        "text": text,
        "content": message.content,
    }
    return json.dumps({"id": due.id, "type": message.mechanism, "data": data}, separators=(",", ":")).encode()


async def _beginning(answer: httpx.Response) -> str:
    found = b""
    async for part in answer.aiter_raw(LARGEST_ANSWER):
        found += part
        break
    return found[:LARGEST_ANSWER].decode("utf-8", "replace")


def _after(answer: httpx.Response, now: float) -> float | None:
    """Return the seconds of a Retry-After header, which may be a date, or None."""
    strip = answer.headers.get("Retry-After", "").strip()
    if strip.isascii() and strip.isdigit() and len(strip) < 10:
        seconds = float(strip)
    else:
        try:
            seconds = parsedate_to_datetime(strip).timestamp() - now
        except (ValueError, OverflowError):
            return None
    return min(LONGEST_WAIT, max(0.0, seconds))
