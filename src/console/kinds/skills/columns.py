"""The table of skills (contract 2.16)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, cast

from console.base.collation import collated
from console.base.signs import drawn
from console.base.text import clean
from console.config.schema import SavedView
from console.kinds.agents.columns import COVERS, agent_line, called
from console.kinds.agents.facts import cover, in_turn, load
from console.kinds.chats import AGE as CHAT_AGE
from console.kinds.queues.facts import trend_of
from console.kinds.scope import counted, sees_only_own
from console.kinds.skills.facts import members, staff_number, staffing, understaffed, understaffed_if_known
from console.kinds.skills.staffing import cover_cell, too_few
from console.records.support import Skill
from console.views import columns, wording
from console.views.cell import Cell, Line, Section, Tone
from console.views.hour_chart import hour_chart
from console.views.lines import (
    faults_section,
    gap,
    labelled,
    listed,
    listed_title,
    pair,
    raw_section,
    several,
    text_line,
)
from console.views.render_context import RenderContext
from console.views.table import Link, Table

if TYPE_CHECKING:
    from console.records.queues import Queue


def _cover_cell(skill: Skill, render: RenderContext) -> Cell:
    return cover_cell(staffing(skill, render), render)


def _totals(skills: Collection[Skill], render: RenderContext) -> Line:
    lacking = [skill for skill in skills if understaffed(skill, render)]
    line = [Cell(clean(counted("skills", len(skills), "skill", render)), Tone.STRONG)]
    if lacking:
        mark = drawn("▲", render.symbols)
        named = ", ".join(sorted((skill.skill for skill in lacking), key=collated))
        line += [gap(), Cell(clean(f"{mark} {wording.amount(len(lacking))} understaffed: {named}", 60), Tone.WARN)]
    elif skills and all(staffing(skill, render).covered for skill in skills):
        line += [gap(), Cell(clean("all covered"), Tone.GOOD)]
    return tuple(line)


def _chats(skill: Skill, render: RenderContext) -> int | None:
    staff = staffing(skill, render)
    return staff.chats if staff.is_known else None


def _possible(skill: Skill, render: RenderContext) -> int | None:
    most = staffing(skill, render).possible
    return None if skill.unread("agents") else most


def _is_yours(skill: Skill, render: RenderContext) -> bool:
    """Return whether the staffing of a skill concerns the caller: one of its agents, or an admin."""
    return render.me in skill.agents or not sees_only_own(render)


def _detail(skill: Skill, render: RenderContext) -> tuple[Section, ...]:
    staff = staffing(skill, render)
    summary = (
        labelled("Cover", [cover_cell(staff, render)]),
        pair("Agents", skill.count_of("agents"), render),
        pair("Online", staff.number("online"), render),
        pair("Free", staff.number("free"), render),
        pair("Busy", staff.number("busy"), render),
        pair("Away", staff.number("away"), render),
        *((pair("Unknown", staff.unknown, render),) if staff.unknown else ()),
        pair("Chats", _chats(skill, render), render),
        pair("Id", skill.key, render),
    )
    return (
        *faults_section(skill),
        Section("summary", "Skill", summary),
        *_hour(skill, render),
        agents_section(skill, render),
        raw_section(skill, render),
    )


def _hour(skill: Skill, render: RenderContext) -> tuple[Section, ...]:
    """Return the chart of the calls that waited for a skill, if it has a queue."""
    queues = cast("Iterable[Queue]", render.lookup("queues").values())
    queue = next((queue for queue in queues if queue.skill == skill.key), None)
    return hour_chart(trend_of(queue, render), render) if queue is not None else ()


def agents_section(skill: Skill, render: RenderContext) -> Section:
    """Return the section with the agents of a skill, the free ones first."""
    known = {agent.id: agent for agent in members(skill, render)}
    ranks = {what: rank for rank, what in enumerate(COVERS)}
    placed = sorted(
        known.values(), key=lambda agent: (ranks[cover(agent)], in_turn(load(agent)), collated(called(agent, render)))
    )
    unknown = [agent for agent in skill.agents if agent not in known]
    lines = (_AGENT_HEAD,) if placed else ()
    lines += several(placed, lambda agent: agent_line(agent, render))
    lines += several(unknown, lambda agent: text_line(f"? {wording.short(agent)} is not a known agent", Tone.QUIET))
    title = listed_title("Agents", skill, "agents", render)
    return Section("agents", title, listed(skill, "agents", lambda: lines, "No agents."))


_AGENT_HEAD: Line = (Cell(clean(f"{'State':<16} {'Load':<9} Name"), Tone.QUIET),)


TABLE: Table[Skill] = Table(
    kind="skills",
    title="Skills",
    one="skill",
    order="understaffed",
    columns=columns.marked(
        (
            columns.text("skill", "Skill", 18, lambda skill, _render: skill.skill, grows=True, aliases=("name",)),
            columns.custom(
                "understaffed",
                "Cover",
                9,
                understaffed_if_known,
                _cover_cell,
                kind="flag",
                certain=True,
                sort=lambda skill, render: staffing(skill, render).reachable,
                aliases=("thin",),
                about="whether enough agents can take work",
            ),
            columns.number("online", "Online", 6, staff_number("online")),
            columns.number("free", "Free", 5, staff_number("free")),
            columns.number("busy", "Busy", 5, staff_number("busy"), priority=1),
            columns.number("away", "Away", 5, staff_number("away"), priority=3),
            columns.number("reachable", "Reach", 5, staff_number("reachable"), priority=9),
            columns.number(
                "possible",
                "Possible",
                8,
                _possible,
                priority=9,
                about="who can take work, or of whom it is unknown",
            ),
            columns.text(
                "lack",
                "Lack",
                7,
                lambda skill, render: too_few(staffing(skill, render)) if understaffed(skill, render) else None,
                priority=9,
                about="how few can take work, if it is understaffed",
            ),
            columns.number("offline", "Offline", 7, staff_number("offline"), priority=9),
            columns.number("unknown", "Unknown", 7, staff_number("unknown"), priority=9),
            columns.flag(
                "yours", "Yours", 5, _is_yours, priority=9, about="whether you are one of its agents, or an admin"
            ),
            columns.number("agents", "Agents", 6, lambda skill, _render: skill.count_of("agents"), priority=1),
            columns.number("chats", "Chats", 5, _chats, priority=2),
            columns.age(
                "oldest",
                "Oldest chat",
                lambda skill, render: staffing(skill, render).oldest_chat,
                CHAT_AGE,
                11,
                lambda skill, render: staffing(skill, render).oldest_exact,
                priority=2,
                about="its oldest chat; at least, if another may be older",
            ),
        )
    ),
    name=lambda skill, _render: clean(skill.skill, 80),
    detail=_detail,
    totals=_totals,
    links=lambda skill, _render: tuple(Link("agent", "agents", agent) for agent in skill.agents),
    follows=("agents",),
    views={
        "Understaffed": SavedView("understaffed:yes", "understaffed"),
    },
)
