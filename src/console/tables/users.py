"""How users read (contract 2.2): everything known of somebody on one card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from console.records.people import Session, User
from console.records.support import Agent, Presence
from console.tables import columns, states, words
from console.tables.cell import Cell, Line, Section, Tone
from console.tables.facts.agents import load
from console.tables.lines import faults_section, gap, led, pair, raw_section, say, several
from console.tables.presence import call_line, calls_of, groups_of, skills_of
from console.tables.scope_words import counted
from console.tables.sight import Sight
from console.tables.table import Link, Table
from console.tables.tally import Tallied, Tally
from console.text import SafeText, clean

_ROWS = 20


def sessions_of(identifier: str, sight: Sight) -> Iterator[Session]:
    """Iterate over the known sessions of a user."""
    for session in cast("Iterable[Session]", sight.known("sessions").values()):
        if session.user == identifier:
            yield session


def presence_of(user: User, sight: Sight) -> str | None:
    """Return the one word for a user's presence."""
    found = sight.find("presence", user.address)
    return states.activity(found.online, found.activity) if isinstance(found, Presence) else None


def _name(user: User, sight: Sight) -> str:
    return words.person(user.id, sight) if sight.find("users", user.id) else user.alias or user.username or user.id


def _phones(user: User, _sight: Sight) -> str | None:
    return ", ".join(each for each in (*user.mobile_phone, user.land_line_number) if each) or None


def _share(user: User) -> str:
    return user.role or "no role"


def _totals(tallied: Tallied, sight: Sight) -> Line:
    """Return how many users there are by role."""
    counts = tallied.counts
    line = [Cell(clean(counted("users", counts.total(), "user", sight)), Tone.STRONG)]
    for role, many in counts.most_common(5):
        line += [gap(), Cell(clean(f"{words.amount(many)} {role}", 32))]
    return tuple(line)


def name(user: User, sight: Sight) -> SafeText:
    """Return what a user is called in a sentence."""
    return clean(_name(user, sight), 80)


def detail(user: User, sight: Sight) -> tuple[Section, ...]:
    """Return the card: who it is, and groups, skills, calls and sessions as far as they are loaded."""
    sections = [*faults_section(user), Section("card", "User", _card(user, sight))]
    calls, sessions = list(calls_of(user.id, sight)), list(sessions_of(user.id, sight))
    groups, skills = list(groups_of(user.id, sight)), list(skills_of(user.id, sight))
    if calls:
        lines = several(calls, lambda call: call_line(call, sight), _ROWS, "call")
        sections.append(Section("calls", f"Calls {len(calls)}", lines))
    if groups:
        lines = several(
            groups,
            lambda group: (Cell(clean(group.name or group.group_id)), gap(), Cell(clean(group.group_id), Tone.QUIET)),
            what="group",
        )
        sections.append(Section("groups", f"Groups {len(groups)}", lines))
    if skills:
        sections.append(Section("skills", f"Skills {len(skills)}", several(skills, lambda each: say(each.skill))))
    if sessions:
        lines = several(sessions, lambda each: _session_line(each, sight), _ROWS, "session")
        sections.append(Section("sessions", f"Sessions {len(sessions)}", lines))
    if user.capabilities:
        sections.append(
            Section("capabilities", f"Capabilities {len(user.capabilities)}", several(user.capabilities, say))
        )
    return (*sections, raw_section(user))


def _card(user: User, sight: Sight) -> tuple[Line, ...]:
    agent = sight.find("agents", user.id)
    where = f"{user.username or ''}@{user.domain}" if user.domain else user.username
    lines = [
        pair("Name", user.alias or _name(user, sight), sight, Tone.STRONG),
        pair("Username", where, sight),
        pair("Role", user.role, sight),
        led("Presence", [states.cell("presence", presence_of(user, sight), sight)]),
        pair("Email", user.email, sight),
        pair("Mobile", ", ".join(user.mobile_phone), sight),
        pair("Land line", user.land_line_number, sight),
        pair("Last login", words.moment(words.at(user.last_login), sight), sight),
        pair("Created", words.moment(words.at(user.created), sight), sight),
        pair("Time zone", user.current_timezone, sight),
        pair("Language", user.locale, sight),
        pair("Id", user.id, sight),
    ]
    if isinstance(agent, Agent):
        lines.insert(4, pair("Agent", f"works on {words.plural(load(agent), 'thing')}", sight))
    return tuple(lines)


def _session_line(session: Session, sight: Sight) -> Line:
    began, source = words.at(session.from_), session.context.src if session.context else None
    age = words.age(None if began is None else sight.now_ms - began, sight)
    return (
        Cell(clean("since ")),
        Cell(words.clock(began, sight)),
        gap(),
        Cell(age),
        gap(),
        Cell(clean(source or ""), Tone.QUIET),
    )


def links(user: User, sight: Sight) -> tuple[Link, ...]:
    """Return the ways from a user to presence, agent, calls, groups, skills and sessions."""
    found = [Link("presence", "presence", user.address)]
    if sight.find("agents", user.id):
        found.append(Link("agent", "agents", user.id))
    found += [Link("call", "calls", each.id) for each in calls_of(user.id, sight)]
    found += [Link(f"group {each.group_id}", "groups", each.group_id) for each in groups_of(user.id, sight)]
    found += [Link(f"skill {each.skill}", "skills", each.skill) for each in skills_of(user.id, sight)]
    found += [Link("session", "sessions", each.id) for each in sessions_of(user.id, sight)]
    return tuple(found)


USERS: Table[User] = Table(
    kind="users",
    title="Users",
    one="user",
    order="name",
    columns=columns.marked(
        (
            columns.text("name", "Name", 18, _name, grows=True, aliases=("alias",)),
            columns.text("username", "Username", 14, lambda user, _sight: user.username),
            columns.text("role", "Role", 9, lambda user, _sight: user.role, closed=True),
            columns.text("domain", "Domain", 16, lambda user, _sight: user.domain, priority=2),
            columns.time("login", "Last login", 12, lambda user: user.last_login, priority=1, aliases=("lastlogin",)),
            columns.text("email", "Email", 22, lambda user, _sight: user.email, priority=3, grows=True),
            columns.text("phone", "Phone", 14, _phones, priority=4, aliases=("mobile",)),
            columns.custom(
                "presence",
                "Presence",
                12,
                presence_of,
                lambda user, sight: states.cell("presence", presence_of(user, sight), sight),
                priority=5,
                closed=True,
                aliases=("state", "activity"),
            ),
            columns.time("created", "Created", 12, lambda user: user.created, priority=6),
            columns.text(
                "capabilities",
                "Capabilities",
                20,
                lambda user, _sight: ", ".join(user.capabilities) or None,
                priority=9,
            ),
            columns.text("timezone", "Time zone", 16, lambda user, _sight: user.current_timezone, priority=9),
            columns.text("locale", "Language", 8, lambda user, _sight: user.locale, priority=9),
            columns.identity(lambda user: user.id),
        )
    ),
    name=name,
    detail=detail,
    totals=Tally(_share, _totals),
    links=links,
)
