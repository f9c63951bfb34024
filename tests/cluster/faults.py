"""The faults of a cluster. Each strikes, lasts for some seconds, and is healed."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Generator
from contextlib import AbstractContextManager, contextmanager

from tests.cluster.balancer import Balancer
from tests.cluster.cluster import Cluster
from tests.faults.wire import Line

Fault = Callable[[Cluster, random.Random], Awaitable[None]]
LONGEST_DELAY = 0.5
"""Seconds that a slow line adds to each piece."""


async def _in_threads(block: AbstractContextManager[None], seconds: float) -> None:
    """Enter a context, and leave it after a time; both take long."""
    await asyncio.to_thread(block.__enter__)
    try:
        await asyncio.sleep(seconds)
    finally:
        await asyncio.to_thread(block.__exit__, None, None, None)


async def kill_node(cluster: Cluster, lot: random.Random) -> None:
    node = lot.choice(cluster.nodes)
    await asyncio.to_thread(node.kill)
    await asyncio.sleep(lot.uniform(0, 3))
    await asyncio.to_thread(node.start)


async def kill_database(cluster: Cluster, lot: random.Random) -> None:
    await asyncio.to_thread(cluster.server.kill)
    await asyncio.sleep(lot.uniform(0, 3))
    await asyncio.to_thread(cluster.server.start)


async def kill_node_and_database(cluster: Cluster, lot: random.Random) -> None:
    node = lot.choice(cluster.nodes)
    await asyncio.to_thread(node.kill)
    await asyncio.to_thread(cluster.server.kill)
    await asyncio.to_thread(cluster.server.start)
    await asyncio.to_thread(node.start)


async def stop_node(cluster: Cluster, lot: random.Random) -> None:
    with lot.choice(cluster.nodes).stopped():
        await asyncio.sleep(lot.uniform(2, 8))


async def set_clock_back(cluster: Cluster, lot: random.Random) -> None:
    with lot.choice(cluster.nodes).set_back():
        await asyncio.sleep(lot.uniform(2, 6))


async def fill_disk(cluster: Cluster, lot: random.Random) -> None:
    await _in_threads(cluster.full_disk(), lot.uniform(2, 5))


async def exhaust_connections(cluster: Cluster, lot: random.Random) -> None:
    await _in_threads(cluster.exhausted(), lot.uniform(2, 5))


async def cut_database(cluster: Cluster, lot: random.Random) -> None:
    for _ in range(lot.randint(1, 5)):
        lot.choice(cluster.lines).cut()
        await asyncio.sleep(lot.uniform(0, 0.5))


async def cut_clients(cluster: Cluster, lot: random.Random) -> None:
    for _ in range(lot.randint(1, 5)):
        lot.choice(cluster.fronts).cut()
        await asyncio.sleep(lot.uniform(0, 0.5))


async def separate_database(cluster: Cluster, lot: random.Random) -> None:
    with _separated(lot.choice(cluster.lines)):
        await asyncio.sleep(lot.uniform(2, 8))


async def separate_node(cluster: Cluster, lot: random.Random) -> None:
    with _separated(lot.choice(cluster.fronts)):
        await asyncio.sleep(lot.uniform(2, 8))


async def lose_database(cluster: Cluster, lot: random.Random) -> None:
    await _forgotten(lot.choice(cluster.lines), lot.uniform(4, 8))


async def lose_clients(cluster: Cluster, lot: random.Random) -> None:
    await _forgotten(lot.choice(cluster.fronts), lot.uniform(4, 8))


async def slow_database(cluster: Cluster, lot: random.Random) -> None:
    with _slow(lot.choice(cluster.lines), Line(latency=0.05, jitter=0.1)):
        await asyncio.sleep(lot.uniform(2, 6))


async def slow_clients(cluster: Cluster, lot: random.Random) -> None:
    line = Line(latency=LONGEST_DELAY / 2, jitter=LONGEST_DELAY / 2, bandwidth=50_000)
    with _slow(lot.choice(cluster.fronts), line):
        await asyncio.sleep(lot.uniform(2, 6))


@contextmanager
def _separated(balancer: Balancer) -> Generator[None]:
    """Reset all connections, and refuse new ones."""
    balancer.refusing = True
    balancer.cut()
    try:
        yield
    finally:
        balancer.refusing = False


@contextmanager
def _slow(balancer: Balancer, line: Line) -> Generator[None]:
    balancer.becomes(line)
    try:
        yield
    finally:
        balancer.becomes(Line())


async def _forgotten(balancer: Balancer, seconds: float) -> None:
    """Drop the data of all connections, which stay open for a time, as if a router had forgotten them."""
    balancer.forget()
    await asyncio.sleep(seconds)
    balancer.cut()


FAULTS: dict[str, Fault] = {
    "a node is killed": kill_node,
    "the database is killed": kill_database,
    "a node and the database are killed": kill_node_and_database,
    "a node is stopped (SIGSTOP)": stop_node,
    "the clock of a node is set back": set_clock_back,
    "the disk of the database is full": fill_disk,
    "no connection to the database is left": exhaust_connections,
    "connections to the database are cut": cut_database,
    "connections of clients are cut": cut_clients,
    "a node cannot reach the database": separate_database,
    "clients cannot reach a node": separate_node,
    "the line to the database is silent": lose_database,
    "the line to clients is silent": lose_clients,
    "the line to the database is slow": slow_database,
    "the line to clients is slow": slow_clients,
}
"""All faults by the name that the table shows."""
