"""Measure nodes on one PostgreSQL database, for docs/scale.md: python -m tools.measure_nodes --rounds 3

Prints transactions that write per second by the number of nodes, the memory of an event channel, and the time from a
commit to its frame at each of many channels of two nodes. Clients and database run on the same machine.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import AsyncExitStack, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from statistics import median, quantiles
from typing import NamedTuple

import psycopg
from websockets.asyncio.client import ClientConnection, connect

from tests.live.until import until
from tests.postgresql import Server, server
from tests.service.over_http import token_of

CLIENTS = 16
"""Connections that write at the same time."""
PAGE_BYTES = 4096


ACCOUNTS = ("eva", "ana", "bob", "carla", "pat")
"""Accounts that open channels in turn: an account may have 64 at a node."""


class Service(NamedTuple):
    """A running service with several nodes."""

    process: subprocess.Popen[str]
    base_url: str
    tokens: Mapping[str, str]
    """The token of each account."""
    database: str

    @property
    def address(self) -> tuple[str, int]:
        """Host and port."""
        host, port = self.base_url.removeprefix("http://").split(":")
        return host, int(port)

    def headers(self, account: str) -> dict[str, str]:
        """Return the headers of a login."""
        return {"Authorization": f"Bearer {self.tokens[account]}"}


@contextmanager
def running(postgresql: Server, nodes: int, filled: tuple[str, Path] | None = None) -> Generator[Service]:
    """Run nodes with an empty scenario, or with a database and its key, and without limits of rates."""
    url = filled[0] if filled else postgresql.create()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "console", "serve", "--workers", str(nodes), "--database", url]
        key = str(filled[1]) if filled else f"{folder}/service.key"
        command += ["--key", key, "--world", "empty", "--speed", "0", "--port", "0"]
        command += ["--account-rate", "0", "--address-rate", "0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                base_url = process.stdout.readline().strip()
                until(lambda: nodes_of(url) == nodes)
                tokens = {account: token_of(base_url, account) for account in ACCOUNTS}
                yield Service(process, base_url, tokens, url)
            finally:
                process.terminate()
    postgresql.drop(url)


def nodes_of(url: str) -> int:
    """Return the number of nodes of a database."""
    with psycopg.connect(url) as other:
        here = "database = (SELECT oid FROM pg_database WHERE datname = current_database())"
        row = other.execute(f"SELECT count(*) FROM pg_locks WHERE objid = 7261002 AND granted AND {here}").fetchone()
        return row[0] if row else 0


def change(client: HTTPConnection, service: Service, method: str, path: str, body: Mapping[str, object]) -> None:
    """Make a change as eva: one transaction with one event."""
    client.request(method, path, json.dumps(body), service.headers("eva") | {"Content-Type": "application/json"})
    answer = client.getresponse()
    words = answer.read()
    if answer.status != 200:
        raise RuntimeError(f"{answer.status}: {words.decode()}")


def writes_a_second(service: Service, seconds: float) -> float:
    """Return the transactions that were committed a second."""
    counts = [0] * CLIENTS
    ended = threading.Event()

    def work(number: int) -> None:
        client = HTTPConnection(*service.address)
        while not ended.is_set():
            change(client, service, "POST", "/core/groups", {"name": f"load {number} {counts[number]}"})
            counts[number] += 1

    threads = [threading.Thread(target=work, args=(number,)) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    try:
        # Connections and plans of statements are made meanwhile.
        time.sleep(1.0)
        before, began = sum(counts), time.monotonic()
        time.sleep(seconds)
        return (sum(counts) - before) / (time.monotonic() - began)
    finally:
        ended.set()
        for thread in threads:
            thread.join()


def nodes_below(process: int) -> list[int]:
    """Return the ids of the nodes' processes."""
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def memory_of(process: int) -> int:
    """Return the resident bytes of the nodes below a process."""
    return sum(int(Path(f"/proc/{child}/statm").read_text().split()[1]) for child in nodes_below(process)) * PAGE_BYTES


