"""A TCP balancer on loopback that can cut, delay, slow down and refuse: before nodes, and before their database."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from contextlib import suppress
from typing import Self

from tests.faults.wire import Cut, Line, Wire

PIECE_BYTES = 65_536


class Balancer:
    """Listens on a port of its own, and carries each connection to the next port in turn that accepts it."""

    def __init__(self, ports: Sequence[int], lot: random.Random) -> None:
        self.port = 0
        self.refusing = False
        """Whether new connections are reset."""
        self._ports = ports
        self._turn = 0
        self._lot = lot
        self._line = Line()
        self._wires: set[Wire] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = int(self._server.sockets[0].getsockname()[1])
        return self

    async def __aexit__(self, *_exc: object) -> None:
        if self._server is not None:
            self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def becomes(self, line: Line) -> None:
        """Set the faults of all current and future connections."""
        self._line = line
        for wire in self._wires:
            wire.becomes(line)

    def cut(self) -> None:
        """Reset all connections."""
        for wire in self._wires:
            wire.reset()

    def forget(self) -> None:
        """Drop all data of the current connections from now on, without an end of them."""
        for wire in self._wires:
            wire.forgotten = True

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(self._carry(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        other = None if self.refusing else await self._connect()
        if other is None:
            writer.transport.abort()
            return
        up, down = Wire(other[1], self._lot), Wire(writer, self._lot)
        up.line = down.line = self._line
        self._wires |= {up, down}
        ways = [asyncio.ensure_future(_pump(reader, up)), asyncio.ensure_future(_pump(other[0], down))]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            # Before anything is awaited: this task may be cancelled while it ends.
            for wire in (up, down):
                wire.reset()
            for way in ways:
                way.cancel()
            self._wires -= {up, down}
            await asyncio.gather(*ways, return_exceptions=True)

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        for _ in self._ports:
            port = self._ports[self._turn % len(self._ports)]
            self._turn += 1
            with suppress(OSError):
                return await asyncio.open_connection("127.0.0.1", port)
        return None


async def _pump(reader: asyncio.StreamReader, wire: Wire) -> None:
    with suppress(OSError, Cut):
        while data := await reader.read(PIECE_BYTES):
            await wire.send(data)
