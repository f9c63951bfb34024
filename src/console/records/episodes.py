"""Episodes of rules: something that needed attention, from its beginning to its end. Created by the console."""

from __future__ import annotations

from typing import ClassVar

from console.records.record import Record


class Episode(Record):
    """One time that a rule applied: to a record, to records with something in common, or to a whole list.

    Times in ms since the epoch. Its key is stable: an episode whose cause returns soon after its end is resumed.
    """

    key_field: ClassVar[str] = "id"

    id: str = ""
    rule: str | None = None
    """The name of the rule."""
    state: str | None = None
    """`active`, `muted` or `ended`."""
    severity: str | None = None
    """`critical`, `warning` or `notice`."""
    worst: str | None = None
    """The highest severity so far."""
    title: str | None = None
    """Title by the rule, in a word or two."""
    words: str | None = None
    """Its subject, in a line."""
    list: str | None = None
    """The kind of its records."""
    about: str | None = None
    """The key of its record, or the common value of its records; None for a whole list."""
    keys: tuple[str, ...] = ()
    """Keys of its records, the longest waiting first, at most 500."""
    filter: str | None = None
    """The filter that shows its records."""
    count: int | None = None
    """Number of its records."""
    most: int | None = None
    """The largest number of its records so far."""
    since_at: int | float | None = None
    """When its oldest record began to wait."""
    began_at: int | float | None = None
    """When the rule began to apply."""
    renewed_at: int | float | None = None
    """When it last began, became worse, got a new record of a rule that `renews`, or was unmuted by time."""
    ended_at: int | float | None = None
    cause: str | None = None
    """Why it ended."""
    seen_at: int | float | None = None
    """When a person saw it; before `renewed_at`, it was renewed since."""
    seen_by: str | None = None
    muted_until: int | float | None = None
    muted_by: str | None = None
    reason: str | None = None
    """Why it is muted."""
    mine: bool | None = None
    """Whether it waits for the caller in person."""
    subject: str | None = None
    """Subject that its rule shares with others: after a notice about one of them, another does not ring again."""
    once: bool | None = None
    """Whether its rule is removed after its notice."""
    place: int | None = None
    """The position of its rule among all."""
