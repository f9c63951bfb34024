"""Messages of a live table."""

from __future__ import annotations

from textual.message import Message

from console.ui.widgets.line_view import LineView


class TableMessage(Message):
    """Base class of messages of a table."""

    def __init__(self, table: LineView) -> None:
        super().__init__()
        self.table = table

    @property
    def control(self) -> LineView:
        """The source of the message."""
        return self.table


class CursorMoved(TableMessage, namespace="live_table"):
    """The cursor moved to another record, or to none."""

    def __init__(self, table: LineView, key: str | None) -> None:
        super().__init__(table)
        self.key = key


class RecordOpened(TableMessage, namespace="live_table"):
    """A record is to be opened, by Enter or a double click."""

    def __init__(self, table: LineView, key: str) -> None:
        super().__init__(table)
        self.key = key


class SelectionChanged(TableMessage, namespace="live_table"):
    """The selection changed."""


class SortRequested(TableMessage, namespace="live_table"):
    """A column title was clicked."""

    def __init__(self, table: LineView, column: str) -> None:
        super().__init__(table)
        self.column = column
