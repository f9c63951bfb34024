"""Telling a key that is held down, or hit twice, from one that is pressed again on purpose.

A terminal says nothing of how long a key is held: it sends the same key again, first after up to two thirds of a
second, then many times a second. Where the record under the cursor goes with the first of them, the second would meet
another one.
"""

from __future__ import annotations

REPEAT_SECONDS = 0.7


class KeyRepeat:
    """Remembers the last key and when it came."""

    def __init__(self) -> None:
        self._key = ""
        self._at = 0.0

    def pressed(self, key: str, now: float) -> bool:
        """Take note of a key, and say whether it is but the last one again. `now` is monotonic, in seconds."""
        again = key == self._key and now - self._at < REPEAT_SECONDS
        self._key, self._at = key, now
        return again

    def forget(self) -> None:
        """Let the next key count, whichever it is: something else has happened meanwhile."""
        self._key = ""
