"""Addresses: find their users, and store the users that somebody has resolved (contract 2.2, 2.20, 4.8).

An address is `svc-user:<id>`, `username@domain`, an e-mail address, a telephone number, or the user's name at the
gateway. Resolved users are stored. Subscribed users are those whose presence the user follows, so this list and
presence always agree.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from console.records.people import User
from console.records.resolution import MARKS, ResolvedAddresses, ResolvedUser, is_number, normal_address
from console.service.auth.caller import Caller
from console.service.domain import presence
from console.service.domain.people import USERS
from console.service.domain.presence import PRESENCE
from console.service.domain.relations import address_of, user_id_of
from console.service.domain.sip_mappings import SIP_MAPPINGS
from console.service.events.visibility import has
from console.service.platform import Platform
from console.service.refusal import invalid, missing
from console.service.store.json_sql import items, text_at
from console.service.store.outbox import metadata
from console.service.store.transaction import Transaction

MOST_RESOLVED = 2000
"""Most resolved users that are stored for one user."""

resolved_users = sa.Table(
    "resolved_users",
    metadata,
    sa.Column("user", sa.Text, primary_key=True),
    sa.Column("other", sa.Text, primary_key=True),
    sa.Column("number", sa.Integer, nullable=False),
)
"""Users that a user has resolved, ordered by `number`."""

ColumnTransform = Callable[[sa.ColumnElement[Any]], sa.ColumnElement[Any]]
"""Expression that reads a number from its column."""


def users_at(tx: Transaction, caller: Caller, addresses: Sequence[str]) -> dict[str, User]:
    """Return the users of addresses, keyed by the given address, without unknown addresses.

    The search covers the users that the caller may see. Of several matches, users of the caller's domain come first.
    """
    wanted = {address: normal_address(address) for address in addresses}
    known = _known(tx, caller, set(wanted.values()), _as_stored)
    unknown = {value for value in wanted.values() if value not in known and is_number(value)}
    if unknown:
        # Most numbers are stored without punctuation; removing it from all others in the query costs far more.
        known = {**_known(tx, caller, unknown, _without_marks), **known}
    return {address: known[text] for address, text in wanted.items() if text in known}


def _known(tx: Transaction, caller: Caller, texts: Collection[str], stored: ColumnTransform) -> dict[str, User]:
    """Find users by normalized addresses, and return them by all of their addresses."""
    numbers = [text for text in texts if is_number(text)]
    names = [text for text in texts if "@" in text]
    ids = [user_id for text in texts if (user_id := user_id_of(text)) is not None]
    at_gateway = sa.select(SIP_MAPPINGS.c.owner).where(
        SIP_MAPPINGS.c.type == "user", sa.func.lower(SIP_MAPPINGS.c.username).in_(texts)
    )
    where: list[sa.ColumnElement[bool]] = [USERS.c.key.in_(at_gateway)]
    if ids:
        where.append(USERS.c.key.in_(ids))
    if names:
        where += [sa.func.lower(USERS.c.username + "@" + USERS.c.domain).in_(names)]
        where += [sa.func.lower(USERS.c.email).in_(names)]
    if numbers:
        mobile = items(USERS.c.mobile_phone, "mobile")
        has_one = sa.select(sa.literal(1)).select_from(mobile).where(stored(mobile.c.value).in_(numbers))
        land_line = text_at(USERS.c.body, "landLineNumber")
        where += [sa.exists(has_one), stored(land_line).in_(numbers)]
    order = [USERS.c.domain != caller.domain]
    records = USERS.records(tx, sa.or_(*where), USERS.c.role != "anonymous", caller=caller, order=order)
    gateway = gateway_usernames(tx, [record.id for record in records])
    known: dict[str, User] = {}
    for user in records:
        for address in _addresses_of(user, gateway.get(user.id)):
            known.setdefault(address, user)
    return known


def _as_stored(number: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
    return number


def _without_marks(number: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
    for mark in MARKS:
        number = sa.func.replace(number, mark, "")
    return number


def _addresses_of(user: User, gateway: str | None) -> Iterable[str]:
    addresses = (f"{user.username}@{user.domain}", user.email, user.land_line_number, *user.mobile_phone, gateway)
    return (user.address, *(normal_address(value) for value in addresses if value))


def gateway_usernames(tx: Transaction, user_ids: Sequence[str]) -> dict[str, str]:
    """Return the gateway names of users, by user id, without users who have none."""
    column = SIP_MAPPINGS.c
    rows = tx.rows(sa.select(column.owner, column.username).where(column.type == "user", column.owner.in_(user_ids)))
    return {row.owner: row.username for row in rows}


def find(tx: Transaction, caller: Caller, address: str) -> ResolvedUser:
    """Return the user of an address; refuse with 404 if there is none."""
    user = users_at(tx, caller, [address]).get(address)
    if user is None:
        raise missing("user at", address)
    return _resolved(user, gateway_usernames(tx, [user.id]))


# -- resolved users --------------------------------------------------------------------------------------------------


def resolve(platform: Platform, caller: Caller, addresses: Sequence[str]) -> ResolvedAddresses:
    """Store the users of addresses as resolved, follow their presence, and return the lists."""
    with platform.write() as tx:
        users = users_at(tx, caller, addresses)
        kept = [*_resolved_ids(tx, caller), *(user.id for user in users.values())]
        _keep(tx, caller, kept)
        presence.follow(platform, caller, dict.fromkeys(user.address for user in users.values()))
        return lists(tx, caller)


def replace(
    platform: Platform, caller: Caller, resolved: Sequence[str], subscribed: Sequence[str]
) -> ResolvedAddresses:
    """Replace the lists of resolved and followed users, and return the new lists.

    Addresses that are already listed may stay, even if the caller can no longer find their user. Refuse any other
    unknown address with 400.
    """
    with platform.write() as tx:
        kept, now = set(_resolved_ids(tx, caller)), set(followed(tx, caller))
        user_ids = {address: user.id for address, user in users_at(tx, caller, [*resolved, *subscribed]).items()}
        for path, written, there in (("resolved", resolved, kept), ("subscribed", subscribed, {*map(user_id_of, now)})):
            for number, address in enumerate(written):
                user_id = user_ids.get(address) or user_id_of(address)
                if address not in user_ids and (user_id is None or user_id not in there):
                    raise invalid(f"{path}.{number}", "belongs to nobody", "reference")
        ids = {value: user_ids.get(value) or user_id_of(value) or "" for value in (*resolved, *subscribed)}
        _keep(tx, caller, [ids[value] for value in resolved])
        wanted = dict.fromkeys(address_of(ids[value]) for value in subscribed)
        presence.leave(platform, caller, [value for value in now if value not in wanted])
        presence.follow(platform, caller, [value for value in wanted if value not in now])
        return lists(tx, caller)


def lists(tx: Transaction, caller: Caller) -> ResolvedAddresses:
    """Return the users that the caller has resolved, with current data, and those whose presence the caller follows."""
    ids = _resolved_ids(tx, caller)
    users = {user.id: user for user in USERS.records(tx, USERS.c.key.in_(ids), caller=caller)}
    names = gateway_usernames(tx, ids)
    return ResolvedAddresses(
        resolved=tuple(_resolved(users[value], names) for value in ids if value in users),
        subscribed=tuple(followed(tx, caller)),
    )


def followed(tx: Transaction, caller: Caller) -> Sequence[str]:
    """Return the addresses whose presence the caller follows."""
    mine = sa.select(PRESENCE.c.key).where(has(PRESENCE.c.followers, caller.id))
    return tx.run(mine.order_by(PRESENCE.c.key)).scalars().all()


def _resolved_ids(tx: Transaction, caller: Caller) -> list[str]:
    mine = sa.select(resolved_users.c.other).where(resolved_users.c.user == caller.id)
    return list(tx.run(mine.order_by(resolved_users.c.number)).scalars())


def _keep(tx: Transaction, caller: Caller, user_ids: Iterable[str]) -> None:
    kept = list(dict.fromkeys(user_ids))
    if len(kept) > MOST_RESOLVED:
        raise invalid("", f"one user may keep at most {MOST_RESOLVED} addresses resolved", "maxItems")
    tx.run(sa.delete(resolved_users).where(resolved_users.c.user == caller.id))
    rows = [{"user": caller.id, "other": other, "number": number} for number, other in enumerate(kept)]
    if rows:
        tx.run(sa.insert(resolved_users), rows)


def _resolved(user: User, names: Mapping[str, str]) -> ResolvedUser:
    fields: dict[str, Any] = {name: getattr(user, name) for name in ResolvedUser.declared_fields if hasattr(user, name)}
    return ResolvedUser(**fields).model_copy(update={"gateway_username": names.get(user.id)})
