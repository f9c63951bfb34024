"""The table of the members of a group: position and presence."""

from __future__ import annotations

from collections.abc import Iterable

from console.base.text import SafeText, clean
from console.kinds.groups.columns import online_words
from console.kinds.groups.facts import attendance
from console.kinds.presence.columns import presence_cell
from console.kinds.presence.facts import activity_of, presence_of
from console.kinds.presence.states import STATES as PRESENCE_STATES
from console.records.people import Member, User
from console.views import columns, wording
from console.views.cell import Cell, Line, Section, Tone
from console.views.lines import gap, labelled, pair
from console.views.render_context import RenderContext
from console.views.table import Link, Table


def _name(member: Member, render: RenderContext) -> str:
    return wording.person(member.user_id, render) + wording.elsewhere(member.user_id, render)


def _name_cell(member: Member, render: RenderContext) -> Cell:
    glyph = presence_cell(member.user_id, render)
    return Cell(clean(f"{glyph.text} {_name(member, render)}"), glyph.tone)


def _username(member: Member, render: RenderContext) -> str | None:
    user = render.find("users", member.user_id)
    return user.username if isinstance(user, User) else None


def _doing(member: Member, render: RenderContext) -> str | None:
    return activity_of(presence_of(member.user_id, render))


def totals(members: Iterable[Member], render: RenderContext) -> Line:
    """Return the number of members and of online ones."""
    present = attendance((member.user_id for member in members), render)
    total = clean(wording.plural(present.total, "member"))
    if not present.total:
        return (Cell(total, Tone.QUIET),)
    return (Cell(clean(online_words(present)), Tone.STRONG if present.online else Tone.QUIET), gap(), Cell(total))


def name(member: Member, render: RenderContext) -> SafeText:
    """Return the name of a member in a sentence."""
    return clean(_name(member, render), 80)


def detail(member: Member, render: RenderContext) -> tuple[Section, ...]:
    """Return the detail of a member; the user's detail has the rest."""
    lines = (
        pair("Name", _name(member, render), render, Tone.STRONG),
        pair("User", _username(member, render), render),
        pair("Position", member.position, render),
        labelled("Activity", [PRESENCE_STATES.words(_doing(member, render))]),
        pair("Id", member.user_id, render),
    )
    return (Section("summary", "Member", lines),)


def links(member: Member, render: RenderContext) -> tuple[Link, ...]:
    """Return links to the user and the presence."""
    return (
        Link("user", "users", member.user_id),
        Link("presence", "presence", wording.user_address(member.user_id, render)),
    )


TABLE: Table[Member] = Table(
    kind="members",
    title="Members",
    one="member",
    order="place",
    columns=(
        columns.number("place", "#", 3, lambda member, _render: member.position),
        columns.custom("name", "Name", 18, _name, _name_cell, grows=True),
        columns.custom(
            "activity",
            "Activity",
            14,
            _doing,
            lambda member, render: PRESENCE_STATES.words(_doing(member, render)),
            priority=1,
            closed=True,
        ),
        columns.text("username", "User", 12, _username, priority=2),
        columns.identity(lambda member: member.user_id),
    ),
    name=name,
    detail=detail,
    totals=totals,
    links=links,
    follows=("presence", "users"),
)
