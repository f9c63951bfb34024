"""Facts about agents: work and availability (contract 2.16)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, cast

from console.kinds.presence.facts import Availability, activity_of, availability, is_free, is_online, presence_of
from console.records import state_words
from console.records.extent import Extent
from console.records.raw import Json, WireStruct, decoder
from console.views import wording

if TYPE_CHECKING:
    from console.live.delta import Delta
    from console.records.support import Agent, AgentChat, AgentConference
    from console.views.render_context import RenderContext


class _UnparsedWork(WireStruct, frozen=True):
    """The work of an agent by channel, unparsed."""

    chat: tuple[Json, ...] = ()
    voice: tuple[Json, ...] = ()
    c2c: tuple[Json, ...] = ()


class _WorkRow(WireStruct, frozen=True):
    """The part of an agent's row on which the load depends."""

    channels: _UnparsedWork = _UnparsedWork()


_work_row = decoder(_WorkRow)


def working(agent: Agent) -> list[AgentChat | AgentConference]:
    """Return the current work of an agent in all channels."""
    return [*agent.channels.chat, *agent.channels.voice, *agent.channels.c2c]


def work_is_known(agent: Agent) -> bool:
    """Return whether the work of an agent can be read in all channels."""
    return not (agent.unread("channels") or agent.channels.unread("chat", "voice", "c2c"))


def load(agent: Agent) -> int | None:
    """Return the number of chats and conferences of an agent; None if they cannot be read."""
    row = agent.partly(_work_row)
    if row is None and not work_is_known(agent):
        return None
    channels = agent.channels if row is None else row.channels
    return len(channels.chat) + len(channels.voice) + len(channels.c2c)


def cover(agent: Agent, work: int | None = None) -> Availability:
    """Return the availability of an agent; `work` replaces the load in a plan.

    Offline and away follow from presence, even with an open chat. Otherwise an agent with any work is busy, and one
    without has the state of presence; one of unknown work is not known to be free.
    """
    agent_availability = availability(agent)
    if agent_availability in {Availability.OFFLINE, Availability.AWAY}:
        return agent_availability
    amount = load(agent) if work is None else work
    if amount is None:
        return Availability.UNKNOWN if agent_availability is Availability.FREE else agent_availability
    return Availability.BUSY if amount else agent_availability


def state_of(agent: Agent) -> str | None:
    """Return what an agent does: the activity of presence, or the availability if work changes it."""
    agent_cover = cover(agent)
    return activity_of(agent) if agent_cover is availability(agent) else agent_cover


def reachable(agent: Agent) -> bool:
    """Return whether an agent can take work: online, and neither away, offline, nor on `do not disturb`."""
    return (
        is_online(agent) is True
        and availability(agent) is not Availability.AWAY
        and state_words.normalized(agent.activity or "") not in state_words.DO_NOT_DISTURB
    )


def free(render: RenderContext, counted: Counter[Availability] | None = None) -> tuple[int, bool]:
    """Return the number of agents known to be free, and whether it is exact: there may be more otherwise.

    `counted`: the `availabilities`, if they were counted already.
    """
    covers = availabilities(render) if counted is None else counted
    return covers[Availability.FREE], render.extent("agents") is Extent.WHOLE and not covers[Availability.UNKNOWN]


def availabilities(render: RenderContext) -> Counter[Availability]:
    """Return the number of known agents by availability; empty if the agents are unknown."""
    if render.extent("agents") is Extent.UNKNOWN:
        return Counter()
    return Counter(cover(agent) for agent in cast("Iterable[Agent]", render.lookup("agents").values()))


class Covers:
    """The availability of all agents, updated by changes: of thousands, few change between two beats."""

    def __init__(self, changes: Callable[[int], Delta[Any]]) -> None:
        """Create an empty instance; `changes` returns the changes of agents since a version."""
        self._changes = changes
        self._version = -1
        self.by_agent: dict[str, Availability] = {}
        """The availability of each agent."""
        self._counts: Counter[Availability] = Counter()

    def follow(self) -> Mapping[str, tuple[Availability | None, Availability | None]]:
        """Apply the changes, and return the availabilities before and now; None for an agent that is not listed."""
        delta = self._changes(max(0, self._version))
        if delta.version == self._version:
            return {}
        self._version = delta.version
        now: dict[str, Availability | None] = dict.fromkeys(
            self.by_agent.keys() - delta.upserts.keys() if delta.whole else delta.removes & self.by_agent.keys()
        )
        now |= {key: cover(agent) for key, agent in cast("Mapping[str, Agent]", delta.upserts).items()}
        changed = {key: (self.by_agent.get(key), value) for key, value in now.items()}
        changed = {key: (before, value) for key, (before, value) in changed.items() if before is not value}
        for key, (before, value) in changed.items():
            if before is not None:
                del self.by_agent[key]
                self._counts[before] -= 1
            if value is not None:
                self.by_agent[key] = value
                self._counts[value] += 1
        return changed

    def counts(self, render: RenderContext) -> Counter[Availability]:
        """Return the number of known agents by availability, like `availabilities`."""
        self.follow()
        return Counter() if render.extent("agents") is Extent.UNKNOWN else +self._counts


def turn(agent: Agent) -> int | None:
    """Return the place of an agent in the order for new work: by load, and free ones before others without work.

    None if the work is unknown.
    """
    amount = load(agent)
    return None if amount is None else 2 * amount + (cover(agent) is not Availability.FREE)


def in_turn(place: float | None) -> float:
    """Return a load or `turn` as a sort key: unknown ones are last."""
    return math.inf if place is None else place


def person_is_free(identifier: str, render: RenderContext) -> bool | None:
    """Return whether a user is free: an agent by presence and work, anybody else by presence; None if unknown."""
    agent = cast("Agent | None", render.find("agents", identifier))
    if agent is not None:
        agent_cover = cover(agent)
        return None if agent_cover is Availability.UNKNOWN else agent_cover is Availability.FREE
    presence = presence_of(identifier, render)
    return None if presence is None else is_free(presence)


def oldest(items: Iterable[AgentChat | AgentConference]) -> float | None:
    """Return when the oldest one started, in ms since the epoch, or None."""
    return min((at for item in items if (at := wording.at(item.timestamp)) is not None), default=None)


def dated(items: Iterable[AgentChat | AgentConference]) -> bool:
    """Return whether all tell when they started: otherwise one may be older than the `oldest`."""
    return all(wording.at(item.timestamp) is not None for item in items)
