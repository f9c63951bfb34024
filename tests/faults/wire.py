"""One direction of a connection through the proxy, and what can be wrong with it: bytes late, few, cut or held back."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from dataclasses import dataclass


@dataclass
class Line:
    """What is wrong with lines at the moment. Named as Toxiproxy names them."""

    latency: float = 0.0
    """Seconds that everything is late."""
    jitter: float = 0.0
    """Seconds at most that it is later still, drawn by lot each time."""
    bandwidth: float = 0.0
    """Bytes a second; 0 for no limit."""
    slice: int = 0
    """Bytes at most that travel together; 0 for no limit."""
    hole: bool = False
    """Nothing arrives until it is lifted, as when packets are lost and sent again."""
    limit: int | None = None
    """Bytes after which the connection is reset."""
    corrupt: bool = False
    """One byte of each piece is another one."""
    slow_close: float = 0.0
    """Seconds by which the end of the connection is late."""


class Cut(Exception):
    """The line has been cut by a fault."""


class Wire:
    """Carries bytes to one side, with the faults of the moment."""

    def __init__(self, writer: asyncio.StreamWriter, lot: random.Random) -> None:
        self.line = Line()
        self.forgotten = False
        """Nothing arrives any more, whatever is healed: a router has forgotten the connection."""
        self._writer = writer
        self._lot = lot
        self._passed = 0
        self._lifted = asyncio.Event()

    def becomes(self, line: Line) -> None:
        """Take on other faults; what a hole held back goes on if there is none any more."""
        self.line = line
        self._passed = 0
        self._lifted.set()

    async def send(self, data: bytes) -> None:
        """Carry some bytes. Raises Cut when the line ends on the way, ConnectionError when the other side has gone."""
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
        """Close this side, late if the line says so; what a hole holds back stays unsaid until it is lifted."""
        if self.line.slow_close:
            await asyncio.sleep(self.line.slow_close)
        while self.line.hole or self.forgotten:
            self._lifted.clear()
            await self._lifted.wait()
        with suppress(OSError):
            self._writer.close()

    def reset(self) -> None:
        """End both directions at once, without a goodbye."""
        self._writer.transport.abort()
