"""What a live table tells its screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from console.widgets.live_table import LiveTable


class About(Message):
    """The base of what a table tells its screen."""

    def __init__(self, table: LiveTable) -> None:
        super().__init__()
        self.table = table

    @property
    def control(self) -> LiveTable:
        """The table it comes from."""
        return self.table


class CursorMoved(About, namespace="live_table"):
    """The cursor is on another record, or on none."""

    def __init__(self, table: LiveTable, key: str | None) -> None:
        super().__init__(table)
        self.key = key


class Opened(About, namespace="live_table"):
    """A record is to be opened: Enter, or a double click."""

    def __init__(self, table: LiveTable, key: str) -> None:
        super().__init__(table)
        self.key = key


class MarksChanged(About, namespace="live_table"):
    """Other records are marked than before."""


class SortRequested(About, namespace="live_table"):
    """A column's title was clicked."""

    def __init__(self, table: LiveTable, column: str) -> None:
        super().__init__(table)
        self.column = column
