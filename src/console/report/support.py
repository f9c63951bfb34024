"""Agents and skills: chats handled and handed over, and times with too few agents."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import cast

from console.base.frozen import Frozen, replace
from console.kinds.agents import facts as agents
from console.kinds.presence.facts import is_online
from console.kinds.skills.facts import staffing
from console.recording.changes import RecordedChange
from console.records.record import Record
from console.records.support import Agent, Skill
from console.report.times import Interval, Times
from console.views import wording
from console.views.render_context import RenderContext

LONGEST = 5
"""Times with too few agents that are named for each skill."""


class AgentFigures(Frozen):
    """The support chats of an agent."""

    agent: str
    name: str
    handled: int
    """Chats that the agent had, also from others."""
    handed_over: int
    taken_over: int


class SkillFigures(Frozen):
    """The times in which too few agents of a skill could take work."""

    skill: str
    times: int
    ms: int
    fewest: int
    """The lowest number of agents who could take work."""
    longest: tuple[Interval, ...]
    """Start and end of the longest of these times, the longest first."""


class ChatCounter:
    """Counts while the changes of agents are played."""

    def __init__(self) -> None:
        self._holders: dict[str, list[str]] = {}
        """The agents who had each chat, in order."""
        self._in_doubt: set[str] = set()

    def begin(self, known: Mapping[str, Record]) -> None:
        """Begin with the agents as they were."""
        for key, agent in known.items():
            self._came(key, self._chats(key, agent))

    def change(self, change: RecordedChange) -> None:
        """Count a change."""
        self._came(change.key, self._chats(change.key, change.after) - self._chats(change.key, change.before))

    def _chats(self, key: str, agent: Record | None) -> set[str]:
        if agent is None:
            return set()
        channels = cast("Agent", agent).channels
        if agent.unread("channels") or channels.unread("chat") or not all(chat.chat_id for chat in channels.chat):
            self._in_doubt.add(key)
        return {chat.chat_id for chat in channels.chat if chat.chat_id}

    def _came(self, agent: str, chats: set[str]) -> None:
        for chat in chats:
            holders = self._holders.setdefault(chat, [])
            if not holders or holders[-1] != agent:
                holders.append(agent)

    def names_in_doubt(self, render: RenderContext) -> tuple[str, ...]:
        """Return the names of the agents whose chats could not be read at some time."""
        return tuple(sorted(_name(key, render) for key in self._in_doubt))

    def end(self, render: RenderContext) -> tuple[AgentFigures, ...]:
        """Return the figures, the agent with most chats first."""
        handled: dict[str, int] = {}
        gave: dict[str, int] = {}
        took: dict[str, int] = {}
        for holders in self._holders.values():
            for agent in set(holders):
                handled[agent] = handled.get(agent, 0) + 1
            for giver, taker in itertools.pairwise(holders):
                gave[giver] = gave.get(giver, 0) + 1
                took[taker] = took.get(taker, 0) + 1
        agent_figures = [
            AgentFigures(agent, _name(agent, render), many, gave.get(agent, 0), took.get(agent, 0))
            for agent, many in handled.items()
        ]
        return tuple(sorted(agent_figures, key=lambda agent_figures: (-agent_figures.handled, agent_figures.name)))


def _name(agent: str, render: RenderContext) -> str:
    known = cast("Agent | None", render.find("agents", agent))
    return (known.display_name if known is not None else None) or wording.name(agent, render) or agent


@dataclass
class _Shortage:
    since: int | None = None
    fewest: int | None = None
    times: int = 0
    ms: int = 0
    longest: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])

    def end(self, at_ms: int, known: Times) -> None:
        """Note the time until a moment, as far as it is known."""
        if self.since is None:
            return
        for start, end in known.within(self.since, at_ms):
            self.times += 1
            self.ms += end - start
            heapq.heappush(self.longest, (end - start, start, end))
            if len(self.longest) > LONGEST:
                heapq.heappop(self.longest)
        self.since = None


class StaffCounter:
    """Measures while the changes of agents and skills are played. A change costs as much as its skills have agents."""

    def __init__(self, render: RenderContext, known: Times) -> None:
        self._render = render
        self._known = known
        self._agents: dict[str, Record] = {}
        self._skills: dict[str, Skill] = {}
        self._skills_of: dict[str, set[str]] = {}
        self._found: dict[str, _Shortage] = {}
        self.in_doubt: set[str] = set()
        """Skills of which it was not known at some time whether enough agents could take work."""

    def begin(self, known: Mapping[str, Record], skills: Mapping[str, Record], at_ms: int) -> None:
        """Begin with the lists as they were."""
        self._agents = dict(known)
        for key, skill in skills.items():
            self._set(key, cast("Skill", skill))
        self._judge(self._skills.keys(), at_ms)

    def agent(self, change: RecordedChange) -> None:
        """Follow a change of an agent."""
        first = not self._agents
        if change.after is None:
            self._agents.pop(change.key, None)
        else:
            self._agents[change.key] = change.after
        if first or not self._agents:
            # Without any agent, all are of unknown state.
            self._judge(self._skills.keys(), change.at_ms)
        elif _can_work(change.before) != _can_work(change.after):
            self._judge(self._skills_of.get(change.key, set()), change.at_ms)

    def skill(self, change: RecordedChange) -> None:
        """Follow a change of a skill."""
        self._set(change.key, cast("Skill | None", change.after))
        self._judge({change.key}, change.at_ms)

    def _set(self, key: str, skill: Skill | None) -> None:
        before = self._skills.pop(key, None)
        for agent in before.agents if before is not None else ():
            self._skills_of.get(agent, set()).discard(key)
        if skill is not None:
            self._skills[key] = skill
            for agent in skill.agents:
                self._skills_of.setdefault(agent, set()).add(key)

    def _judge(self, skills: Collection[str], at_ms: int) -> None:
        # The facts keep what they counted for one object of agents: each moment needs its own.
        here: dict[str, Mapping[str, Record]] = {"agents": dict(self._agents)}

        def lookup(kind: str) -> Mapping[str, Record]:
            return here.get(kind, {})

        render = replace(self._render, lookup=lookup)
        for key in tuple(skills):
            skill, shortage = self._skills.get(key), self._found.setdefault(key, _Shortage())
            staff = staffing(skill, render) if skill is not None else None
            if staff is None or not staff.understaffed:
                shortage.end(at_ms, self._known)
                if staff is not None and self._agents and not staff.covered:
                    self.in_doubt.add(key)
                continue
            if shortage.since is None:
                shortage.since = at_ms
            if shortage.fewest is None or staff.possible < shortage.fewest:
                shortage.fewest = staff.possible

    def end(self, at_ms: int) -> tuple[SkillFigures, ...]:
        """Return the skills that had too few agents at any time, the longest first."""
        for shortage in self._found.values():
            shortage.end(at_ms, self._known)
        skill_figures = [
            SkillFigures(
                key,
                shortage.times,
                shortage.ms,
                shortage.fewest or 0,
                tuple((start, end) for _, start, end in sorted(shortage.longest, reverse=True)),
            )
            for key, shortage in self._found.items()
            if shortage.times
        ]
        return tuple(sorted(skill_figures, key=lambda skill_figures: (-skill_figures.ms, skill_figures.skill)))


def _can_work(agent: Record | None) -> tuple[bool, bool | None]:
    return (
        (False, False) if agent is None else (agents.reachable(cast("Agent", agent)), is_online(cast("Agent", agent)))
    )
