"""Users and their lookup (contract 2.2, 4.3). `accounts.py` changes them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import sqlalchemy as sa

from console.records.people import User, UserReference
from console.service.domain import credentials, domains, permissions, settings
from console.service.domain.domains import DOMAINS
from console.service.events.visibility import Admins, AllOf, AnyOf, Named, Same, by_domain, by_id
from console.service.platform import Platform
from console.service.refusal import conflict
from console.service.store.documents import Documents
from console.service.store.transaction import Transaction


def _as_earlier(user: dict[str, Any]) -> dict[str, Any]:
    """Omit fields and values that the earlier variant does not have (2.2)."""
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


def add_user(platform: Platform, user: User, password: str | None = None, password_hash: str | None = None) -> User:
    """Store a new user, with a creation time by default, and with a password if the user can log in.

    `password_hash` saves time if many users share a demonstration password. Refuse with 409 an existing id, or an
    existing user name in the domain.
    """
    user = user.model_copy(update={"created": user.created or platform.now_ms(), "role": user.role or "user"})
    with platform.write() as tx:
        if USERS.row(tx, user.id) is not None or find_user(tx, f"{user.username}@{user.domain}") is not None:
            raise conflict(f"there is a user {user.username} in {user.domain} already")
        USERS.put(tx, user)
        if user.domain and DOMAINS.row(tx, user.domain) is None:
            domains.add(platform, user.domain)
        if password is not None or password_hash is not None:
            set_password(platform, user.id, password_hash or platform.passwords.hash(password or ""))
    return user


def set_password(platform: Platform, user_id: str, password_hash: str) -> None:
    """Replace the hash of a user's password (see `Passwords.hash`): a `basic` credential."""
    with platform.write() as tx:
        credentials.set_password(platform, need_user(tx, user_id), password_hash)


def password_hash_of(tx: Transaction, user_id: str) -> str | None:
    """Return the hash of a user's password, or None without a valid one."""
    return credentials.password_hash_of(tx, user_id)


def find_user(tx: Transaction, name: str) -> User | None:
    """Find a user by id, by `username@domain`, or by a user name (which may contain @) that is unique among domains."""
    return find_users(tx, [name]).get(name)


def find_users(tx: Transaction, names: Collection[str]) -> dict[str, User]:
    """Find users as `find_user` does, and return them by name, without unknown names: at most two statements."""
    places = [tuple(name.rpartition("@")[::2]) for name in names if "@" in name]
    in_domain = sa.tuple_(USERS.c.username, USERS.c.domain).in_(places)
    users = USERS.records(tx, USERS.c.key.in_(names) | in_domain if places else USERS.c.key.in_(names))
    by_name = {f"{user.username}@{user.domain}": user for user in users} | {user.id: user for user in users}
    known = {name: by_name[name] for name in names if name in by_name}
    rest = [name for name in names if name not in known]
    if rest:
        same = sa.select(sa.func.min(USERS.c.key)).where(USERS.c.username.in_(rest)).group_by(USERS.c.username)
        unique = USERS.records(tx, USERS.c.key.in_(same.having(sa.func.count() == 1)))
        known |= {user.username or "": user for user in unique}
    return known


def need_user(tx: Transaction, user_id: str) -> User:
    """Return the user with this id; refuse with 404 if there is none."""
    return USERS.need(tx, user_id)


def reference(user: User) -> UserReference:
    """Return a user as other records refer to one: the fields that hardly ever change."""
    names = {name: getattr(user, name) for name in UserReference.declared_fields}
    return UserReference(**names)


def remove_users(tx: Transaction, ids: Sequence[str]) -> None:
    """Delete users, with their credentials, settings and own permissions."""
    for subject in (credentials, settings, permissions):
        subject.forget_users(tx, ids)
    USERS.remove_many(tx, ids)
