"""What a reader gets from a collection: what changed since it last looked, and how fresh that is."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Generic, TypeVar

from console.frozen import Frozen, field

if TYPE_CHECKING:
    from console.records.record import Record

R = TypeVar("R", bound="Record")


class Freshness(StrEnum):
    """How far what is shown can be believed."""

    LOADING = "loading"
    """Nothing was ever listed: an empty view means nothing yet."""
    LIVE = "live"
    """Complete up to a proof at most six seconds old."""
    POLLING = "polling"
    """Listed lately, without an event channel that could prove more."""
    STALE = "stale"
    """Connected, but the last proof is too old."""
    OFFLINE = "offline"
    """The service cannot be reached; what is shown is what was last known."""
    REFUSED = "refused"
    """The service does not let this caller see it, or has no such operation."""


class Health(Frozen):
    """The freshness of one kind, for a badge. Seconds are on the monotonic clock."""

    state: Freshness = Freshness.LOADING
    age: float | None = None
    """Seconds since the last proof that what is shown is true; None before the first list."""
    reason: str = ""
    """Why it is not live, in remote or local words: clean before painting."""
    retry_in: float | None = None
    """Seconds until the next try, when there is one."""
    cut: str = ""
    """What is said of a list that goes on behind what is shown; empty when all of it is."""


class Delta(Frozen, Generic[R]):
    """The difference between two versions of a collection. Apply `removes` first, then `upserts`."""

    version: int
    whole: bool
    """The reader's version was too old or of another life: `upserts` is everything, drop what you had."""
    upserts: Mapping[str, R] = field(default_factory=dict[str, R])
    removes: frozenset[str] = frozenset()
    health: Health = field(default_factory=Health)
