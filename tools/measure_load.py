"""Measure many event channels of two nodes under steady changes, for docs/scale.md: python -m tools.measure_load

Each change reaches the channels of one account. Clients, nodes and database run on the same machine.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import AsyncExitStack, closing, suppress
from http.client import HTTPConnection
from pathlib import Path
from statistics import quantiles

import psycopg
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from console.base.clock import SystemClock
from console.service.domain.people import USERS
from console.service.platform import Platform, ServiceSettings
from console.service.scenarios.fill import fill
from console.service.store.database import Database
from tests.live.until import until
from tests.postgresql import server
from tests.service.over_http import session_of
from tools.measure_nodes import Service, change, channel, memory_of, processor_time_of, running

ACCOUNTS = 20
ARRIVAL_SECONDS = 20.0
WRITERS = 4


class Load:
    """Changes at a steady rate, and when each was committed and arrived."""

    def __init__(self, service: Service, accounts: Sequence[str]) -> None:
        self._service, self._accounts = service, accounts
        self.changes: Counter[str] = Counter()
        """By account, the changes that its channels must hear of."""
        self.committed: dict[int, float] = {}
        """By offset, the time of the notification."""
        self.arrived: defaultdict[int, list[float]] = defaultdict(list)
        """By offset, the time at each channel."""
        self.frames: Counter[int] = Counter()
        """By channel, the number of events."""
        self.closed = 0
        """Channels that the service closed."""
        self._ended = threading.Event()

    def listen(self) -> None:
        """Note the time of each commit until the end, in a thread."""
        with psycopg.connect(self._service.database, autocommit=True) as listener:
            listener.execute("LISTEN outbox")
            while not self._ended.is_set():
                for notification in listener.notifies(timeout=0.2):
                    self.committed[int(notification.payload)] = time.monotonic()

    def write(self, number: int, rate: float, seconds: float) -> None:
        """Rename the group of one account after the other, in a thread."""
        client = HTTPConnection(*self._service.address)
        accounts = itertools.cycle(self._accounts[number::WRITERS])
        began = time.monotonic()
        for count in range(round(rate / WRITERS * seconds)):
            time.sleep(max(0.0, began + count * WRITERS / rate - time.monotonic()))
            account = next(accounts)
            change(client, self._service, "PUT", f"/core/groups/of-{account}", {"name": f"Load {count}"})
            self.changes[account] += 1

    async def read(self, number: int, opened: ClientConnection) -> None:
        """Note the events of a channel."""
        try:
            async for text in opened:
                message = json.loads(text)
                if message.get("topic") == "groups":
                    self.arrived[message["offset"]].append(time.monotonic())
                    self.frames[number] += 1
        except ConnectionClosed:
            self.closed += 1

    async def _all_arrived(self, frames: int) -> None:
        while self.frames.total() < frames and not self.closed:  # noqa: ASYNC110 - many readers count
            await asyncio.sleep(0.1)

    async def run(self, channels: int, rate: float, seconds: float) -> float:
        """Open all channels, change, wait for the frames, and return the memory of a channel in bytes."""
        client = HTTPConnection(*self._service.address)
        for account in self._accounts:
            change(client, self._service, "POST", "/core/groups", {"groupId": f"of-{account}", "name": "Load"})
            change(client, self._service, "PUT", f"/core/groups/of-{account}", {"participants": [account]})
        before = memory_of(self._service.process.pid)
        async with AsyncExitStack() as stack:
            owners = list(itertools.islice(itertools.cycle(self._accounts), channels))
            opened = [await stack.enter_async_context(channel(self._service, account)) for account in owners]
            for each in opened:
                await each.send('{"type": "subscribe", "topics": ["groups"]}')
                await each.recv()
            memory = (memory_of(self._service.process.pid) - before) / channels
            readers = [asyncio.create_task(self.read(number, each)) for number, each in enumerate(opened)]
            processor = processor_time_of(self._service.process.pid)
            listening = asyncio.create_task(asyncio.to_thread(self.listen))
            await asyncio.gather(*(asyncio.to_thread(self.write, number, rate, seconds) for number in range(WRITERS)))
            wanted = sum(self.changes[owner] for owner in owners)
            # What has not arrived by then is reported as missing.
            with suppress(TimeoutError):
                async with asyncio.timeout(ARRIVAL_SECONDS):
                    await self._all_arrived(wanted)
            for reader in readers:
                reader.cancel()
            self._ended.set()
            await listening
        wrong = sum(self.frames[number] != self.changes[owner] for number, owner in enumerate(owners))
        processor = processor_time_of(self._service.process.pid) - processor
        print(f"processor time of both nodes: {processor:.1f} s, {1e6 * processor / wanted:.0f} µs a frame")
        print(f"frames: {self.frames.total():,} of {wanted:,}; channels closed: {self.closed}, with a gap: {wrong}")
        return memory


def prepare(url: str, key: Path) -> dict[str, str]:
    """Fill a database with a scenario, and return tokens of its users."""
    clock = SystemClock()
    with closing(Platform(Database(url, clock.now_ms), clock, ServiceSettings(key_file=key))) as platform:
        fill(platform, "busy")
        with platform.read() as tx:
            users = [user.id for user in USERS.records(tx) if user.role == "user"]
        return {user: session_of(platform, user) for user in users[:ACCOUNTS]}


def main() -> None:
    """Measure everything."""
    parser = argparse.ArgumentParser("python -m tools.measure_load", description=__doc__)
    parser.add_argument("--channels", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=50.0, help="changes a second")
    parser.add_argument("--seconds", type=float, default=20.0)
    options = parser.parse_args()
    with server(durable=True) as postgresql, tempfile.TemporaryDirectory() as folder:
        url, key = postgresql.create(), Path(folder) / "service.key"
        tokens = prepare(url, key)
        with running(postgresql, 2, (url, key)) as service:
            load = Load(service._replace(tokens={**service.tokens, **tokens}), list(tokens))
            began = time.monotonic()
            memory = asyncio.run(load.run(options.channels, options.rate, options.seconds))
            until(lambda: load.committed.keys() >= load.arrived.keys())
            print(f"{load.changes.total():,} changes; all in {time.monotonic() - began:.0f} s")
    latencies = [
        max(0.0, arrival - load.committed[offset]) for offset, times in load.arrived.items() for arrival in times
    ]
    cuts = quantiles(latencies, n=100)
    print(f"memory of a channel: {memory / 1024:.1f} KiB")
    p50, p99, most = (1000 * seconds for seconds in (cuts[49], cuts[98], max(latencies)))
    print(f"commit to frame: p50 {p50:.0f} ms, p99 {p99:.0f} ms, max {most:.0f} ms")


if __name__ == "__main__":
    main()
