"""What may be done to sessions: end them, for good."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from console.actions.action import Action, Answers, Guard, Situation
from console.actions.known import is_me, known, person, user_name
from console.api.operations.sessions import RevokeSession
from console.live.command import Step
from console.records.people import Session
from console.tables.sessions import state
from console.tables.words import plural
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


def _others(situation: Situation, records: Sequence[Session]) -> list[Session]:
    """Return what else is alive of the users of these sessions, and these, but never the one that is worked in."""
    users = {each.user for each in records if each.user}
    alive = (each for each in known(situation.sight, "sessions", Session) if each.user in users)
    return [each for each in alive if each.id != situation.session_id and state(each, situation.sight) == "active"]


def _may_others(situation: Situation, records: Sequence[Session]) -> str | None:
    if any(is_me(situation, each.user) for each in records) and not situation.session_id:
        return "It is not known which of your sessions is this one: end them one by one."
    return _may(situation, records) or (None if _others(situation, records) else "No other session is alive.")


def _warn_of_others(situation: Situation, records: Sequence[Session]) -> str:
    ended = _others(situation, records)
    mine = " The one you work in stays." if any(is_me(situation, each.user) for each in records) else ""
    people = len({each.user for each in ended})
    whose = f"of {people} people" if people > 1 else f"of {owner(ended[0], situation)}" if ended else ""
    return f"{plural(len(ended), 'session')} {whose} end at once and for good.{mine}"


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
    Action[Session](
        id="sessions.revoke-all",
        title="end all sessions of the user",
        key="X",
        kind="sessions",
        guard=Guard.WIDE,
        plan=lambda situation, records, answers: _revoke(situation, _others(situation, records), answers),
        why_not=_may_others,
        needs="many",
        warning=_warn_of_others,
        footer=3,
        short="end all",
        about="Logs somebody out everywhere; of your own sessions the one you work in stays.",
        sends=(RevokeSession,),
        mass=True,
    ),
)
