"""What agents do and whether they can take work (contract 2.16)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from console.kinds.presence.facts import Availability, is_online, reach
from console.views import words

if TYPE_CHECKING:
    from console.records.support import Agent, AgentChat, AgentConference


def working(agent: Agent) -> list[AgentChat | AgentConference]:
    """Return what an agent works on, over all channels."""
    return [*agent.channels.chat, *agent.channels.voice, *agent.channels.c2c]


def load(agent: Agent) -> int:
    """Return how many things an agent works on, over all channels."""
    return len(agent.channels.chat) + len(agent.channels.voice) + len(agent.channels.c2c)


def says(agent: Agent) -> Availability:
    """Return what the agent's presence says, whatever the agent works on."""
    return reach(agent.online, agent.activity)


def cover(agent: Agent, work: int | None = None) -> Availability:
    """Return what counts when somebody is needed; `work` is given where a plan adds to the load.

    Offline and away are what the agent says, also while a chat is still open: the load shows that. An agent is busy who
    works on anything or says so, and free who says neither.
    """
    said = says(agent)
    if said in {Availability.OFFLINE, Availability.AWAY}:
        return said
    return Availability.BUSY if (load(agent) if work is None else work) else said


def online(agent: Agent) -> bool | None:
    """Return whether an agent is online, away or not; None when it is not known."""
    return is_online(agent.online, agent.activity)


def reachable(agent: Agent) -> bool:
    """Return whether an agent can take work: known to be online, and neither away nor offline."""
    return online(agent) is True and says(agent) is not Availability.AWAY


def oldest(items: Iterable[AgentChat | AgentConference]) -> float | None:
    """Return when the oldest of them began, ms since the epoch."""
    return min((at for each in items if (at := words.at(each.timestamp)) is not None), default=None)
