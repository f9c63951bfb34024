"""Answers are read in every order of the content codings that HTTP has (RFC 9110, 8.4)."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Mapping

import httpx
import pytest

from console.api.errors import BadAnswer
from console.api.operations.traffic import ListCalls
from console.client.client import Client
from console.client.endpoint import Endpoint
from tests.client.canned import Canned

PLAIN = json.dumps([{"id": "a"}]).encode()


async def ids(content: bytes, headers: Mapping[str, str] | list[tuple[str, str]]) -> list[str]:
    answer = httpx.Response(200, stream=httpx.ByteStream(content), headers=headers)
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


@pytest.mark.parametrize("codings", ["br", "gzip, br", "gzip, gzip, gzip, gzip"])
async def test_unknown_and_endless_codings_are_refused(codings: str) -> None:
    with pytest.raises(BadAnswer, match="encoded as"):
        await ids(PLAIN, {"Content-Encoding": codings})