def processor_time_of(process: int) -> float:
    """Return the seconds of processor time that the nodes below a process have taken."""
    stats = [Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split() for child in nodes_below(process)]
    return sum(int(stat[11]) + int(stat[12]) for stat in stats) / os.sysconf("SC_CLK_TCK")


async def channel_figures(service: Service, channels: int, commits: int) -> tuple[float, list[float]]:
    """Return the memory of a channel in bytes, and the times from each commit to each frame in seconds."""
    client = HTTPConnection(*service.address)
    change(client, service, "POST", "/core/groups", {"groupId": "all", "name": "All"})
    change(client, service, "PUT", "/core/groups/all", {"participants": ACCOUNTS[1:]})
    before = memory_of(service.process.pid)
    async with AsyncExitStack() as stack:
        opened = [
            await stack.enter_async_context(channel(service, account))
            for account in itertools.islice(itertools.cycle(ACCOUNTS), channels)
        ]
        for each in opened:
            await each.send('{"type": "subscribe", "topics": ["groups"]}')
            await each.recv()
        memory = (memory_of(service.process.pid) - before) / channels
        arrivals = asyncio.Queue[float]()
        readers = [asyncio.create_task(read(each, arrivals)) for each in opened]
        listener = await stack.enter_async_context(
            await psycopg.AsyncConnection.connect(service.database, autocommit=True)
        )
        await listener.execute("LISTEN outbox")
        latencies = list[float]()
        for number in range(commits):
            renaming = asyncio.to_thread(change, client, service, "PUT", "/core/groups/all", {"name": f"All {number}"})
            writing = asyncio.create_task(renaming)
            async for _ in listener.notifies(stop_after=1):
                committed = time.monotonic()
                latencies += [max(0.0, await arrivals.get() - committed) for _ in opened]
            await writing
        for reader in readers:
            reader.cancel()
    return memory, latencies


def channel(service: Service, account: str) -> connect:
    """Return an event channel that is not opened yet."""
    address = f"ws{service.base_url.removeprefix('http')}/events"
    return connect(
        address, additional_headers=service.headers(account), proxy=None, compression=None, ping_interval=None
    )


async def read(channel: ClientConnection, arrivals: asyncio.Queue[float]) -> None:
    """Note the time of each event of a group."""
    async for text in channel:
        if json.loads(text).get("topic") == "groups":
            arrivals.put_nowait(time.monotonic())


def report(name: str, values: Sequence[float], unit: str) -> None:
    """Print the median of rounds, and the rounds."""
    print(f"{name}: {median(values):.1f} {unit} ({', '.join(f'{value:.1f}' for value in values)})", flush=True)


def main() -> None:
    """Measure everything."""
    parser = argparse.ArgumentParser("python -m tools.measure_nodes", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=8.0, help="of load in each round")
    parser.add_argument("--nodes", type=int, nargs="*", default=[1, 2, 4], help="of which the writes are counted")
    parser.add_argument("--channels", type=int, default=300)
    parser.add_argument("--commits", type=int, default=50, help="in each round, of which frames are awaited")
    options = parser.parse_args()
    with server(durable=True) as postgresql:
        for nodes in options.nodes:
            rates: list[float] = []
            for _ in range(options.rounds):
                with running(postgresql, nodes) as service:
                    rates.append(writes_a_second(service, options.seconds))
            report(f"writes with {nodes} nodes", rates, "a second")
        memories, middles, highs = list[float](), list[float](), list[float]()
        for _ in range(options.rounds):
            with running(postgresql, 2) as service:
                memory, latencies = asyncio.run(channel_figures(service, options.channels, options.commits))
            cuts = quantiles(latencies, n=100)
            memories.append(memory / 1024)
            middles.append(1000 * cuts[49])
            highs.append(1000 * cuts[98])
        report("memory of a channel", memories, "KiB")
        report(f"commit to frame, {options.channels} channels, p50", middles, "ms")
        report(f"commit to frame, {options.channels} channels, p99", highs, "ms")


if __name__ == "__main__":
    main()
