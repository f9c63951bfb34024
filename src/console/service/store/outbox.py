"""The tables of the store itself: the outbox with the events of all changes, and facts about the database."""

from __future__ import annotations

from typing import Literal

import sqlalchemy as sa

from console.base.frozen import Frozen
from console.service.events.visibility import Scope
from console.service.store.faults import DatabaseFault

metadata = sa.MetaData()

SCHEMA_VERSION = 13
"""Version of the schema, stored in each database. A change of a declared table, column or index needs the next number.

Databases of other versions are refused. After the first release, a change must also upgrade databases of the version
before: where `check_schema` is called, in one transaction, and with PostgreSQL while no other node is there.
"""

outbox = sa.Table(
    "outbox",
    metadata,
    sa.Column("offset", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
    sa.Column("topic", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("key", sa.Text, nullable=False),
    sa.Column("body", sa.Text),
    sa.Column("before", sa.Text),
    sa.Column("after", sa.Text),
    sa.Column("at", sa.Integer, nullable=False),
    sqlite_autoincrement=True,
)
facts = sa.Table("facts", metadata, sa.Column("name", sa.Text, primary_key=True), sa.Column("value", sa.Text))

ChangeKind = Literal["upsert", "remove", "notice"]


def check_schema(name: str, version: int) -> None:
    """Raise DatabaseFault if the schema of a database has another version."""
    if version != SCHEMA_VERSION:
        raise DatabaseFault(
            f"{name}: cannot be used, because it has schema {version} and this version of the service needs schema "
            f"{SCHEMA_VERSION}: name another database, or start the version of the service that wrote it."
        )


class OutboxEntry(Frozen):
    """One entry of the outbox. Scopes contain the columns for visibility before and after; None means that no row
    existed.

    `after` of a notice contains its addressees.
    """

    offset: int
    topic: str
    kind: ChangeKind
    key: str
    body: str | None
    before: Scope | None
    after: Scope | None
