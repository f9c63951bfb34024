"""Conferences: rooms, participants, invites, and reasons of failed invites (contract 2.9, 4.5)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sqlalchemy as sa

from console.records.traffic import Conference, ConferenceParticipant, Invite
from console.service.auth.caller import Caller
from console.service.domain.people import USERS
from console.service.domain.relations import user_id_of, whole
from console.service.events.visibility import Admins, Among, AnyOf, by_address, has
from console.service.platform import Platform
from console.service.refusal import invalid
from console.service.store.documents import Documents
from console.service.store.transaction import Transaction

BUSY, NO_ANSWER, DECLINED, UNREACHABLE, SERVER_FAILED = 486, 408, 603, 480, 500
"""Reasons why an invite or one of its candidates ended: SIP status codes, since the contract defines none."""


def people_in(conference: Conference) -> list[str]:
    """Return the addresses of all participants and invited people, without duplicates."""
    inside = [participant.address for participant in conference.participants]
    asked = [address for invite in conference.invites for address in (invite.from_, invite.to)]
    return list(dict.fromkeys(value for value in (*inside, *asked) if value))


CONFERENCES = Documents(
    "conferences",
    Conference,
    columns=(
        sa.Column("created", sa.Integer, nullable=False, index=True),
        sa.Column("finished", sa.Integer),
        sa.Column("state", sa.Text, index=True),
        sa.Column("room", sa.Text, index=True),
        sa.Column("people", sa.JSON, nullable=False),
    ),
    extract=lambda conference: {
        "created": int(conference.created_at or 0),
        "finished": whole(conference.finished_at),
        "state": conference.state,
        "room": conference.room_id,
        "people": people_in(conference),
    },
    rule=AnyOf(Admins(), Among("people", by_address)),
)


def store(platform: Platform, caller: Caller, log: Conference, tell: Iterable[str] = ()) -> Conference:
    """Merge the given fields into a conference, and notify the users at the addresses of `tell`.

    These users are notified once per request; of later updates only as participants. An unknown conference is created.
    Refuse with 400 a log without id or an address in `tell` that is not a user's, with 404 an unknown user, with 403 a
    conference without the caller, unless the caller is an admin.
    """
    if not log.id:
        raise invalid("conferenceLog.id", "must name the conference", "required")
    with platform.write() as tx:
        receivers = list(dict.fromkeys(tell))
        ids = [user_id for address in receivers if (user_id := user_id_of(address)) is not None]
        if len(ids) < len(receivers):
            raise invalid("svcUris", "must hold user addresses, svc-user:<id>", "format")
        if ids:
            USERS.need_many(tx, ids)
        row = CONFERENCES.row(tx, log.id)
        if row is None:
            changed = log.model_copy(
                update={
                    "room_id": log.room_id or log.id,
                    "state": log.state or "active",
                    "created_at": log.created_at if log.created_at is not None else tx.now,
                    "domains": log.domains or ((caller.domain,) if caller.domain else ()),
                }
            )
        else:
            stored = CONFERENCES.read(row.body)
            changed = Conference.model_validate({**stored.wire(), **_given(log)})
        if changed.state == "finished" and changed.finished_at is None:
            changed = _emptied(changed, tx.now)
        CONFERENCES.put(tx, changed)
        CONFERENCES.notify(tx, changed, receivers)
        return changed


def _given(log: Conference) -> dict[str, Any]:
    return log.model_dump(by_alias=True, exclude_unset=True, exclude_none=True, mode="json")


def open_room(platform: Platform, room: str, domain: str, host: str, guests: Iterable[str], video: bool) -> Conference:
    """Open a conference with its host, and a pending invite for each guest."""
    with platform.write() as tx:
        conference = Conference(
            id=platform.new_id(),
            room_id=room,
            state="active",
            created_at=tx.now,
            participants=(ConferenceParticipant(address=host, created_at=tx.now, session_id=platform.new_id()),),
            invites=tuple(
                Invite.model_validate(
                    {
                        "from": host,
                        "to": guest,
                        "state": "pending",
                        "group": False,
                        "inviteRequest": False,
                        "mediatypes": {"audio": True, "video": video},
                        "candidates": [{"address": guest}],
                    }
                )
                for guest in guests
            ),
            domains=(domain,),
        )
        CONFERENCES.put(tx, conference)
        return conference


def answer_invite(platform: Platform, conference_id: str, guest: str, state: str, reason: int | None = None) -> None:
    """Settle a pending invite: `accepted` adds the guest, `rejected` and `failed` store the reason."""
    with platform.write() as tx:
        conference = CONFERENCES.need(tx, conference_id)
        invites: list[Invite] = []
        settled = False
        for invite in conference.invites:
            if invite.to == guest and invite.state == "pending" and not settled:
                settled = True
                ended = [{**candidate.wire(), "endReason": reason or 200} for candidate in invite.candidates]
                invite = Invite.model_validate({**invite.wire(), "state": state, "error": reason, "candidates": ended})
            invites.append(invite)
        if not settled:
            return
        participants = conference.participants
        if state == "accepted":
            joined = ConferenceParticipant(address=guest, created_at=tx.now, session_id=platform.new_id())
            participants = (*participants, joined)
        CONFERENCES.put(tx, conference.model_copy(update={"invites": tuple(invites), "participants": participants}))


def leave(platform: Platform, conference_id: str, address: str) -> None:
    """Remove a participant. The conference is finished when the last one leaves."""
    with platform.write() as tx:
        conference = CONFERENCES.need(tx, conference_id)
        participants = tuple(
            participant.model_copy(update={"finished_at": tx.now})
            if participant.address == address and participant.finished_at is None
            else participant
            for participant in conference.participants
        )
        conference = conference.model_copy(update={"participants": participants})
        if all(participant.finished_at is not None for participant in participants):
            conference = _emptied(conference, tx.now)
        CONFERENCES.put(tx, conference)


def finish(platform: Platform, conference_id: str) -> None:
    """End a conference for all participants."""
    with platform.write() as tx:
        CONFERENCES.put(tx, _emptied(CONFERENCES.need(tx, conference_id), tx.now))


def time_spent(tx: Transaction, address: str, after: int | None, before: int | None) -> int:
    """Return the time in ms that an address spent in conferences created after one time and before another.

    An unfinished participation counts until now; overlapping ones count once.
    """
    where = [has(CONFERENCES.c.people, address)]
    if after is not None:
        where.append(CONFERENCES.c.created > after)
    if before is not None:
        where.append(CONFERENCES.c.created < before)
    stays = sorted(
        (participant.created_at, participant.finished_at or conference.finished_at or tx.now)
        for conference in CONFERENCES.records(tx, *where)
        for participant in conference.participants
        if participant.address == address and participant.created_at is not None
    )
    spent, until = 0.0, 0.0
    for came, left in stays:
        spent += max(0.0, left - max(came, until))
        until = max(until, left)
    return int(spent)


def prune(platform: Platform, keep: int) -> None:
    """Delete the conferences that finished first, so that about `keep` remain."""
    with platform.write() as tx:
        surplus = CONFERENCES.count(tx) - keep
        if surplus > 0:
            oldest = sa.select(CONFERENCES.c.key).where(CONFERENCES.c.finished.is_not(None))
            ordered = oldest.order_by(CONFERENCES.c.finished, CONFERENCES.c.key).limit(surplus)
            CONFERENCES.remove_many(tx, tx.run(ordered).scalars().all())


def _emptied(conference: Conference, now: int) -> Conference:
    """Return the conference as finished now: without participants and pending invites."""
    participants = tuple(
        participant if participant.finished_at is not None else participant.model_copy(update={"finished_at": now})
        for participant in conference.participants
    )
    invites = tuple(
        invite if invite.state != "pending" else invite.model_copy(update={"state": "failed", "error": NO_ANSWER})
        for invite in conference.invites
    )
    return conference.model_copy(
        update={"state": "finished", "finished_at": now, "participants": participants, "invites": invites}
    )
