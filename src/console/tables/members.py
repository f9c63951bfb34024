"""How the members of one group read: their place in the ringing order, and whether they can be reached."""

from __future__ import annotations

from collections.abc import Iterable

from console.records.people import Member, User
from console.tables import columns, states, words
from console.tables.cell import Cell, Line, Section, Tone
from console.tables.facts.groups import attendance
from console.tables.facts.presence import presence_of
from console.tables.groups import online_words
from console.tables.lines import gap, pair
from console.tables.sight import Sight
from console.tables.table import Link, Table
from console.text import SafeText, clean


def _name(member: Member, sight: Sight) -> str:
    return words.person(member.user_id, sight)


def _name_cell(member: Member, sight: Sight) -> Cell:
    glyph = columns.presence_cell(member.user_id, sight)
    return Cell(clean(f"{glyph.text} {_name(member, sight)}"), glyph.tone)


def _username(member: Member, sight: Sight) -> str | None:
    user = sight.find("users", member.user_id)
    return user.username if isinstance(user, User) else None


def _doing(member: Member, sight: Sight) -> str | None:
    presence = presence_of(member.user_id, sight)
    return states.activity(presence.online, presence.activity) if presence else None


def totals(members: Iterable[Member], sight: Sight) -> Line:
    """Return how many there are and how many of them are online."""
    found = attendance((each.user_id for each in members), sight)
    total = clean(words.plural(found.total, "member"))
    if not found.total:
        return (Cell(total, Tone.QUIET),)
    return (Cell(clean(online_words(found)), Tone.STRONG if found.online else Tone.QUIET), gap(), Cell(total))


def name(member: Member, sight: Sight) -> SafeText:
    """Return what a member is called in a sentence."""
    return clean(_name(member, sight), 80)


def detail(member: Member, sight: Sight) -> tuple[Section, ...]:
    """Return a member in short; the user has the rest."""
    lines = (
        pair("Name", _name(member, sight), sight, Tone.STRONG),
        pair("User", _username(member, sight), sight),
        pair("Place", member.position, sight),
        pair("Activity", _doing(member, sight), sight),
        pair("Id", member.user_id, sight),
    )
    return (Section("summary", "Member", lines),)


def links(member: Member, _sight: Sight) -> tuple[Link, ...]:
    """Return the ways from a member to the user and the presence."""
    return (Link("user", "users", member.user_id), Link("presence", "presence", member.address))


MEMBERS: Table[Member] = Table(
    kind="members",
    title="Members",
    one="member",
    order="place",
    columns=(
        columns.number("place", "#", 3, lambda member, _sight: member.position),
        columns.custom("name", "Name", 18, _name, _name_cell, grows=True),
        columns.text("activity", "Activity", 10, _doing, priority=1, closed=True),
        columns.text("username", "User", 12, _username, priority=2),
        columns.identity(lambda member: member.user_id),
    ),
    name=name,
    detail=detail,
    totals=totals,
    links=links,
    follows=("presence", "users"),
)
