"""Whole texts cut out of what a socket brings, as many at once as came.

`websockets` takes frames apart one by one, with four steps of a generator and an object for each. Of what an event cost
the engine's thread that was the largest part. But nearly all that comes over the event channel are whole, short texts
in the clear, of which nothing needs to be known but where they begin and end: cutting them takes a tenth of the time.
Everything else is left to `websockets`, unread and in its place.
"""

from __future__ import annotations

import asyncio

import websockets.asyncio.client as ws

MOST_WAITING = 4_096
"""Texts that wait to be taken before nothing more is read from the socket."""
_TEXT = 0x81
"""The first byte of a whole, unfragmented text (RFC 6455, 5.2)."""
_PINGS = frozenset({0x89, 0x8A})
_LONG, _LONGER = 126, 127
"""Lengths that say that the length follows in two or in eight bytes; masked frames have greater ones."""


class TextsConnection(ws.ClientConnection):
    """A WebSocket whose texts are taken all at once, by `texts` instead of `recv`.

    Fragments, frames of 64 KiB and more, and all that is against the protocol: from the first of those on, `websockets`
    reads everything, to the end of the connection. What it makes of it comes out at the same place.
    """

    _texts: list[bytes]
    _bell: asyncio.Event
    _rest = b""
    """The beginning of a frame whose end has not come yet."""
    _handed_over = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin with nothing."""
        super().connection_made(transport)
        self._texts = []
        self._bell = asyncio.Event()

    def data_received(self, data: bytes) -> None:
        """Cut what came, or hand it on."""
        if self._handed_over:
            super().data_received(data)
        elif self.response is None:
            super().data_received(data)
            # What stands behind the answer to the handshake has been read already, perhaps in part.
            self._handed_over = not data.endswith(b"\r\n\r\n")
        else:
            self._cut(self._rest + data if self._rest else data)
        self._bell.set()

    def eof_received(self) -> None:
        """Let it be known that a frame was cut short."""
        self._hand_over(self._rest)
        super().eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wake who waits for more."""
        super().connection_lost(exc)
        self._handed_over = True
        self._bell.set()

    async def texts(self) -> list[bytes]:
        """Return all messages that have come and were not taken yet, in order, once there are any.

        Raises what `recv` raises when the connection has ended.
        """
        while not self._texts and not self._handed_over:
            self._bell.clear()
            await self._bell.wait()
        if not self._texts:
            return [await self.recv(decode=False)]
        texts, self._texts = self._texts, []
        if len(texts) > MOST_WAITING and not self._handed_over:
            self.transport.resume_reading()
        return texts

    def _cut(self, data: bytes) -> None:
        """Take the whole texts out of it, in one loop that does as little as it can for each."""
        texts = self._texts
        had = len(texts)
        at, end = 0, len(data)
        while end - at >= 2:
            length = data[at + 1]
            begin = at + 2
            if length >= _LONG:
                if length > _LONG:
                    break
                begin = at + 4
                if begin > end:
                    break
                length = data[at + 2] << 8 | data[at + 3]
            after = begin + length
            if after > end:
                break
            first = data[at]
            if first == _TEXT:
                texts.append(data[begin:after])
            elif first in _PINGS and data[at + 1] < _LONG:
                super().data_received(data[at:after])
            else:
                break
            at = after
        self._rest = data[at:]
        if self._rest and not _may_go_on(self._rest):
            self._hand_over(self._rest)
        elif had <= MOST_WAITING < len(texts):
            self.transport.pause_reading()

    def _hand_over(self, data: bytes) -> None:
        """Have `websockets` read from here on."""
        if not self._handed_over:
            self._handed_over = True
            if len(self._texts) > MOST_WAITING:
                self.transport.resume_reading()
            self._rest = b""
            if data:
                super().data_received(data)


def _may_go_on(rest: bytes) -> bool:
    """Whether this can still become a frame that is cut here."""
    return (rest[0] == _TEXT and (len(rest) < 2 or rest[1] < _LONGER)) or (
        rest[0] in _PINGS and (len(rest) < 2 or rest[1] < _LONG)
    )
