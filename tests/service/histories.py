"""Check recorded histories of one alert, or of the participants of one group, for linearizability.

A history is legal if all actions can be put in one order in which each took effect at a moment between its request and
its answer, and every answer was true at that moment. An action without an answer may have taken effect at any moment
since its request, or not at all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

ACTIVE, EXPIRED, CANCELED = "active", "expired", "canceled"
UNKNOWN = "unknown"
DONE = "done"
REFUSED = "refused"


def accepted_by(who: str) -> str:
    """Return the name of the state in which a user has accepted the alert."""
    return f"accepted by {who}"


@dataclass(frozen=True)
class Deed:
    """One action: `accept`, `cancel`, `look` or `expire`."""

    who: str
    what: str
    told: str
    """DONE, UNKNOWN, or the state that was answered."""
    asked: float
    answered: float = math.inf

    def after(self, state: str) -> str | None:
        """Return the state after this action in a state, or None if its answer contradicts that state."""
        if self.what == "look":
            return state if self.told in {state, UNKNOWN} else None
        if state != ACTIVE:
            return state if self.told in {state, UNKNOWN} or self.what == "expire" else None
        if self.told not in {DONE, UNKNOWN}:
            return None
        return {"accept": accepted_by(self.who), "cancel": CANCELED, "expire": EXPIRED}[self.what]


class GroupDeed(Deed):
    """An action on the participants of a group: `add`, `remove` or `look`; `who` is added or removed.

    A state is the list of participants with commas between them.
    """

    def after(self, state: str) -> str | None:
        """Return the participants after this action, or None if its answer contradicts those before."""
        if self.what == "look":
            return state if self.told in {state, UNKNOWN} else None
        participants = state.split(",") if state else []
        is_refused = (self.who in participants) == (self.what == "add")
        if self.told not in {REFUSED if is_refused else DONE, UNKNOWN}:
            return None
        if not is_refused:
            (participants.append if self.what == "add" else participants.remove)(self.who)
        return ",".join(participants)


def legal(deeds: Sequence[Deed], start: str = ACTIVE) -> bool:
    """Return whether some order of the actions explains all answers."""
    tried: set[tuple[frozenset[int], str]] = set()

    def explained(left: frozenset[int], state: str) -> bool:
        if all(deeds[each].told == UNKNOWN for each in left):
            return True
        if (left, state) in tried:
            return False
        tried.add((left, state))
        first_answer = min(deeds[each].answered for each in left)
        for each in left:
            # An action cannot precede another that was answered before it was requested.
            if deeds[each].asked <= first_answer:
                after = deeds[each].after(state)
                if after is not None and explained(left - {each}, after):
                    return True
        return False

    return explained(frozenset(range(len(deeds))), start)
