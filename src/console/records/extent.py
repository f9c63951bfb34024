"""How much of a list is known."""

from __future__ import annotations

from enum import StrEnum


class Extent(StrEnum):
    """How much of a list is known. A number that needs the list is exact only for a whole one."""

    UNKNOWN = "unknown"
    """It was never read, or the service refuses it: no number is known."""
    PART = "part"
    """There are more rows than were read: a number is a minimum."""
    WHOLE = "whole"


def extent_of(was_read: bool, refused: bool, has_more: bool) -> Extent:
    """Return the extent of a list; `has_more` tells whether there are more rows than were read.

    After a refusal the rows from before may be wrong by now, without a limit.
    """
    if refused or not was_read:
        return Extent.UNKNOWN
    return Extent.PART if has_more else Extent.WHOLE
