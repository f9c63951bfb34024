"""Log lines of clients (contract 4.8, remote log): the newest lines, readable in the database."""

from __future__ import annotations

import sqlalchemy as sa

from console.service.auth.caller import Caller
from console.service.platform import Platform
from console.service.store.outbox import metadata

MOST_LINES = 5000

remote_log = sa.Table(
    "remote_log",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("at", sa.Integer, nullable=False),
    sa.Column("user", sa.Text, nullable=False),
    sa.Column("level", sa.Text, nullable=False),
    sa.Column("file", sa.Text),
    sa.Column("text", sa.Text, nullable=False),
    sqlite_autoincrement=True,
)


def write(platform: Platform, caller: Caller, level: str, file: str | None, text: str) -> None:
    """Store a line, and delete the oldest if there are too many."""
    with platform.write() as tx:
        inserted = tx.run(
            sa.insert(remote_log).values(at=tx.now, user=caller.id, level=level, file=file, text=text)
        ).inserted_primary_key
        number = int(inserted[0]) if inserted else 0
        tx.run(sa.delete(remote_log).where(remote_log.c.number <= number - MOST_LINES))
