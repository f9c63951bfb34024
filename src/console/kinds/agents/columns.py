"""The table of agents (contract 2.16)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import cast

from console.base.collation import collated
from console.base.frozen import replace
from console.base.text import SafeText, cells, clean, fit, of_number
from console.config.schema import SavedView
from console.kinds.activities.time_in_state import in_state, time_in_state
from console.kinds.agents import LOAD
from console.kinds.agents.facts import (
    cover,
    dated,
    in_turn,
    load,
    oldest,
    reachable,
    state_of,
    turn,
    work_is_known,
    working,
)
from console.kinds.calls.related import calls_of_user
from console.kinds.chats import AGE as CHAT_AGE
from console.kinds.groups.facts import groups_of
from console.kinds.presence.columns import call_line
from console.kinds.presence.facts import Availability, activity_of, is_online
from console.kinds.presence.states import STATES as PRESENCE_STATES
from console.kinds.scope import counted
from console.kinds.skills.facts import all_staffing, colleagues, colleagues_exact, skills_of
from console.kinds.skills.staffing import cover_line
from console.records.extent import Extent
from console.records.support import Agent, AgentChat, AgentConference
from console.views import columns, states, wording
from console.views.cell import Cell, Line, Section, Tone
from console.views.lines import bar, faults_section, gap, labelled, pair, raw_section, related_lines, several, text_line
from console.views.render_context import RenderContext
from console.views.table import Column, Link, Table

_NAMED = 20
"""Most names on one line."""

_BAR = 6
_NARROW_NAME = 17
"""Cells of a name beside a list, so that no line of it is wrapped in 120 columns."""
COVERS = {
    Availability.FREE: Tone.GOOD,
    Availability.BUSY: Tone.NOTICE,
    Availability.AWAY: Tone.WARN,
    Availability.OFFLINE: Tone.QUIET,
    Availability.UNKNOWN: Tone.QUIET,
}
"""In the order of the totals."""


def called(agent: Agent, render: RenderContext) -> str:
    """Return the name of an agent, with the domain if it is another than the caller's; not cleaned."""
    return (agent.display_name or wording.person(agent.id, render)) + wording.elsewhere(agent.id, render)


def _skills(agent: Agent, render: RenderContext) -> str | None:
    return ", ".join(skill.skill for skill in skills_of(agent.id, render)) or None


def load_cell(agent: Agent, render: RenderContext) -> Cell:
    """Draw the load of an agent as a thin bar, which has a colour only if the load is high."""
    amount = load(agent)
    if amount is None:
        return Cell(wording.dash(render), Tone.QUIET)
    drawn = bar(amount / render.chats_per_agent, _BAR, render, "═─")
    calm = Tone.QUIET if not amount else Tone.PLAIN
    return Cell(clean(f"{drawn} {amount}"), columns.severity(LOAD, amount, render, calm))


def _channel_column(
    name: str, title: str, channel: str, priority: int, what: str = "", aliases: tuple[str, ...] = ()
) -> Column[Agent]:
    def amount(agent: Agent, _render: RenderContext) -> int | None:
        return None if agent.unread("channels") else agent.channels.count_of(channel)

    def cell(agent: Agent, render: RenderContext) -> Cell:
        many = amount(agent, render)
        return Cell(wording.count(many, render)) if many else Cell(wording.dash(render), Tone.QUIET)

    about = f"{what}how many"
    return columns.custom(
        name, title, 5, amount, cell, kind="number", right=True, priority=priority, aliases=aliases, about=about
    )


_LONGEST_NAMED = 36
"""Cells in which the understaffed skills are named in the totals: what 80 columns have room for."""


def totals(agents: Collection[Agent], render: RenderContext) -> Line:
    """Return the number of free, busy and away agents, the understaffed skills, and the oldest chat."""
    counts = Counter(cover(agent) for agent in agents)
    line = [Cell(clean(counted("agents", len(agents), "agent", render)), Tone.STRONG)]

    def covered(*covers: Availability) -> None:
        for what in covers:
            many, symbol = counts[what], states.symbol(PRESENCE_STATES.look(what), render)
            tone = COVERS[what] if many else Tone.QUIET
            line.extend((gap(), Cell(clean(f"{symbol} {wording.amount(many)} {what}"), tone)))

    covered(Availability.FREE, Availability.BUSY)
    lacking = [skill.skill for skill, staff in all_staffing(render) if staff.understaffed]
    if lacking:
        named = clean(f"understaffed: {', '.join(lacking)}", 60)
        # A part that does not fit is left out whole: where there are many, at least their number is seen.
        counted_only = clean(f"{wording.plural(len(lacking), 'skill')} understaffed")
        line += [gap(), Cell(named if cells(named) <= _LONGEST_NAMED else counted_only, Tone.WARN)]
    covered(Availability.AWAY)
    chats = [chat for agent in agents for chat in agent.channels.chat]
    began = oldest(chats)
    if began is not None:
        age = render.now_ms - began
        tone = columns.severity(CHAT_AGE, age, render)
        exact = render.extent("agents") is Extent.WHOLE and dated(chats) and all(map(work_is_known, agents))
        line += [gap(), Cell(clean("oldest chat ")), Cell(wording.least_age(age, render, exact=exact), tone)]
    covered(Availability.OFFLINE, *((Availability.UNKNOWN,) if counts[Availability.UNKNOWN] else ()))
    return tuple(line)


