"""Permissions of domains and of single users (contract 2.15, 4.3).

Users inherit each part of their domain's permissions, unless they have this part themselves.
"""

from __future__ import annotations

from collections.abc import Collection

import sqlalchemy as sa

from console.records.access import Permissions, RecordingPermission, VoicemailPermission
from console.records.people import User
from console.service.platform import Platform
from console.service.refusal import conflict, invalid, missing
from console.service.store.outbox import metadata
from console.service.store.transaction import Transaction

LONGEST_WORD = 100

_permissions = sa.Table(
    "permissions",
    metadata,
    sa.Column("of", sa.Text, primary_key=True),
    sa.Column("body", sa.Text, nullable=False),
)


def of_domain(domain: str) -> str:
    """Return the key of a domain's permissions."""
    return f"domain {domain}"


def of_user(user: str) -> str:
    """Return the key of a user's own permissions."""
    return f"user {user}"


def own(tx: Transaction, of: str) -> Permissions | None:
    """Return the permissions of exactly this domain or user, or None."""
    body = tx.value(sa.select(_permissions.c.body).where(_permissions.c.of == of))
    return None if body is None else Permissions.model_validate_json(body)


def need(tx: Transaction, of: str) -> Permissions:
    """Return the permissions of exactly this domain or user; refuse with 404 without any."""
    permissions = own(tx, of)
    if permissions is None:
        raise missing("permission of the", of)
    return permissions


def in_force(tx: Transaction, user: User) -> Permissions:
    """Return the effective permissions of a user: the user's own, completed by the domain's."""
    personal = own(tx, of_user(user.id)) or Permissions()
    shared = own(tx, of_domain(user.domain or "")) or Permissions()
    return Permissions(
        recording=personal.recording or shared.recording, voicemail=personal.voicemail or shared.voicemail
    )


def may_record(tx: Transaction, user: User) -> bool:
    """Return whether a user can record. Only a permission of type `none` or profile `never` excludes it."""
    recording = in_force(tx, user).recording
    return recording is None or (recording.recording_type != "none" and recording.recording_profile != "never")


def records_always(tx: Transaction, user: User) -> bool:
    """Return whether the calls of a user are recorded from beginning to end: profile `always`."""
    recording = in_force(tx, user).recording
    return recording is not None and recording.recording_profile == "always" and recording.recording_type != "none"


def has_voicemail(tx: Transaction, user: User) -> bool:
    """Return whether callers can leave a message: unless voicemail is disabled."""
    voicemail = in_force(tx, user).voicemail
    return voicemail is None or voicemail.enabled is not False


def create(platform: Platform, of: str, recording: RecordingPermission, voicemail: VoicemailPermission | None) -> None:
    """Create permissions; refuse with 409 if there are some."""
    with platform.write() as tx:
        if own(tx, of) is not None:
            raise conflict(f"the {of} has permissions already: update them")
        tx.run(sa.insert(_permissions).values(of=of, body=_text(recording, voicemail)))


def update(
    platform: Platform, of: str, recording: RecordingPermission | None, voicemail: VoicemailPermission | None
) -> None:
    """Change the given parts, and of the recording part the given fields; refuse with 404 without permissions."""
    with platform.write() as tx:
        permissions = need(tx, of)
        before = permissions.recording or RecordingPermission()
        changes = recording.model_dump(exclude_none=True) if recording else {}
        text = _text(before.model_copy(update=changes), voicemail or permissions.voicemail)
        tx.run(sa.update(_permissions).where(_permissions.c.of == of).values(body=text))


def rename(tx: Transaction, former: str, of: str) -> None:
    """Move the permissions of a domain, if any, to its new name."""
    tx.run(sa.update(_permissions).where(_permissions.c.of == former).values(of=of))


def forget_users(tx: Transaction, users: Collection[str]) -> None:
    """Delete the own permissions of users."""
    tx.run(sa.delete(_permissions).where(_permissions.c.of.in_([of_user(user) for user in users])))


def _text(recording: RecordingPermission, voicemail: VoicemailPermission | None) -> str:
    words = {"recordingType": recording.recording_type, "recordingProfile": recording.recording_profile}
    for name, word in words.items():
        if not word or len(word) > LONGEST_WORD:
            raise invalid(f"recording.{name}", f"must have 1 to {LONGEST_WORD} characters", "length")
    permissions = Permissions(recording=recording, voicemail=voicemail)
    return permissions.wire_json()
