"""Queues over calls, agents and skills that a test changes step by step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast
from zoneinfo import ZoneInfo

from console.kinds.queues.derived import Queues
from console.live.backend_api import BackendApi
from console.live.collection import Collection
from console.live.delta import Delta, Freshness, Health
from console.live.history import History
from console.records.people import Group
from console.records.queues import Queue
from console.records.record import Record
from console.records.support import Agent, Presence, Skill
from console.records.traffic import Call
from console.views.render_context import RenderContext
from console.views.thresholds import Threshold
from tests.manual_clock import ManualClock

NOON = 1_763_550_000_000
"""Wednesday, 19 November 2025, 11:00 UTC, in ms since the epoch."""


class Desk:
    """A backend with lists that change when told, and the list of queues over it. Its clock stands still."""

    def __init__(self, **thresholds: Threshold) -> None:
        self.now = NOON
        self.state = Freshness.LOADING
        self.thresholds = dict(thresholds)
        self.history = History(ManualClock())
        self.lists: dict[str, Collection[Record]] = {}
        self.queues = Queues("queues", cast("BackendApi", self), self.render)

    # -- the backend -----------------------------------------------------------------------------------------------

    def _list(self, kind: str) -> Collection[Record]:
        return self.lists.setdefault(kind, Collection())

    def delta(self, kind: str, since: int) -> Delta[Any]:
        return self._list(kind).delta(since)

    def records(self, kind: str) -> Mapping[str, Record]:
        return self._list(kind).snapshot()

    def health(self, kind: str) -> Health:
        return Health(self.state, 0.0 if self.state is Freshness.LIVE else 2.0)

    # -- what happens ----------------------------------------------------------------------------------------------

    def render(self) -> RenderContext:
        return RenderContext(self.now, ZoneInfo("UTC"), lookup=self.records, thresholds=self.thresholds)

    def opens(self, *calls: Record) -> None:
        """List the calls for the first time, and observe them for a few seconds."""
        self.state = Freshness.LIVE
        self.change(*calls)
        self.passes(5)

    def change(self, *records: Record, removes: Iterable[str] = ()) -> None:
        """Change calls, agents and skills, and update the queues."""
        kinds: dict[type[Record], str] = {
            Call: "calls",
            Agent: "agents",
            Skill: "skills",
            Group: "groups",
            Presence: "presence",
        }
        for each in records:
            self._list(kinds[type(each)]).change({each.key: each})
        self._list("calls").change({}, removes)
        self.queues.update()

    def passes(self, seconds: float) -> None:
        """Let time pass, and update the queues."""
        self.now += round(seconds * 1000)
        self.queues.update()

    def queue(self, name: str) -> Queue:
        """Return the row of a queue."""
        found = self.queues.collection.get(name)
        assert found is not None, f"there is no queue {name}"
        return found

    @property
    def names(self) -> set[str]:
        """The names of all queues."""
        return set(self.queues.collection.snapshot())

    def call(self, key: str, state: str, target: str | None = "support", *, ago: float = 0, **more: Any) -> Call:
        """Return a call that began some seconds ago."""
        return Call(id=key, state=state, target=target, date=self.now - ago * 1000, **more)


def ended(call: Call, state: str, at: int) -> Call:
    """Return a call with its end."""
    return call.model_copy(update={"state": state, "to": at})


def connected(call: Call, answered_at: int | None = None) -> Call:
    """Return a call that was answered."""
    attempts = () if answered_at is None else ({"answeredAt": answered_at},)
    return call.model_copy(update={"state": "connected", "attempts": attempts})


def figures(queue: Queue, span: str = "15") -> tuple[Any, ...]:
    """Return how many calls were served, in time, and abandoned."""
    return tuple(getattr(queue, f"{each}_{span}") for each in ("served", "in_time", "abandoned"))
