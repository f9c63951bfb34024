"""Telling a key that is held down from one that is pressed again on purpose.

A terminal does not say how long a key is held: it sends the same key again, first after a quarter to two thirds of a
second, then twenty to forty times a second. The record under the cursor may go with the first of them, and the second
would meet the next: an `a` that is held down must not accept ten alerts. But who takes two alerts with two presses
means both.

So a press is told by what comes before and after it. What follows at once is a repetition. What follows within the
first second may be the beginning of one: it counts if no other follows at once. The hand is never so fast, and the
operator does not notice the wait.
"""

from __future__ import annotations

from collections import deque
from enum import Enum

HELD_SECONDS = 0.12
"""The same keys nearer to each other come from one that is held down. Two presses of a hand are further apart."""
FIRST_SECONDS = 0.7
"""A key that is held down is sent for the second time within this."""
RELEASE_SECONDS = 0.3
"""A key that was found to be held down has been let go when it was not sent for so long."""
_ASKED = 8
"""Whoever was unsure asks within HELD_SECONDS, in which no hand holds more keys down one after the other."""


class Press(Enum):
    """What a key that has come stands for."""

    MEANT = "meant"
    UNSURE = "unsure"
    """It is meant if the same does not follow within HELD_SECONDS; `KeyRepeat.was_held` says so then."""
    REPEATED = "repeated"


class KeyRepeat:
    """Remembers the last key and when it came."""

    def __init__(self) -> None:
        self._key = ""
        self._at = 0.0
        self._held = False
        self.number = 0
        """The number of the last press."""
        self._firsts: deque[int] = deque(maxlen=_ASKED)
        """The numbers of the last presses after which a key turned out to be held down."""

    def pressed(self, key: str, at: float) -> Press:
        """Take note of a key that came at this time, in seconds on any clock that only goes forward."""
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
        """Whether the press of that number turned out to be the beginning of a repetition."""
        return number in self._firsts

    def forget(self) -> None:
        """Let the next key count, whichever it is: something else has happened meanwhile."""
        self._key, self._held = "", False
