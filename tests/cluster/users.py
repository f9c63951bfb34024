"""All clients and consoles of a cluster, at work while faults strike."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import httpx

from tests.cluster.clients import Client, Ledger
from tests.cluster.cluster import Cluster
from tests.cluster.consoles import Console
from tests.service.over_http import data, token_of

ACCOUNTS = ("eva", "ana", "bob", "carla", "pat")
CHANGES_A_SECOND = 20
"""Of all clients together."""
CHANGES_BETWEEN = 10
"""Changes after a fault until the next one."""
LOOK_SECONDS = 0.25
HEALING_SECONDS = 60.0
"""Longest time until all work again after a fault."""


async def logged_in(cluster: Cluster) -> list[str]:
    """Make every account an admin, who sees all groups, and return a token of each."""
    tokens = [await asyncio.to_thread(token_of, cluster.nodes[0].base_url, account) for account in ACCOUNTS]
    headers = {"Authorization": f"Bearer {tokens[0]}"}
    async with httpx.AsyncClient(base_url=f"{cluster.nodes[0].base_url}/core", headers=headers) as eva:
        for account in ACCOUNTS[1:]:
            data(await eva.put(f"/users/{account}", json={"role": "admin"}))
    return tokens


class Users:
    """Clients, and a tenth as many consoles. One half uses the balancer, the other one lists both nodes."""

    def __init__(self, cluster: Cluster, tokens: Sequence[str], folder: Path, clients: int) -> None:
        self.cluster = cluster
        self.ledger = Ledger()
        self.slowest_healing = 0.0
        fronts = [f"http://127.0.0.1:{front.port}" for front in cluster.fronts]
        balanced = [f"http://127.0.0.1:{cluster.balancer.port}"]
        ways = (balanced, fronts)
        pause = clients / CHANGES_A_SECOND
        self.clients = [
            Client(number, tokens[number % len(tokens)], ways[number % 2], self.ledger, pause)
            for number in range(clients)
        ]
        self.consoles = [
            Console(number, ACCOUNTS[number % len(ACCOUNTS)], ways[number % 2], folder / f"console-{number}")
            for number in range(max(2, clients // 10))
        ]

    @asynccontextmanager
    async def at_work(self, lot: random.Random) -> AsyncGenerator[None]:
        """Let all change and watch during the block, then wait until everything has arrived everywhere."""
        ended = asyncio.Event()
        tasks = [asyncio.create_task(client.watch()) for client in self.clients]
        try:
            await self._until(lambda: all(client.epoch for client in self.clients), "all have subscribed")
            writers = [asyncio.create_task(client.write(ended, lot)) for client in self.clients]
            tasks += [*writers, asyncio.create_task(self._look(ended))]
            await self.healed()
            yield
            ended.set()
            await self._until(lambda: all(writer.done() for writer in writers), "all changes have ended")
            await asyncio.gather(*writers)
            await self.healed(changes=0)
            await self._until(lambda: all(console.is_idle for console in self.consoles), "the consoles' changes ended")
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for console in self.consoles:
                await asyncio.to_thread(console.backend.stop, 5.0)

    async def _look(self, ended: asyncio.Event) -> None:
        while True:
            for console in self.consoles:
                console.look(self.clients)
                if console.is_live and not ended.is_set():
                    console.change()
            await asyncio.sleep(LOOK_SECONDS)

    async def healed(self, changes: int = CHANGES_BETWEEN) -> None:
        """Wait until both nodes are ready, more changes are made, and all clients and consoles have them."""
        began = time.monotonic()
        async with httpx.AsyncClient(trust_env=False, timeout=HEALING_SECONDS) as http:
            for node in self.cluster.nodes:
                while (await http.get(f"{node.base_url}/readyz")).status_code != 200:
                    assert time.monotonic() < began + HEALING_SECONDS, f"node {node.name} is not ready"
                    await asyncio.sleep(LOOK_SECONDS)
        wanted = len(self.ledger.names) + changes
        await self._until(lambda: len(self.ledger.names) >= wanted, "changes are made")
        last = self.ledger.last_offset
        await self._until(lambda: min(each.position for each in self.clients) >= last, "all have the last event")
        await self._until(lambda: all(console.is_live for console in self.consoles), "all consoles are LIVE")
        self.slowest_healing = max(self.slowest_healing, time.monotonic() - began)

    async def _until(self, condition: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + HEALING_SECONDS
        while not condition():
            assert time.monotonic() < end, f"not within {HEALING_SECONDS:.0f} s: {what}"
            await asyncio.sleep(LOOK_SECONDS)
