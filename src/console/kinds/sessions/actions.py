"""Actions on sessions: end them. Effects of ending sessions as shown in dialogs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from console.api.operations.provisioning import LogOutDomain, LogOutDomainOfUsers
from console.api.operations.sessions import RevokeSession
from console.base.text import SafeText, clean, of_number
from console.commands.action import Action, Answers, Situation
from console.commands.lookup import is_me, lookup, person, user_name
from console.kinds.consequences import Consequence, Consequences
from console.kinds.scope import only_if_known
from console.kinds.sessions.facts import may_be_active, state
from console.live.command import Step
from console.records.extent import Extent
from console.records.people import Session
from console.views.generated_table import name_of
from console.views.wording import plural


def owner(session: Session, situation: Situation) -> SafeText:
    """Return the name of a session's user. The token is never shown."""
    if session.user_obj is not None and (session.user_obj.alias or session.user_obj.username):
        return user_name(session.user_obj)
    return person(situation.render, session.user) if session.user else clean("an unknown user")


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
    """Return the sessions of the same users that may be active, including these, except the console's own."""
    users = {record.user for record in records if record.user}
    alive = (session for session in lookup(situation.render, "sessions", Session) if session.user in users)
    return [
        session for session in alive if session.id != situation.session_id and may_be_active(session, situation.render)
    ]


def _may_others(situation: Situation, records: Sequence[Session]) -> str | None:
    if any(is_me(situation, record.user) for record in records) and not situation.session_id:
        return "Your current session is unknown: end the sessions one by one."
    refusal = only_if_known("This user has no other session.", "sessions", "sessions", situation.render)
    return _may(situation, records) or (None if _others(situation, records) else refusal)


def _effect_of_revoking(situation: Situation, requests: Sequence[RevokeSession]) -> Consequence:
    ids = [request.id or situation.session_id or "" for request in requests]
    records = [situation.render.find("sessions", value) for value in ids]
    sessions = [record for record in records if isinstance(record, Session)]
    users = {session.user for session in sessions}
    whose = ""
    if len(users) == 1:
        whose = f" of {owner(sessions[0], situation)}"
    elif users:
        whose = f" of {plural(len(users), 'person')}"
    count = "The session" if len(requests) == 1 else plural(len(requests), "session")
    verb = of_number(len(requests), "ends")
    kept = _own(situation, ids, sessions)
    if situation.render.extent("sessions") is not Extent.WHOLE and {
        session.id for session in _others(situation, sessions)
    } <= set(ids):
        kept += " Sessions that are not listed go on."
    return Consequence(f"{count}{whose} {verb} immediately.{kept}")


def _own(situation: Situation, ids: Sequence[str], sessions: Sequence[Session]) -> str:
    if situation.session_id and situation.session_id in ids:
        return " It is your current session." if len(ids) == 1 else " Your current session is among them."
    if not any(is_me(situation, session.user) for session in sessions):
        return ""
    if situation.session_id:
        return " Your current session is kept."
    return " Your current session may be among them." if len(ids) > 1 else " It may be your current session."


def _effect_of_logging_out(situation: Situation, requests: Sequence[LogOutDomain | LogOutDomainOfUsers]) -> Consequence:
    """Return the number of sessions that would end, if known."""
    sentences: list[str] = []
    for request in requests:
        record = situation.render.find("provisioning-domains", request.id) or situation.render.find(
            "domains", request.id
        )
        domain = name_of(record) if record is not None else clean(request.id, 60)
        alive = [
            session
            for session in lookup(situation.render, "sessions", Session)
            if session.domain == domain
            and session.id != situation.session_id
            and may_be_active(session, situation.render)
        ]
        exact = all(state(session, situation.render) == "active" for session in alive)
        # Sessions that are not listed end as well.
        if alive and exact and situation.render.extent("sessions") is Extent.WHOLE:
            people = plural(len({session.user for session in alive}), "person")
            ends = of_number(len(alive), "ends")
            sentences.append(f"{plural(len(alive), 'session')} of {people} in {domain} {ends} immediately.")
        else:
            sentences.append(f"All sessions of {domain} end immediately.")
    return Consequence(" ".join([*sentences, "Your current session is kept."]))


CONSEQUENCES: Consequences = {
    RevokeSession: _effect_of_revoking,
    LogOutDomain: _effect_of_logging_out,
    LogOutDomainOfUsers: _effect_of_logging_out,
}


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
