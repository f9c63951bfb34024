"""Log out one user, or all users of a domain (provisioning contract 4).

A domain may have thousands of sessions. All their tokens are revoked in one statement, which stops requests and closes
event channels at once. The records of the sessions are ended in the background, in steps, so that the service stays
responsive. The progress is a record on the event topic `domain_logouts`.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from console.records.provisioning import DomainLogout
from console.service.auth.caller import Caller
from console.service.domain import sessions, tokens
from console.service.domain.domains import DOMAINS
from console.service.domain.people import USERS
from console.service.domain.sessions import SESSIONS
from console.service.events.visibility import Admins
from console.service.platform import Platform
from console.service.store.documents import Documents
from console.service.store.transaction import Transaction

STEP = 25
"""Sessions that are ended in one step, between other requests."""

DOMAIN_LOGOUTS = Documents(
    "domain_logouts",
    DomainLogout,
    columns=(
        sa.Column("running", sa.Boolean, nullable=False, index=True),
        sa.Column("spared", sa.Text, nullable=False, default=""),
    ),
    extract=lambda logout: {"running": logout.finished_at is None},
    rule=Admins(),
)
"""The last logout of each domain; `spared` is the session that requested it."""


def log_out_user(tx: Transaction, user_id: str) -> None:
    """End all sessions and tokens of a user."""
    sessions.end_many(tx, SESSIONS.records(tx, SESSIONS.c.user == user_id))
    tokens.drop(tx, [user_id], ("access", "refresh", "session"))


def log_out_domain(platform: Platform, caller: Caller, domain_id: str) -> DomainLogout:
    """Start to log out all users of a domain, or return the progress; refuse with 404 an unknown domain.

    The requesting session stays logged in, to see the result.
    """
    with platform.write() as tx:
        domain = DOMAINS.need(tx, domain_id)
        last = DOMAIN_LOGOUTS.get(tx, domain.id)
        if last is not None and last.finished_at is None:
            return last
        table = tokens.tokens
        theirs = (table.c.user.in_(_users_of(domain.id)), table.c.id != caller.credential, table.c.revoked.is_(None))
        tx.run(sa.update(table).where(*theirs).values(revoked=tx.now))
        logout = DomainLogout(id=domain.id, domain=domain.name, ended=0, started_at=tx.now)
        there = SESSIONS.count(tx, *_to_end(logout, caller.session_id))
        logout = logout.model_copy(update={"sessions": there})
        DOMAIN_LOGOUTS.put(tx, logout, spared=caller.session_id)
        return _step(tx, logout, caller.session_id)


def go_on(platform: Platform) -> bool:
    """Run the next step of all logouts in progress; return whether there were any."""
    with platform.read() as tx:
        waiting = tx.rows(sa.select(DOMAIN_LOGOUTS.c.key, DOMAIN_LOGOUTS.c.spared).where(DOMAIN_LOGOUTS.c.running))
    for row in waiting:
        with platform.write() as tx:
            logout = DOMAIN_LOGOUTS.get(tx, row.key)
            # Another node may have deleted the domain or taken the last step meanwhile.
            if logout is not None and logout.finished_at is None:
                _step(tx, logout, row.spared)
    return bool(waiting)


def _step(tx: Transaction, logout: DomainLogout, spared: str) -> DomainLogout:
    records = SESSIONS.records(tx, *_to_end(logout, spared), limit=STEP)
    sessions.end_many(tx, records)
    changes: dict[str, Any] = {"ended": (logout.ended or 0) + len(records)}
    if len(records) < STEP:
        changes["finished_at"] = tx.now
    logout = logout.model_copy(update=changes)
    DOMAIN_LOGOUTS.put(tx, logout)
    return logout


def _to_end(logout: DomainLogout, spared: str) -> tuple[sa.ColumnElement[bool], ...]:
    """Return the conditions for sessions that existed when the logout started and are still active."""
    return (
        SESSIONS.c.user.in_(_users_of(logout.id)),
        SESSIONS.c.created <= int(logout.started_at or 0),
        SESSIONS.c.key != spared,
    )


def _users_of(domain: str) -> sa.Select[Any]:
    return sa.select(USERS.c.key).where(USERS.c.domain == domain)
