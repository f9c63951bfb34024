"""The table of sessions (contract 2.4). Of tokens, only the last four characters are shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from console.base.signs import drawn
from console.base.text import SafeText, clean, of_number
from console.config.schema import SavedView
from console.kinds.scope import counted
from console.kinds.sessions import LEFT
from console.kinds.sessions.facts import may_be_active, sessions_of, state
from console.records.people import Session
from console.views import columns, wording
from console.views.cell import Cell, Line, Section, Tone
from console.views.lines import faults_section, gap, pair, raw, raw_section, veil
from console.views.render_context import RenderContext
from console.views.table import Link, Table

_MANY = 5
"""Number of sessions of one user that is highlighted."""


def _state_cell(session: Session, render: RenderContext) -> Cell:
    looks = {
        "active": ("●", Tone.GOOD),
        "expired": ("○", Tone.NOTICE),
        "ended": ("√", Tone.QUIET),
        "unknown": ("?", Tone.QUIET),
    }
    session_state = state(session, render)
    symbol, tone = looks[session_state]
    return Cell(clean(f"{drawn(symbol, render.symbols)} {session_state}"), tone)


def user(session: Session, render: RenderContext) -> str | None:
    """Return the name of a session's user, not cleaned."""
    if session.user_obj and (session.user_obj.alias or session.user_obj.username):
        return session.user_obj.alias or session.user_obj.username
    return wording.person(session.user, render) if session.user else None


def _users(session: Session, _render: RenderContext) -> tuple[str, ...]:
    username = session.user_obj.username if session.user_obj else None
    return tuple(value for value in (session.user, username) if value)


def _context(session: Session, field: str) -> str | None:
    if session.context is None:
        return None
    value_of_name = (
        getattr(session.context, field)
        if field in {"src", "language"}
        else (session.context.model_extra or {}).get(field)
    )
    return value_of_name if isinstance(value_of_name, str) else None


def _client(session: Session, _render: RenderContext) -> str | None:
    names = (_context(session, value) for value in ("useragent", "platform", "vendor", "deviceId"))
    return next((value for value in names if value), None)


def _expires(session: Session, render: RenderContext) -> float | None:
    return wording.at(session.expires) if state(session, render) == "active" else None


def _many(session: Session, render: RenderContext) -> float | None:
    """Return the number of active sessions of the session's user; None for none beside one of unknown state."""
    states = Counter(state(each, render) for each in sessions_of(session.user, render))
    return states["active"] or (0 if states and not states["unknown"] else None)


def _many_cell(session: Session, render: RenderContext) -> Cell:
    many = _many(session, render)
    tone = Tone.QUIET if many is None else Tone.NOTICE if many >= _MANY else Tone.PLAIN
    exact = many is None or not any(state(each, render) == "unknown" for each in sessions_of(session.user, render))
    return Cell(wording.least(wording.count(many, render), render, exact=exact), tone)


def _together(session: Session, render: RenderContext) -> str:
    """Return the sort key that groups the sessions of a user, those with most sessions first."""
    return f"{999_999 - int(_many(session, render) or 0):06}\x1f{session.user or ''}"


def totals(sessions: Collection[Session], render: RenderContext) -> Line:
    """Return the number of active sessions, of their users, and users with many sessions."""
    active = [session for session in sessions if state(session, render) == "active"]
    exact = len(active) == sum(may_be_active(session, render) for session in sessions)
    people = Counter(session.user for session in active if session.user)
    users = f"{wording.known_count(len(people), render, exact=exact)} {of_number(len(people), 'user')}"
    line = [
        Cell(clean(counted("sessions", len(sessions), "session", render)), Tone.STRONG),
        gap(),
        Cell(clean(f"{wording.known_count(len(active), render, exact=exact)} active of {users}")),
    ]
    for identifier, many in people.most_common(2):
        if many >= _MANY:
            line += [
                gap(),
                Cell(clean(f"{wording.person(identifier, render)} has {wording.amount(many)}", 40), Tone.NOTICE),
            ]
    return tuple(line)


def name(session: Session, render: RenderContext) -> SafeText:
    """Return the name of a session in a sentence: its user."""
    return clean(f"session of {user(session, render) or 'nobody named'}", 80)


def detail(session: Session, render: RenderContext) -> tuple[Section, ...]:
    """Return the detail of a session, without its token."""
    summary = (
        pair("User", user(session, render), render, Tone.STRONG),
        pair("State", state(session, render), render),
        pair("Domain", session.domain, render),
        pair("Started", wording.moment(wording.at(session.from_), render), render),
        pair("Ended", wording.moment(wording.at(session.to), render), render),
        pair("Expires", wording.moment(wording.at(session.expires), render), render),
        pair("Registered", session.registered, render),
        pair("Token", veil(session.token), render),
        pair("Yours", "yes" if session.user and session.user == render.me else None, render),
        pair("Id", session.id, render),
    )
    sections = [*faults_section(session), Section("summary", "Session", summary)]
    if session.context:
        sections.append(Section("context", "Client", raw(session.context, render)))
    return (*sections, raw_section(session, render))


def links(session: Session, render: RenderContext) -> tuple[Link, ...]:
    """Return links to the user."""
    if not session.user:
        return ()
    return (
        Link("user", "users", session.user),
        Link("presence", "presence", wording.user_address(session.user, render)),
    )


TABLE: Table[Session] = Table(
    kind="sessions",
    title="Sessions",
    one="session",
    order="age",
    columns=columns.marked(
        (
            columns.custom(
                "state",
                "State",
                10,
                state,
                _state_cell,
                closed=True,
                expires=True,
                rank=lambda session, render: int(wording.at(session.to) is not None),
            ),
            columns.text("user", "User", 18, user, also=_users, grows=True, aliases=("username",)),
            columns.age("age", "Age", lambda session, _render: session.from_),
            columns.left("left", "Left", _expires, LEFT, priority=1, about="time until it expires"),
            columns.text("domain", "Domain", 16, lambda session, _render: session.domain, priority=2),
            columns.text(
                "source", "Source", 16, lambda session, _render: _context(session, "src"), priority=1, aliases=("src",)
            ),
            columns.text("client", "Client", 20, _client, priority=3, grows=True),
            columns.text("language", "Lang", 6, lambda session, _render: _context(session, "language"), priority=4),
            columns.text("registered", "Registered", 10, lambda session, _render: session.registered, priority=5),
            columns.custom(
                "many",
                "Of user",
                7,
                _many,
                _many_cell,
                kind="number",
                right=True,
                priority=9,
                sort=_together,
                about="active sessions of the same user; sorted by it they stand together",
            ),
            columns.text("token", "Token", 6, lambda session, _render: veil(session.token), priority=9),
            columns.flag(
                "mine", "Mine", 4, lambda session, render: bool(session.user) and session.user == render.me, priority=9
            ),
            columns.time("began", "Started", 12, lambda session: session.from_, priority=9),
            columns.time("ended", "Ended", 12, lambda session: session.to, priority=9, shows="to"),
            columns.identity(lambda session: session.id),
        )
    ),
    name=name,
    detail=detail,
    totals=totals,
    links=links,
    follows=("sessions",),
    views={
        "Several of one user": SavedView(
            "state:active many>1", "many", ("user", "many", "age", "left", "source", "client")
        ),
        "Ending within the hour": SavedView("state:active left<1h", "left"),
        "Oldest first": SavedView("state:active", "-age"),
    },
)
