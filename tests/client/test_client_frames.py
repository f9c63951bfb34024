"""Texts parsed from socket data are the same as those of `websockets`, however the data are split."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import pytest
from websockets.client import ClientProtocol
from websockets.exceptions import ConnectionClosed, ConnectionClosedError, ConnectionClosedOK
from websockets.frames import Close, Frame, Opcode
from websockets.http11 import Request
from websockets.server import ServerProtocol
from websockets.uri import parse_uri

from console.client.stream import MOST_UNSENT_BYTES, MOST_WAITING, MOST_WAITING_BYTES, TextsConnection

SHORT, LONG, HUGE = b'{"a":1}', b"x" * 3_000, b"y" * 70_000
NONE = b""


class Line(asyncio.Transport):
    """A transport that records what is written, and whether reading is paused."""

    def __init__(self) -> None:
        super().__init__()
        self.written = bytearray()
        self.reads = True
        self.sends = True
        self.aborted = False

    def write(self, data: object) -> None:
        assert isinstance(data, bytes | bytearray | memoryview)
        self.written += data

    def pause_reading(self) -> None:
        self.reads = False

    def resume_reading(self) -> None:
        self.reads = True

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None: ...

    def write_eof(self) -> None: ...

    def can_write_eof(self) -> bool:
        return True

    def close(self) -> None: ...

    def get_write_buffer_size(self) -> int:
        return 0 if self.sends else len(self.written)

    def abort(self) -> None:
        self.aborted = True


def opened(after: bytes = NONE) -> tuple[TextsConnection, Line]:
    """Return a connection just opened; the handshake's response arrived together with `after`."""
    client, server, line = ClientProtocol(parse_uri("ws://desk/events"), max_size=100_000), ServerProtocol(), Line()
    connection = TextsConnection(client, max_queue=None, ping_interval=None)
    connection.connection_made(line)
    asked = client.connect()
    server.send_response(server.accept(Request(asked.path, asked.headers)))
    client.send_request(asked)
    connection.data_received(b"".join(server.data_to_send()) + after)
    return connection, line


def frame(data: bytes, opcode: Opcode = Opcode.TEXT, fin: bool = True) -> bytes:
    return Frame(opcode, data, fin).serialize(mask=False)


async def all_of(connection: TextsConnection) -> tuple[list[bytes], ConnectionClosed]:
    """Receive everything, and return how it ended."""
    texts: list[bytes] = []
    try:
        while True:
            texts += await connection.texts()
    except ConnectionClosed as error:
        return texts, error


def feed(connection: TextsConnection, data: bytes, size: int) -> None:
    for start in range(0, len(data), size):
        connection.data_received(data[start : start + size])
    connection.eof_received()
    connection.connection_lost(None)


STORIES: dict[str, tuple[Iterable[bytes], list[bytes]]] = {
    "short and long ones": ((frame(SHORT), frame(LONG), frame(NONE), frame(SHORT)), [SHORT, LONG, NONE, SHORT]),
    "a ping among them": ((frame(SHORT), frame(b"?", Opcode.PING), frame(LONG)), [SHORT, LONG]),
    "one in three pieces": (
        (frame(SHORT), frame(b"a", fin=False), frame(b"b", Opcode.CONT, False), frame(b"c", Opcode.CONT), frame(LONG)),
        [SHORT, b"abc", LONG],
    ),
    "one of 70,000 bytes": ((frame(SHORT), frame(HUGE), frame(SHORT)), [SHORT, HUGE, SHORT]),
    "one that is binary": ((frame(SHORT), frame(b"b", Opcode.BINARY), frame(SHORT)), [SHORT, b"b", SHORT]),
}


@pytest.mark.parametrize("size", [1, 2, 3, 7, 125, 4_096, 1_000_000])
@pytest.mark.parametrize("story", STORIES)
async def test_texts_arrive_whole_and_in_order_however_they_are_fragmented(story: str, size: int) -> None:
    frames, expected = STORIES[story]
    connection, _ = opened()
    feed(connection, b"".join((*frames, frame(Close(1001, "bye").serialize(), Opcode.CLOSE), frame(SHORT))), size)
    texts, error = await all_of(connection)
    assert texts == expected
    assert isinstance(error, ConnectionClosedOK)
    assert error.rcvd == Close(1001, "bye")


async def test_data_received_with_the_handshake_is_not_lost() -> None:
    for cut in range(len(frame(SHORT)) + 1):
        connection, _ = opened(after=frame(SHORT)[:cut])
        feed(connection, frame(SHORT)[cut:] + frame(LONG), 4_096)
        assert (await all_of(connection))[0] == [SHORT, LONG]


async def test_a_ping_is_answered() -> None:
    connection, line = opened()
    line.written.clear()
    connection.data_received(frame(SHORT) + frame(b"there?", Opcode.PING))
    assert line.written[0] == 0x8A
    assert await connection.texts() == [SHORT]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\xc1\x01a", 1002),
        (b"\x81\x81maska", 1002),
        (b"\x89\x7e\x00\x80" + b"p" * 128, 1002),
        (b"\x83\x00", 1002),
        (b"\x80\x00", 1002),
        (b"\x81\x7f" + (200_000).to_bytes(8, "big"), 1009),
    ],
    ids=["a reserved bit", "masked", "a long ping", "no such opcode", "an end without a beginning", "too large"],
)
async def test_a_protocol_violation_closes_the_connection_with_the_right_code(data: bytes, code: int) -> None:
    connection, line = opened()
    line.written.clear()
    connection.data_received(frame(SHORT) + data + frame(LONG))
    assert line.written[0] == 0x88, "the other side is told why"
    connection.connection_lost(None)
    texts, error = await all_of(connection)
    assert texts == [SHORT]
    assert isinstance(error, ConnectionClosedError)
    assert error.sent is not None
    assert error.sent.code == code


async def test_a_broken_connection_ends_after_the_complete_messages() -> None:
    connection, _ = opened()
    feed(connection, frame(SHORT) + frame(LONG)[:50], 4_096)
    texts, error = await all_of(connection)
    assert texts == [SHORT]
    assert isinstance(error, ConnectionClosedError)


async def test_reading_pauses_while_texts_are_not_taken() -> None:
    connection, line = opened()
    connection.data_received(frame(SHORT) * MOST_WAITING)
    assert line.reads
    connection.data_received(frame(SHORT))
    assert not line.reads
    assert len(await connection.texts()) == MOST_WAITING + 1
    assert line.reads


async def test_large_texts_that_are_not_read_count_with_their_size() -> None:
    connection, line = opened()
    large = frame(b"x" * 65_536)
    connection.data_received(large * (MOST_WAITING_BYTES // 65_536))
    assert line.reads
    connection.data_received(large)
    assert not line.reads
    assert len(await connection.texts()) < MOST_WAITING
    assert line.reads


@pytest.mark.parametrize("before", [NONE, frame(b"a", fin=False)], ids=["between messages", "within a message"])
async def test_a_service_that_does_not_read_the_answers_to_its_pings_is_given_up(before: bytes) -> None:
    connection, line = opened(before)
    pings = frame(b"?" * 125, Opcode.PING) * 100
    for _ in range(2 * MOST_UNSENT_BYTES // len(pings)):
        connection.data_received(pings)
    assert not line.aborted
    line.written.clear()
    line.sends = False
    sent = 0
    while not line.aborted:
        connection.data_received(pings)
        sent += len(pings)
        assert sent <= 2 * MOST_UNSENT_BYTES
