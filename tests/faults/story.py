"""A console's engine behind a proxy of its own, observed during one fault: its rows, its claims, its recovery time."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Self

from console.client.client import Client
from console.client.endpoint import Endpoint
from console.kinds.catalogue import FEEDS
from console.live.delta import Freshness
from console.live.engine import Engine
from console.live.freshness import LIVE_SECONDS
from tests.faults.clock import UnsteadyClock
from tests.faults.kinds import FaultKind
from tests.faults.proxy import Head, Proxy

WATCHED = ("calls", "groups", "presence")
EVENT_SECONDS = 1.0
"""Allowed delay of a live row: a burst, and the listing of the true rows."""
REMEMBERED_SECONDS = 3.5
"""Allowed delay of a polled row."""
SMALL_PAGES = {"page%5Bsize%5D=500": "page%5Bsize%5D=2", "page[size]=500": "page[size]=2"}
"""Small pages, so that changes can happen between two of them."""

Rows = Mapping[str, Mapping[str, Any]]


class Reader:
    """Keeps the rows as a screen does, from the differences since the last look."""

    def __init__(self) -> None:
        self.rows: dict[str, dict[str, Any]] = {name: {} for name in WATCHED}
        self._versions = dict.fromkeys(WATCHED, 0)

    def look(self, engine: Engine) -> None:
        """Apply the differences."""
        for name in WATCHED:
            delta = engine.followers[name].collection.delta(self._versions[name])
            rows = {} if delta.whole else self.rows[name]
            for key in delta.removes:
                rows.pop(key, None)
            rows.update(delta.upserts)
            self.rows[name], self._versions[name] = rows, delta.version


class Story:
    """One fault on one console."""

    def __init__(self, kind: FaultKind, core: str, login: tuple[str, str], seed: int) -> None:
        self.kind = kind
        self.lot = random.Random(seed)
        self.clock = UnsteadyClock()
        self._upstream = int(core.split(":")[2].split("/")[0])
        self.proxy = Proxy(self._upstream, self.lot)
        self._login = login
        self.engine: Engine
        self.reader = Reader()
        self.healed: float | None = None
        self.converged: float | None = None
        """Seconds from the end of the fault to the first moment at which all rows were correct and shown as such."""
        self.samples = 0
        self.overclaims = 0
        """The number of times that LIVE was claimed with an invalid age or too old a confirmation."""
        self.fatal = ""
        self.wrong = ""
        """The last difference between the shown rows and those of the service."""
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        await self.proxy.__aenter__()
        self._faithful()
        address = f"127.0.0.1:{self.proxy.port}"
        endpoint = Endpoint(f"http://{address}/core", events=f"ws://{address}/events")
        self.engine = Engine(
            lambda: Client(endpoint, self.clock, login=lambda: self._login),
            self.clock,
            [FEEDS[kind] for kind in WATCHED],
            login=lambda: self._login,
        )
        for follower in self.engine.followers.values():
            follower.want(shown=True)
        self._task = asyncio.ensure_future(self.engine.run())
        return self

    async def __aexit__(self, *_exc: object) -> None:
        assert self._task is not None
        self.engine.end()
        await self._task
        await self.proxy.__aexit__()

    def _faithful(self) -> None:
        def small_pages(asked: Head) -> Head:
            first = asked.first
            for usual, small in SMALL_PAGES.items():
                first = first.replace(usual, small)
            return replace(asked, first=first)

        self.proxy.heal()
        self.proxy.ask = small_pages

    async def strike(self) -> None:
        """Start the fault."""
        struck = self.kind.strike(self)
        if struck is not None:
            await struck

    async def heal(self) -> None:
        """End the fault."""
        self._faithful()
        await self.proxy.refuse()
        await self.proxy.listen()
        self.healed = self.clock.monotonic()

    @property
    def live(self) -> bool:
        """Whether all kinds claim to be live."""
        return all(self.engine.health(name).state is Freshness.LIVE for name in WATCHED)

    @property
    def settled(self) -> bool:
        """Whether all kinds have a freshness that is allowed at the end."""
        return all(self.engine.health(name).state in self.kind.ends for name in WATCHED)

    def look(self, truths: Iterable[tuple[float, Rows]]) -> None:
        """Check the console against the latest true states, newest first, each with its time."""
        self.reader.look(self.engine)
        channel = self.engine.channel.facts
        now = self.clock.monotonic()
        for name in WATCHED:
            health = self.engine.health(name)
            self.samples += 1
            if health.age is not None and health.age < 0:
                self.overclaims += 1
            if health.state is Freshness.LIVE and now - max(channel.proof, 0.0) > LIVE_SECONDS + 0.05:
                self.overclaims += 1
        if self.engine.fatal_state is not None:
            self.fatal = self.engine.fatal_state.reason
        if self.healed is None or self.converged is not None or not self.settled:
            return
        if all(self._true(name, truths, now) for name in WATCHED):
            self.converged = now - self.healed

    def _true(self, name: str, truths: Iterable[tuple[float, Rows]], now: float) -> bool:
        """Return whether the rows are those that the service had just now, or at the last poll."""
        late = EVENT_SECONDS if self.engine.health(name).state is Freshness.LIVE else REMEMBERED_SECONDS
        until = now
        for since, truth in truths:
            if until > now - late and self.reader.rows[name] == truth[name]:
                return True
            until = since
        return False

    def difference(self, truth: Rows) -> str:
        """Return how the shown rows differ from the true ones; empty if they do not."""
        self.reader.look(self.engine)
        found: list[str] = []
        for name in WATCHED:
            health = self.engine.health(name)
            if health.state not in self.kind.ends:
                found.append(f"{name} is {health.state} ({health.reason})")
            for what, rows in (("shown", self.reader.rows[name]), ("known", self._known(name))):
                wrong = [key for key in rows.keys() | truth[name].keys() if rows.get(key) != truth[name].get(key)]
                if wrong:
                    found.append(f"{name} {what}: {len(wrong)} rows differ, as {wrong[0]}")
        return "; ".join(found)

    def _known(self, name: str) -> Mapping[str, Any]:
        return self.engine.followers[name].collection.snapshot()
