"""Presence of users and its followers (contract 2.11, 4.7)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

import sqlalchemy as sa

from console.api.annotations import Variant
from console.records.people import User
from console.records.support import Presence
from console.service.auth.caller import Caller
from console.service.domain.people import USERS, find_user
from console.service.domain.relations import user_id_of
from console.service.events.visibility import Admins, Among, AnyOf, by_id
from console.service.platform import Platform
from console.service.refusal import missing
from console.service.store.documents import Documents
from console.service.store.transaction import Transaction

ACTIVITIES = ("available", "busy", "away", "dnd", "oncall", "offline")
"""Activities that this service sets; others are stored as sent."""


def _as_earlier(presence: dict[str, Any]) -> dict[str, Any]:
    for name in ("username", "domain", "role", "avatarUrl"):
        presence.pop(name, None)
    return presence


PRESENCE = Documents(
    "presence",
    Presence,
    columns=(
        sa.Column("followers", sa.JSON, nullable=False, default=list),
        sa.Column("online", sa.Boolean, nullable=False, index=True),
        sa.Column("user", sa.Text, nullable=False),
    ),
    extract=lambda presence: {
        "online": bool(presence.online),
        "user": presence.id or user_id_of(presence.address) or "",
    },
    rule=AnyOf(Admins(), Among("followers", by_id)),
    singular="presence of",
    earlier=_as_earlier,
)


def of_user(user: User) -> Presence:
    """Return the presence of a user who has not been online yet."""
    return Presence(
        id=user.id,
        address=user.address,
        online=False,
        activity="offline",
        display_name=user.alias or user.username,
        username=user.username,
        domain=user.domain,
        role=user.role,
    )


def find(platform: Platform, tx: Transaction, caller: Caller, address: str) -> Presence:
    """Return the presence at an address, in the later variant also at `username@domain`; otherwise refuse with 404.

    Callers who are not admins find only users of their own domain.
    """
    user_id = user_id_of(address)
    user = USERS.get(tx, user_id) if user_id is not None else None
    if user is None and platform.variant is Variant.LATER and "@" in address:
        user = find_user(tx, address)
    if user is None or not (caller.is_admin or user.domain == caller.domain):
        raise missing("presence of", address)
    return PRESENCE.get(tx, user.address) or of_user(user)


def follow(platform: Platform, caller: Caller, addresses: Iterable[str]) -> tuple[Presence, ...]:
    """Follow addresses for the caller, all or none, and return their presence in the same order."""
    with platform.write() as tx:
        presences: list[Presence] = []
        for address in addresses:
            presence = find(platform, tx, caller, address)
            followers = followers_of(tx, presence.address)
            if caller.id not in followers:
                followers.append(caller.id)
            PRESENCE.put(tx, presence, followers=followers)
            presences.append(presence)
        return tuple(presences)


def leave(platform: Platform, caller: Caller, addresses: Iterable[str]) -> None:
    """Stop following addresses for the caller."""
    with platform.write() as tx:
        for address in addresses:
            presence = PRESENCE.get(tx, address)
            if presence is not None:
                others = [follower for follower in followers_of(tx, address) if follower != caller.id]
                PRESENCE.put(tx, presence, followers=others)


def followers_of(tx: Transaction, address: str) -> list[str]:
    """Return the ids of the followers of an address."""
    row = PRESENCE.row(tx, address)
    return [] if row is None else list(cast("list[str]", row.followers or []))


def activity_of(tx: Transaction, user_id: str) -> str:
    """Return a user's activity; `offline` if the user was never online."""
    presence = PRESENCE.get(tx, f"svc-user:{user_id}")
    return "offline" if presence is None else presence.activity or "offline"