def name(agent: Agent, render: RenderContext) -> SafeText:
    """Return the name of an agent in a sentence."""
    return clean(called(agent, render), 80)


def agent_line(agent: Agent, render: RenderContext) -> Line:
    """Return an agent in a list of agents: state, load, and the name, which is whole where there is room."""
    state = PRESENCE_STATES.cell(state_of(agent), render)
    drawn = load_cell(agent, render)
    return (
        Cell(fit(state.text, 16), state.tone),
        gap(" "),
        Cell(fit(drawn.text, _BAR + 3), drawn.tone),
        gap(" "),
        Cell(name(agent, render) if render.roomy else clean(called(agent, render), _NARROW_NAME)),
    )


def detail(agent: Agent, render: RenderContext) -> tuple[Section, ...]:
    """Return the detail of an agent: state, current work by channel, skills, raw record."""
    sections = [*faults_section(agent), Section("summary", "Agent", _summary(agent, render))]
    channels = (("chat", "Chats", agent.channels.chat), ("voice", "Voice", agent.channels.voice))
    for identifier, title, held in (*channels, ("c2c", "Web call", agent.channels.c2c)):
        if held:
            rows = sorted(held, key=lambda attachment: wording.oldest_first(wording.at(attachment.timestamp)))
            lines = several(rows, lambda attachment: _held(attachment, render))
            sections.append(Section(identifier, f"{title} {len(held)}", lines))
    skills = skills_of(agent.id, render)
    if skills:
        lines = several(skills, lambda skill: cover_line(skill, render))
        sections.append(Section("skills", f"Skills {len(skills)}", lines))
    return (*sections, raw_section(agent, render))


def _summary(agent: Agent, render: RenderContext) -> tuple[Line, ...]:
    return (
        labelled("State", [PRESENCE_STATES.cell(state_of(agent), render)]),
        labelled("Presence", [PRESENCE_STATES.cell(activity_of(agent), render)]),
        labelled("In state", [in_state(agent.id, render)]),
        pair("Name", called(agent, render), render, Tone.STRONG),
        labelled("Load", [load_cell(agent, render)]),
        labelled("Oldest", [TABLE.column("oldest").cell(agent, render)]),
        pair("Id", agent.id, render),
    )


def _held(item: AgentChat | AgentConference, render: RenderContext) -> Line:
    began = wording.at(item.timestamp)
    age = render.ms_since(began)
    named = (wording.person(wording.user_id(user, render) or user, render) for user in item.users[:_NAMED])
    who = ", ".join(named) or "nobody named"
    identifier = item.chat_id if isinstance(item, AgentChat) else item.conference_id
    return (
        Cell(fit(wording.age(age, render), 7, right=True), columns.severity(CHAT_AGE, age, render)),
        gap(),
        Cell(clean(who, 60)),
        gap(),
        Cell(clean(identifier or ""), Tone.QUIET),
    )


def related(agent: Agent, render: RenderContext) -> tuple[Section, ...]:
    """Return the sections with the calls and groups of an agent, and those who share a skill and can take work."""
    calls, groups = calls_of_user(agent.id, render), groups_of(agent.id, render)
    sections: list[Section] = []
    if calls:
        lines = related_lines(calls, lambda call: call_line(call, render), render, "call")
        sections.append(Section("calls", f"Calls {len(calls)}", lines))
    colleagues = _could_take_over(agent, render)
    if colleagues:
        lines = related_lines(colleagues, lambda colleague: agent_line(colleague, render), render, "agent")
        sections.append(Section("colleagues", f"Could take over {len(colleagues)}", lines))
    if groups:
        lines = related_lines(groups, lambda group: text_line(group.name or group.group_id), render, "group")
        sections.append(Section("groups", f"Groups {len(groups)}", lines))
    return tuple(sections)


