"""Counts the memory of records: read, listed, and held while they change.

    python -m tests.budgets.record_work

Prints the figures as JSON. Bytes are those that Python has allocated, which depend on its minor version.
"""

from __future__ import annotations

import asyncio
import gc
import json
import tracemalloc
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

from console.api.errors import ApiError
from console.api.events import Event, Point
from console.api.request import Request
from console.client.fetched import Fetched
from console.kinds.catalogue import FEEDS
from console.live.follower import Follower
from console.live.listing import Lister
from console.records.raw import Json
from tests.bench.paper import thin_calls
from tests.budgets.figure import Figure, write
from tests.manual_clock import ManualClock

ROWS = 1_000
CHANGES = 20_000
"""Each row changes twenty times: thirty bytes that are kept of each change are 600 more a row."""
BATCH = 100
NOW_MS = 1_763_545_337_000
EPOCH = "0123456789abcdef"


class PaperChannel:
    """An event channel on which events are handed over directly, the client that lists, and the listener."""

    generation = 0
    base = Point(epoch=EPOCH, offset=1)

    def __init__(self, body: bytes) -> None:
        self.body = body

    def covers(self, kind: str) -> bool:
        return True

    async def fetch(self, request: Request[Any], *, etag: str | None = None) -> Fetched:
        return Fetched(bytes(bytearray(self.body)), self.base, None)

    def changed(self) -> None: ...

    def answered(self) -> None: ...

    def suspect(self) -> None: ...

    def fatal(self, error: ApiError) -> None:
        raise error


async def allocated() -> int:
    """Return the bytes that are allocated while nothing is done: the least of a few looks."""
    numbers: list[int] = []
    for _ in range(5):
        # A thread may still hold what its last job returned, and some of this job on a busy machine.
        await asyncio.to_thread(int)
        gc.collect()
        numbers.append(tracemalloc.get_traced_memory()[0])
    return min(numbers)


async def measure() -> Iterable[Figure]:
    """Yield the figures."""
    rows = thin_calls(ROWS, NOW_MS)
    texts = [json.dumps(row, separators=(",", ":")).encode() for row in rows]
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
    feed, channel = FEEDS["calls"], PaperChannel(b"[" + b",".join(texts) + b"]")

    def follower() -> Follower:
        either = cast(Any, channel)
        return Follower(feed, Lister(feed, channel), either, either, ManualClock(NOW_MS))

    # The first rows load what all rows need.
    await follower().list_once()
    gc.disable()
    before = await allocated()
    records = [feed.read(text, row["id"]) for text, row in zip(texts, rows, strict=True)]
    figures = [_bytes("that was read", await allocated() - before)]
    del records
    before = await allocated()
    held = follower()
    await held.list_once()
    figures.append(_bytes("in a list", await allocated() - before))
    events = ({**rows[number % ROWS], "queueposition": number // ROWS} for number in range(CHANGES))
    for first in range(0, CHANGES, BATCH):
        held.take([_event(first + place + 1, next(events)) for place in range(BATCH)])
        await asyncio.sleep(0)
    assert len(held.collection) == ROWS
    figures.append(_bytes("in a list, after many changes", await allocated() - before))
    last = json.loads(held.collection.snapshot()[rows[-1]["id"]].encoded())
    assert last["queueposition"] == CHANGES // ROWS - 1
    return figures


def _bytes(what: str, number: int) -> Figure:
    return Figure(f"a record {what}: bytes", number / ROWS)


def _event(number: int, row: dict[str, Any]) -> Event:
    body = Json(json.dumps(row, separators=(",", ":")).encode())
    return Event(offset=1 + number, after=number, topic="calls", kind="upsert", key=row["id"], body=body)


if __name__ == "__main__":
    tracemalloc.start()
    write(asyncio.run(measure()))
