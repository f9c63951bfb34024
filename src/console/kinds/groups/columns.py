"""The table of groups (contract 2.18): members, order, presence."""

from __future__ import annotations

from collections.abc import Collection

from console.base.frozen import replace
from console.base.signs import drawn
from console.base.text import SafeText, clean, fit
from console.kinds.calls.facts import over
from console.kinds.calls.related import calls_of
from console.kinds.groups.facts import Attendance, attendance, free_members, mine
from console.kinds.presence.columns import call_line, presence_cell
from console.kinds.presence.facts import activity_of, presence_of
from console.kinds.presence.states import STATES
from console.kinds.scope import counted
from console.records.people import Group, User
from console.views import columns, wording
from console.views.cell import Cell, Line, Section, Tone
from console.views.lines import (
    faults_section,
    gap,
    listed,
    listed_title,
    pair,
    raw_section,
    related_lines,
    several,
)
from console.views.render_context import RenderContext
from console.views.table import Link, Table

_ROWS = 500


def owner(group: Group, render: RenderContext) -> str | None:
    """Return the name of the owner, not cleaned."""
    if group.owner is None:
        return None
    return group.owner.alias or group.owner.username or wording.person(group.owner.id, render)


def _name(group: Group, _render: RenderContext) -> str:
    return group.name or group.group_id


def _members(group: Group, render: RenderContext) -> str | None:
    return ", ".join(wording.person(participant, render) for participant in group.participants) or None


def _strategy(group: Group, _render: RenderContext) -> str | None:
    return group.ringing_strategy.type if group.ringing_strategy else None


def _of_members(group: Group, render: RenderContext) -> Attendance:
    members = attendance(group.participants, render)
    return replace(members, is_listed=False) if group.unread("participants") else members


def _online(group: Group, render: RenderContext) -> int | None:
    members = _of_members(group, render)
    return members.online if members.known or (members.is_listed and not members.total) else None


def _online_cell(group: Group, render: RenderContext) -> Cell:
    """Return the number of online members, of how many: a minimum beside members of unknown presence."""
    members = _of_members(group, render)
    if not members.is_listed:
        return Cell(wording.dash(render), Tone.QUIET)
    online = wording.known_count(members.online, render, exact=members.complete)
    is_unknown = not members.total or not members.known
    tone = Tone.QUIET if is_unknown else Tone.WARN if members.empty else Tone.PLAIN
    return Cell(clean(f"{online}/{wording.amount(members.total)}"), tone)


def online_words(attendance: Attendance) -> str:
    """Return the number of online members as text: `3 of 5 online`, or `1 online, 4 unknown`."""
    if not attendance.is_listed:
        return "nobody known"
    if attendance.complete:
        return f"{wording.share(attendance.online, attendance.total)} online"
    return f"{wording.amount(attendance.online)} online, {wording.amount(attendance.total - attendance.known)} unknown"


def totals(groups: Collection[Group], render: RenderContext) -> Line:
    """Return the number of groups, of those without online members, and of the caller's own."""
    line = [Cell(clean(counted("groups", len(groups), "group", render)), Tone.STRONG)]
    empty = sum(_of_members(group, render).empty for group in groups)
    if empty:
        line += [
            gap(),
            Cell(clean(f"{drawn('▲', render.symbols)} {wording.amount(empty)} with nobody online"), Tone.WARN),
        ]
    own = sum(mine(group, render) for group in groups)
    line += [gap(), Cell(clean(f"{wording.amount(own)} owned by you"), Tone.PLAIN if own else Tone.QUIET)]
    return tuple(line)


def name(group: Group, render: RenderContext) -> SafeText:
    """Return the name of a group in a sentence."""
    return clean(_name(group, render), 80)


