"""Facts about skills: staffing (contract 2.16)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, cast

from console.base.collation import collated
from console.base.frozen import Frozen
from console.kinds.agents import facts as agents
from console.kinds.presence.facts import Availability, is_online
from console.kinds.skills import ONLINE
from console.records.extent import Extent
from console.views.cell import Tone
from console.views.index import Derived, Index, every_list_readable
from console.views.thresholds import Threshold, level

if TYPE_CHECKING:
    from console.records.support import Agent, Skill
    from console.views.render_context import RenderContext


class Staffing(Frozen):
    """Number of agents of a skill by availability."""

    free: int
    busy: int
    away: int
    offline: int
    unknown: int
    online: int
    """Agents who are online, including away."""
    reachable: int
    """Agents who can take work."""
    in_doubt: int
    """Agents of whom it is unknown whether they are online."""
    chats: int
    oldest_chat: float | None
    """When the oldest support chat started, in ms since the epoch."""
    chats_dated: bool
    """Whether all chats tell when they started."""
    is_known: bool
    """Whether the agents of the skill are known: otherwise no number is."""
    severity: Tone
    """Tone by the thresholds, assuming that all unknown agents can take work; quiet if there are enough."""
    covered: bool
    """Whether enough agents can take work, even if no unknown one can."""

    @property
    def possible(self) -> int:
        """Number of agents who can take work, if all of whom it is unknown can."""
        return self.reachable + self.in_doubt

    def number(self, name: str) -> int | None:
        """Return one of the numbers of agents. None if it is not known, such as 0 beside unknown states."""
        many: int = getattr(self, name)
        doubtful = self.in_doubt if name in {"online", "reachable"} else self.unknown
        return many if self.is_known and (many or not doubtful) else None

    @property
    def oldest_exact(self) -> bool:
        """Whether none of its chats may be older than the oldest known one."""
        return self.is_known and self.chats_dated

    @property
    def understaffed(self) -> bool:
        """Whether too few agents can take work, even if all unknown ones can."""
        return self.severity is not Tone.QUIET


def members(skill: Skill, render: RenderContext) -> Iterator[Agent]:
    """Iterate over the known agents of a skill."""
    known = render.lookup("agents")
    for identifier in skill.agents:
        agent = known.get(identifier)
        if agent is not None:
            yield cast("Agent", agent)


_OF_AGENT: Index[Skill] = Index("skills", lambda skill: skill.agents)


def skills_of(agent_id: str, render: RenderContext) -> list[Skill]:
    """Return the known skills of an agent, by name."""
    return sorted(_OF_AGENT.any_of(render, agent_id), key=lambda skill: skill.skill)


def colleagues(render: RenderContext) -> list[Agent]:
    """Return the known agents who share a skill with the caller, without the caller."""
    shared = {identifier for skill in skills_of(render.me, render) for identifier in skill.agents}
    known = cast("Mapping[str, Agent]", render.lookup("agents"))
    return [known[identifier] for identifier in sorted(shared - {render.me}) if identifier in known]


_AGENTS_READABLE = every_list_readable("skills", "agents")


def skills_exact(render: RenderContext) -> bool:
    """Return whether all skills and their agents are known."""
    return render.extent("skills") is Extent.WHOLE and _AGENTS_READABLE.of(render)


def colleagues_exact(render: RenderContext) -> bool:
    """Return whether there are no other colleagues: all agents, all skills and their agents are known."""
    return render.extent("agents") is Extent.WHOLE and skills_exact(render)


_Known = dict[tuple[int, Extent, Threshold], tuple["Skill", Staffing]]


def _none_counted(_render: RenderContext) -> _Known:
    return {}


_COUNTED = Derived("agents", _none_counted)
"""The staffings of the current agents, since several columns use them."""


def staffing(skill: Skill, render: RenderContext) -> Staffing:
    """Count the agents of a skill. Ids without a record count as unknown unless all agents are known."""
    counted, place = _COUNTED.of(render), (id(skill), render.extent("agents"), level(ONLINE, render))
    if place not in counted:
        # The skill is stored with its staffing, so that its id cannot be reused.
        counted[place] = skill, _count(skill, render)
    return counted[place][1]


def _count(skill: Skill, render: RenderContext) -> Staffing:
    all_agents, unheard = _known(skill, render)
    unread = skill.unread("agents")
    covers = [agents.cover(agent) for agent in all_agents]
    chats = [chat for agent in all_agents for chat in agent.channels.chat]
    there = [is_online(agent) for agent in all_agents]
    reachable, in_doubt = _possible(all_agents, unheard)
    return Staffing(
        free=covers.count(Availability.FREE),
        busy=covers.count(Availability.BUSY),
        away=covers.count(Availability.AWAY),
        offline=covers.count(Availability.OFFLINE),
        unknown=covers.count(Availability.UNKNOWN) + unheard,
        online=there.count(True),
        reachable=reachable,
        in_doubt=in_doubt,
        chats=len(chats),
        oldest_chat=agents.oldest(chats),
        chats_dated=agents.dated(chats) and all(map(agents.work_is_known, all_agents)),
        is_known=not unheard and not unread,
        severity=Tone.QUIET if unread else _severity(reachable + in_doubt, render),
        covered=_severity(reachable, render) is Tone.QUIET,
    )


def _known(skill: Skill, render: RenderContext) -> tuple[list[Agent], int]:
    """Return the known agents of a skill, and the number of the others."""
    extent = render.extent("agents")
    all_agents = [] if extent is Extent.UNKNOWN else list(members(skill, render))
    unheard = 0 if extent is Extent.WHOLE and render.lookup("agents") else len(skill.agents) - len(all_agents)
    return all_agents, unheard


def _possible(all_agents: list[Agent], unheard: int) -> tuple[int, int]:
    """Return how many agents can take work, and of how many more it is unknown."""
    reachable = sum(agents.reachable(agent) for agent in all_agents)
    return reachable, unheard + sum(is_online(agent) is None for agent in all_agents)


def _severity(possible: int, render: RenderContext) -> Tone:
    return level(ONLINE, render).tone(possible, calm=Tone.QUIET)


def staff_number(name: str) -> Callable[[Skill, RenderContext], int | None]:
    """Return the function for a number of agents of a skill; see `Staffing.number`."""

    def number(skill: Skill, render: RenderContext) -> int | None:
        return staffing(skill, render).number(name)

    return number


def understaffed_if_known(skill: Skill, render: RenderContext) -> bool | None:
    """Return whether too few agents of a skill can take work; None if it depends on unknown ones."""
    # A rule asks this of all skills as their agents change. Their work, of which no rule asks, is most of a staffing.
    reachable, in_doubt = _possible(*_known(skill, render))
    if _severity(reachable, render) is Tone.QUIET:
        return False
    is_short = _severity(reachable + in_doubt, render) is not Tone.QUIET and not skill.unread("agents")
    return True if is_short else None


def understaffed(skill: Skill, render: RenderContext) -> bool:
    """Return whether too few agents of a skill can take work."""
    return staffing(skill, render).understaffed


def all_staffing(render: RenderContext) -> list[tuple[Skill, Staffing]]:
    """Return all known skills with their staffing, by name."""
    skills = cast("Iterator[Skill]", iter(render.lookup("skills").values()))
    return [(skill, staffing(skill, render)) for skill in sorted(skills, key=lambda skill: collated(skill.skill))]


def covers(render: RenderContext) -> list[tuple[Skill, Staffing]]:
    """Return all known skills with their staffing, the most understaffed first."""
    return sorted(
        all_staffing(render), key=lambda entry: (not entry[1].understaffed, entry[1].free, collated(entry[0].skill))
    )
