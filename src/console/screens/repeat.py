"""Distinguish a key that is held down from one that is pressed again.

A terminal does not report how long a key is held: it sends the same key again, first after a quarter to two thirds of a
second, then twenty to forty times a second. The record under the cursor may disappear after the first, and the second
would apply to the next one: an `a` that is held down must not accept ten alerts. Two separate presses must take two
alerts.

Presses are therefore distinguished by the time between them. A key that follows at once is a repetition. A key that
follows within the first second may be the first repetition: it counts only if no other follows at once. A hand is never
so fast, and the delay is not noticeable.
"""

from __future__ import annotations

from collections import deque
from enum import Enum

HELD_SECONDS = 0.12
"""The same key within this time is held down. Two presses of a hand are further apart."""
FIRST_SECONDS = 0.7
"""The first repetition of a held key arrives within this time."""
RELEASE_SECONDS = 0.3
"""A held key counts as released when it has not arrived for this time."""
_ASKED = 8
"""Number of presses remembered: more than can be held down in succession before `was_held` is called."""


class Press(Enum):
    """The interpretation of a key."""

    MEANT = "meant"
    UNSURE = "unsure"
    """A press unless the same key follows within HELD_SECONDS, which `KeyRepeat.was_held` then returns."""
    REPEATED = "repeated"


class KeyRepeat:
    """Remembers the last key and its time."""

    def __init__(self) -> None:
        self._key = ""
        self._at = 0.0
        self._held = False
        self.number = 0
        """The number of the last press."""
        self._firsts: deque[int] = deque(maxlen=_ASKED)
        """The numbers of the last presses that turned out to be held keys."""

    def pressed(self, key: str, at: float) -> Press:
        """Record a key and return its interpretation; `at` is the time in seconds on a monotonic clock."""
        same, apart = key == self._key, at - self._at
        self._key, self._at = key, at
        held = same and apart < (RELEASE_SECONDS if self._held else HELD_SECONDS)
        unsure = same and not held and not self._held and apart < FIRST_SECONDS
        if held and not self._held:
            self._firsts.append(self.number)
        self._held = held
        self.number += 1
        if held:
            return Press.REPEATED
        return Press.UNSURE if unsure else Press.MEANT

    def was_held(self, number: int) -> bool:
        """Return whether a press turned out to be the start of a repetition."""
        return number in self._firsts

    def forget(self) -> None:
        """Forget the last key, so that the next one counts."""
        self._key, self._held = "", False
