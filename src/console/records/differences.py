"""What differs between two moments of a recording. Computed by the console, never sent by a service."""

from __future__ import annotations

from typing import Any, ClassVar

from console.records.record import Record


class Difference(Record):
    """A record that came or went, or one of its fields that changed."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    list: str | None = None
    """The kind of the record."""
    list_title: str | None = None
    subject: str | None = None
    """The key of the record."""
    name: str | None = None
    change: str | None = None
    """`came`, `went` or `changed`."""
    field: str | None = None
    """The wire name of the field."""
    label: str | None = None
    """The title of its column, or the field's name."""
    before: str | None = None
    after: str | None = None
    """Its values as shown; the states of a record that went or came."""
    old: Any = None
    """Its values as they came."""
    new: Any = None


class ChangedList(Record):
    """How many records of a list came, went and changed."""

    key_field: ClassVar[str] = "list"

    list: str = ""
    title: str | None = None
    came: int | None = None
    went: int | None = None
    changed: int | None = None
    fields: str | None = None
    """The fields that changed, the most frequent first."""
    unknown: str | None = None
    """Why it cannot be told, empty if it can."""
