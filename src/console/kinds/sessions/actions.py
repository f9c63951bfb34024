"""Actions on sessions: end them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from console.api.operations.sessions import RevokeSession
from console.commands.action import Action, Answers, Situation
from console.commands.lookup import is_me, lookup
from console.kinds.sessions.effects import owner
from console.kinds.sessions.facts import state
from console.live.command import Step
from console.records.people import Session


def _may(situation: Situation, records: Sequence[Session]) -> str | None:
    if situation.is_admin or all(is_me(situation, record.user) for record in records):
        return None
    return "Only admins can end the sessions of others."


def _revoke(situation: Situation, records: Sequence[Session], _answers: Answers) -> list[Step]:
    return [
        Step(RevokeSession(id=record.id), record.key, f"ended a session of {owner(record, situation)}")
        for record in records
    ]


def _others(situation: Situation, records: Sequence[Session]) -> list[Session]:
    """Return the active sessions of the same users, including these, except the console's own."""
    users = {record.user for record in records if record.user}
    alive = (session for session in lookup(situation.render, "sessions", Session) if session.user in users)
    return [
        session
        for session in alive
        if session.id != situation.session_id and state(session, situation.render) == "active"
    ]


def _may_others(situation: Situation, records: Sequence[Session]) -> str | None:
    if any(is_me(situation, record.user) for record in records) and not situation.session_id:
        return "Your current session is unknown: end the sessions one by one."
    return _may(situation, records) or (None if _others(situation, records) else "This user has no other session.")


ACTIONS: tuple[Action[Any], ...] = (
    Action[Session](
        id="sessions.revoke",
        title="end session",
        key="d",
        verb="delete",
        kind="sessions",
        plan=_revoke,
        why_not=_may,
        needs="many",
        footer=2,
        about="Logs the user out of this session.",
        sends=(RevokeSession,),
    ),
    Action[Session](
        id="sessions.revoke-all",
        title="end all sessions of the user",
        key="D",
        verb="delete all",
        kind="sessions",
        plan=lambda situation, records, answers: _revoke(situation, _others(situation, records), answers),
        why_not=_may_others,
        needs="many",
        footer=3,
        short="end all",
        about="Logs the user out everywhere; your current session is kept.",
        sends=(RevokeSession,),
    ),
)
