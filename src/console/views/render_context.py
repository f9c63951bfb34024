"""From where a record is looked at: when, in which time zone, with what else is known."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Protocol, runtime_checkable
from zoneinfo import ZoneInfo

from console.frozen import Frozen, field
from console.records.state_words import plain
from console.views.thresholds import Threshold

if TYPE_CHECKING:
    from console.records.record import Record


@runtime_checkable
class _Sorted(Protocol):
    """Records that can be had by their state."""

    def in_state(self, *states: str) -> Collection[Record]:
        """Return those in one of these states."""
        ...


def _nothing(_kind: str) -> Mapping[str, Record]:
    return {}


class RenderContext(Frozen):
    """What turning a record into words may depend on besides the record.

    `lookup` gives all records of a kind by key, as they are at this moment, so that a call can name its users and a
    member shows its presence; a kind that is not loaded is empty.
    """

    now_ms: int
    zone: ZoneInfo
    me: str = ""
    """The caller's user id."""
    lookup: Callable[[str], Mapping[str, Record]] = _nothing
    symbols: str = "unicode"
    """`unicode` or `ascii`: which set of symbols the terminal can show."""
    role: str = ""
    """The caller's role: `user`, `admin` or `anonymous`; empty until it is known."""
    thresholds: Mapping[str, Threshold] = field(default_factory=dict[str, Threshold])
    """By `kind.column`, from the configuration; what is not named has the tables' own."""

    def in_state(self, kind: str, *states: str) -> Collection[Record]:
        """Return the known records of a kind in one of these states, without a search where they are kept apart.

        States are given in their plain form, and found however they are written.
        """
        known = self.lookup(kind)
        if isinstance(known, _Sorted):
            return known.in_state(*states)
        return [each for each in known.values() if plain(getattr(each, "state", None) or "") in states]

    def find(self, kind: str, key: str) -> Record | None:
        """Return another record, if it is known."""
        return self.lookup(kind).get(key)
