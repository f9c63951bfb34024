"""Responses are bounded, redirects stay at their origin, and failures are errors of `api.errors`."""

from __future__ import annotations

import gzip
import ssl
import zlib
from collections.abc import AsyncIterator

import httpx
import pytest

from console.api.errors import BadAnswer, BadCertificate, TimedOut, Unreachable
from console.client.endpoint import Endpoint
from console.client.http import LARGEST_BODY, Answer, Http
from tests.client.canned import Canned, Handler


class _Stream(httpx.AsyncByteStream):
    def __init__(self, *chunks: bytes) -> None:
        self.chunks = chunks
        self.sent = 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for chunk in self.chunks:
            self.sent += 1
            yield chunk


async def _get(handler: Handler) -> Answer:
    http = Http(Endpoint("http://desk.example"), transport=Canned(handler))
    try:
        return await http.exchange("GET", "http://desk.example/calls")
    finally:
        await http.close()


async def test_a_compression_bomb_is_refused_at_the_first_byte_over_the_limit() -> None:
    squeeze = zlib.compressobj(9, zlib.DEFLATED, 31)
    bomb = squeeze.compress(bytes(LARGEST_BODY * 4)) + squeeze.flush()
    chunks = [bomb[at : at + 1000] for at in range(0, len(bomb), 1000)]
    stream = _Stream(*chunks)
    with pytest.raises(BadAnswer, match="larger than 16 MiB"):
        await _get(lambda _: httpx.Response(200, headers={"content-encoding": "gzip"}, stream=stream))
    assert stream.sent < len(chunks) / 2


async def test_a_bomb_in_two_layers_of_compression_is_refused() -> None:
    stream = _Stream(gzip.compress(gzip.compress(bytes(32 * 1024 * 1024))))
    with pytest.raises(BadAnswer, match="larger than 16 MiB"):
        await _get(lambda _: httpx.Response(200, headers={"content-encoding": "gzip, gzip"}, stream=stream))


async def test_a_large_plain_answer_is_refused() -> None:
    chunk = bytes(1024 * 1024)
    with pytest.raises(BadAnswer, match="larger"):
        await _get(lambda _: httpx.Response(200, stream=_Stream(*[chunk] * 17)))


@pytest.mark.parametrize("body", [b"not gzip at all", gzip.compress(b"[1, 2]", mtime=0)[:-9]])
async def test_a_broken_encoding_is_a_bad_answer(body: bytes) -> None:
    with pytest.raises(BadAnswer):
        await _get(lambda _: httpx.Response(200, headers={"content-encoding": "gzip"}, stream=_Stream(body)))


def _raise(error: Exception) -> Handler:
    def handler(_request: httpx.Request) -> httpx.Response:
        raise error

    return handler


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (httpx.ConnectError("refused"), Unreachable),
        (httpx.ConnectTimeout("slow"), Unreachable),
        (httpx.PoolTimeout("busy"), Unreachable),
        (httpx.ReadTimeout("slow"), TimedOut),
        (httpx.WriteTimeout("slow"), TimedOut),
        (httpx.ReadError("reset"), TimedOut),
        (httpx.RemoteProtocolError("cut"), TimedOut),
    ],
)
async def test_errors_with_a_possible_effect_are_distinguished_from_others(
    error: Exception, expected: type[Unreachable]
) -> None:
    with pytest.raises(Unreachable) as caught:
        await _get(_raise(error))
    assert type(caught.value) is expected


async def test_a_bad_certificate_is_recognized_behind_the_connection_error() -> None:
    error = httpx.ConnectError("failed")
    fault = ssl.SSLCertVerificationError(1, "self-signed")
    fault.verify_message = "self-signed certificate"
    error.__cause__ = fault
    with pytest.raises(BadCertificate, match="self-signed certificate"):
        await _get(_raise(error))


async def test_a_connection_cut_in_the_handshake_can_be_retried() -> None:
    error = httpx.ConnectError("failed")
    error.__cause__ = ssl.SSLEOFError(8, "eof")
    with pytest.raises(Unreachable) as caught:
        await _get(_raise(error))
    assert not isinstance(caught.value, BadCertificate)
