"""Facts about agents: work and availability (contract 2.16)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from console.kinds.presence.facts import Availability, availability, is_free, is_online, presence_of
from console.records.extent import Extent
from console.views import wording
from console.views.index import Derived

if TYPE_CHECKING:
    from console.records.support import Agent, AgentChat, AgentConference
    from console.views.render_context import RenderContext


def working(agent: Agent) -> list[AgentChat | AgentConference]:
    """Return the current work of an agent in all channels."""
    return [*agent.channels.chat, *agent.channels.voice, *agent.channels.c2c]


def load(agent: Agent) -> int:
    """Return the number of chats and conferences of an agent."""
    return len(agent.channels.chat) + len(agent.channels.voice) + len(agent.channels.c2c)


def cover(agent: Agent, work: int | None = None) -> Availability:
    """Return the availability of an agent; `work` replaces the load in a plan.

    Offline and away follow from presence, even with an open chat. Otherwise an agent with any work is busy, and one
    without has the state of presence.
    """
    agent_availability = availability(agent)
    if agent_availability in {Availability.OFFLINE, Availability.AWAY}:
        return agent_availability
    return Availability.BUSY if (load(agent) if work is None else work) else agent_availability


def reachable(agent: Agent) -> bool:
    """Return whether an agent can take work: online, and neither away nor offline."""
    return is_online(agent) is True and availability(agent) is not Availability.AWAY


def free(render: RenderContext) -> tuple[int, bool]:
    """Return the number of agents known to be free, and whether it is exact: there may be more otherwise."""
    covers = availabilities(render)
    return covers[Availability.FREE], render.extent("agents") is Extent.WHOLE and not covers[Availability.UNKNOWN]


def _availabilities(render: RenderContext) -> Counter[Availability]:
    return Counter(cover(agent) for agent in cast("Iterable[Agent]", render.lookup("agents").values()))


_AVAILABILITIES = Derived("agents", _availabilities)


def availabilities(render: RenderContext) -> Counter[Availability]:
    """Return the number of known agents by availability; empty if the agents are unknown."""
    return Counter() if render.extent("agents") is Extent.UNKNOWN else _AVAILABILITIES.of(render)


def turn(agent: Agent) -> int:
    """Return the place of an agent in the order for new work: by load, and free ones before others without work."""
    return 2 * load(agent) + (cover(agent) is not Availability.FREE)


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
