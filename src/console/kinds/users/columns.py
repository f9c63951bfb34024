"""The table of users (contract 2.2), with everything known about a user as detail.

On request the detail has the records of both services side by side, and the permissions of the user.
"""

from __future__ import annotations

from console.base.signs import drawn
from console.base.text import SafeText, cells, clean, fit
from console.config.schema import SavedView
from console.kinds.agents.facts import load
from console.kinds.calls.related import calls_of_user
from console.kinds.groups.facts import groups_of
from console.kinds.presence.columns import call_line
from console.kinds.presence.facts import activity_of, presence_of
from console.kinds.presence.states import STATES as PRESENCE_STATES
from console.kinds.scope import counted
from console.kinds.sessions.facts import sessions_of
from console.kinds.skills.facts import skills_of
from console.records.access import Permissions
from console.records.people import Session, User
from console.records.provisioning import ProvisionedUser
from console.records.record import Record
from console.records.sip import SipCredential
from console.records.support import Agent
from console.views import columns, wording
from console.views.cell import Cell, Line, Section, Tone
from console.views.columns import RunningTotals, TotalsState
from console.views.lines import faults_section, gap, labelled, pair, raw_section, several, text_line
from console.views.render_context import RenderContext
from console.views.table import Link, Table
from console.views.wording import dash

_LABEL, _VALUE = 13, 26


def permission_lines(permissions: Permissions, render: RenderContext) -> tuple[Line, ...]:
    """Return lines for recording type, recording profile and voicemail (contract 2.15)."""
    recording, voicemail = permissions.recording, permissions.voicemail
    mail = None if voicemail is None or voicemail.enabled is None else "yes" if voicemail.enabled else "no"
    return (
        pair("Recording", recording.recording_type if recording else None, render),
        pair("Profile", recording.recording_profile if recording else None, render),
        pair("Voicemail", mail, render),
    )


def permissions_in_force(
    permissions: Permissions, own: Permissions | None, own_known: bool, domain: str | None, render: RenderContext
) -> tuple[Line, ...]:
    """Return lines for the effective permissions and their origins (contract 2.15, 5.5).

    The user's own parts take precedence over the domain's. `own_known` tells whether `own` could be read; None then
    means that the user has no own permissions.
    """
    recording, voicemail = permissions.recording, permissions.voicemail
    parts: tuple[tuple[str, str | None, object, bool, str], ...] = (
        (
            "Recording",
            " ".join(filter(None, (recording.recording_type, recording.recording_profile))) or None
            if recording
            else None,
            own.recording if own else None,
            _is_unread(permissions, "recording", recording, "recording_type", "recording_profile"),
            "recording",
        ),
        (
            "Voicemail",
            None if voicemail is None or voicemail.enabled is None else "yes" if voicemail.enabled else "no",
            own.voicemail if own else None,
            _is_unread(permissions, "voicemail", voicemail, "enabled"),
            "voicemail",
        ),
    )
    lines: list[Line] = []
    for label, value, theirs, unread, name in parts:
        of_domain = f"of the domain {domain}" if domain else "of the domain"
        given = "" if unread else "given to nobody"
        theirs_known = own_known and not (own is not None and own.unread(name))
        origin = given if value is None else "their own" if theirs else of_domain if theirs_known else ""
        safe_text = dash(render) if value is None else clean(value, _VALUE)
        lines.append(
            (Cell(fit(clean(label), _LABEL), Tone.QUIET), Cell(fit(safe_text, _VALUE)), Cell(clean(origin, 60)))
        )
    return tuple(lines)


def _is_unread(permissions: Permissions, name: str, part: Record | None, *fields: str) -> bool:
    """Return whether a part of permissions, or one of its fields, cannot be read."""
    return permissions.unread(name) or (part is not None and part.unread(*fields))


def mapping_lines(credential: SipCredential, render: RenderContext) -> tuple[Line, ...]:
    """Return the line with the user's name at the gateway; the password is never shown (contract 2.20)."""
    return (pair("Gateway name", credential.username, render, Tone.STRONG),)


