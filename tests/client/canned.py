"""A transport that calls a function: its response is streamed, as from a socket."""

from __future__ import annotations

from collections.abc import Callable

import httpx

Handler = Callable[[httpx.Request], httpx.Response]


class Canned(httpx.AsyncBaseTransport):
    """A transport that answers every request by calling the handler."""

    def __init__(self, handler: Handler) -> None:
        self._handler = handler

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        await request.aread()
        response = self._handler(request)
        return httpx.Response(response.status_code, headers=response.headers, stream=response.stream)
