"""The caller-id table (provisioning contract 2.3): a feature that the system administrator must activate."""

from __future__ import annotations

import sqlalchemy as sa

from console.records.provisioning import CallerId, CallerIdPage
from console.service.platform import Platform
from console.service.refusal import conflict, forbidden
from console.service.store.outbox import metadata
from console.service.store.paging import part_of

MOST_LISTED = 500
"""Default number of entries in one answer."""

caller_ids = sa.Table(
    "caller_ids",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)


def check_active(platform: Platform) -> None:
    """Refuse with 403 if the feature is not activated."""
    if not platform.settings.caller_ids:
        raise forbidden("caller ids must be activated by the system administrator first")


def create(platform: Platform, name: str, value: str) -> CallerId:
    """Add an entry; refuse with 409 if the name exists."""
    check_active(platform)
    with platform.write() as tx:
        if tx.row(sa.select(caller_ids.c.name).where(caller_ids.c.name == name)) is not None:
            raise conflict(f"there is a caller id {name} already")
        tx.run(sa.insert(caller_ids).values(name=name, value=value))
    return CallerId(name=name, value=value)


def listed(
    platform: Platform, name_part: str | None, value_part: str | None, size: int | None, page: int | None
) -> CallerIdPage:
    """Return the entries whose name and value contain the given parts, by name, and their number. Pages start at 1."""
    check_active(platform)
    where = [*part_of(caller_ids.c.name, name_part), *part_of(caller_ids.c.value, value_part)]
    size = size or MOST_LISTED
    with platform.read() as tx:
        query = sa.select(caller_ids).where(*where).order_by(caller_ids.c.name)
        rows = tx.rows(query.limit(size).offset(size * ((page or 1) - 1)))
        total = int(tx.value(sa.select(sa.func.count()).select_from(caller_ids).where(*where)))
    return CallerIdPage(entries=tuple(CallerId(name=row.name, value=row.value) for row in rows), total=total)
