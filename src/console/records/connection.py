"""The state of this console: its connection, the service behind it, its journal. Created by the console."""

from __future__ import annotations

from typing import ClassVar

from console.records.record import Record


class Connection(Record):
    """The only record of its kind. Times in ms since the epoch."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    state: str | None = None
    """The freshness of the connection: `live`, `polling`, `offline` …"""
    since_at: int | float | None = None
    """Since when it is in this state."""
    reason: str | None = None
    """Why it is not live."""
    started_at: int | float | None = None
    """When the service started, as far as known."""
    restarted_at: int | float | None = None
    """When the service started again while the console ran."""
    clock_ahead: int | float | None = None
    """By how many ms the service's clock is ahead of this machine's, negative if behind; None if not noticeably."""
    journal: str | None = None
    """Why the journal cannot be written."""
    recording: str | None = None
    """Why nothing is recorded."""
    clock_since: int | float | None = None
    """Since when the clocks differ; each time is None while nothing is wrong."""
    journal_since: int | float | None = None
    """Since when the journal cannot be written."""
    recording_since: int | float | None = None
    """Since when nothing is recorded."""
