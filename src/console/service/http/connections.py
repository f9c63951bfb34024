"""uvicorn's server, and its HTTP and WebSocket protocols with timeouts for stalled peers.

The server accepts new connections at a limited rate, so that they do not slow down open ones. uvicorn waits without
limit for the head of a request, and for a peer that does not read. Either costs the service a connection. Here both
have a timeout. The event channel can also pass all queued messages in one write, which is one system call instead of
one per message.
"""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from email.utils import formatdate
from typing import Any, cast

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from console.base.clock import Clock
from console.service.http.error_bodies import error_body
from console.service.http.request_head import head_too_large
from console.service.refusal import Refusal

HEAD_SECONDS = 10.0
"""Timeout for the head of a request, from its first byte or the start of the connection."""
STALL_SECONDS = 30.0
"""Timeout for a peer that reads none of the queued bytes."""
SLICE = 8 * 1024
"""Bytes of a head that are processed at a time, so that a head above the limit is refused before it is parsed."""
TEXTS = "texts"
"""Extension of `websocket.send` that takes several encoded texts instead of one."""

_REASONS = {400: b"Bad Request", 431: b"Request Header Fields Too Large"}
_TOO_LATE = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class _StallTimeout(asyncio.Protocol):
    """Closes the connection of a peer that does not read."""

    _peer: asyncio.Transport
    _stall_timer: asyncio.TimerHandle | None = None
    _queued = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Let the protocol pause at the first queued byte, which starts the timer."""
        super().connection_made(transport)
        self._peer = cast(asyncio.Transport, transport)
        self._peer.set_write_buffer_limits(high=0)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer."""
        self._stop_stall_timer()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Start the timer: bytes are queued."""
        self._start_stall_timer()
        super().pause_writing()

    def resume_writing(self) -> None:
        """Stop the timer: the peer has read."""
        self._stop_stall_timer()
        super().resume_writing()

    def _start_stall_timer(self) -> None:
        self._queued = self._peer.get_write_buffer_size()
        self._stall_timer = asyncio.get_running_loop().call_later(STALL_SECONDS, self._check_reading)

    def _stop_stall_timer(self) -> None:
        if self._stall_timer is not None:
            self._stall_timer.cancel()
            self._stall_timer = None

    def _check_reading(self) -> None:
        if 0 < self._peer.get_write_buffer_size() < self._queued:
            self._start_stall_timer()
        else:
            self._peer.abort()


class HttpConnection(_StallTimeout, H11Protocol):
    """HTTP/1.1 with timeouts for request heads and for reading answers."""

    _head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start the timer for the first head."""
        super().connection_made(transport)
        self._head_timer = self.loop.call_later(HEAD_SECONDS, self._give_up)

    def data_received(self, data: bytes) -> None:
        """Process received bytes, and start or stop the timer for a head."""
        while self.conn.their_state is h11.IDLE and len(data) > SLICE:
            super().data_received(data[:SLICE])
            data = data[SLICE:]
        if self.conn.their_state is not h11.ERROR:
            super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop_waiting()
        elif self._head_timer is None and not self.transport.is_closing():
            self._head_timer = self.loop.call_later(HEAD_SECONDS, self._give_up)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all timers."""
        self._stop_waiting()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Refuse invalid HTTP and heads above the limit, in an error format of the contract."""
        error = sys.exception()
        too_large = isinstance(error, h11.RemoteProtocolError) and error.error_status_hint == 431
        refusal = head_too_large() if too_large else Refusal(400, msg)
        body = json.dumps(error_body(refusal, "code"), separators=(",", ":")).encode()
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
        ]
        events: tuple[h11.Event, ...] = (
            h11.Response(status_code=refusal.status, headers=headers, reason=_REASONS[refusal.status]),
            h11.Data(data=body),
            h11.EndOfMessage(),
        )
        for event in events:
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _stop_waiting(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _give_up(self) -> None:
        self._head_timer = None
        if not self.transport.is_closing():
            self.transport.write(_TOO_LATE)
            self.transport.close()


class EventConnection(_StallTimeout, WebSocketsSansIOProtocol):
    """A WebSocket with a timeout for reading; it sends several messages at once (see `TEXTS`)."""

    def handle_connect(self, event: Any) -> None:
        """Offer the extension to the application."""
        super().handle_connect(event)
        if not self.close_sent:
            cast("dict[str, Any]", self.scope)["extensions"][TEXTS] = {}

    async def send(self, message: Any) -> None:
        """Send a message of the application; several texts become as many frames in one write."""
        texts: Sequence[bytes] | None = message.get(TEXTS)
        if texts is None:
            await super().send(message)
            return
        await self.writable.wait()
        if self.disconnected or self.close_sent or self.transport.is_closing():
            raise ClientDisconnected
        parts: list[bytes] = []
        for text in texts:
            parts += (frame_head(len(text)), text)
        self.transport.write(b"".join(parts))


def frame_head(length: int) -> bytes:
    """Return the frame header of an unfragmented text of this length in bytes, from the server (RFC 6455, 5.2)."""
    if length < 126:
        return bytes((0x81, length))
    if length < 1 << 16:
        return b"\x81\x7e" + length.to_bytes(2, "big")
    return b"\x81\x7f" + length.to_bytes(8, "big")


MOST_WAITING = 1024
"""Connections that the kernel queues until they are accepted."""
SECONDS_EACH = 0.0025
"""Time between two new connections, about the time of a refused login. Two hundred consoles that reconnect within four
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
