"""The edge to the network: uvicorn's two protocols, with what they lack against peers that stall.

uvicorn waits for ever for a request's head, and for a peer that no longer reads what was sent to it. Both cost the
peer nothing and the service a connection each. Here both have an end, and the event channel can hand over all the
messages that wait in one write: one call of the system instead of one for each.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from typing import Any, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from console.service.error_bodies import error_body
from console.service.refusal import Refusal
from console.service.request_head import head_too_large

HEAD_SECONDS = 10.0
"""How long the head of a request may take, from its first byte or from the beginning of the connection."""
STALL_SECONDS = 30.0
"""How long a peer may take none of the bytes that wait for it."""
SLICE = 8 * 1024
"""Bytes of a head that are looked at in one go: so one that is too large is refused before it is parsed."""
TEXTS = "texts"
"""The extension of `websocket.send` that takes several texts, encoded, instead of one."""

_REASONS = {400: b"Bad Request", 431: b"Request Header Fields Too Large"}
_TOO_LATE = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class _Outlet:
    """Watches whether a peer takes what is written, and lets go of one that does not."""

    def __init__(self, transport: asyncio.Transport) -> None:
        # From the first byte that waits, the protocol is told to pause: that starts the watch.
        transport.set_write_buffer_limits(high=0)
        self._transport = transport
        self._timer: asyncio.TimerHandle | None = None
        self._left = 0

    def blocked(self) -> None:
        """Begin to watch: bytes wait."""
        self._left = self._transport.get_write_buffer_size()
        self._timer = asyncio.get_running_loop().call_later(STALL_SECONDS, self._look)

    def free(self) -> None:
        """Stop watching: everything went, or the connection did."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        if 0 < self._transport.get_write_buffer_size() < self._left:
            self.blocked()
        else:
            self._transport.abort()


class HttpConnection(H11Protocol):
    """HTTP/1.1, of requests whose head comes in time and of peers that read their answers."""

    _outlet: _Outlet
    _head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as the base itself
        """Begin to wait for the first head."""
        super().connection_made(transport)
        self._outlet = _Outlet(transport)
        self._head_timer = self.loop.call_later(HEAD_SECONDS, self._give_up)

    def data_received(self, data: bytes) -> None:
        """Take what came, and see whether a head is complete or begun."""
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
        """Forget all watches."""
        self._stop_waiting()
        self._outlet.free()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Watch whether the answer is being read."""
        self._outlet.blocked()
        super().pause_writing()

    def resume_writing(self) -> None:
        """Go on: it was."""
        self._outlet.free()
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP, or has a head that is too large, in one of the contract's shapes."""
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


class EventConnection(WebSocketsSansIOProtocol):
    """A WebSocket of a peer that reads; it takes several messages at once (see `TEXTS`)."""

    _outlet: _Outlet

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to watch the peer."""
        super().connection_made(transport)
        self._outlet = _Outlet(cast(asyncio.Transport, transport))

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the watch."""
        self._outlet.free()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Watch whether the events are being read."""
        self._outlet.blocked()
        super().pause_writing()

    def resume_writing(self) -> None:
        """Go on: they were."""
        self._outlet.free()
        super().resume_writing()

    def handle_connect(self, event: Any) -> None:
        """Offer the extension to the application."""
        super().handle_connect(event)
        if not self.close_sent:
            cast("dict[str, Any]", self.scope)["extensions"][TEXTS] = {}

    async def send(self, message: Any) -> None:
        """Send what the application says; several texts become as many frames in one write."""
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
    """Return what stands before a whole text of that many bytes, as a service sends it (RFC 6455, 5.2)."""
    if length < 126:
        return bytes((0x81, length))
    if length < 1 << 16:
        return b"\x81\x7e" + length.to_bytes(2, "big")
    return b"\x81\x7f" + length.to_bytes(8, "big")