def detail(group: Group, render: RenderContext) -> tuple[Section, ...]:
    """Return the detail of a group: members in ringing order with presence, then the rest."""
    summary = (
        pair("Name", group.name, render, Tone.STRONG),
        pair("Group id", group.group_id, render),
        pair("Owner", f"{owner(group, render) or ''}{' (you)' if mine(group, render) else ''}", render),
        pair("Rings", _strategy(group, render), render),
        pair("Chat", group.chat_id, render),
    )
    members = listed_title("Members", group, "participants", render)
    title = f"{members}, {online_words(_of_members(group, render))}"
    return (
        *faults_section(group),
        Section("members", title, member_lines(group, render)),
        Section("summary", "Group", summary),
        raw_section(group, render),
    )


def member_lines(group: Group, render: RenderContext) -> tuple[Line, ...]:
    """Return the members in order: position, presence, name, activity."""

    def lines() -> tuple[Line, ...]:
        places = range(len(group.participants))
        return several(places, lambda at: member_line(at + 1, group.participants[at], render), _ROWS, "member")

    return listed(group, "participants", lines, "No members.")


def member_line(number: int, identifier: str, render: RenderContext) -> Line:
    """Return the line of one member; positions start at 1."""
    doing = STATES.words(activity_of(presence_of(identifier, render)))
    user = render.find("users", identifier)
    username = user.username if isinstance(user, User) else None
    return (
        Cell(clean(f"{number:>3}"), Tone.QUIET),
        gap(" "),
        presence_cell(identifier, render),
        gap(" "),
        Cell(fit(clean(wording.person(identifier, render)), 18)),
        gap(" "),
        Cell(fit(doing.text, 14), Tone.QUIET),
        gap(" "),
        Cell(clean(username or ""), Tone.QUIET),
    )


def related(group: Group, render: RenderContext) -> tuple[Section, ...]:
    """Return the section with the current calls of the members, the latest first."""
    addresses = (wording.user_address(participant, render) for participant in group.participants)
    calls = [call for call in calls_of(addresses, render) if not over(call)]
    if not calls:
        return ()
    lines = related_lines(calls, lambda call: call_line(call, render), render, "call")
    return (Section("calls", f"Calls of members {len(calls)}", lines),)


def links(group: Group, render: RenderContext) -> tuple[Link, ...]:
    """Return links to members and owner."""
    all_links = [
        Link("member", "presence", wording.user_address(participant, render)) for participant in group.participants
    ]
    if group.owner and group.owner.id:
        all_links.append(Link("owner", "users", group.owner.id))
    return (*all_links, *(Link("member's user", "users", participant) for participant in group.participants))


TABLE: Table[Group] = Table(
    kind="groups",
    title="Groups",
    one="group",
    order="name",
    columns=columns.marked(
        (
            columns.text("name", "Name", 24, _name, grows=True),
            columns.text(
                "group", "Group id", 14, lambda group, _render: group.group_id, priority=3, aliases=("groupid", "id")
            ),
            columns.custom(
                "online",
                "Online",
                7,
                _online,
                _online_cell,
                kind="number",
                right=True,
                about="how many members are online, of how many; ≥ where more may be",
            ),
            columns.text(
                "owner",
                "Owner",
                16,
                owner,
                also=lambda group, _render: (group.owner.id,) if group.owner else (),
                priority=1,
            ),
            columns.text(
                "strategy", "Rings", 13, _strategy, priority=2, closed=True, aliases=("rings",), shows="ringingStrategy"
            ),
            columns.flag("mine", "Mine", 4, mine, priority=1),
            columns.text(
                "members",
                "Members",
                24,
                _members,
                also=lambda group, _render: group.participants,
                priority=3,
                grows=True,
                aliases=("member",),
            ),
            columns.number("free", "Free", 5, free_members, priority=9, about="how many members are free"),
            columns.number("size", "Size", 5, lambda group, _render: group.count_of("participants"), priority=9),
            columns.text("chat", "Chat", 24, lambda group, _render: group.chat_id, priority=9, shows="chatId"),
        )
    ),
    name=name,
    detail=detail,
    related=related,
    totals=totals,
    links=links,
    follows=("presence", "agents"),
)
