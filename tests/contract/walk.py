"""The tables that an operation changes, and the events that it sends."""

from __future__ import annotations

from tests.contract.case import Content
from tests.contract.rows import Touches

BY_ITSELF = "facts"
"""A table that is written when a value is first needed."""


def touched(before: Content, after: Content) -> Touches:
    """Compare the contents of the database before and after an operation."""
    tables = frozenset(name for name, rows in after.tables.items() if rows != before.tables[name])
    events = frozenset(f"{topic} {kind}" for _, topic, kind, _ in after.events[len(before.events) :])
    return Touches(tables - {BY_ITSELF}, events)
