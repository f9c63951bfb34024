"""A service that answers from memory: the lists of a scenario, with ten thousand calls, and events that change them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.bench.prepared_rows import PaperBackend

if TYPE_CHECKING:
    from console.base.clock import Clock
    from console.client.client import Client
    from console.client.endpoint import Endpoint

CALLS = 10_000
CORE = "http://paper.example/core"
EVENTS = "ws://paper.example/events"
CHUNK = 64 * 1024
"""Bytes that a socket delivers at once."""
JSON = {"Content-Type": "application/json"}


def write_answers(file: Path) -> None:
    """Write the answers of the embedded service by path, as JSON."""
    file.write_text(json.dumps(_answers()), encoding="utf-8")


@cache
def _answers() -> dict[str, str]:
    """Return the answers of the embedded service by path. A console that starts must not import it."""
    from console.api.errors import ApiError
    from console.api.operations.domains import GetCapabilities
    from console.api.operations.people import GetCurrentUser
    from console.kinds.catalogue import FEEDS
    from tests.idle.world import answer_of, still_world

    world = still_world("busy")
    answers: dict[str, str] = {}
    requests = [GetCurrentUser(), GetCapabilities(), *(feed.listings[-1] for feed in FEEDS.values())]
    for request in requests:
        try:
            body = answer_of(world.platform, world.caller, request)
        except ApiError:
            continue
        answers[request.operation.route.template] = body.decode()
    calls: list[dict[str, Any]] = json.loads(answers["/calls"])
    many = [_another(calls[number % len(calls)], number) for number in range(CALLS)]
    answers["/calls"] = json.dumps(many, separators=(",", ":"))
    status = json.loads(answers["/status"])
    # Its memory is that of the process.
    answers["/status"] = json.dumps({**status, "memoryUsage": {"rss": 412e6, "heapTotal": 520e6, "heapUsed": 317e6}})
    world.platform.close()
    return answers


def answers_of(file: Path) -> dict[str, str]:
    """Return the answers in a file of `write_answers`."""
    return json.loads(file.read_text(encoding="utf-8"))


def _another(call: dict[str, Any], number: int) -> dict[str, Any]:
    """Return a call like this one, of another caller at another time."""
    earlier = 1000 * (number * 7 % 600)
    times = {name: call[name] - earlier for name in ("date", "from", "to") if call.get(name)}
    return call | times | {"id": f"c{number:06}", "caller": f"+3460{number:07}"}


class PaperService:
    """The service. `send` must be called on the loop of the engine."""

    def __init__(self, answers: Mapping[str, str]) -> None:
        self.rows = PaperBackend({path: body.encode() for path, body in answers.items()})
        self._texts: asyncio.Queue[list[bytes]] | None = None

    def send(self, texts: list[bytes]) -> None:
        """Send events to the console."""
        assert self._texts is not None
        self._texts.put_nowait(texts)

    def heartbeat(self) -> None:
        """Tell the console that no event is missing."""
        beat = {"type": "heartbeat", "epoch": self.rows.epoch, "offset": self.rows.offset, "after": self.rows.offset}
        self.send([json.dumps(beat).encode()])

    def client(self, endpoint: Endpoint, clock: Clock) -> Client:
        """Return the console's client, connected to this service. Import it as late as the console does."""
        import httpx

        from console.api.events import EPOCH_HEADER, OFFSET_HEADER
        from console.client.client import Client
        from console.client.dialect import Target
        from console.client.dialect_runner import DialectRunner
        from console.client.stream import Stream

        rows = self.rows

        class Body(httpx.AsyncByteStream):
            def __init__(self, body: bytes) -> None:
                self.body = body

            async def __aiter__(self) -> AsyncIterator[bytes]:
                for start in range(0, len(self.body), CHUNK):
                    yield self.body[start : start + CHUNK]

        class Transport(httpx.AsyncBaseTransport):
            async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
                body = b"{}" if request.method == "POST" else rows.answer(request.url.path.removeprefix("/core"))
                if body is None:
                    return httpx.Response(404, stream=Body(b'{"error":"there is no such thing"}'))
                headers = {EPOCH_HEADER: rows.epoch, OFFSET_HEADER: str(rows.offset)}
                return httpx.Response(200, headers=headers | JSON, stream=Body(body))

        @asynccontextmanager
        async def stream(topics: tuple[str, ...], _resume: object = None) -> AsyncGenerator[Stream]:
            runner = DialectRunner(endpoint.channel)
            await runner.begin(Target(EVENTS, {}, ""))
            await runner.greet(topics, None)
            yield Stream(self._connection(topics), runner, {}, {})

        client: Any = Client(endpoint, clock, transport=Transport())
        client.stream = stream
        return client

    def _connection(self, topics: tuple[str, ...]) -> Any:
        texts: asyncio.Queue[list[bytes]] = asyncio.Queue()
        self._texts = texts
        answer = {"type": "subscribed", "epoch": self.rows.epoch, "offset": self.rows.offset, "topics": topics}
        texts.put_nowait([json.dumps(answer).encode()])

        class Connection:
            async def texts(self) -> list[bytes]:
                return await texts.get()

        return Connection()
