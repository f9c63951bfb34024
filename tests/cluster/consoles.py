"""Consoles without a screen at a cluster: each creates groups, and shows those of all clients."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from console.api.operations.people import CreateGroup
from console.client.endpoint import Endpoint, Node, events_beside
from console.kinds.catalogue import FEEDS
from console.live.backend import Backend
from console.live.command import Command, Stage, Step, Ticket
from console.live.delta import Freshness
from tests.cluster.clients import Client
from tests.service.over_http import PASSWORD

OPEN = {Stage.HELD, Stage.PENDING}


def oldest(groups: Mapping[str, Any], clients: Sequence[Client]) -> float:
    """Return for how many seconds an acknowledged name is known that the groups do not show; 0 if there is none."""
    return max((client.age_of(groups[client.group].name) for client in clients if client.group in groups), default=0.0)


class Console:
    """The engine of a console, with a profile that lists several addresses."""

    def __init__(self, number: int, account: str, addresses: Sequence[str], folder: Path) -> None:
        """Start it. `folder` is for its journal."""
        self.number = number
        self.outcomes: dict[str, Stage] = {}
        """The stage in which each change ended, by the name of the group that it creates."""
        self.oldest_live = 0.0
        """Longest time for which an acknowledged change was missing in a list shown as LIVE, in seconds."""
        self.live, self.looks = 0, 0
        """Number of looks at which it was LIVE, and of all."""
        self._submitted = 0
        nodes = [Node(f"{address}/core", events=events_beside(address)) for address in addresses]
        endpoint = Endpoint(nodes[0].core, events=nodes[0].events, others=tuple(nodes[1:]))
        folder.mkdir()
        journal = folder / "journal"
        self.backend = Backend(endpoint, FEEDS.values(), journal_path=journal, login=lambda: (account, PASSWORD))
        self.backend.show(frozenset({"groups"}))
        self.backend.start()

    @property
    def is_live(self) -> bool:
        """Whether it shows its groups as LIVE."""
        return self.backend.health("groups").state is Freshness.LIVE

    def look(self, clients: Sequence[Client]) -> None:
        """Compare what it shows as LIVE with what clients know; note what became of its last change."""
        self.looks += 1
        if self.is_live:
            self.live += 1
            groups = self.backend.records("groups")
            # Between the two looks nothing became live again.
            if self.is_live:
                self.oldest_live = max(self.oldest_live, oldest(groups, clients))
        for ticket in self._tickets():
            if ticket.stage not in OPEN:
                self.outcomes[ticket.command.steps[0].key] = ticket.stage

    def change(self) -> None:
        """Create a group, unless the last one is still being created."""
        if self.is_idle:
            name = f"console-{self.number} {self._submitted}"
            step = Step(CreateGroup(group_id=name.replace(" ", "-"), name=name), name, "created", ())
            self.backend.commands.submit(Command("groups.create", "groups", (step,), f"Create {name}"))
            self._submitted += 1

    @property
    def is_idle(self) -> bool:
        """Whether all its changes have ended."""
        return len(self.outcomes) == self._submitted

    def _tickets(self) -> tuple[Ticket, ...]:
        return self.backend.commands.tickets()[:1] if self._submitted else ()
