"""Meetings: rooms reserved for people and a time, and notices about them (contract 2.13, 4.5, 6)."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from console.records.meetings import DialIn, Meeting, MeetingParticipant, RecordingConfig
from console.records.people import User
from console.service.auth.caller import Caller
from console.service.domain import permissions
from console.service.domain.deliveries import deliver
from console.service.domain.delivery_texts import MEETING_CREATED, MEETING_DELETED, MEETING_INVITATION
from console.service.domain.people import USERS, reference
from console.service.domain.relations import address_of, whole
from console.service.events.visibility import Admins, Among, AnyOf, Same, by_id
from console.service.platform import Platform
from console.service.refusal import conflict, forbidden, invalid
from console.service.store.documents import Documents
from console.service.store.outbox import metadata
from console.service.store.transaction import Transaction
from console.service.transports.message import Mechanism, Message

CREATED, DELETED, INVITED = MEETING_CREATED, MEETING_DELETED, MEETING_INVITATION
"""Kinds of notices."""
DIAL_IN_NUMBER = "+34910600600"
"""Telephone number of all meetings; the extension selects the room."""


def _as_earlier(meeting: dict[str, Any]) -> dict[str, Any]:
    """Omit the role of guests, which the earlier variant does not have (2.2)."""
    for user in (meeting.get("user"), *meeting.get("users", ())):
        if user and user.get("role") == "anonymous":
            del user["role"]
    return meeting


MEETINGS = Documents(
    "meetings",
    Meeting,
    columns=(
        sa.Column("creator", sa.Text, nullable=False, index=True),
        sa.Column("members", sa.JSON, nullable=False),
        sa.Column("room", sa.Text, nullable=False, unique=True),
        sa.Column("extension", sa.Text, unique=True),
        sa.Column("name", sa.Text),
        sa.Column("language", sa.Text),
        sa.Column("phone", sa.Text),
        sa.Column("since", sa.Integer, nullable=False, index=True),
        sa.Column("until", sa.Integer, index=True),
    ),
    extract=lambda meeting: {
        "creator": meeting.user.id if meeting.user else "",
        "members": [str(user.get("id")) for user in meeting.users],
        "room": meeting.room_id or meeting.id,
        "extension": meeting.ddi.extension if meeting.ddi else None,
        "name": meeting.name,
        "language": meeting.language,
        "phone": meeting.phone,
        "since": whole(meeting.valid_since) or 0,
        "until": whole(meeting.valid_until),
    },
    rule=AnyOf(Admins(), Same("creator", by_id), Among("members", by_id)),
    earlier=_as_earlier,
)

passwords = sa.Table(
    "meeting_passwords",
    metadata,
    sa.Column("meeting", sa.Text, primary_key=True),
    sa.Column("hash", sa.Text, nullable=False),
)


def create(
    platform: Platform, caller: Caller, fields: Mapping[str, Any], password: str | None = None, notify: bool = True
) -> Meeting:
    """Create a meeting of the caller with these fields, its own room and dial-in.

    Refuse with 400 participants that are unreachable or not users, and a meeting that ends before it starts.
    """
    with platform.write() as tx:
        meeting = Meeting(
            id=platform.new_id(),
            room_id=f"room-{platform.new_id()}",
            user=reference(caller.user),
            valid_since=tx.now,
            phone=DIAL_IN_NUMBER,
            ddi=DialIn(extension=_free_extension(tx), pin=f"{secrets.randbelow(10**4):04d}"),
            is_password_protected=password is not None,
            record=RecordingConfig(type="none"),
        )
        meeting = _with(tx, meeting, {name: value for name, value in fields.items() if value is not None})
        _set_password(platform, tx, meeting.id, password)
        MEETINGS.put(tx, meeting)
        if notify:
            deliver(platform, tx, [*_to_creator(tx, meeting, CREATED), *_to_participants(tx, meeting, CREATED)])
        return meeting


def update(platform: Platform, meeting_id: str, fields: Mapping[str, Any], send_invites: bool = False) -> Meeting:
    """Change the given fields of a meeting; None removes a value. A given `password` is stored as a hash.

    With `send_invites`, all participants after the change get an invitation.
    """
    with platform.write() as tx:
        meeting = MEETINGS.need(tx, meeting_id)
        changes = dict(fields)
        if "password" in changes:
            password = changes.pop("password")
            _set_password(platform, tx, meeting_id, password)
            changes["is_password_protected"] = password is not None
        meeting = _with(tx, meeting, changes)
        MEETINGS.put(tx, meeting)
        if send_invites:
            deliver(platform, tx, _to_participants(tx, meeting, INVITED))
        return meeting


def delete(platform: Platform, meeting_id: str, notify: bool = True) -> None:
    """Delete a meeting and its password."""
    with platform.write() as tx:
        meeting = MEETINGS.need(tx, meeting_id)
        _set_password(platform, tx, meeting_id, None)
        MEETINGS.remove(tx, meeting_id)
        if notify:
            deliver(platform, tx, [*_to_creator(tx, meeting, DELETED), *_to_participants(tx, meeting, DELETED)])


def id_of_room(tx: Transaction, room: str) -> str | None:
    """Return the id of the meeting in a room, or None."""
    return tx.value(sa.select(MEETINGS.c.key).where(MEETINGS.c.room == room))


def password_hash_of(tx: Transaction, meeting_id: str) -> str | None:
    """Return the hash of a meeting's password, or None. For the service that admits people to rooms."""
    return tx.value(sa.select(passwords.c.hash).where(passwords.c.meeting == meeting_id))


