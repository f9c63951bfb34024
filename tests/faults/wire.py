"""One direction of a connection through the proxy, and its faults: delay, low bandwidth, fragmentation, loss."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from dataclasses import dataclass


@dataclass
class Line:
    """The current faults of connections, named as in Toxiproxy."""

    latency: float = 0.0
    """Delay in seconds."""
    jitter: float = 0.0
    """Maximum additional random delay in seconds."""
    bandwidth: float = 0.0
    """Bytes per second; 0 for no limit."""
    slice: int = 0
    """Maximum bytes per write; 0 for no limit."""
    hole: bool = False
    """Hold back all data until this is unset, as when packets are lost and sent again."""
    limit: int | None = None
    """Bytes after which the connection is reset."""
    corrupt: bool = False
    """Change one byte of each piece."""
    slow_close: float = 0.0
    """Delay of the end of the connection in seconds."""


class Cut(Exception):
    """Raised when a fault has cut the connection."""


class Wire:
    """Forwards bytes to one side, with the current faults."""

    def __init__(self, writer: asyncio.StreamWriter, lot: random.Random) -> None:
        self.line = Line()
        self.forgotten = False
        """Drop all data from now on, even after `heal`: a router has forgotten the connection."""
        self._writer = writer
        self._lot = lot
        self._passed = 0
        self._lifted = asyncio.Event()

    def becomes(self, line: Line) -> None:
        """Change the faults; data held back are sent if the new faults allow it."""
        self.line = line
        self._passed = 0
        self._lifted.set()

    async def send(self, data: bytes) -> None:
        """Forward data. Raise Cut if a fault ends the connection, ConnectionError if the other side has closed it."""
        pieces = [data]
        if self.line.slice:
            size = self._lot.randint(1, self.line.slice)
            pieces = [data[at : at + size] for at in range(0, len(data), size)]
        for piece in pieces:
            await self._send(piece)

    async def _send(self, piece: bytes) -> None:
        line = self.line
        late = line.latency + line.jitter * self._lot.random()
        if line.bandwidth:
            late += len(piece) / line.bandwidth
        if late:
            await asyncio.sleep(late)
        elif line.slice:
            await asyncio.sleep(0)
        while self.line.hole or self.forgotten:
            self._lifted.clear()
            await self._lifted.wait()
        if self.line.corrupt:
            at = self._lot.randrange(len(piece))
            piece = piece[:at] + bytes([piece[at] ^ self._lot.randint(1, 255)]) + piece[at + 1 :]
        if self.line.limit is not None:
            piece = piece[: self.line.limit - self._passed]
            self._passed += len(piece)
        self._writer.write(piece)
        await self._writer.drain()
        if self.line.limit is not None and self._passed >= self.line.limit:
            self.reset()
            raise Cut

    async def end(self) -> None:
        """Close this side, after `slow_close` seconds; data held back stay unsent until the hole is lifted."""
        if self.line.slow_close:
            await asyncio.sleep(self.line.slow_close)
        while self.line.hole or self.forgotten:
            self._lifted.clear()
            await self._lifted.wait()
        with suppress(OSError):
            self._writer.close()

    def reset(self) -> None:
        """Reset both directions at once."""
        self._writer.transport.abort()
