"""What names a user follows when the user changes: every record that shows a name, a role or a domain of theirs.

Answers nest users as `UserReference` (contract 2.4, 2.13, 2.18) and chat participants (2.16); whatever field such a
reference states has the value that the user's own record has.
"""

from __future__ import annotations

from typing import Any

from console.records.desk import ChatParticipant
from console.records.people import User
from console.service.database import Transaction
from console.service.domain import appearing, credentials, people, sip_mappings
from console.service.domain.agents import AGENTS
from console.service.domain.chats import CHATS, participant
from console.service.domain.groups import GROUPS
from console.service.domain.meetings import MEETINGS
from console.service.domain.presence import PRESENCE
from console.service.domain.sessions import ENDED, SESSIONS
from console.service.platform import Platform
from console.service.visibility import has


def follow_user(platform: Platform, tx: Transaction, before: User, user: User) -> None:
    """Let every record that names a user name them as they are now; `before` is the user as it was."""
    shown = people.reference(user)
    if people.reference(before) == shown:
        return
    for kind in (SESSIONS, ENDED):
        for session in kind.records(tx, kind.c.user == user.id):
            domain = user.domain if session.domain == before.domain else session.domain
            kind.put(tx, session.model_copy(update={"user_obj": shown, "domain": domain}))
    for group in GROUPS.records(tx, GROUPS.c.owner == user.id):
        GROUPS.put(tx, group.model_copy(update={"owner": shown}))
    _meetings(tx, user)
    _chats(tx, user)
    _presence(platform, tx, before, user)
    credentials.follow(tx, before, user)
    if user.domain != before.domain:
        sip_mappings.follow(platform, tx, user.address)
        for group in GROUPS.records(tx, GROUPS.c.owner == user.id):
            sip_mappings.follow(platform, tx, sip_mappings.GROUP_PREFIX + group.group_id)


def _meetings(tx: Transaction, user: User) -> None:
    shown = people.reference(user)
    for meeting in MEETINGS.records(tx, MEETINGS.c.creator == user.id):
        MEETINGS.put(tx, meeting.model_copy(update={"user": shown}))
    for meeting in MEETINGS.records(tx, has(MEETINGS.c.members, user.id)):
        users = tuple(shown.wire() if each.get("id") == user.id else each for each in meeting.users)
        MEETINGS.put(tx, meeting.model_copy(update={"users": users}))


def _chats(tx: Transaction, user: User) -> None:
    def now(each: ChatParticipant) -> ChatParticipant:
        return participant(user) if each.id == user.id else each

    for chat in CHATS.records(tx, (CHATS.c.agent == user.id) | has(CHATS.c.people, user.id)):
        changes: dict[str, Any] = {"participants": tuple(now(each) for each in chat.participants)}
        if chat.agent is not None:
            changes["agent"] = now(chat.agent)
        CHATS.put(tx, chat.model_copy(update=changes))


def _presence(platform: Platform, tx: Transaction, before: User, user: User) -> None:
    former, name = {before.alias, before.username}, user.alias or user.username
    presence = PRESENCE.get(tx, user.address)
    if presence is not None:
        names: dict[str, Any] = {"username": user.username, "domain": user.domain, "role": user.role}
        if presence.display_name in former:
            names["display_name"] = name
        appearing.show(platform, presence, names)
        return
    agent = AGENTS.get(tx, user.id)
    if agent is not None and agent.display_name in former:
        AGENTS.put(tx, agent.model_copy(update={"display_name": name}))
