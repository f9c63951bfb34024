"""Rules as rows of a list. Created by the console."""

from __future__ import annotations

from typing import ClassVar

from console.records.record import Record


class RuleRow(Record):
    """A rule, and the episodes and rows that it found."""

    key_field: ClassVar[str] = "name"

    name: str = ""
    state: str | None = None
    """`on`, `off`, or `invalid` if it does not fit its list."""
    severity: str | None = None
    title: str | None = None
    list: str | None = None
    """The kind of the rows that it watches."""
    filter: str | None = None
    condition: str | None = None
    critical: str | None = None
    each: str | None = None
    words: str | None = None
    episodes: int | None = None
    """Number of its current episodes."""
    muted: int | None = None
    """How many of them are muted."""
    fault: str | None = None
    """Why it is invalid."""
    origin: str | None = None
    """`shipped`, `profile`, `once`, or the file that defines it or changes it."""
    record: str | None = None
    """The key of the only row that it is about."""
