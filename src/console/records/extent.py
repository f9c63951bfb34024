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
