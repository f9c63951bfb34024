"""Streams of server-sent events: parsing, bounds, refusals, and continuing after a break."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from console.api.errors import ApiError, Away, Forbidden, LoginNeeded, NotOffered, ServerFault, Unreachable
from console.api.events import Hint
from console.client.client import Client
from console.client.endpoint import ChannelSettings, Endpoint
from console.client.sse import LARGEST_EVENT, SseParser
from tests.client.reading import read_and_close, read_channel
from tests.patience import PATIENCE

STREAM = (
    b"\xef\xbb\xbfdata: /calls\n\n"
    b": a comment\n"
    b"event: presence\r\ndata:{}\r\n\r\n"
    b"id: 7\rdata: one\rdata:  two\r\r"
    b"data\n\n"
    b"event: nothing\n\n"
    b"retry: 2500\nunknown: field\nid: \x00\n"
    b"data: \xff\r\n\n"
    b"data: not ended\n"
)
EVENTS = [(b"/calls", ""), (b"{}", "presence"), (b"one\n two", ""), (b"", ""), (b"\xff", "")]


def parsed(parser: SseParser, *chunks: bytes) -> list[tuple[bytes, str]]:
    return [(bytes(each), getattr(each, "event", "")) for chunk in chunks for each in parser.feed(chunk)]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 10_000])
def test_events_are_the_same_wherever_the_stream_is_divided(size: int) -> None:
    parser = SseParser()
    chunks = [STREAM[at : at + size] for at in range(0, len(STREAM), size)]
    assert parsed(parser, *chunks) == EVENTS
    assert (parser.last_id, parser.retry) == ("7", 2.5)


@pytest.mark.parametrize(
    ("said", "seconds"), [(b"0", 0.25), (b"1000", 1), (b"999999999", 60), (b"9" * 5_000, None), (b"-1", None)]
)
def test_the_requested_delay_is_bounded(said: bytes, seconds: float | None) -> None:
    parser = SseParser()
    parser.feed(b"retry: " + said + b"\n")
    assert parser.retry == seconds


def test_an_endless_line_and_an_endless_event_take_bounded_memory() -> None:
    parser = SseParser()
    chunk = b"x" * 65_536
    for _ in range(100):
        assert parser.feed(chunk) == []
    assert parsed(parser, b"\n\ndata: a\n\n") == [(b"a", "")]
    for _ in range(100):
        assert parser.feed(b"data: " + chunk + b"\n") == []
    ((data, _),) = parsed(parser, b"\n")
    assert len(data) == LARGEST_EVENT


Answer = Callable[[dict[str, str], asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def streaming(*answers: Answer) -> AsyncGenerator[str]:
    """Answer the first requests with these functions, and later ones with the last."""
    left = list(answers)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            line, *headers = head.strip().split("\r\n")
            sent = {name.lower(): value for name, _, value in (each.partition(": ") for each in headers)}
            answer = left.pop(0) if len(left) > 1 else left[0]
            await answer({":request": line, **sent}, writer)
        finally:
            writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/stream"


def answering(*parts: bytes, head: str = "200 OK\r\nContent-Type: text/event-stream; charset=utf-8") -> Answer:
    async def answer(_sent: dict[str, str], writer: asyncio.StreamWriter) -> None:
        writer.write(f"HTTP/1.1 {head}\r\nConnection: close\r\n\r\n".encode())
        for part in parts:
            writer.write(part)
            await writer.drain()

    return answer


def client_of(url: str) -> Client:
    lists = {"/calls": ("calls",), "presence": ("presence",)}
    client = Client(Endpoint("http://127.0.0.1:1", events=url, channel=ChannelSettings("hints", lists=lists)))
    client.sessions.token = "s3cret"
    return client


async def test_events_are_hints_and_comments_are_signs_of_life() -> None:
    parts = (b": hello\n\n", b"data: /ca", b"lls/7\r\n\r", b"\nevent: presence\ndata: {}\n\n")
    async with streaming(answering(*parts)) as url:
        client = client_of(url)
        messages, error = await read_and_close(client)
    hints = [each for each in messages if isinstance(each, Hint)]
    assert {name for each in hints for name in each.lists} == {"calls", "presence"}
    assert sum(each.frames for each in hints) == 2
    assert hints[0] == Hint((), frames=0, skipped=0) or hints[0].lists
    assert type(error) is Unreachable


async def test_a_new_connection_continues_after_the_last_event() -> None:
    seen: list[dict[str, str]] = []

    def noting(answer: Answer) -> Answer:
        async def noted(sent: dict[str, str], writer: asyncio.StreamWriter) -> None:
            seen.append(sent)
            await answer(sent, writer)

        return noted

    first = answering(b"retry: 1500\nid: e-41\ndata: /calls\n\n")
    async with streaming(noting(first), noting(answering(b"data: /calls\n\n"))) as url:
        client = client_of(f"{url}?v=2")
        _, ended = await read_channel(client)
        await read_channel(client)
        await read_and_close(client)
    assert isinstance(ended, ServerFault)
    assert ended.retry_after == 1.5
    assert [each.get("last-event-id") for each in seen] == [None, "e-41", "e-41"]
    assert seen[0][":request"] == "GET /stream?v=2 HTTP/1.1"
    assert seen[0]["accept"] == "text/event-stream"
    assert seen[0]["authorization"] == "Bearer s3cret"


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("401 Unauthorized", LoginNeeded),
        ("403 Forbidden", Forbidden),
        ("404 Not Found", NotOffered),
        ("204 No Content", NotOffered),
        ("302 Found\r\nLocation: http://127.0.0.1:1/", NotOffered),
        ("503 Busy\r\nRetry-After: 7", ServerFault),
        ("200 OK\r\nContent-Type: text/html", NotOffered),
        ("200 OK", NotOffered),
        ("200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip", NotOffered),
        ("nonsense", Unreachable),
    ],
)
async def test_an_answer_that_is_no_stream_is_an_error_without_the_credential(
    head: str, expected: type[ApiError]
) -> None:
    async with streaming(answering(b"your token s3cret is bad", head=head)) as url:
        client = client_of(url)
        hints, error = await read_and_close(client)
    assert not hints
    assert isinstance(error, expected)
    assert "s3cret" not in error.reason


async def test_a_closed_port_means_that_the_service_is_unavailable() -> None:
    async with streaming(answering()) as url:
        pass
    client = client_of(url)
    _, error = await read_and_close(client)
    assert type(error) is Away


async def test_a_stream_that_is_left_is_closed() -> None:
    left = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: /calls\n\n")
        await reader.read()
        writer.close()
        left.set()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        client = client_of(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/stream")
        async with client.stream(("calls",)) as stream:
            await anext(aiter(stream))
        await asyncio.wait_for(left.wait(), PATIENCE)
        await client.close()
