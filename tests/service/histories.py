"""Recorded histories of one alert: who did what from when to when and was told what, and whether that can have been.

A history is legal if all that was done can be put in one order in which each took effect at a moment between being
asked and being answered, and everybody was told the truth of that moment. What was never answered may have taken
effect at any moment since it was asked, or not at all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

ACTIVE, EXPIRED, CANCELED = "active", "expired", "canceled"
UNKNOWN = "unknown"
DONE = "done"


def accepted_by(who: str) -> str:
    """Name the state of an alert that somebody accepted."""
    return f"accepted by {who}"


@dataclass(frozen=True)
class Deed:
    """What one of them did: `accept`, `cancel`, `look` or `expire`."""

    who: str
    what: str
    told: str
    """DONE, UNKNOWN, or the state that the alert was said to be in."""
    asked: float
    answered: float = math.inf

    def after(self, state: str) -> str | None:
        """Return the state after this took effect in a state, or None if it cannot have been answered as it was."""
        if self.what == "look":
            return state if self.told in {state, UNKNOWN} else None
        if state != ACTIVE:
            return state if self.told in {state, UNKNOWN} or self.what == "expire" else None
        if self.told not in {DONE, UNKNOWN}:
            return None
        return {"accept": accepted_by(self.who), "cancel": CANCELED, "expire": EXPIRED}[self.what]


def legal(deeds: Sequence[Deed]) -> bool:
    """Whether there is an order of them that explains everything that was told."""
    tried: set[tuple[frozenset[int], str]] = set()

    def explained(left: frozenset[int], state: str) -> bool:
        if all(deeds[each].told == UNKNOWN for each in left):
            return True
        if (left, state) in tried:
            return False
        tried.add((left, state))
        first_answer = min(deeds[each].answered for each in left)
        for each in left:
            # Nothing can have come before what was answered before it was asked.
            if deeds[each].asked <= first_answer:
                after = deeds[each].after(state)
                if after is not None and explained(left - {each}, after):
                    return True
        return False

    return explained(frozenset(range(len(deeds))), ACTIVE)
