"""A scenario of the embedded service at a fixed moment, queried in process as a console does over HTTP.

The same scenario, caller and code give the same records in every process on every machine: the scenario has its own
seed, the clock stands still, and values that depend on the machine are replaced.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from math import sin
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from console.api.errors import ApiError, BadRequest, Refused
from console.api.operations.domains import GetCapabilities
from console.api.operations.people import GetCurrentUser
from console.api.outgoing import outgoing
from console.api.request import Request
from console.client.client import Fetched
from console.client.errors import SentRequest, fault
from console.kinds.agents.facts import cover
from console.kinds.calls.facts import begun, waiting
from console.kinds.catalogue import FEEDS
from console.kinds.presence.facts import Availability
from console.live.history import History, status_values
from console.live.listing import Lister
from console.records.people import Capabilities, CurrentUser
from console.records.record import Record
from console.records.support import Agent
from console.records.traffic import Call, MemoryUsage, StatusSummary
from console.service.auth.caller import Caller
from console.service.auth.passwords import Cost
from console.service.domain.people import USERS
from console.service.handlers.handler import HANDLERS
from console.service.http.dispatch import check_access, lay_out
from console.service.http.error_bodies import error_body
from console.service.platform import Platform, ServiceSettings
from console.service.refusal import Refusal
from console.service.scenarios.fill import fill
from tests.manual_clock import ManualClock

A = TypeVar("A")

NOW_MS = 1_763_545_337_000
"""Wednesday, 19 November 2025, 10:42:17 in Madrid, in ms since the epoch: past, so that time zones are settled."""
UP_SECONDS = 6 * 86_400 + 4 * 3_600 + 11 * 60
"""Uptime of the service."""
MEMORY = MemoryUsage(rss=412e6, heap_total=520e6, heap_used=317e6)
"""In bytes; replaces the real values of the process under test."""
GAP_FROM, GAP_UNTIL = 9.2 * 3600, 7.9 * 3600
"""Seconds ago between which the history has a gap."""
_AGO = [*range(86_400, 3_600, -60), *range(3_600, -1, -10)]
"""Seconds ago of the samples of the history."""


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
    """A day of samples that end with the values of the records."""

    def answer(self, request: Request[A]) -> A:
        """Answer a request that changes nothing. Raise the exceptions of `api.errors` that the client would."""
        try:
            outgoing(request)
        except ValueError as error:
            raise BadRequest(f"cannot be sent: {error}", operation=request.operation.name) from error
        return request.read_answer(answer_of(self.platform, self.caller, request))


class StillWorlds:
    """Scenarios of a test run: each is created once for each caller, since nothing in it changes but its clock."""

    def __init__(self) -> None:
        self._made: dict[tuple[str | Path, str], StillWorld] = {}

    def of(self, world: str | Path, who: str = "eva") -> StillWorld:
        """Return a scenario as `who` sees it, with a clock of its own. The service keeps its time."""
        if (world, who) not in self._made:
            self._made[world, who] = still_world(world, who)
        clock = ManualClock(NOW_MS - UP_SECONDS * 1000)
        clock.advance(UP_SECONDS)
        return replace(self._made[world, who], clock=clock)

    def close(self) -> None:
        """Close their services."""
        for each in self._made.values():
            each.platform.close()


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
    me = GetCurrentUser.read_answer(answer_of(platform, caller, GetCurrentUser()))
    capabilities = None
    with suppress(Refused):
        capabilities = GetCapabilities.read_answer(answer_of(platform, caller, GetCapabilities()))
    return StillWorld(platform, clock, caller, me, capabilities, records, _history(status, records))


def answer_of(platform: Platform, caller: Caller, request: Request[Any]) -> bytes:
    """Return the body of the service's answer. Raise the exceptions of `api.errors`."""
    operation = request.operation
    try:
        check_access(operation, caller)
        assert not HANDLERS[type(request)].is_async, f"{operation.name} is not answered at once"
        with platform.read() as tx:
            answered = HANDLERS[type(request)].run(request, caller, platform, tx)
            return lay_out(type(request), answered, platform.variant)[1]
    except Refusal as refusal:
        body = json.dumps(error_body(refusal, operation.error_shape)).encode()
        asked = SentRequest(operation.route.method, "http://still.example/core")
        raise fault(refusal.status, body, {}, asked, platform.now_ms()) from None


@dataclass(frozen=True)
class _Fetching:
    """A stand-in for the client, as the lister uses it."""

    platform: Platform
    caller: Caller

    async def fetch(self, request: Request[Any], *, etag: str | None = None) -> Fetched:
        del etag
        body = answer_of(self.platform, self.caller, request)
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


def _history(status: StatusSummary, records: Mapping[str, Mapping[str, Record]]) -> History:
    """Return a seeded random walk of a day that ends with the current values. It has a gap some hours ago."""
    clock = ManualClock(1_000_000)  # Where intervals of the charts begin depends on it.
    history = History(clock)
    walks = {name: _walk(Random(name), value) for name, value in _latest(status, records).items() if value is not None}
    calls = [*accumulate(_arrivals(Random("calls")))]
    for step, ago in enumerate(_AGO):
        clock.advance(_AGO[step - 1] - ago if step else 0.0)
        if not GAP_FROM > ago > GAP_UNTIL:
            now = {name: walk[step] for name, walk in walks.items()}
            history.add({**now, "uptime": UP_SECONDS - ago, "calls_since_reboot": calls[step]})
    clock.advance(1.0)
    return history


def _latest(status: StatusSummary, records: Mapping[str, Mapping[str, Record]]) -> dict[str, float | None]:
    calls = [call for call in records["calls"].values() if isinstance(call, Call) and waiting(call)]
    since = min((begun(call) or NOW_MS for call in calls), default=NOW_MS)
    agents = [agent for agent in records["agents"].values() if isinstance(agent, Agent)]
    free = sum(cover(agent) is Availability.FREE for agent in agents)
    return {**status_values(status), "calls_waiting": len(calls), "longest_wait": NOW_MS - since, "agents_free": free}


def _arrivals(rng: Random) -> Iterator[int]:
    """Yield how many calls arrive before each sample: about 12 a minute, more and less by turns."""
    for before, ago in pairwise((_AGO[0] + 60, *_AGO)):
        wave = 0.2 + 0.08 * sin(ago / 900)
        yield sum(rng.random() < wave for _ in range(before - ago))


def _walk(rng: Random, last: float) -> list[float]:
    values, step = [last], max(1, round(last * 0.04))
    for _ in _AGO[1:]:
        pull = (last - values[-1]) / 12
        values.append(max(0.0, round(values[-1] + pull + rng.choice((-2, -1, -1, 0, 0, 1, 1, 2)) * step)))
    return [*reversed(values)]
