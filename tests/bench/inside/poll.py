"""The cost of listing ten thousand calls again: unchanged, one percent changed, everything new.

Uses the console's own client and follower over a transport that answers from memory. The baselines are the unavoidable
work (splitting the body into rows and comparing it) and the straightforward way (validating everything).

    python -m tests.bench.inside.poll FOLDER [--small]
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from statistics import median
from typing import Any, cast

import httpx
import msgspec
from pydantic import BaseModel, TypeAdapter

from console.api.errors import ApiError
from console.api.events import Point
from console.base.clock import SystemClock
from console.client.client import Client
from console.client.endpoint import Endpoint
from console.kinds.catalogue import FEEDS
from console.live import gc_tuning
from console.live.follower import Follower
from console.live.listing import Lister
from console.records.model import model_of
from console.records.traffic import Call
from tests.bench.paper import answers

CORE = "http://127.0.0.1:9/core"
CHUNK = 64 * 1024


class Chunks(httpx.AsyncByteStream):
    """A body in chunks of the size that a socket delivers."""

    def __init__(self, body: bytes) -> None:
        self.body = body

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for start in range(0, len(self.body), CHUNK):
            yield self.body[start : start + CHUNK]


class Service(httpx.AsyncBaseTransport):
    """Answers with its body, or with 304 if the request has the body's tag."""

    def __init__(self, body: bytes) -> None:
        self.body = body
        self.tag = ""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        headers = {"ETag": self.tag} if self.tag else {}
        if self.tag and request.headers.get("If-None-Match") == self.tag:
            return httpx.Response(304, headers=headers, stream=Chunks(b""))
        return httpx.Response(200, headers=headers, stream=Chunks(self.body))


class NoEvents:
    """An event channel without events."""

    generation = 0
    base: Point | None = None

    def covers(self, kind: str) -> bool:
        return False


class Nobody:
    """A listener that ignores notifications."""

    def changed(self) -> None: ...

    def answered(self) -> None: ...

    def suspect(self) -> None: ...

    def fatal(self, error: ApiError) -> None:
        raise error


def changed(rows: list[dict[str, object]], turn: int, share: float) -> bytes:
    """Return the list with a share of its rows changed; the rows differ by turn."""
    step = round(1 / share)
    new = [{**row, "target": f"turn-{turn}"} if (number + turn) % step == 0 else row for number, row in enumerate(rows)]
    return json.dumps(new, ensure_ascii=False, separators=(",", ":")).encode()


async def spent(work: Callable[[], Awaitable[None]]) -> float:
    """Return the processor time of the process that `work` takes, in ms."""
    before = time.process_time()
    await work()
    return 1000 * (time.process_time() - before)


async def measure(body: bytes, turns: int) -> dict[str, float]:
    """Poll in each way in turn and return the medians, in ms."""
    rows: list[dict[str, object]] = json.loads(body)
    service = Service(b"[]")
    client = Client(Endpoint(core=CORE), SystemClock(), transport=service)

    def follow() -> Follower:
        return Follower(
            FEEDS["calls"], Lister(FEEDS["calls"], client), cast(Any, NoEvents()), cast(Any, Nobody()), SystemClock()
        )

    # Modules that the first request imports count as start.
    await follow().list_once()
    service.body, follower = changed(rows, 0, 1.0), follow()
    whole = cast("TypeAdapter[list[BaseModel]]", TypeAdapter(cast("Any", list)[model_of(Call)]))
    found: dict[str, list[float]] = {}

    async def note(name: str, work: Callable[[], Awaitable[None]]) -> None:
        found.setdefault(name, []).append(await spent(work))

    async def split() -> None:
        msgspec.json.decode(service.body, type=list[msgspec.Raw])

    async def validate() -> None:
        whole.validate_json(service.body)

    async def compare() -> None:
        assert service.body == copy

    # As in the console, which collects no garbage until the first rows are there.
    gc_tuning.begin()
    await note("first", follower.list_once)
    gc_tuning.prepare()
    for turn in range(1, turns + 1):
        await note("split", split)
        service.body = changed(rows, turn, 0.01)
        await follower.list_once()
        service.body = changed(rows, turn + 50, 0.01)
        await note("hundredth", follower.list_once)
        copy = bytes(bytearray(service.body))
        await note("compare", compare)
        service.body = copy
        await follower.list_once()
        await note("unchanged", follower.list_once)
        service.tag = f'"{turn}"'
        await follower.list_once()
        await note("not modified", follower.list_once)
        service.tag = ""
    await note("validate", validate)
    assert len(follower.collection) == len(rows)
    await client.close()
    return {name: median(each) for name, each in found.items()}


if __name__ == "__main__":
    recorded = answers(Path(sys.argv[1]))["/calls"]
    print(json.dumps(asyncio.run(measure(recorded, 2 if "--small" in sys.argv else 10))))
