"""What may be done to sessions: end them, for good."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from console.actions.action import Action, Answers, Guard, Situation
from console.actions.known import is_me, person, user_name
from console.api.operations.sessions import RevokeSession
from console.live.command import Step
from console.records.people import Session
from console.text import SafeText, clean


def owner(session: Session, situation: Situation) -> SafeText:
    """Say whose session it is. Its token is never shown."""
    if session.user_obj is not None and (session.user_obj.alias or session.user_obj.username):
        return user_name(session.user_obj)
    return person(situation.sight, session.user) if session.user else clean("nobody known")


def _may(situation: Situation, records: Sequence[Session]) -> str | None:
    if situation.is_admin or all(is_me(situation, each.user) for each in records):
        return None
    return "Only an admin may end the sessions of others."


def _revoke(situation: Situation, records: Sequence[Session], _answers: Answers) -> list[Step]:
    return [
        Step(RevokeSession(id=each.id), each.key, f"ended a session of {owner(each, situation)}") for each in records
    ]


def _warning(situation: Situation, records: Sequence[Session]) -> str:
    if len(records) > 1:
        people = len({each.user for each in records})
        return f"{len(records)} sessions of {people} {'people' if people != 1 else 'person'} end at once and for good."
    own = " It may be the one you work in." if is_me(situation, records[0].user) else ""
    return f"The session of {owner(records[0], situation)} ends at once and for good.{own}"


ACTIONS: tuple[Action[Any], ...] = (
    Action[Session](
        id="sessions.revoke",
        title="end session",
        key="x",
        kind="sessions",
        guard=Guard.WIDE,
        plan=_revoke,
        why_not=_may,
        needs="many",
        warning=_warning,
        footer=2,
        about="Logs somebody out; it cannot be taken back.",
        sends=(RevokeSession,),
        mass=True,
    ),
)
