"""Post signed JSON to an address: one attempt, with limits on time and size."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

import httpx

from console.client.endpoint import Endpoint
from console.client.http import URL_FAULTS, network_fault
from console.client.network import LOGIN_FOR_PROXY, host_of, login_for_proxy

ATTEMPT_SECONDS = 10.0
LONGEST_WAIT = 60.0
"""Longest delay in seconds that a receiver may request."""
FOR_GOOD = frozenset({400, 401, 403, 404, 405, 410, 413, 415, 422})
"""Status codes for which another attempt would have the same result."""
_TIMEOUT = httpx.Timeout(5.0)


class NotPosted(Exception):
    """A receiver did not take a message; the text says why."""

    def __init__(self, text: str, *, for_good: bool = False, after_seconds: float = 0.0) -> None:
        super().__init__(text)
        self.for_good = for_good
        self.after_seconds = after_seconds
        """How long to wait before another attempt, at least."""


class WebhookClient:
    """Posts to one address, with the certificates and the proxy of a deployment."""

    def __init__(self, url: str, endpoint: Endpoint | None) -> None:
        """Prepare without sending anything. Raise OSError if a certificate file cannot be used."""
        self._url = url
        self._proxy = endpoint.proxy_for(url) if endpoint is not None else None
        self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        if url.startswith("https:") or (self._proxy or "").startswith("https:"):
            self._tls = endpoint.tls.context() if endpoint is not None else ssl.create_default_context()

    def post(self, body: bytes, headers: Mapping[str, str], now: float) -> int:
        """Post once, and return the status, which is 2xx. Redirects are not followed. `now` is in s since the epoch.

        Not for use on an event loop. Raise NotPosted.
        """
        return asyncio.run(self._post(body, headers, now))

    async def _post(self, body: bytes, headers: Mapping[str, str], now: float) -> int:
        host = host_of(self._url)
        try:
            async with (
                asyncio.timeout(ATTEMPT_SECONDS),
                httpx.AsyncClient(verify=self._tls, proxy=self._proxy, trust_env=False, timeout=_TIMEOUT) as client,
                client.stream("POST", self._url, content=body, headers=dict(headers)) as answer,
            ):
                status, retry_after = answer.status_code, answer.headers.get("Retry-After", "")
        except TimeoutError:
            raise NotPosted(f"{host} did not answer within {ATTEMPT_SECONDS:g} s") from None
        except httpx.HTTPError as error:
            raise NotPosted(network_fault(error, self._url, self._proxy).reason) from error
        except URL_FAULTS as error:
            raise NotPosted(f"the URL cannot be used: {error}", for_good=True) from error
        if 200 <= status < 300:
            return status
        if status == LOGIN_FOR_PROXY and self._proxy is not None:
            raise NotPosted(login_for_proxy(self._proxy))
        raise NotPosted(
            f"{host} answered {status}", for_good=status in FOR_GOOD, after_seconds=_after(retry_after, now)
        )


def _after(header: str, now: float) -> float:
    """Return the seconds of a Retry-After header, which may be a date; 0 without one."""
    text = header.strip()
    if text.isascii() and text.isdigit() and len(text) < 10:
        seconds = float(text)
    else:
        try:
            seconds = parsedate_to_datetime(text).timestamp() - now
        except (ValueError, OverflowError):
            return 0.0
    return min(LONGEST_WAIT, max(0.0, seconds))
