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

HELD_SECONDS = 0.12
"""The same key within this time is held down. Two presses of a hand are further apart."""
FIRST_SECONDS = 0.7
"""The first repetition of a held key arrives within this time."""
RELEASE_SECONDS = 0.3
"""A held key counts as released when it has not arrived for this time."""


class Press:
    """A press of a key."""

    def __init__(self, *, repeated: bool = False, unsure: bool = False) -> None:
        self.repeated = repeated
        """Whether the key is held down, so that this press does not count."""
        self.unsure = unsure
        """Whether it may be the first repetition: `is_held` tells after HELD_SECONDS."""
        self.is_held = False
        """Whether the same key followed at once."""

    @property
    def counts(self) -> bool:
        """Whether the press counts whatever follows."""
        return not (self.repeated or self.unsure)


class KeyRepeat:
    """Remembers the last key and its time."""

    def __init__(self) -> None:
        self._key = ""
        self._at = 0.0
        self._last = Press()

    def pressed(self, key: str, at: float) -> Press:
        """Record a key and return its interpretation; `at` is the time in seconds on a monotonic clock."""
        last, same, apart = self._last, key == self._key, at - self._at
        repeated = same and apart < (RELEASE_SECONDS if last.repeated else HELD_SECONDS)
        unsure = same and not repeated and not last.repeated and apart < FIRST_SECONDS
        if repeated:
            last.is_held = True
        self._key, self._at, self._last = key, at, Press(repeated=repeated, unsure=unsure)
        return self._last

    def forget(self) -> None:
        """Forget the last key, so that the next one counts."""
        self._key, self._last = "", Press()
