"""A scenario of the embedded service at a fixed moment, queried in process as a console does over HTTP.

The same scenario, caller and code give the same records in every process on every machine: the scenario has its own
seed, the clock stands still, and values that depend on the machine are replaced.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from console.api.errors import ApiError, BadRequest, Refused
from console.api.operations.domains import GetCapabilities
from console.api.operations.people import GetCurrentUser
from console.api.request import Request
from console.client.client import Fetched
from console.client.errors import SentRequest, fault
from console.clock import ManualClock
from console.kinds.catalogue import FEEDS
from console.live.history import History
from console.live.listing import Lister
from console.live.sampling import status_values
from console.records.people import Capabilities, CurrentUser
from console.records.record import Record
from console.records.traffic import MemoryUsage, StatusSummary
from console.service.caller import Caller
from console.service.dispatch import check_access, lay_out
from console.service.domain.people import USERS
from console.service.error_bodies import error_body
from console.service.handler import ASYNC, HANDLERS
from console.service.passwords import Cost
from console.service.platform import Platform, ServiceSettings
from console.service.refusal import Refusal
from console.service.world.fill import fill

A = TypeVar("A")

NOW_MS = 1_763_545_337_000
"""Wednesday, 19 November 2025, 10:42:17 in Madrid, in ms since the epoch: past, so that time zones are settled."""
UP_SECONDS = 6 * 86_400 + 4 * 3_600 + 11 * 60
"""Uptime of the service."""
MEMORY = MemoryUsage(rss=412e6, heap_total=520e6, heap_used=317e6)
"""In bytes; replaces the real values of the process under test."""
HISTORY_SECONDS = 3_600
SAMPLE_SECONDS = 30.0


@dataclass(frozen=True)
class StillWorld:
    """The records that one caller sees in a scenario at `NOW_MS`."""

    platform: Platform
    clock: ManualClock
    caller: Caller
    me: CurrentUser
    capabilities: Capabilities | None
    records: Mapping[str, Mapping[str, Record]]
    """Records by kind and key, parsed from the answers as the client does."""
    history: History
    """An hour of samples that end with the values of the records."""

    def answer(self, request: Request[A]) -> A:
        """Answer a request that changes nothing. Raise the exceptions of `api.errors` that the client would."""
        try:
            request.outgoing()
        except ValueError as error:
            raise BadRequest(f"cannot be sent: {error}", operation=request.operation.name) from error
        return request.read_answer(_asked(self.platform, self.caller, request))


def still_world(world: str | Path, who: str = "eva") -> StillWorld:
    """Create a scenario, by name or file, and list everything that `who` may see."""
    clock = ManualClock(NOW_MS - UP_SECONDS * 1000)
    platform = Platform(clock=clock, settings=ServiceSettings(password_cost=Cost.cheap()))
    clock.advance(UP_SECONDS)
    fill(platform, world)
    with platform.read() as tx:
        user = USERS.get(tx, who)
    assert user is not None, f"{who} is not in {world}"
    caller = Caller(user)
    records = asyncio.run(_listed(platform, caller))
    status = records["status"]["status"]
    assert isinstance(status, StatusSummary)
    status = status.model_copy(update={"memory_usage": MEMORY})
    records["status"] = {"status": status}
    me = GetCurrentUser.read_answer(_asked(platform, caller, GetCurrentUser()))
    capabilities = None
    with suppress(Refused):
        capabilities = GetCapabilities.read_answer(_asked(platform, caller, GetCapabilities()))
    return StillWorld(platform, clock, caller, me, capabilities, records, _history(status))


def _asked(platform: Platform, caller: Caller, request: Request[Any]) -> bytes:
    """Return the body of the service's answer. Raise the exceptions of `api.errors`."""
    operation = request.operation
    try:
        check_access(operation, caller)
        assert type(request) not in ASYNC, f"{operation.name} is not answered at once"
        with platform.read() as tx:
            answered = HANDLERS[type(request)](request, caller, platform, tx)
            return lay_out(type(request), answered, platform.variant)[1]
    except Refusal as refusal:
        body = json.dumps(error_body(refusal, operation.error_shape)).encode()
        asked = SentRequest(operation.name, operation.route.method, "http://still.example/core")
        raise fault(refusal.status, body, {}, asked, platform.now_ms()) from None


@dataclass(frozen=True)
class _Fetching:
    """A stand-in for the client, as the lister uses it."""

    platform: Platform
    caller: Caller

    async def fetch(self, request: Request[Any], *, etag: str | None = None) -> Fetched:
        del etag
        body = _asked(self.platform, self.caller, request)
        return Fetched(body, None, None)


async def _listed(platform: Platform, caller: Caller) -> dict[str, Mapping[str, Record]]:
    found: dict[str, Mapping[str, Record]] = {}
    for kind, feed in FEEDS.items():
        try:
            listed = await Lister(feed, _Fetching(platform, caller)).list()
        except ApiError:
            found[kind] = {}
            continue
        found[kind] = {key: feed.read(row) for key, row in (listed.rows or {}).items()}
    return found


def _history(status: StatusSummary) -> History:
    """Return a seeded random walk of an hour that ends with the current values."""
    clock = ManualClock()
    history = History(clock)
    steps = round(HISTORY_SECONDS / SAMPLE_SECONDS)
    walks = {
        name: _walk(Random(name), value, steps) for name, value in status_values(status).items() if value is not None
    }
    for step in range(steps):
        clock.advance(SAMPLE_SECONDS)
        history.add({name: walk[step] for name, walk in walks.items()})
    return history


def _walk(rng: Random, last: float, steps: int) -> list[float]:
    values = [last]
    for _ in range(steps - 1):
        values.append(max(0.0, values[-1] + rng.choice((-1, -1, 0, 0, 1, 1)) * round(last * 0.03)))
    return [*reversed(values)]
