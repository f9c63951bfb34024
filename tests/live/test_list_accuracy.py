"""During a simulated day, a backend shows the rows of a fresh list, for every kind and every sort of caller."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from console.client.client import Client
from console.client.endpoint import Endpoint
from console.kinds.catalogue import FEEDS
from console.live.backend import Backend
from console.live.delta import Freshness
from console.live.listing import Lister
from console.service.scenarios.fill import fill
from console.service.simulator.simulator import Simulator
from tests.background import Running, start_background
from tests.live.until import until

OURS = {"status", "sessions", "users"}
"""These change by listing them: the login of the test shows in them."""


def fresh(running: Running, user: str, kind: str) -> dict[str, Any]:
    """List a kind again, as another client."""

    async def ask() -> dict[str, Any]:
        client = Client(Endpoint(running.core_url))
        try:
            await client.sessions.log_in(user, "demo")
            listed = await Lister(FEEDS[kind], client).list()
            await client.sessions.log_out()
        finally:
            await client.close()
        return {key: FEEDS[kind].read(row) for key, row in (listed.rows or {}).items()}

    return asyncio.run(ask())


@pytest.mark.parametrize("user", ["eva", "bob"])
def test_after_a_simulated_day_every_kind_equals_a_fresh_list(tmp_path: Path, user: str) -> None:
    with start_background(lambda platform: fill(platform, "busy")) as running:
        simulator = Simulator(running.platform, running.world, 7)
        endpoint = Endpoint(running.core_url, events=running.events_url)
        backend = Backend(endpoint, FEEDS.values(), journal_path=tmp_path / "j", login=lambda: (user, "demo"))
        backend.show(frozenset(FEEDS))
        backend.start()
        try:
            good = {Freshness.LIVE, Freshness.REFUSED}
            until(lambda: all(backend.health(kind).state in good for kind in FEEDS))
            versions = {kind: backend.delta(kind, 0).version for kind in FEEDS}
            for _ in range(6):
                simulator.step(60.0)
            refused = {kind for kind in FEEDS if backend.health(kind).state is Freshness.REFUSED}
            assert refused == (set[str]() if user == "eva" else {"alarms", "deliveries"})
            for kind in FEEDS.keys() - OURS - refused:
                wanted = fresh(running, user, kind)
                until(lambda kind=kind, wanted=wanted: dict(backend.records(kind)) == wanted)
            assert backend.health("calls").state is Freshness.LIVE
            assert backend.delta("calls", versions["calls"]).version > versions["calls"]
        finally:
            backend.stop(5.0)
