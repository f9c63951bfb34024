"""Letting connections in at a pace, so that many new connections do not slow down those that are open."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import cast

import uvicorn

MOST_WAITING = 1024
"""Connections that the kernel holds until they are let in."""
SECONDS_EACH = 0.0025
"""How long a newcomer is accepted alone; a log-in that is refused takes about as long. Two hundred consoles that
come back within four seconds, with up to nine connections each, are let in as they come."""
FULL_SECONDS = 0.5
"""How long nobody is let in when the system has no room for another connection."""

log = logging.getLogger("console.service")


class Server(uvicorn.Server):
    """A server that lets newcomers in one by one, between the requests of those who are in.

    asyncio accepts as many connections in one go as wait in the kernel, and all of them wait for their turn together:
    a thousand log-ins at once kept everybody else waiting for a second.
    """

    _tasks: Sequence[asyncio.Task[None]] = ()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to serve; connections of these sockets are taken here and not by the loop itself."""
        await super().startup([])
        self._tasks = [asyncio.ensure_future(self._let_in(each)) for each in sockets or ()]

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let nobody in any more, then end as usual."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
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
