"""Update all records that show the name, role or domain of a user after a change.

Answers nest users as `UserReference` (contract 2.4, 2.13, 2.18) and as chat participants (2.16). The fields of such a
reference always equal the user's own record.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sqlalchemy as sa

from console.base.frozen import Frozen
from console.records.addresses import CONTRACT
from console.records.meetings import Meeting
from console.records.people import Session, User
from console.records.support import ChatParticipant, SupportChat
from console.service.domain import appearing, credentials, people, sip_mappings
from console.service.domain.agents import AGENTS
from console.service.domain.chats import CHATS, participant
from console.service.domain.groups import GROUPS
from console.service.domain.meetings import MEETINGS
from console.service.domain.presence import PRESENCE
from console.service.domain.relations import address_of
from console.service.domain.sessions import ENDED, SESSIONS
from console.service.platform import Platform
from console.service.store.json_sql import items
from console.service.store.transaction import Transaction

Choice = Callable[[sa.ColumnElement[Any]], sa.ColumnElement[bool]]
"""Builds the condition that a column contains the id of one of the users."""


class UserChange(Frozen):
    """A user before and after a change."""

    before: User
    after: User


def follow_user(platform: Platform, tx: Transaction, before: User, user: User) -> None:
    """Update every record that refers to a user; `before` is the user before the change."""
    if people.reference(before) != people.reference(user):
        follow_users(platform, tx, {user.id: UserChange(before, user)}, lambda column: column == user.id)


def follow_users(platform: Platform, tx: Transaction, users: Mapping[str, UserChange], chosen: Choice) -> None:
    """Update every record that refers to one of several users.

    Each kind of record is searched once, for any number of users.
    """
    _sessions(tx, users, chosen)
    owned = [
        group.model_copy(update={"owner": people.reference(users[group.owner.id].after)})
        for group in GROUPS.records(tx, chosen(GROUPS.c.owner))
        if group.owner is not None
    ]
    GROUPS.put_many(tx, owned)
    _meetings(tx, users, chosen)
    _chats(tx, users, chosen)
    for user in users.values():
        _presence(platform, tx, user.before, user.after)
        credentials.follow(tx, user.before, user.after)
    addresses = [user.after.address for user in users.values() if user.before.domain != user.after.domain]
    if addresses:
        sip_mappings.follow(platform, tx, [*addresses, *(CONTRACT.group.of(group.group_id) for group in owned)])


def _sessions(tx: Transaction, users: Mapping[str, UserChange], chosen: Choice) -> None:
    for kind in (SESSIONS, ENDED):
        sessions: list[Session] = []
        for session in kind.records(tx, chosen(kind.c.user)):
            user = users[session.user or ""]
            domain = user.after.domain if session.domain == user.before.domain else session.domain
            sessions.append(session.model_copy(update={"user_obj": people.reference(user.after), "domain": domain}))
        kind.put_many(tx, sessions)


def _meetings(tx: Transaction, users: Mapping[str, UserChange], chosen: Choice) -> None:
    meetings: list[Meeting] = []
    for meeting in MEETINGS.records(tx, chosen(MEETINGS.c.creator) | _any_in(MEETINGS.c.members, chosen)):
        changes: dict[str, Any] = {
            "users": tuple(
                people.reference(users[str(user.get("id"))].after).wire() if user.get("id") in users else user
                for user in meeting.users
            )
        }
        if meeting.user is not None and meeting.user.id in users:
            changes["user"] = people.reference(users[meeting.user.id].after)
        meetings.append(meeting.model_copy(update=changes))
    MEETINGS.put_many(tx, meetings)


def _chats(tx: Transaction, users: Mapping[str, UserChange], chosen: Choice) -> None:
    def now(chat_participant: ChatParticipant) -> ChatParticipant:
        return (
            participant(users[chat_participant.id].after)
            if chat_participant.id and chat_participant.id in users
            else chat_participant
        )

    chats: list[SupportChat] = []
    for chat in CHATS.records(tx, chosen(CHATS.c.agent) | _any_in(CHATS.c.people, chosen)):
        changes: dict[str, Any] = {
            "participants": tuple(now(chat_participant) for chat_participant in chat.participants)
        }
        if chat.agent is not None:
            changes["agent"] = now(chat.agent)
        chats.append(chat.model_copy(update=changes))
    CHATS.put_many(tx, chats)


def _presence(platform: Platform, tx: Transaction, before: User, user: User) -> None:
    former, name = {before.alias, before.username}, user.alias or user.username
    presence = PRESENCE.get(tx, address_of(user.id))
    if presence is not None:
        names: dict[str, Any] = {"username": user.username, "domain": user.domain, "role": user.role}
        if presence.display_name in former:
            names["display_name"] = name
        appearing.show(platform, presence, names)
        return
    agent = AGENTS.get(tx, user.id)
    if agent is not None and agent.display_name in former:
        AGENTS.put(tx, agent.model_copy(update={"display_name": name}))


def _any_in(column: sa.ColumnElement[Any], chosen: Choice) -> sa.ColumnElement[bool]:
    """Return the condition that an array of ids contains one of the users."""
    each = items(column, "each_of_them")
    return sa.exists(sa.select(sa.literal(1)).select_from(each).where(chosen(each.c.value)))