def _could_take_over(agent: Agent, render: RenderContext) -> list[Agent]:
    """Return the agents who share a skill with an agent and can take work: free ones first, then by load."""
    sharing = {identifier for skill in skills_of(agent.id, render) for identifier in skill.agents} - {agent.id}
    known = cast("Mapping[str, Agent]", render.lookup("agents"))
    return sorted(
        (known[identifier] for identifier in sharing if identifier in known and reachable(known[identifier])),
        key=lambda colleague: (in_turn(turn(colleague)), collated(called(colleague, render)), colleague.id),
    )


def links(agent: Agent, render: RenderContext) -> tuple[Link, ...]:
    """Return links to presence, user, chats, conferences and skills."""
    all_links = [
        Link("presence", "presence", wording.user_address(agent.id, render)),
        Link("user", "users", agent.id),
    ]
    all_links += [Link("chat", "chats", agent_chat.chat_id) for agent_chat in agent.channels.chat if agent_chat.chat_id]
    for conference in (*agent.channels.voice, *agent.channels.c2c):
        if key := conference.conference_id:
            kind, title = ("calls", "call") if render.find("calls", key) else ("conferences", "conference")
            all_links.append(Link(title, kind, key))
    all_links += [Link(f"skill {skill.skill}", "skills", skill.skill) for skill in skills_of(agent.id, render)]
    return tuple(all_links)


TABLE: Table[Agent] = Table(
    kind="agents",
    title="Agents",
    one="agent",
    order="-load",
    columns=columns.marked(
        (
            columns.state(PRESENCE_STATES, state_of, width=16),
            columns.text(
                "name", "Name", 22, called, grows=True, also=lambda agent, _render: (agent.id,), shows="displayName"
            ),
            columns.custom("load", "Load", 9, lambda agent, _render: load(agent), load_cell, kind="number"),
            _channel_column("chats", "Chats", "chat", 1, aliases=("chat",)),
            _channel_column("voice", "Voice", "voice", 2),
            _channel_column("c2c", "Web", "c2c", 4, "web calls (click to call): "),
            columns.text("skills", "Skills", 18, _skills, grows=True, priority=3, aliases=("skill",)),
            columns.age(
                "oldest",
                "Oldest",
                lambda agent, _render: oldest(working(agent)),
                CHAT_AGE,
                exact=lambda agent, _render: work_is_known(agent) and dated(working(agent)),
                priority=1,
                about="its oldest chat or call; at least, if another may be older",
            ),
            time_in_state(lambda agent, _render: agent.id, priority=2),
            columns.text("cover", "Cover", 8, lambda agent, _render: cover(agent), priority=9, closed=True),
            columns.state(
                PRESENCE_STATES,
                activity_of,
                "presence",
                "Presence",
                16,
                priority=9,
                aliases=("activity",),
                about="the activity, whatever the work",
            ),
            columns.flag("online", "Online", 6, lambda agent, _render: is_online(agent), priority=9),
            columns.flag(
                "reachable",
                "Availability",
                5,
                lambda agent, _render: reachable(agent),
                priority=9,
                about="can take work: online, not away, not on do not disturb",
            ),
            columns.number(
                "turn",
                "Turn",
                5,
                lambda agent, _render: turn(agent),
                priority=9,
                about="order for new work: free first, then by load",
            ),
            columns.identity(lambda agent: agent.id),
        )
    ),
    name=name,
    detail=detail,
    related=related,
    totals=totals,
    links=links,
    views={
        "Free": SavedView("cover:free", "name"),
        "Can take work, lowest load first": SavedView("reachable:yes", "turn"),
    },
)


def _reachable_colleagues(render: RenderContext) -> dict[str, Agent]:
    return {agent.key: agent for agent in colleagues(render) if reachable(agent)}


def _colleagues_totals(agents: Iterable[Agent], render: RenderContext) -> Line:
    """Return the number of the caller's reachable colleagues, and of the free ones among them."""
    covers = [cover(agent) for agent in agents]
    # One who may be online may be reachable.
    exact = colleagues_exact(render) and not any(is_online(colleague) is None for colleague in colleagues(render))
    many, free = wording.known_count(len(covers), render, exact=exact), covers.count(Availability.FREE)
    words_of_all = f"{many} {of_number(len(covers), 'reachable colleague')} with your skills"
    exact = exact and Availability.UNKNOWN not in covers
    counted_free = Cell(
        clean(f"{wording.known_count(free, render, exact=exact)} free"),
        COVERS[Availability.FREE] if free else Tone.QUIET,
    )
    return (Cell(clean(words_of_all), Tone.STRONG), gap(), counted_free)


COLLEAGUES: Table[Agent] = replace(
    TABLE,
    title="Colleagues",
    order="turn",
    combined=_reachable_colleagues,
    follows=("skills",),
    totals=_colleagues_totals,
)
"""The table of the agents who share a skill with the caller and can take work, free ones first."""
