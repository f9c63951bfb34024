"""Context of rendering a record: time, time zone, other records."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from console.base.frozen import Frozen, field
from console.records.addresses import CONTRACT, Addresses
from console.records.extent import Extent
from console.records.indexed import IndexedRecords
from console.records.state_words import normalized
from console.views.thresholds import Threshold

if TYPE_CHECKING:
    from console.records.record import Record


class RenderContext(Frozen):
    """Everything besides the record that its rendering may depend on.

    `lookup` returns the current records of a kind by key, so that a call can show the names of its users and a member
    its presence; a kind that is not loaded is empty.
    """

    now_ms: int
    zone: ZoneInfo
    me: str = ""
    """The caller's user id."""
    lookup: Callable[[str], Mapping[str, Record]] = lambda _kind: {}
    symbols: str = "full"
    """`full`, `plain` or `ascii`: the set of symbols that the terminal supports."""
    role: str = ""
    """The caller's role: `user`, `admin` or `anonymous`; empty until known."""
    thresholds: Mapping[str, Threshold] = field(default_factory=dict[str, Threshold])
    """By `kind.column`, from the configuration; others have the defaults of the tables."""
    addresses: Addresses = CONTRACT
    """The forms of the deployment's addresses."""
    chats_per_agent: int = 6
    """Load at which an agent gets no more when chats are distributed, from the profile."""
    domain: str = ""
    """The caller's domain; empty until known. Users of other domains are named with theirs."""
    opened: bool = False
    """Whether the record is opened: what stands in a list beside it otherwise is in its detail."""
    roomy: bool = False
    """Whether its lines have the room of an opened record, or as much of it beside a list on a very wide screen."""
    most_related: int = 8
    """Most lines of a section with related records: more are for a list with a filter."""
    past: bool = False
    """Whether a recorded moment is shown instead of now."""
    total: Callable[[str], int | None] = lambda _kind: None
    """Returns the total number of rows of a kind that is known in part, if the service tells."""
    changes: Callable[[], Sequence[tuple[float, str]]] = tuple
    """Returns moment, in ms since the epoch, and words of own changes, in the order of time."""
    extent: Callable[[str], Extent] = lambda _kind: Extent.WHOLE
    """Returns how much of a kind is known. What is counted in a list must ask for it: an empty list may be unknown."""

    def ms_since(self, moment_ms: float | None) -> float | None:
        """Return the time since a moment; None if it is unknown."""
        return None if moment_ms is None else self.now_ms - moment_ms

    def lasted(self, began_ms: float | None, ended_ms: float | None) -> float | None:
        """Return the duration until an end, or until now if there is none yet; negative before the beginning."""
        if began_ms is None or ended_ms is None:
            return self.ms_since(began_ms)
        return max(0, ended_ms - began_ms)

    def in_state(self, kind: str, *states: str) -> Collection[Record]:
        """Return the known records of a kind in one of these states, without a search if they are indexed.

        States are normalized, and match all spellings.
        """
        known = self.lookup(kind)
        if isinstance(known, IndexedRecords):
            return known.in_state(*states)
        return [record for record in known.values() if normalized(getattr(record, "state", None) or "") in states]

    def in_other_state(self, kind: str, states: frozenset[str]) -> Collection[Record]:
        """Return the known records of a kind in none of these states, without a search if they are indexed."""
        known = self.lookup(kind)
        if isinstance(known, IndexedRecords):
            return known.in_other_state(states)
        return [record for record in known.values() if normalized(getattr(record, "state", None) or "") not in states]

    def find(self, kind: str, key: str) -> Record | None:
        """Return another record, or None."""
        return self.lookup(kind).get(key)
