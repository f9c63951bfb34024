"""Facts about queues: breach of the waiting time, calls served in time, and the free agents of each skill."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, cast

from console.kinds.agents.facts import Covers
from console.kinds.calls import WAIT
from console.kinds.calls.facts import waits_exact
from console.kinds.presence.facts import Availability, availability, presence_of
from console.kinds.scope import sees_only_own
from console.records.extent import Extent
from console.views import wording
from console.views.quoting import quoted
from console.views.thresholds import level

if TYPE_CHECKING:
    from console.live.backend_api import ListsApi
    from console.records.people import Group
    from console.records.queues import Queue
    from console.records.support import Skill
    from console.views.render_context import RenderContext


NO_QUEUE = "no target"
"""The queue of calls that tell neither a target nor a skill."""
MINUTES = 15
"""The minutes of `outcomes`."""


class Outcomes(NamedTuple):
    """Numbers of the calls that left all queues in the last minutes."""

    since_ms: float
    """When this console began to count."""
    served: int
    in_time: int
    abandoned: int
    abandoned_today: int
    unmeasured: int = 0
    """Number of served calls of which it is not known whether in time."""
    unknown: int = 0
    """Number of calls that left in an unknown way."""
    unknown_today: int = 0

    @property
    def ended(self) -> int:
        """Number of calls that were served or abandoned."""
        return self.served + self.abandoned

    @property
    def percent(self) -> float | None:
        """Calls served in time in percent of those that ended; None if there were none."""
        return share_in_time(self.served - self.unmeasured, self.in_time, self.abandoned)

    @property
    def exact(self) -> bool:
        """Whether it is known of all calls that left how they did, and whether in time."""
        return not (self.unmeasured or self.unknown)


def outcomes(render: RenderContext) -> Outcomes | None:
    """Return how the calls of all queues ended in the last minutes; None while that is not known."""
    if render.extent("calls") is Extent.UNKNOWN:
        return None
    queues = [
        queue for queue in cast("Iterable[Queue]", render.lookup("queues").values()) if queue.served_15 is not None
    ]
    since = min((at for queue in queues if (at := wording.at(queue.since_at)) is not None), default=None)
    if since is None:
        return None
    counts = [
        (
            queue.served_15 or 0,
            queue.in_time_15 or 0,
            queue.abandoned_15 or 0,
            queue.abandoned_today or 0,
            queue.unmeasured_15 or 0,
            queue.unknown_15 or 0,
            queue.unknown_today or 0,
        )
        for queue in queues
    ]
    return Outcomes(since, *map(sum, zip(*counts, strict=True)))


def breach_ms(render: RenderContext) -> float:
    """Return the wait in ms after which a call is not served in time: the critical threshold of `calls.wait`."""
    return level(WAIT, render).bad


def longest_exact(queue: Queue, render: RenderContext) -> bool:
    """Return whether no call is known to wait, or may wait, longer than the longest known wait of a queue."""
    return not queue.untimed and waits_exact(render)


def until_breach(queue: Queue, render: RenderContext) -> float | None:
    """Return the ms until the longest wait breaches, negative after that; None if nobody waits."""
    since = wording.at(queue.longest_at)
    return None if since is None else since + breach_ms(render) - render.now_ms


def share_in_time(served: int | None, in_time: int | None, abandoned: int | None) -> float | None:
    """Return the calls served in time in percent of those that were served or abandoned; None if there were none."""
    ended = (served or 0) + (abandoned or 0)
    return 100 * (in_time or 0) / ended if ended else None


def in_time(queue: Queue, span: str) -> float | None:
    """Return the calls served in time in the span `15`, `60` or `today`, in percent; None if none ended."""
    served, unmeasured = getattr(queue, f"served_{span}") or 0, getattr(queue, f"unmeasured_{span}") or 0
    return share_in_time(served - unmeasured, getattr(queue, f"in_time_{span}"), getattr(queue, f"abandoned_{span}"))


def all_counted(queue: Queue, span: str, render: RenderContext) -> bool:
    """Return whether it is known of all calls of a queue how they left it in a span."""
    return waits_exact(render) and not getattr(queue, f"unknown_{span}")


def in_time_exact(queue: Queue, span: str, render: RenderContext) -> bool:
    """Return whether it is known of all calls that left a queue in a span whether they were served in time."""
    return all_counted(queue, span, render) and not getattr(queue, f"unmeasured_{span}")


def waiting_of(queue: Queue, render: RenderContext) -> int | None:
    """Return the number of calls known to wait in a queue; None for none, if the waiting calls are not all known."""
    return queue.waiting or (None if sees_only_own(render) or not waits_exact(render) else queue.waiting)


def trend_of(queue: Queue, render: RenderContext) -> tuple[int | None, ...]:
    """Return the most calls known to wait in parts of the last hour; None for none, if others may have waited."""
    return tuple(value or None for value in queue.trend) if sees_only_own(render) else queue.trend


def calls_filter(queue: Queue) -> str:
    """Return the filter of the calls that wait in a queue."""
    if queue.queue == NO_QUEUE:
        return "waiting:yes"
    return f"waiting:yes queue-name={quoted(queue.queue)}"


def agents_filter(queue: Queue) -> str:
    """Return the filter of the agents who serve a queue; empty if they are unknown."""
    return f"skills:{quoted(queue.skill)}" if queue.skill else ""


Staff = Mapping[Availability, int]
"""Number of agents by availability."""


class SkillStaff:
    """The agents of all skills. A change of an agent costs as much as its skills have agents."""

    def __init__(self, backend: ListsApi) -> None:
        """Begin without agents and skills."""
        self._backend = backend
        self._skills_version = -1
        self._covers = Covers(partial(backend.delta, "agents"))
        self._members: dict[str, tuple[str, ...]] = {}
        self._skills: dict[str, set[str]] = {}
        """The skills of each agent."""
        self._unread: frozenset[str] = frozenset()
        """The skills whose agents cannot be read."""
        self._numbers: dict[str, Counter[Availability]] = {}
        """The known agents of each skill by availability."""
        self._extent = Extent.UNKNOWN
        """How much of the agents is known."""

    @property
    def skills(self) -> Mapping[str, tuple[str, ...]]:
        """The agents of each skill."""
        return self._members

    def update(self) -> set[str]:
        """Follow the changes, and return the skills with other numbers."""
        changed = self._follow_skills() | self._follow_agents()
        extent = self._backend.health("agents").extent
        if extent is not self._extent:
            self._extent = extent
            changed |= self._members.keys()
        return changed

    @property
    def free(self) -> int | None:
        """Number of free agents of any skill; None while it is not known of all agents."""
        covers = list(self._covers.by_agent.values())
        if self._extent is not Extent.WHOLE or not covers or Availability.UNKNOWN in covers:
            return None
        return covers.count(Availability.FREE)

    def of(self, skill: str) -> Staff | None:
        """Count the agents of a skill; None while they are not known."""
        if skill not in self._members or not self._covers.by_agent or self._extent is Extent.UNKNOWN:
            return None
        if skill in self._unread:
            return None
        if self._extent is Extent.PART and not self._covers.by_agent.keys() >= set(self._members[skill]):
            return None
        return self._numbers[skill]

    def _follow_skills(self) -> set[str]:
        delta = self._backend.delta("skills", max(0, self._skills_version))
        if delta.version == self._skills_version:
            return set()
        self._skills_version = delta.version
        skills = cast("Mapping[str, Skill]", delta.upserts)
        changed = set(self._members) - skills.keys() if delta.whole else {*delta.removes}
        for name in changed:
            self._set_members(name, ())
            self._members.pop(name, None)
            self._numbers.pop(name, None)
        unread = frozenset(name for name, skill in skills.items() if skill.unread("agents"))
        for name, skill in skills.items():
            if self._members.get(name) != skill.agents or (name in unread) != (name in self._unread):
                self._set_members(name, skill.agents)
                changed.add(name)
        self._unread = (self._unread & self._members.keys()) - skills.keys() | unread
        return changed

    def _set_members(self, name: str, agents: tuple[str, ...]) -> None:
        for value in self._members.get(name, ()):
            if value in self._skills:
                self._skills[value].discard(name)
        self._members[name] = agents
        for agent in agents:
            self._skills.setdefault(agent, set()).add(name)
        covers = self._covers.by_agent
        self._numbers[name] = Counter(covers[agent] for agent in agents if agent in covers)

    def _follow_agents(self) -> set[str]:
        changed = self._covers.follow()
        for agent, (before, now) in changed.items():
            for name in self._skills.get(agent, ()):
                numbers, many = self._numbers[name], self._members[name].count(agent)
                if before is not None:
                    numbers[before] -= many
                if now is not None:
                    numbers[now] += many
        return {skill for agent in changed for skill in self._skills.get(agent, ())}


def group_staff(identifier: str, render: RenderContext) -> Staff | None:
    """Count the members of a group by their known presence; None if its members are unknown."""
    group = cast("Group | None", render.find("groups", identifier))
    if group is None or group.unread("participants"):
        return None
    presences = [presence_of(participant, render) for participant in group.participants]
    return Counter(Availability.UNKNOWN if presence is None else availability(presence) for presence in presences)
