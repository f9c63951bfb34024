"""Differences between two moments of a recording. Computed by the console, never sent by a service."""

from __future__ import annotations

from typing import Any, ClassVar

from console.records.record import Record


class ChangedField(Record):
    """A field of a record that changed."""

    field: str | None = None
    """Its wire name; of a part of an object with its path."""
    label: str | None = None
    """The title of its column, or its name in words."""
    before: str | None = None
    after: str | None = None
    """Its values as shown."""
    old: Any = None
    """Its values as they came."""
    new: Any = None


class Difference(Record):
    """A record that came, went or changed."""

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
    before: str | None = None
    after: str | None = None
    """Its states as shown; None of a record that came, or went, and if the state did not change."""
    fields: tuple[ChangedField, ...] = ()
    """Changed fields, the state first. Empty unless it changed."""


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
    """Why it is unknown; empty if it is known."""
    outdated: str | None = None
    """The moments at which it was not current, and of when its rows are instead; empty if it was."""
