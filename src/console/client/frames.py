"""Whole texts as a socket brings them, as many at once as came.

`websockets` hands messages over one by one, each through a queue and a turn of the loop. What it costs to take an event
apart is halved by taking all that came in one go. Reading the protocol stays with the library: cutting frames with code
of our own would save another three of its seven microseconds, and would be one more thing to trust with what comes from
outside.
"""

from __future__ import annotations

import asyncio

import websockets.asyncio.client as ws
from websockets.frames import CTRL_OPCODES, Frame, Opcode
from websockets.protocol import Event

MOST_WAITING = 1_024
"""Texts that wait to be taken before nothing more is read from the socket."""
MOST_WAITING_BYTES = 8 * 1024 * 1024
"""The same by their size."""


class TextsConnection(ws.ClientConnection):
    """A WebSocket whose texts are taken all at once, by `texts` instead of `recv`.

    From the first message on that is sent in pieces or is no text, they come one by one, to the end of the connection.
    """

    _texts: list[bytes]
    _size: int
    _bell: asyncio.Event
    _one_by_one = False
    _paused = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin with nothing."""
        super().connection_made(transport)
        self._texts, self._size = [], 0
        self._bell = asyncio.Event()

    def process_event(self, event: Event) -> None:
        """Keep a whole text; leave everything else to the library, in its place."""
        if self.response is None or not isinstance(event, Frame) or event.opcode in CTRL_OPCODES:
            super().process_event(event)
        elif self._one_by_one or event.opcode is not Opcode.TEXT or not event.fin:
            self._one_by_one = True
            super().process_event(event)
            self._bell.set()
        else:
            self._texts.append(bytes(event.data))
            self._size += len(event.data)
            self._bell.set()
            if not self._paused and (len(self._texts) > MOST_WAITING or self._size > MOST_WAITING_BYTES):
                self._paused = True
                self.transport.pause_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wake who waits for more."""
        super().connection_lost(exc)
        self._one_by_one = True
        self._bell.set()

    async def texts(self) -> list[bytes]:
        """Return all messages that have come and were not taken yet, in order, once there are any.

        Raises what `recv` raises when the connection has ended.
        """
        while not self._texts and not self._one_by_one:
            self._bell.clear()
            await self._bell.wait()
        if not self._texts:
            return [await self.recv(decode=False)]
        texts, self._texts, self._size = self._texts, [], 0
        if self._paused:
            self._paused = False
            self.transport.resume_reading()
        return texts
