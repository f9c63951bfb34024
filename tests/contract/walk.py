"""What an operation changes: the tables that differ afterwards, and the events that tell of it."""

from __future__ import annotations

from typing import Any

from console.service.database import metadata
from tests.contract.case import Ground
from tests.contract.rows import Touches
from tests.services import driver_of

BY_ITSELF = {"outbox", "status", "idempotency", "facts"}
"""Tables that change by themselves, or whose change is looked at in another way."""

Content = tuple[dict[str, frozenset[Any]], list[Any]]
"""The rows of every table, and topic and kind of every event."""


def content_of(ground: Ground) -> Content:
    """Return what the database holds."""
    with ground.platform.read() as tx:
        ask = driver_of(tx).execute
        names = [table.name for table in metadata.sorted_tables if table.name not in BY_ITSELF]
        tables = {name: frozenset(ask(f'SELECT * FROM "{name}"')) for name in names}
        return tables, ask("SELECT topic, kind FROM outbox WHERE topic != 'status' ORDER BY offset").fetchall()


def touched(before: Content, after: Content) -> Touches:
    """Compare what the database held before and after an operation."""
    tables = frozenset(name for name, rows in after[0].items() if rows != before[0][name])
    events = frozenset(f"{topic} {kind}" for topic, kind in after[1][len(before[1]) :])
    return Touches(tables, events)
