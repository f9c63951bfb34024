"""Generate identities, SIP data, push tokens and resolved users of a scenario.

They are generated and stored in one step, based on the users and groups of the scenario.
"""

from __future__ import annotations

import uuid
from random import Random
from typing import Any

import sqlalchemy as sa

from console.records.people import User
from console.records.sip import SipCredential, SipIdentity, SipMapping
from console.service.domain.addresses import resolved_users
from console.service.domain.caller_ids import caller_ids
from console.service.domain.identities import identities
from console.service.domain.push import push_tokens
from console.service.domain.relations import user_id_of
from console.service.domain.sip import SIP_IDENTITIES, seal_password
from console.service.domain.sip_mappings import SIP_MAPPINGS, Owner
from console.service.platform import Platform
from console.service.scenarios import names
from console.service.scenarios.draft import ADMIN, LOGINS, Draft
from console.service.store.transaction import Transaction

FIRST_EXTENSION = 7001
_NAMESPACE = uuid.UUID("6a1f7c52-2f5e-4a5d-9f3e-6f0f5a1f2f10")
_UNMAPPED = frozenset({"carla", "pat"})
"""Two accounts have no SIP mapping, so that one can be assigned to them."""


def store_reach(platform: Platform, tx: Transaction, draft: Draft) -> None:
    """Generate and store all of them, as `[reach]` of the scenario defines; every user has an identity."""
    _identities(tx, draft)
    _sip(platform, tx, draft)
    _push_tokens(tx, draft)
    _resolved(tx, draft)
    _caller_ids(tx, draft)


def _identities(tx: Transaction, draft: Draft) -> None:
    rng = draft.dice("identities")
    rows = [
        {
            "id": str(uuid.uuid5(_NAMESPACE, user.id)),
            "user": user.id,
            "enabled": rng.random() > 0.06 or user.id in LOGINS or user.id in draft.sessions,
            "temporary": False,
            "last_name": _last_name(user),
            "email_verified": user.id in LOGINS or rng.random() < 0.9,
        }
        for user in draft.users.values()
    ]
    tx.run(sa.insert(identities), rows)


def _last_name(user: User) -> str | None:
    return (user.alias or "").partition(" ")[2] or None


def _sip(platform: Platform, tx: Transaction, draft: Draft) -> None:
    rng = draft.dice("sip")
    plan = draft.spec.reach
    owners = _owners(draft)[: max(0, plan.sip_identities - plan.sip_spare)]
    for number in range(plan.sip_identities):
        owner = owners[number] if number < len(owners) else None
        identity = SipIdentity(
            id=f"sip-{number + 1}",
            username=str(FIRST_EXTENSION + number),
            available=owner is None,
            domain=draft.spec.domain if owner is None else owner.domain,
        )
        sealed = seal_password(platform, identity.id, _password(rng))
        SIP_IDENTITIES.load(tx, [identity], password=sealed, assigned="" if owner is None else owner.uri)
        if owner is not None:
            mapping = SipMapping(owner=owner.uri, mapping=SipCredential(username=identity.username or ""))
            columns = {"type": owner.type, "owner": owner.id, "domain": owner.domain, "identity": identity.id}
            SIP_MAPPINGS.load(tx, [mapping], **columns)


def _owners(draft: Draft) -> list[Owner]:
    """Return the owners of SIP mappings in the order of assignment: seeded accounts, some groups, other users."""
    users = [Owner("user", user.id, user.domain or "") for user in draft.users.values() if user.id not in _UNMAPPED]
    groups = [
        Owner("group", group.group_id, group.owner.domain or "")
        for group in list(draft.groups.values())[::3]
        if group.owner is not None
    ]
    logins = [owner for owner in users if owner.id in LOGINS]
    return [*logins, *groups, *(owner for owner in users if owner.id not in LOGINS)]


def _password(rng: Random) -> str:
    return "".join(rng.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(16))


def _push_tokens(tx: Transaction, draft: Draft) -> None:
    rng = draft.dice("push")
    rows = [
        {
            "user": user.id,
            "device": f"{user.username}-{kind}",
            "type": kind,
            "token": f"{rng.getrandbits(256):064x}",
            "registered": draft.ago(rng.uniform(3600, 90 * 86_400)),
        }
        for user in draft.users.values()
        if rng.random() < draft.spec.reach.with_push
        for kind in (rng.choice(("apns", "fcm")),)
    ]
    if rows:
        tx.run(sa.insert(push_tokens), rows)


def _resolved(tx: Transaction, draft: Draft) -> None:
    rows: list[dict[str, Any]] = []
    for login in LOGINS:
        followed = [draft.users[user_id_of(address) or ""] for address in draft.followed.get(login, ())]
        # Only admins find users of other domains.
        seen = [user.id for user in followed if login == ADMIN or user.domain == draft.spec.domain]
        kept = seen[: draft.spec.reach.resolved]
        rows += [{"user": login, "other": other, "number": number} for number, other in enumerate(kept)]
    if rows:
        tx.run(sa.insert(resolved_users), rows)


def _caller_ids(tx: Transaction, draft: Draft) -> None:
    rng = draft.dice("caller ids")
    rows = [
        {"name": f"{names.TEAMS[number % len(names.TEAMS)]} {place}", "value": names.landline(rng)}
        for number, place in enumerate(names.PLACES[: draft.spec.reach.caller_ids])
    ]
    if rows:
        tx.run(sa.insert(caller_ids), rows)
