"""Changes of a collection since a version, and freshness."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Generic, TypeVar

from console.base.frozen import Frozen, field
from console.records.extent import Extent, extent_of

if TYPE_CHECKING:
    from console.records.record import Record

R = TypeVar("R", bound="Record")


class Freshness(StrEnum):
    """Freshness of displayed data."""

    LOADING = "loading"
    """Never listed: an empty list does not mean that there are no records."""
    LIVE = "live"
    """Complete up to a proof that is at most six seconds old."""
    POLLING = "polling"
    """Listed recently, without an event channel as proof."""
    STALE = "stale"
    """Connected, but the last proof is too old."""
    OFFLINE = "offline"
    """The service is not reachable; the data is the last known one."""
    PAST = "past"
    """As it was, live or polled, at an earlier moment that is shown."""
    REFUSED = "refused"
    """The caller lacks the permission, or the service lacks the operation."""


CURRENT = frozenset({Freshness.LIVE, Freshness.POLLING, Freshness.PAST})
"""Freshness in which what happens is known."""


class Health(Frozen):
    """The freshness of one list, or of the connection. Seconds are on the monotonic clock.

    Read it before the changes of the list: another thread may add the first rows at any time, and an empty list that is
    known must not be older than its freshness.
    """

    state: Freshness = Freshness.LOADING
    age: float | None = None
    """Seconds since the data was last proven to be current; None before the first list."""
    reason: str = ""
    """Why it is not live, in remote or local words: clean before painting."""
    retry_in: float | None = None
    """Seconds until the next attempt, if any."""
    cut: str = ""
    """Message for a list that has more rows than are shown; empty if complete."""
    more: bool = False
    """Whether the service has more rows, which are read when the cursor comes near."""
    total: int | None = None
    """The total number of rows of a list that is not complete, if the service tells."""

    @property
    def extent(self) -> Extent:
        """How much of the list is known."""
        return extent_of(self.age is not None, self.state is Freshness.REFUSED, self.more or bool(self.cut))


class Delta(Frozen, Generic[R]):
    """The difference between two versions of a collection. Apply `removes` first, then `upserts`."""

    version: int
    whole: bool
    """Whether `upserts` is everything and replaces the reader's data, because its version was too old or unknown."""
    upserts: Mapping[str, R] = field(default_factory=dict[str, R])
    removes: frozenset[str] = frozenset()
