from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncGenerator
from typing import Any, cast

import pytest

from console.api.errors import TimedOut
from console.client import http
from console.client.endpoint import Endpoint
from console.client.http import Http
from tests.live.until import until_async


class Web:
    """A service that counts its connections."""

    def __init__(self) -> None:
        self.url = ""
        self.connections = 0
        self.asked = 0
        self.body = b"yes"
        self.pause = 0.0
        """Seconds before each byte of a body."""
        self.go_on = asyncio.Event()
        self.serving: set[asyncio.Task[None]] = set()

    def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Accept a connection."""
        self.serving.add(asyncio.ensure_future(self.serve(reader, writer)))

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer requests one after the other; a body that is shorter than announced just stops."""
        self.connections += 1
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                self.asked += 1
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n")
                for number, byte in enumerate(self.body, 1):
                    asyncio.get_running_loop().call_later(self.pause * number, writer.write, bytes([byte]))
                if len(self.body) < 3:
                    await self.go_on.wait()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.transport.abort()


@pytest.fixture
async def web() -> AsyncGenerator[Web]:
    web = Web()
    server = await asyncio.start_server(web.connected, "127.0.0.1", 0)
    web.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    yield web
    web.go_on.set()
    server.close()
    for task in web.serving:
        task.cancel()
    await asyncio.gather(*web.serving, return_exceptions=True)
    await asyncio.sleep(0)


async def test_connections_are_reused_until_they_are_renewed(web: Web) -> None:
    asking = Http(Endpoint(web.url))
    for _ in range(3):
        await asking.exchange("GET", web.url)
    assert web.connections == 1
    asking.renew()
    assert (await asking.exchange("GET", web.url)).body == b"yes"
    assert web.connections == 2
    await asking.close()


async def test_requests_under_way_while_connections_are_renewed_are_answered(web: Web) -> None:
    asking = Http(Endpoint(web.url))
    web.body = b"ye"
    under_way = asyncio.ensure_future(asking.exchange("GET", web.url))
    await until_async(lambda: web.asked)
    asking.renew()
    web.body = b"yes"
    assert (await asking.exchange("GET", web.url)).body == b"yes"
    assert not under_way.done()
    under_way.cancel()
    await asyncio.gather(under_way, return_exceptions=True)
    await asking.close()


async def test_an_answer_that_stops_half_way_times_out_early(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "STALL_SECONDS", 0.05)
    asking = Http(Endpoint(web.url))
    web.body = b"ye"
    with pytest.raises(TimedOut, match="during the answer"):
        await asking.exchange("GET", web.url)
    await asking.close()


async def test_an_answer_that_keeps_coming_is_read_however_long_it_takes(
    web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http, "STALL_SECONDS", 0.5)
    asking = Http(Endpoint(web.url))
    web.pause = 0.25
    assert (await asking.exchange("GET", web.url)).body == b"yes"
    await asking.close()


async def test_no_request_imports_a_missing_library_again(web: Web) -> None:
    """The search would go through all folders of all packages four times: a third of the cost of a small request."""
    client = Http(Endpoint(core=web.url))
    looked: list[str] = []

    class Finder:
        """Records every module that is searched."""

        @staticmethod
        def find_spec(name: str, *_: object) -> None:
            looked.append(name)

    await client.exchange("GET", web.url)
    sys.meta_path.insert(0, cast(Any, Finder))
    try:
        await client.exchange("GET", web.url)
    finally:
        sys.meta_path.remove(cast(Any, Finder))
    await client.close()
    assert looked == []