def compared(user: User, provisioned: ProvisionedUser, render: RenderContext) -> tuple[Line, ...]:
    """Return what only provisioning knows of a user, and the fields in which the two services differ."""
    held = provisioned.attributes
    fields: tuple[tuple[str, str | None, str | None], ...] = (
        ("Username", user.username, provisioned.username),
        ("Domain", user.domain, held.domain),
        ("Email", user.email, provisioned.email),
        ("Name", user.alias, provisioned.first_name),
        ("Phone", next(iter(user.mobile_phone), None), held.phone_number),
        ("Capabilities", _many(user.capabilities), _many(held.capabilities or ())),
    )
    different = [
        (label, mine or None, theirs or None) for label, mine, theirs in fields if (mine or theirs) and mine != theirs
    ]
    states = {None: "unknown", True: "yes", False: "no"}
    lines: list[Line] = [
        pair("Enabled", states[provisioned.enabled], render),
        pair("Verified", states[provisioned.email_verified], render),
    ]
    if not different:
        return (*lines, text_line("All other fields are the same in both.", Tone.QUIET))
    lines.append(labelled("", [Cell(fit(clean("core"), _VALUE), Tone.QUIET), Cell(clean("provisioning"), Tone.QUIET)]))
    lines += [_row(label, mine, theirs, render) for label, mine, theirs in different]
    return (*lines, text_line(f"They differ in {len(different)} of {len(fields)} fields.", Tone.WARN))


def _row(label: str, mine: str | None, theirs: str | None, render: RenderContext) -> Line:
    core = _value(mine, render)
    core = core if cells(core) >= _VALUE else fit(core, _VALUE - 1)
    other = clean(f" {drawn('≠', render.symbols)} {_value(theirs, render)}", 70)
    return labelled(label, [Cell(core, Tone.WARN), Cell(other, Tone.WARN)])


def _value(value: str | None, render: RenderContext) -> SafeText:
    return dash(render) if value is None else clean(value, 60)


def _many(values: tuple[str, ...]) -> str:
    return " ".join(sorted(values))


_ROWS = 20


_NO_ROLE = "without a role"
_PLAIN_ROLE = "user"
"""The role of most: its count would equal the number of users."""


def _activity(user: User, render: RenderContext) -> str | None:
    return activity_of(presence_of(user.id, render))


def _name(user: User, render: RenderContext) -> str:
    return wording.person(user.id, render) if render.find("users", user.id) else user.alias or user.username or user.id


def _phones(user: User, _render: RenderContext) -> str | None:
    return ", ".join(value for value in (*user.mobile_phone, user.land_line_number) if value) or None


def _share(user: User) -> columns.Share:
    return user.role or _NO_ROLE, None


def _totals(totals: TotalsState, render: RenderContext) -> Line:
    """Return the number of users, and of those with a special role or none."""
    counts = totals.counts
    line = [Cell(clean(counted("users", counts.total(), "user", render)), Tone.STRONG)]
    for role, many in ((role, many) for role, many in counts.most_common(5) if role != _PLAIN_ROLE):
        text = f"{wording.amount(many)} {role}" if role == _NO_ROLE else wording.plural(many, role)
        line += [gap(), Cell(clean(text, 32))]
    return tuple(line)


def name(user: User, render: RenderContext) -> SafeText:
    """Return the name of a user in a sentence."""
    return clean(_name(user, render), 80)


def detail(user: User, render: RenderContext) -> tuple[Section, ...]:
    """Return the detail: the user, and groups, skills, calls and sessions, as far as loaded."""
    sections = [*faults_section(user), Section("card", "User", _card(user, render))]
    calls, sessions = calls_of_user(user.id, render), sessions_of(user.id, render)
    groups, skills = groups_of(user.id, render), skills_of(user.id, render)
    if calls:
        lines = several(calls, lambda call: call_line(call, render), _ROWS, "call")
        sections.append(Section("calls", f"Calls {len(calls)}", lines))
    if groups:
        lines = several(
            groups,
            lambda group: (Cell(clean(group.name or group.group_id)), gap(), Cell(clean(group.group_id), Tone.QUIET)),
            what="group",
        )
        sections.append(Section("groups", f"Groups {len(groups)}", lines))
    if skills:
        sections.append(
            Section("skills", f"Skills {len(skills)}", several(skills, lambda skill: text_line(skill.skill)))
        )
    if sessions:
        lines = several(sessions, lambda session: _session_line(session, render), _ROWS, "session")
        sections.append(Section("sessions", f"Sessions {len(sessions)}", lines))
    if user.capabilities:
        sections.append(
            Section("capabilities", f"Capabilities {len(user.capabilities)}", several(user.capabilities, text_line))
        )
    return (*sections, raw_section(user, render))


