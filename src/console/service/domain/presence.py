"""Presence of users and its followers (contract 2.11, 4.7)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

import sqlalchemy as sa

from console.api.annotations import Variant
from console.records.people import User
from console.records.support import Presence
from console.service.auth.caller import Caller
from console.service.domain.people import USERS, find_users
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
    return _find_many(platform, tx, caller, [address])[0]


def _find_many(platform: Platform, tx: Transaction, caller: Caller, addresses: Sequence[str]) -> list[Presence]:
    """Return the presence at each address; see `find`."""
    ids = {address: user_id for address in addresses if (user_id := user_id_of(address)) is not None}
    known = USERS.get_many(tx, ids.values()) if ids else {}
    users = {address: known[user_id] for address, user_id in ids.items() if user_id in known}
    names = [address for address in addresses if address not in users and "@" in address]
    if names and platform.variant is Variant.LATER:
        users |= find_users(tx, names)
    for address in addresses:
        if address not in users or not (caller.is_admin or users[address].domain == caller.domain):
            raise missing("presence of", address)
    stored = PRESENCE.get_many(tx, {user.address for user in users.values()})
    return [stored.get(users[address].address) or of_user(users[address]) for address in addresses]


def follow(platform: Platform, caller: Caller, addresses: Iterable[str]) -> tuple[Presence, ...]:
    """Follow addresses for the caller, all or none, and return their presence in the same order."""
    with platform.write() as tx:
        presences = _find_many(platform, tx, caller, list(addresses))
        followers = _followers(tx, [presence.address for presence in presences])
        for ids in followers.values():
            if caller.id not in ids:
                ids.append(caller.id)
        PRESENCE.put_many(tx, presences, followers=followers)
        return tuple(presences)


def leave(platform: Platform, caller: Caller, addresses: Iterable[str]) -> None:
    """Stop following addresses for the caller."""
    with platform.write() as tx:
        presences = PRESENCE.get_many(tx, addresses)
        others = {
            address: [follower for follower in ids if follower != caller.id]
            for address, ids in _followers(tx, presences).items()
        }
        PRESENCE.put_many(tx, presences.values(), followers=others)


def followers_of(tx: Transaction, address: str) -> list[str]:
    """Return the ids of the followers of an address."""
    return _followers(tx, [address])[address]


def _followers(tx: Transaction, addresses: Iterable[str]) -> dict[str, list[str]]:
    """Return the ids of the followers by address, empty for an address without a stored presence."""
    followers: dict[str, list[str]] = {address: [] for address in addresses}
    for row in PRESENCE.rows(tx, followers):
        followers[row.key] = list(cast("list[str]", row.followers or []))
    return followers


def activity_of(tx: Transaction, user_id: str) -> str:
    """Return a user's activity; `offline` if the user was never online."""
    presence = PRESENCE.get(tx, f"svc-user:{user_id}")
    return "offline" if presence is None else presence.activity or "offline"
