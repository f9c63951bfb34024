"""What an operation changes: the tables that differ afterwards, and the events that tell of it."""

from __future__ import annotations

from tests.contract.case import Content
from tests.contract.rows import Touches

BY_ITSELF = "facts"
"""A table that is written to when something is needed first."""


def touched(before: Content, after: Content) -> Touches:
    """Compare what the database held before and after an operation."""
    tables = frozenset(name for name, rows in after.tables.items() if rows != before.tables[name])
    events = frozenset(f"{topic} {kind}" for _, topic, kind, _ in after.events[len(before.events) :])
    return Touches(tables - {BY_ITSELF}, events)
