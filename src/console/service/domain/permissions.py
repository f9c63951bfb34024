"""Permissions of domains and of single users (contract 2.15, 4.3).

What a domain permits shows through to its users, part by part, unless a user has that part as their own.
"""

from __future__ import annotations

import sqlalchemy as sa

from console.records.access import Permissions, RecordingPermission, VoicemailPermission
from console.records.people import User
from console.service.database import Transaction, metadata
from console.service.platform import Platform
from console.service.refusal import conflict, invalid, missing

LONGEST_WORD = 100

_permissions = sa.Table(
    "permissions",
    metadata,
    sa.Column("of", sa.Text, primary_key=True),
    sa.Column("body", sa.Text, nullable=False),
)


def of_domain(domain: str) -> str:
    """Name the permissions of a domain."""
    return f"domain {domain}"


def of_user(user: str) -> str:
    """Name the own permissions of a user."""
    return f"user {user}"


def own(tx: Transaction, of: str) -> Permissions | None:
    """Return what was given to exactly this domain or user, or None."""
    body = tx.value(sa.select(_permissions.c.body).where(_permissions.c.of == of))
    return None if body is None else Permissions.model_validate_json(body)


def need(tx: Transaction, of: str) -> Permissions:
    """Return what was given to exactly this domain or user; refuse with 404 when nothing was."""
    found = own(tx, of)
    if found is None:
        raise missing("permission of the", of)
    return found


def in_force(tx: Transaction, user: User) -> Permissions:
    """Return what counts for a user: the own permissions, and what of the domain's they leave open."""
    personal = own(tx, of_user(user.id)) or Permissions()
    shared = own(tx, of_domain(user.domain or "")) or Permissions()
    return Permissions(
        recording=personal.recording or shared.recording, voicemail=personal.voicemail or shared.voicemail
    )


def may_record(tx: Transaction, user: User) -> bool:
    """Return whether a user can record: everybody can whose permission is neither of type `none` nor `never`."""
    recording = in_force(tx, user).recording
    return recording is None or (recording.recording_type != "none" and recording.recording_profile != "never")


def records_always(tx: Transaction, user: User) -> bool:
    """Return whether the calls of a user are recorded from their first moment to their last: profile `always`."""
    recording = in_force(tx, user).recording
    return recording is not None and recording.recording_profile == "always" and recording.recording_type != "none"


def has_voicemail(tx: Transaction, user: User) -> bool:
    """Return whether callers can leave a user a message: unless voicemail is switched off."""
    voicemail = in_force(tx, user).voicemail
    return voicemail is None or voicemail.enabled is not False


def create(platform: Platform, of: str, recording: RecordingPermission, voicemail: VoicemailPermission | None) -> None:
    """Give permissions to who has none of their own yet; refuse with 409 otherwise."""
    with platform.write() as tx:
        if own(tx, of) is not None:
            raise conflict(f"the {of} has permissions already: update them")
        tx.run(sa.insert(_permissions).values(of=of, body=_text(recording, voicemail)))


def update(
    platform: Platform, of: str, recording: RecordingPermission | None, voicemail: VoicemailPermission | None
) -> None:
    """Change the parts that are given, and of a part what of it is given; refuse with 404 where there are none yet."""
    with platform.write() as tx:
        found = need(tx, of)
        before = found.recording or RecordingPermission()
        changes = recording.model_dump(exclude_none=True) if recording else {}
        text = _text(before.model_copy(update=changes), voicemail or found.voicemail)
        tx.run(sa.update(_permissions).where(_permissions.c.of == of).values(body=text))


def rename(tx: Transaction, former: str, of: str) -> None:
    """Let the permissions of a domain, if it has some, be of the domain's new name."""
    tx.run(sa.update(_permissions).where(_permissions.c.of == former).values(of=of))


def forget_user(tx: Transaction, user: str) -> None:
    """Delete the own permissions of a user."""
    tx.run(sa.delete(_permissions).where(_permissions.c.of == of_user(user)))


def _text(recording: RecordingPermission, voicemail: VoicemailPermission | None) -> str:
    words = {"recordingType": recording.recording_type, "recordingProfile": recording.recording_profile}
    for name, word in words.items():
        if not word or len(word) > LONGEST_WORD:
            raise invalid(f"recording.{name}", f"must have 1 to {LONGEST_WORD} characters", "length")
    permissions = Permissions(recording=recording, voicemail=voicemail)
    return permissions.model_dump_json(by_alias=True, exclude_none=True)
