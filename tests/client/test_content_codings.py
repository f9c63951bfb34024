"""Answers are read in every order of the content codings that HTTP has (RFC 9110, 8.4)."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import AsyncIterator, Mapping

import httpx
import pytest

from console.api.errors import BadAnswer
from console.api.operations.traffic import ListCalls
from console.client.client import Client
from console.client.endpoint import Endpoint
from tests.client.canned import Canned

PLAIN = json.dumps([{"id": "a"}]).encode()


async def ids(content: bytes, headers: Mapping[str, str] | list[tuple[str, str]]) -> list[str]:
    return await listed(httpx.Response(200, stream=httpx.ByteStream(content), headers=headers))


async def listed(answer: httpx.Response) -> list[str]:
    client = Client(Endpoint("http://desk.example/core"), transport=Canned(lambda _: answer))
    client.sessions.token = "token"
    try:
        return [call.id for call in await client.send(ListCalls())]
    finally:
        await client.close()


@pytest.mark.parametrize("codings", ["gzip", "gzip, deflate", "deflate, X-GZIP", "identity, gzip"])
async def test_several_content_codings_are_undone_in_reverse_order(codings: str) -> None:
    content = PLAIN
    for coding in codings.split(", "):
        content = {"gzip": gzip.compress, "X-GZIP": gzip.compress, "deflate": zlib.compress}.get(coding, bytes)(content)
    assert await ids(content, {"Content-Encoding": codings}) == ["a"]


async def test_content_codings_may_stand_in_several_header_lines() -> None:
    lines = [("Content-Encoding", "gzip"), ("Content-Encoding", "deflate")]
    assert await ids(zlib.compress(gzip.compress(PLAIN)), lines) == ["a"]


def bare(content: bytes) -> bytes:
    deflated = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return deflated.compress(content) + deflated.flush()


@pytest.mark.parametrize("size", [1, 7, 1000])
@pytest.mark.parametrize(
    ("coding", "content"),
    [
        ("gzip", gzip.compress(PLAIN[:5]) + gzip.compress(PLAIN[5:])),
        ("gzip", gzip.compress(PLAIN) + bytes(8)),
        ("deflate", bare(PLAIN)),
        ("deflate", zlib.compress(PLAIN)),
    ],
    ids=["two members", "padding", "no header", "header"],
)
async def test_every_legal_form_of_a_coding_is_read_in_chunks_of_any_size(
    coding: str, content: bytes, size: int
) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for at in range(0, len(content), size):
            yield content[at : at + size]

    answer = httpx.Response(200, content=chunks(), headers={"Content-Encoding": coding})
    assert await listed(answer) == ["a"]


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
async def test_an_answer_that_ends_within_a_member_is_refused(coding: str) -> None:
    content = {"gzip": gzip.compress(PLAIN[:5]) + gzip.compress(PLAIN[5:])[:-9], "deflate": bare(PLAIN)[:-1]}[coding]
    with pytest.raises(BadAnswer, match="incomplete"):
        await ids(content, {"Content-Encoding": coding})


@pytest.mark.parametrize("codings", ["br", "gzip, br", "gzip, gzip, gzip, gzip"])
async def test_unknown_and_endless_codings_are_refused(codings: str) -> None:
    with pytest.raises(BadAnswer, match="encoded as"):
        await ids(PLAIN, {"Content-Encoding": codings})
