"""Users, their domains and passwords (contract 2.2, 4.3, 4.4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from console.records.people import User
from console.service.caller import Caller
from console.service.database import Transaction, metadata
from console.service.documents import Documents
from console.service.platform import Platform
from console.service.refusal import conflict, missing
from console.service.visibility import Admins, AllOf, AnyOf, Named, Same, by_domain, by_id

SERVICES = ("stats", "alarms", "callcontrol", "chat", "contacts", "login", "log", "presence", "recording", "settings")
"""What a domain offers unless it is told otherwise: names from the contract's list (2.3)."""


def _as_earlier(user: dict[str, Any]) -> dict[str, Any]:
    """Leave out what the earlier variant has no field or value for (2.2)."""
    for name in ("currentTimezone", "locale"):
        user.pop(name, None)
    if user.get("role") == "anonymous":
        del user["role"]
    return user


USERS = Documents(
    "users",
    User,
    columns=(
        sa.Column("username", sa.Text, nullable=False, index=True),
        sa.Column("domain", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("email", sa.Text),
        sa.Column("alias", sa.Text),
        sa.Column("created", sa.Integer, nullable=False),
        sa.Column("last_login", sa.Integer),
        sa.Column("capabilities", sa.JSON, nullable=False),
        sa.Column("mobile_phone", sa.JSON, nullable=False),
    ),
    extract=lambda user: {
        "username": user.username or "",
        "domain": user.domain or "",
        "role": user.role or "user",
        "email": user.email,
        "alias": user.alias,
        "created": int(user.created or 0),
        "last_login": None if user.last_login is None else int(user.last_login),
        "capabilities": list(user.capabilities),
        "mobile_phone": list(user.mobile_phone),
    },
    rule=AnyOf(Admins(), AllOf(Named(), Same("domain", by_domain)), Same("key", by_id)),
    earlier=_as_earlier,
)

passwords = sa.Table(
    "passwords",
    metadata,
    sa.Column("user", sa.Text, primary_key=True),
    sa.Column("hash", sa.Text, nullable=False),
)
domains = sa.Table(
    "domains",
    metadata,
    sa.Column("domain", sa.Text, primary_key=True),
    sa.Column("parent", sa.Text),
    sa.Column("services", sa.JSON, nullable=False),
)


def add_domain(platform: Platform, name: str, parent: str | None = None, services: Sequence[str] = SERVICES) -> None:
    """Make a domain known, or change its parent and what it offers."""
    with platform.write() as tx:
        tx.run(sa.delete(domains).where(domains.c.domain == name))
        tx.run(sa.insert(domains).values(domain=name, parent=parent, services=list(services)))


def add_user(platform: Platform, user: User, password: str | None = None, password_hash: str | None = None) -> User:
    """Store a new user, with a creation time if it lacks one, and a password if it shall log in.

    `password_hash` spares the work where many users share a demonstration password. Refuses with 409 an id, or a user
    name in the domain, that is there already.
    """
    user = user.model_copy(update={"created": user.created or platform.now_ms(), "role": user.role or "user"})
    with platform.write() as tx:
        if USERS.row(tx, user.id) is not None or find_user(tx, f"{user.username}@{user.domain}") is not None:
            raise conflict(f"there is a user {user.username} in {user.domain} already")
        USERS.put(tx, user)
        if user.domain and not tx.value(sa.select(domains.c.domain).where(domains.c.domain == user.domain)):
            add_domain(platform, user.domain)
        if password is not None or password_hash is not None:
            set_password(platform, user.id, password_hash or platform.passwords.hash(password or ""))
    return user


def set_password(platform: Platform, user_id: str, password_hash: str) -> None:
    """Store the hash of a user's password (see `Passwords.hash`) in place of the former one."""
    with platform.write() as tx:
        tx.run(sa.delete(passwords).where(passwords.c.user == user_id))
        tx.run(sa.insert(passwords).values(user=user_id, hash=password_hash))


def password_hash_of(tx: Transaction, user_id: str) -> str | None:
    """Return the hash of a user's password, or None for who has none."""
    return tx.value(sa.select(passwords.c.hash).where(passwords.c.user == user_id))


def find_user(tx: Transaction, name: str) -> User | None:
    """Find a user by id, by `username@domain`, or by a user name that only one domain has."""
    found = USERS.get(tx, name)
    if found is not None:
        return found
    username, at, domain = name.rpartition("@")
    if at:
        return next(iter(USERS.records(tx, USERS.c.username == username, USERS.c.domain == domain)), None)
    same = USERS.records(tx, USERS.c.username == name, limit=2)
    return same[0] if len(same) == 1 else None


def need_user(tx: Transaction, user_id: str) -> User:
    """Return the user with that id; refuse with 404 when there is none."""
    return USERS.need(tx, user_id)


def summary(user: User) -> User:
    """Return what other records show of a user: what hardly ever changes."""
    return User(id=user.id, username=user.username, domain=user.domain, role=user.role, alias=user.alias)


def remove_user(tx: Transaction, user_id: str) -> None:
    """Delete a user and the password."""
    tx.run(sa.delete(passwords).where(passwords.c.user == user_id))
    USERS.remove(tx, user_id)


def services_of(tx: Transaction, domain: str) -> tuple[str, ...]:
    """Return what a domain offers; refuse with 404 a domain that is not known."""
    found = tx.row(sa.select(domains.c.services).where(domains.c.domain == domain))
    if found is None:
        raise missing("domain", domain)
    return tuple(found.services)


def is_at_root(tx: Transaction, caller: Caller) -> bool:
    """Whether the caller's domain has no parent."""
    parent = tx.value(sa.select(domains.c.parent).where(domains.c.domain == caller.domain))
    return parent is None
