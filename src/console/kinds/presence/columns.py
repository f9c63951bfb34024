"""The table of presence (contract 2.11)."""

from __future__ import annotations

from console.base.text import SafeText, clean
from console.kinds.activities.time_in_state import in_state, time_in_state
from console.kinds.calls.facts import begun, over
from console.kinds.calls.related import calls_of_user
from console.kinds.calls.states import STATES as CALLS_STATES
from console.kinds.groups.facts import groups_of
from console.kinds.presence.facts import activity_of, is_free, is_online, presence_of, user_of
from console.kinds.presence.states import STATES
from console.kinds.scope import counted
from console.kinds.skills.facts import skills_of
from console.records.state_words import display_word
from console.records.support import Presence
from console.records.traffic import Call
from console.views import columns, states, wording
from console.views.cell import Cell, Line, Section, Tone
from console.views.columns import RunningTotals, TotalsState
from console.views.lines import faults_section, gap, labelled, pair, raw_section, several, text_line
from console.views.render_context import RenderContext
from console.views.table import Link, Table


def _name(presence: Presence, render: RenderContext) -> str:
    return presence.display_name or wording.name(presence.address, render) or presence.address


def _names(presence: Presence, _render: RenderContext) -> tuple[str, ...]:
    return (presence.address, presence.username) if presence.username else (presence.address,)


def _groups(presence: Presence, render: RenderContext) -> str | None:
    return ", ".join(group.name or group.group_id for group in groups_of(user_of(presence, render), render)) or None


def _skills(presence: Presence, render: RenderContext) -> str | None:
    return ", ".join(skill.skill for skill in skills_of(user_of(presence, render), render)) or None


def _share(presence: Presence) -> columns.Share:
    return activity_of(presence) or "unknown", None


def _totals(totals: TotalsState, render: RenderContext) -> Line:
    """Return the number of addresses by activity, the available first."""
    counts = totals.counts
    line = [Cell(clean(counted("presence", counts.total(), "address", render)), Tone.STRONG)]
    for doing, many in sorted(counts.items(), key=lambda item: (STATES.look(item[0]).rank, -item[1])):
        line += [gap(), STATES.counted(doing, many, render)]
    return tuple(line)


def name(presence: Presence, render: RenderContext) -> SafeText:
    """Return the name of a presence in a sentence: its user."""
    return clean(_name(presence, render), 80)


def detail(presence: Presence, render: RenderContext) -> tuple[Section, ...]:
    """Return the detail of a presence: availability, activity, groups and skills."""
    identifier = user_of(presence, render)
    groups, skills = groups_of(identifier, render), skills_of(identifier, render)
    sections = [
        *faults_section(presence),
        Section(
            "summary",
            "Presence",
            (
                labelled("State", [STATES.cell(activity_of(presence), render)]),
                labelled("In state", [in_state(identifier, render)]),
                pair("Name", presence.display_name, render, Tone.STRONG),
                pair("Username", _username(presence), render),
                pair("Role", presence.role, render),
                pair("Activity", presence.activity and display_word(presence.activity), render),
                pair("Mood", presence.mood, render),
                pair("Note", presence.note, render),
                pair("Picture", presence.avatar_url or ("yes" if presence.avatar else None), render),
                pair("Address", presence.address, render),
            ),
        ),
    ]
    calls = calls_of_user(identifier, render)
    if calls:
        lines = several(calls, lambda call: call_line(call, render), 20, "call")
        sections.append(Section("calls", f"Calls {len(calls)}", lines))
    if groups:
        lines = several(groups, lambda group: text_line(group.name or group.group_id))
        sections.append(Section("groups", f"Groups {len(groups)}", lines))
    if skills:
        sections.append(
            Section("skills", f"Skills {len(skills)}", several(skills, lambda skill: text_line(skill.skill)))
        )
    return (*sections, raw_section(presence, render))


def call_line(call: Call, render: RenderContext) -> Line:
    """Return a call as one line of a user's detail."""
    began = begun(call)
    other = f"{wording.name(call.caller, render) or 'unknown'} → {wording.name(call.callee, render) or 'unknown'}"
    age = wording.age(render.ms_since(began), render)
    return (
        CALLS_STATES.cell(call.state, render, ended=over(call)),
        gap(),
        Cell(clean(other)),
        gap(),
        Cell(age, Tone.QUIET),
    )


def _username(presence: Presence) -> str | None:
    if not presence.username:
        return None
    return f"{presence.username}@{presence.domain}" if presence.domain else presence.username


def links(presence: Presence, render: RenderContext) -> tuple[Link, ...]:
    """Return links to the user, the agent, groups and calls."""
    identifier = user_of(presence, render)
    all_links = [Link("user", "users", identifier)]
    if render.find("agents", identifier):
        all_links.append(Link("agent", "agents", identifier))
    all_links += [Link("call", "calls", call.id) for call in calls_of_user(identifier, render)]
    all_links += [Link(f"group {group.group_id}", "groups", group.group_id) for group in groups_of(identifier, render)]
    return tuple(all_links)


def presence_cell(identifier: str, render: RenderContext) -> Cell:
    """Return the symbol of a user's presence; a neutral one if it is unknown."""
    seen = STATES.look(activity_of(presence_of(identifier, render)))
    return Cell(clean(states.symbol(seen, render)), seen.tone)


TABLE: Table[Presence] = Table(
    kind="presence",
    title="Presence",
    one="presence",
    order="name",
    columns=columns.marked(
        (
            columns.state(STATES, activity_of, width=16, aliases=("activity",)),
            columns.text("name", "Name", 27, _name, also=_names, grows=True, shows="displayName"),
            columns.prose("note", "Note", 20, lambda presence: presence.note, priority=1, grows=True),
            time_in_state(user_of, priority=2),
            columns.text("username", "Username", 14, lambda presence, _render: presence.username, priority=2),
            columns.text("groups", "Groups", 18, _groups, priority=3, aliases=("group",)),
            columns.text("skills", "Skills", 16, _skills, priority=4, aliases=("skill",)),
            columns.text("mood", "Mood", 12, lambda presence, _render: presence.mood, priority=9),
            columns.text("domain", "Domain", 16, lambda presence, _render: presence.domain, priority=6),
            columns.text("role", "Role", 9, lambda presence, _render: presence.role, priority=7, closed=True),
            columns.flag("online", "Online", 6, lambda presence, _render: is_online(presence), priority=9),
            columns.flag("free", "Free", 4, lambda presence, _render: is_free(presence), priority=9, about="available"),
            columns.identity(lambda presence: presence.address, aliases=("address",)),
        )
    ),
    name=name,
    detail=detail,
    totals=RunningTotals(_share, _totals),
    links=links,
)
