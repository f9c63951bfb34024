"""A proxy on loopback that injects faults: into bytes, HTTP answers, and messages of the event channel.

async with Proxy(upstream_port, random.Random(1)) as proxy:
    proxy.down = Line(latency=0.2)      # of what the service sends
    proxy.answer = lambda asked: ...    # in place of the service
    proxy.heal()
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Self

from tests.faults.wire import Cut, Line, Wire

Message = dict[str, Any]


@dataclass(frozen=True)
class Head:
    """The first line and the headers of a request or an answer, and the body if it was read."""

    first: str
    headers: Mapping[str, str]
    body: bytes = b""

    @property
    def path(self) -> str:
        """The path of a request, with its query."""
        return self.first.split(" ")[1]

    @property
    def channel(self) -> bool:
        """Whether a request opens the event channel."""
        return self.headers.get("upgrade", "").lower() == "websocket"

    @property
    def length(self) -> int:
        """The length of the body in bytes."""
        return int(self.headers.get("content-length", "0"))

    def wire(self) -> bytes:
        """Return the wire form."""
        lines = [self.first, *(f"{name}: {value}" for name, value in self.headers.items())]
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + self.body


def answering(status: int, body: bytes = b'{"message":"no"}', headers: Mapping[str, str] | None = None) -> bytes:
    """Return an HTTP answer."""
    told = {"content-type": "application/json", "content-length": str(len(body)), **(headers or {})}
    return Head(f"HTTP/1.1 {status} So", told, body).wire()


def closing(code: int, reason: str = "") -> bytes:
    """Return the frame that closes a WebSocket."""
    return _frame(0x88, code.to_bytes(2, "big") + reason.encode())


def frame(message: Message | str) -> bytes:
    """Return the frame of a message, or of a text that is not valid JSON."""
    return _frame(0x81, (message if isinstance(message, str) else json.dumps(message)).encode())


class Proxy:
    """Listens on a port of its own and forwards everything to the service, with the current faults."""

    def __init__(self, upstream: int, lot: random.Random) -> None:
        self._upstream = upstream
        self._lot = lot
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._wires: set[tuple[Wire, Wire]] = set()
        self.port = 0
        self.opened = 0
        """The number of connections accepted so far."""
        self.heal()

    async def __aenter__(self) -> Self:
        await self.listen()
        return self

    async def __aexit__(self, *_exc: object) -> None:
        await self.refuse()
        self.reset()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def heal(self) -> None:
        """Remove all faults. Connections that were reset or forgotten stay so."""
        self.turned_away: Callable[[], bool] = lambda: False
        """Whether to reset a new connection."""
        self.ask: Callable[[Head], Head] = lambda asked: asked
        """Changes a request before it is forwarded."""
        self.answer: Callable[[Head], bytes | None] = lambda _asked: None
        """Answers in place of the service; None forwards the request."""
        self.bend: Callable[[Head, Head], Head] = lambda _asked, came: came
        """Changes an answer of the service."""
        self.messages: Callable[[Message], list[Message | bytes]] = lambda message: [message]
        """Replaces a message by none, several or others, or by raw bytes."""
        self.say: Callable[[], bytes | None] = lambda: None
        """Bytes sent right after a channel has opened, before the connection is closed."""
        self.lines(Line(), Line())

    def lines(self, up: Line, down: Line) -> None:
        """Set the faults of all current and future connections."""
        self._up, self._down = up, down
        for upward, downward in self._wires:
            upward.becomes(up)
            downward.becomes(down)

    async def listen(self) -> None:
        """Accept connections at the same port as before."""
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", self.port)
        self.port = int(self._server.sockets[0].getsockname()[1])

    async def refuse(self) -> None:
        """Stop accepting connections."""
        if self._server is not None:
            self._server.close()
            self._server = None

    def reset(self) -> None:
        """Reset all connections."""
        for pair in self._wires:
            for wire in pair:
                wire.reset()

    def forget(self) -> None:
        """Silently drop all data on the current connections."""
        for pair in self._wires:
            for wire in pair:
                wire.forgotten = True

    # -- carrying ----------------------------------------------------------------------------------------------------

    def _keep(self, task: asyncio.Task[None]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.opened += 1
        self._keep(asyncio.ensure_future(self._carried(reader, writer)))

    async def _carried(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, EOFError, Cut, ValueError):
            await self._carry(reader, writer)
        writer.transport.abort()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.turned_away():
            return
        theirs, ours = await asyncio.open_connection("127.0.0.1", self._upstream)
        up, down = Wire(ours, self._lot), Wire(writer, self._lot)
        up.line, down.line = self._up, self._down
        self._wires.add((up, down))
        try:
            while True:
                asked = await _head(reader)
                if asked.channel:
                    await self._channel(asked, reader, theirs, up, down)
                    return
                asked = Head(asked.first, asked.headers, await reader.readexactly(asked.length))
                instead = self.answer(asked)
                if instead is not None:
                    await down.send(instead)
                    continue
                await up.send(self.ask(asked).wire())
                came = await _head(theirs)
                came = Head(came.first, came.headers, await theirs.readexactly(came.length))
                await down.send(self.bend(asked, came).wire())
        finally:
            self._wires.discard((up, down))
            ours.transport.abort()

    async def _channel(
        self, asked: Head, reader: asyncio.StreamReader, theirs: asyncio.StreamReader, up: Wire, down: Wire
    ) -> None:
        instead = self.answer(asked)
        if instead is not None:
            await down.send(instead)
            return
        await up.send(asked.wire())
        await down.send((await _head(theirs)).wire())
        said = self.say()
        if said is not None:
            await down.send(said)
            return
        upward = asyncio.ensure_future(self._upward(reader, up))
        downward = asyncio.ensure_future(self._downward(theirs, down))
        try:
            await asyncio.wait({upward, downward}, return_when=asyncio.FIRST_COMPLETED)
            await down.end()
        finally:
            for task in (upward, downward):
                task.cancel()
            await asyncio.gather(upward, downward, return_exceptions=True)

    async def _upward(self, reader: asyncio.StreamReader, up: Wire) -> None:
        while data := await reader.read(65536):
            await up.send(data)

    async def _downward(self, theirs: asyncio.StreamReader, down: Wire) -> None:
        while True:
            first, payload = await _read_frame(theirs)
            if first != 0x81:
                await down.send(_frame(first, payload))
                continue
            for message in self.messages(json.loads(payload)):
                await down.send(message if isinstance(message, bytes) else frame(message))


async def _head(reader: asyncio.StreamReader) -> Head:
    text = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *rest = text.rstrip("\r\n").split("\r\n")
    headers = dict(line.split(": ", 1) for line in rest if ": " in line)
    return Head(first, {name.lower(): value for name, value in headers.items()})


async def _read_frame(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """Read one frame from the service, which neither masks nor fragments."""
    first, second = await reader.readexactly(2)
    length = second & 0x7F
    if length >= 126:
        length = int.from_bytes(await reader.readexactly(2 if length == 126 else 8), "big")
    return first, await reader.readexactly(length)


def _frame(first: int, payload: bytes) -> bytes:
    size = len(payload)
    if size < 126:
        head = bytes([first, size])
    elif size < 65536:
        head = bytes([first, 126]) + size.to_bytes(2, "big")
    else:
        head = bytes([first, 127]) + size.to_bytes(8, "big")
    return head + payload
