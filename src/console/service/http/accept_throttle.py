"""Accept new connections at a limited rate, so that they do not slow down open ones."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from email.utils import formatdate
from typing import cast

import uvicorn

from console.base.clock import Clock

MOST_WAITING = 1024
"""Connections that the kernel queues until they are accepted."""
SECONDS_EACH = 0.0025
"""Time between two new connections, about that of a refused login. Two hundred consoles that reconnect within four
seconds, with up to nine connections each, are accepted without delay."""
DRAIN_SECONDS = 1.5
"""Time for requests and event channels to end before their connections are closed."""
FULL_SECONDS = 0.5
"""Pause when the system has no resources for another connection."""

log = logging.getLogger("console.service")


class Server(uvicorn.Server):
    """A server that accepts connections one by one, between requests of open connections.

    asyncio accepts all queued connections at once, and they are then processed together: a thousand simultaneous logins
    delayed all other requests by a second.

    Answers are dated by `clock`, as is everything in them, not by the system's.
    """

    _tasks: Sequence[asyncio.Task[None]] = ()

    def __init__(self, config: uvicorn.Config, clock: Clock, drain: Callable[[], None]) -> None:
        """`drain` tells clients with a long-lived connection to go, before the server closes what is left."""
        super().__init__(config)
        self._clock = clock
        self._drain = drain

    async def on_tick(self, counter: int) -> bool:
        """Date the next answers; return whether to end."""
        ends = await super().on_tick(counter)
        date = formatdate(self._clock.now_ms() // 1000, usegmt=True)
        self.server_state.default_headers = [(b"date", date.encode())]
        return ends

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to serve; this class, not the event loop, accepts connections on these sockets."""
        await super().startup([])
        self._tasks = [asyncio.ensure_future(self._let_in(each)) for each in sockets or ()]

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop accepting, give clients a moment to go, then shut down as usual."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for listener in sockets or ():
            listener.close()
        self._drain()
        # One task for each request and event channel in progress.
        if self.server_state.tasks:
            await asyncio.wait(tuple(self.server_state.tasks), timeout=DRAIN_SECONDS)
        await super().shutdown(sockets)

    async def _let_in(self, listener: socket.socket) -> None:
        listener.setblocking(False)
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, _ = await loop.sock_accept(listener)
            except OSError as error:
                log.warning("cannot accept connections: %s", error)
                await asyncio.sleep(FULL_SECONDS)
                continue
            with suppress(OSError):
                await loop.connect_accepted_socket(self._protocol, connection)
            await asyncio.sleep(SECONDS_EACH)

    def _protocol(self) -> asyncio.Protocol:
        kind = cast("Callable[..., asyncio.Protocol]", self.config.http_protocol_class)
        return kind(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)