def _card(user: User, render: RenderContext) -> tuple[Line, ...]:
    agent = render.find("agents", user.id)
    where = f"{user.username or ''}@{user.domain}" if user.domain else user.username
    lines = [
        pair("Name", user.alias or _name(user, render), render, Tone.STRONG),
        pair("Username", where, render),
        pair("Role", user.role, render),
        labelled("Presence", [PRESENCE_STATES.cell(_activity(user, render), render)]),
        pair("Email", user.email, render),
        pair("Mobile", ", ".join(user.mobile_phone), render),
        pair("Landline", user.land_line_number, render),
        pair("Last login", wording.moment(wording.at(user.last_login), render), render),
        pair("Created", wording.moment(wording.at(user.created), render), render),
        pair("Time zone", user.current_timezone, render),
        pair("Language", user.locale, render),
        pair("Id", user.id, render),
    ]
    if isinstance(agent, Agent):
        amount = load(agent)
        work = None if amount is None else wording.plural(amount, "open task") if amount else "no open work"
        lines.insert(4, pair("Agent", work, render))
    return tuple(lines)


def _session_line(session: Session, render: RenderContext) -> Line:
    began, source = wording.at(session.from_), session.context.src if session.context else None
    age = wording.age(render.ms_since(began), render)
    return (
        Cell(clean("since ")),
        Cell(wording.clock(began, render)),
        gap(),
        Cell(age),
        gap(),
        Cell(clean(source or ""), Tone.QUIET),
    )


def links(user: User, render: RenderContext) -> tuple[Link, ...]:
    """Return links to presence, agent, calls, groups, skills and sessions."""
    all_links = [Link("presence", "presence", wording.user_address(user.id, render))]
    if render.find("agents", user.id):
        all_links.append(Link("agent", "agents", user.id))
    all_links += [Link("call", "calls", call.id) for call in calls_of_user(user.id, render)]
    all_links += [Link(f"group {group.group_id}", "groups", group.group_id) for group in groups_of(user.id, render)]
    all_links += [Link(f"skill {skill.skill}", "skills", skill.skill) for skill in skills_of(user.id, render)]
    all_links += [Link("session", "sessions", session.id) for session in sessions_of(user.id, render)]
    return tuple(all_links)


TABLE: Table[User] = Table(
    kind="users",
    title="Users",
    one="user",
    order="name",
    columns=columns.marked(
        (
            columns.text("name", "Name", 18, _name, grows=True, aliases=("alias",)),
            columns.text("username", "Username", 14, lambda user, _render: user.username, priority=2),
            columns.text("role", "Role", 9, lambda user, _render: user.role, priority=1, closed=True),
            columns.text("domain", "Domain", 16, lambda user, _render: user.domain, priority=4),
            columns.time("login", "Last login", 12, lambda user: user.last_login, priority=3, aliases=("lastlogin",)),
            columns.text("email", "Email", 28, lambda user, _render: user.email, priority=5, grows=True),
            columns.text("phone", "Phone", 26, _phones, priority=6, aliases=("mobile",)),
            columns.custom(
                "presence",
                "Presence",
                16,
                _activity,
                lambda user, render: PRESENCE_STATES.cell(_activity(user, render), render),
                priority=7,
                closed=True,
                aliases=("state", "activity"),
            ),
            columns.time("created", "Created", 12, lambda user: user.created, priority=8),
            columns.text(
                "capabilities",
                "Capabilities",
                20,
                lambda user, _render: ", ".join(user.capabilities) or None,
                priority=9,
            ),
            columns.text(
                "timezone",
                "Time zone",
                16,
                lambda user, _render: user.current_timezone,
                priority=9,
                shows="currentTimezone",
            ),
            columns.text("locale", "Language", 8, lambda user, _render: user.locale, priority=9),
            columns.identity(lambda user: user.id),
        )
    ),
    name=name,
    detail=detail,
    totals=RunningTotals(_share, _totals),
    links=links,
    views={
        "Not logged in for a year": SavedView("login>365d", "login"),
        "Never logged in": SavedView('login:""', "created"),
        "New this week": SavedView("created<7d", "-created"),
    },
)
