"""A service whose rows change all the time, and its current rows."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from console.client.client import Client
from console.client.endpoint import Endpoint
from console.kinds.catalogue import FEEDS
from console.live.listing import Lister
from console.service.domain import people
from console.service.domain.calls import CALLS
from console.service.domain.groups import GROUPS
from console.service.domain.presence import PRESENCE
from console.service.platform import Platform
from console.service.scenarios.fill import fill
from tests.background import Running
from tests.faults.story import WATCHED

ADMINS = ("eva", "ana")
"""The number of channels of one user is limited."""


def two_admins(platform: Platform) -> None:
    """Fill a small scenario with two admins."""
    fill(platform, "quiet")
    with platform.write() as tx:
        ana = people.need_user(tx, "ana")
        people.USERS.put(tx, ana.model_copy(update={"role": "admin"}))


class World:
    """Changes the service's rows in bursts, and lists the true rows between two of them."""

    def __init__(self, service: Running, lot: random.Random) -> None:
        self._platform = service.platform
        self._lot = lot
        self._client = Client(Endpoint(service.core_url))
        self._made = 0

    async def open(self) -> None:
        """Log in to list the true rows."""
        await self._client.sessions.log_in("eva", "demo")

    async def close(self) -> None:
        """Log out."""
        await self._client.sessions.log_out()
        await self._client.close()

    def burst(self) -> None:
        """Change, add and remove some rows."""
        with self._platform.write() as tx:
            for _ in range(self._lot.randint(1, 4)):
                calls = CALLS.records(tx)
                chosen = self._lot.choice(calls)
                match self._lot.randrange(4):
                    case 0:
                        self._made += 1
                        CALLS.put(tx, chosen.model_copy(update={"id": f"made-{self._made}"}))
                    case 1 if len(calls) > 8:
                        CALLS.remove(tx, chosen.key)
                    case 2:
                        groups = GROUPS.records(tx)
                        group = self._lot.choice(groups)
                        GROUPS.put(tx, group.model_copy(update={"name": f"Group {self._lot.random()}"}))
                    case _:
                        CALLS.put(tx, chosen.model_copy(update={"queue_position": self._lot.randint(1, 99)}))
            presences = PRESENCE.records(tx)
            if presences:
                presence = self._lot.choice(presences)
                PRESENCE.put(tx, presence.model_copy(update={"note": f"{self._lot.random()}"}))

    async def truth(self) -> Mapping[str, Mapping[str, Any]]:
        """List everything again, as another client."""
        found: dict[str, Mapping[str, Any]] = {}
        for name in WATCHED:
            listed = await Lister(FEEDS[name], self._client).list()
            found[name] = {key: FEEDS[name].read(row) for key, row in (listed.rows or {}).items()}
        return found
