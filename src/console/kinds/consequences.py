"""What a change does, said before it is sent: the operation's own sentence, and what is known of its extent.

It is made from the steps, so that every way of acting says the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from console.api.annotations import Guard
from console.api.operations.people import ClearParticipants, LeaveGroups
from console.api.operations.provisioning import LogOutDomain, LogOutDomainOfUsers
from console.api.operations.sessions import RevokeSession
from console.api.request import Request
from console.commands.action import Situation
from console.commands.lookup import group_name, groups_of, is_me, lookup, owns, person, person_or, user_name
from console.frozen import Frozen
from console.kinds.sessions.columns import state
from console.live.command import Step
from console.records.people import Group, Session
from console.records.record import Record
from console.text import SafeText, clean
from console.views.plain import name_of
from console.views.words import of_number, plural, short

NO_UNDO = "This cannot be undone."


class Consequence(Frozen):
    """What is said before a change."""

    warning: str
    """One or two sentences. Clean."""
    lines: tuple[SafeText, ...] = ()
    """What else it meets, a line each: the groups that somebody leaves."""


def consequence(situation: Situation, steps: Sequence[Step]) -> Consequence:
    """Return what is said of a change before it is sent."""
    requests = [step.request for step in steps]
    says = _SAYS.get(type(requests[0])) if len({type(each) for each in requests}) == 1 else None
    if says is not None:
        return says(situation, requests)
    sentences = dict.fromkeys(_sentence(each) for each in requests)
    records = len({step.key for step in steps})
    many = [f"This changes {plural(records, 'record')}."] if records > 1 else []
    final = [] if all(step.inverse for step in steps) else [NO_UNDO]
    return Consequence(" ".join([*sentences, *many, *final]))


def _sentence(request: Request[Any]) -> str:
    change = request.operation.change
    return (change.warning if change is not None else "") or f"{request.operation.title}."


def word(step: Step, record: Record | None) -> SafeText:
    """Return what must be typed before a mass change that is about one record: its name, or the beginning of its key.

    Of a key that nobody would type it is the beginning, as tables show it.
    """
    if record is not None and step.request.guarded() is Guard.MASS:
        return name_of(record)
    return clean(short(step.key))


# -- groups ----------------------------------------------------------------------------------------------------------


def _clear(situation: Situation, requests: Sequence[ClearParticipants]) -> Consequence:
    said: list[str] = []
    for each in requests:
        group = situation.render.find("groups", each.group_id)
        if isinstance(group, Group):
            amount = len(group.participants)
            members = f"All {amount} members leave" if amount > 1 else "The only member leaves"
            said.append(f"{members} {group_name(group)}; undo restores them in order.")
        else:
            said.append(f"{_sentence(each)} {NO_UNDO}")
    return Consequence(" ".join(said))


def _leave(situation: Situation, requests: Sequence[LeaveGroups]) -> Consequence:
    ids = [each.target_user_id or situation.user_id for each in requests]
    groups = tuple({group.group_id: group for each in ids for group in groups_of(situation.render, each)}.values())
    lost = sum(not owns(situation, each) for each in groups)
    if ids == [situation.user_id]:
        who = "You leave"
    else:
        who = f"{person(situation.render, ids[0])} leaves" if len(ids) == 1 else f"{len(ids)} people leave"
    many = "this group" if len(groups) == 1 else f"these {len(groups)} groups"
    if not groups:
        warning = f"{who} every group. {NO_UNDO}"
    elif not lost:
        warning = f"{who} {many}; undo restores their positions."
    elif lost == len(groups):
        warning = f"{who} {many}, which others own. This cannot be undone."
    else:
        warning = (
            f"{who} {many}; undo restores the membership of those that you own, {len(groups) - lost} of {len(groups)}."
        )
    return Consequence(warning, tuple(_left(situation, each) for each in groups))


def _left(situation: Situation, group: Group) -> SafeText:
    if owns(situation, group):
        return group_name(group)
    owner = person_or(situation.render, group.owner) if group.owner else "somebody else"
    return clean(f"{group_name(group)}  of {owner}")


# -- sessions --------------------------------------------------------------------------------------------------------


def owner(session: Session, situation: Situation) -> SafeText:
    """Say whose session it is. Its token is never shown."""
    if session.user_obj is not None and (session.user_obj.alias or session.user_obj.username):
        return user_name(session.user_obj)
    return person(situation.render, session.user) if session.user else clean("an unknown user")


def _revoke(situation: Situation, requests: Sequence[RevokeSession]) -> Consequence:
    ids = [each.id or situation.session_id or "" for each in requests]
    found = [situation.render.find("sessions", each) for each in ids]
    sessions = [each for each in found if isinstance(each, Session)]
    users = {each.user for each in sessions}
    whose = ""
    if len(users) == 1:
        whose = f" of {owner(sessions[0], situation)}"
    elif users:
        whose = f" of {plural(len(users), 'person')}"
    count = "The session" if len(requests) == 1 else plural(len(requests), "session")
    verb = of_number(len(requests), "ends")
    return Consequence(f"{count}{whose} {verb} immediately.{_own(situation, ids, sessions)}")


def _own(situation: Situation, ids: Sequence[str], sessions: Sequence[Session]) -> str:
    if situation.session_id and situation.session_id in ids:
        return " It is your current session." if len(ids) == 1 else " Your current session is among them."
    if not any(is_me(situation, each.user) for each in sessions):
        return ""
    if situation.session_id:
        return " Your current session is kept."
    return " Your current session may be among them." if len(ids) > 1 else " It may be your current session."


def _logout(situation: Situation, requests: Sequence[LogOutDomain | LogOutDomainOfUsers]) -> Consequence:
    """Say how many sessions of the domains would end, where they are known."""
    said: list[str] = []
    for each in requests:
        record = situation.render.find("provisioning-domains", each.id) or situation.render.find("domains", each.id)
        domain = name_of(record) if record is not None else clean(each.id, 60)
        alive = [
            session
            for session in lookup(situation.render, "sessions", Session)
            if session.domain == domain
            and session.id != situation.session_id
            and state(session, situation.render) == "active"
        ]
        if alive:
            people = plural(len({session.user for session in alive}), "person")
            ends = of_number(len(alive), "ends")
            said.append(f"{plural(len(alive), 'session')} of {people} in {domain} {ends} immediately.")
        else:
            said.append(f"All sessions of {domain} end immediately.")
    return Consequence(" ".join([*said, "Your current session is kept."]))


_SAYS: Mapping[type[Request[Any]], Callable[[Situation, Sequence[Any]], Consequence]] = {
    ClearParticipants: _clear,
    LeaveGroups: _leave,
    RevokeSession: _revoke,
    LogOutDomain: _logout,
    LogOutDomainOfUsers: _logout,
}