def set_password_hash(tx: Transaction, meeting_id: str, password_hash: str | None) -> None:
    """Replace the hash of a meeting's password (see `Passwords.hash`); None removes the password."""
    tx.run(sa.delete(passwords).where(passwords.c.meeting == meeting_id))
    if password_hash is not None:
        tx.run(sa.insert(passwords).values(meeting=meeting_id, hash=password_hash))


def _users_of(tx: Transaction, participants: Sequence[MeetingParticipant]) -> list[User | None]:
    """Return the user of each participant, found by id, or without one by e-mail address; None for others."""
    by_id = USERS.get_many(tx, [participant.user_id for participant in participants if participant.user_id])
    emails = [participant.email for participant in participants if participant.email and not participant.user_id]
    first = sa.select(sa.func.min(USERS.c.key)).where(USERS.c.email.in_(emails)).group_by(USERS.c.email)
    by_email = {user.email: user for user in USERS.records(tx, USERS.c.key.in_(first))} if emails else {}
    return [
        by_id.get(participant.user_id) if participant.user_id else by_email.get(participant.email)
        for participant in participants
    ]


def _with(tx: Transaction, meeting: Meeting, changes: Mapping[str, Any]) -> Meeting:
    """Return the meeting with changes, checked, and with the users of its participants."""
    changed = meeting.model_copy(update=dict(changes))
    if "participants" in changes:
        participants: Sequence[MeetingParticipant] = changes["participants"] or ()
        users = _users_of(tx, participants)
        for place, (participant, user) in enumerate(zip(participants, users, strict=True)):
            _check(f"participants.{place}", participant, user)
        once = {user.id: reference(user).wire() for user in users if user is not None}
        changed = changed.model_copy(update={"participants": tuple(participants), "users": tuple(once.values())})
    if changed.valid_since is None:
        changed = changed.model_copy(update={"valid_since": tx.now})
    if changed.valid_until is not None and changed.valid_until <= (changed.valid_since or 0):
        raise invalid("validUntil", "must be later than validSince", "order")
    if changed.record is None or not changed.record.type:
        changed = changed.model_copy(update={"record": RecordingConfig(type="none")})
    asks = "record" in changes and changed.record != RecordingConfig(type="none")
    creator = USERS.get(tx, changed.user.id) if asks and changed.user is not None else None
    if creator is not None and not permissions.may_record(tx, creator):
        raise forbidden(f"the permissions of {creator.id} do not include recording")
    return changed


def _check(path: str, participant: MeetingParticipant, user: User | None) -> None:
    if not (participant.user_id or participant.email or participant.phone):
        raise invalid(path, "needs userId, email or phone", "required")
    if participant.user_id and user is None:
        raise invalid(f"{path}.userId", f"{participant.user_id} is not a user", "reference")
    if participant.email and "@" not in participant.email:
        raise invalid(f"{path}.email", "is not an e-mail address", "format")
    if participant.send_sms and not participant.phone:
        raise invalid(f"{path}.sendSMS", "needs a phone", "required")


def _free_extension(tx: Transaction) -> str:
    for _ in range(100):
        extension = f"{secrets.randbelow(10**6):06d}"
        if not MEETINGS.count(tx, MEETINGS.c.extension == extension):
            return extension
    raise conflict("no extension is free for another meeting")


def _set_password(platform: Platform, tx: Transaction, meeting_id: str, password: str | None) -> None:
    set_password_hash(tx, meeting_id, None if password is None else platform.passwords.hash(password))


# -- notices ------------------------------------------------------------------------------------------------------


def _to_creator(tx: Transaction, meeting: Meeting, kind: str) -> list[Message]:
    creator = USERS.get(tx, meeting.user.id) if meeting.user else None
    if creator is None:
        return []
    wording = {"locale": creator.locale, "currentTimezone": creator.current_timezone}
    return _notices(meeting, kind, address_of(creator.id), creator.email, None, wording)


def _to_participants(tx: Transaction, meeting: Meeting, kind: str) -> list[Message]:
    """Notify the participants, in their own time zone, or in the creator's."""
    creator = USERS.get(tx, meeting.user.id) if meeting.user else None
    notices: list[Message] = []
    for participant, user in zip(meeting.participants, _users_of(tx, meeting.participants), strict=True):
        address = None if user is None else address_of(user.id)
        email = participant.email or (user.email if user else None)
        zones = (participant.current_timezone, user and user.current_timezone, creator and creator.current_timezone)
        wording = {
            "locale": participant.locale or (user.locale if user else None),
            "currentTimezone": next(filter(None, zones), None),
        }
        notices += _notices(meeting, kind, address, email, participant.phone if participant.send_sms else None, wording)
    return notices


def _notices(
    meeting: Meeting, kind: str, address: str | None, email: str | None, phone: str | None, wording: Mapping[str, Any]
) -> list[Message]:
    """Return one notice for each mechanism that reaches a participant. Notices never contain the password."""
    announced = {"roomId", "name", "language", "validSince", "validUntil", "phone", "ddi"}
    content = {name: value for name, value in meeting.wire().items() if name in announced}
    content |= {name: value for name, value in wording.items() if value is not None}
    ways: tuple[tuple[Mechanism, str | None], ...] = (("user", address), ("email", email), ("sms", phone))
    return [Message(mechanism, to, kind, meeting.id, content) for mechanism, to in ways if to]
