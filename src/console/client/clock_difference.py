"""How far the service's clock is ahead of this machine's, from the Date headers of answers (RFC 9110, 6.6.1)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime

_LONGEST = 40
"""Characters of the longest date that is read."""
_OLDEST_MS = 2000
"""Age of the oldest date: it has whole seconds, and servers make a new one once a second."""


class ClockDifference:
    """A range in which the difference must be.

    Each answer was made between sending and receiving, so that each date leaves a range as wide as the answer took and
    two seconds more. What all answers leave is soon narrower than any. An answer that contradicts it starts again: a
    clock was put right, or the two do not go at the same speed.
    """

    def __init__(self) -> None:
        self._least: int | None = None
        self._most = 0

    def answered(self, headers: Mapping[str, str], sent_ms: int, received_ms: int) -> None:
        """Take the date of an answer. Headers are in lower case, moments in ms since the epoch on this machine's clock.

        Answers without a valid date say nothing, and neither do those that a cache had kept.
        """
        date_ms = _date_ms(headers.get("date", ""))
        if date_ms is None or headers.get("age", "0").strip() != "0" or received_ms < sent_ms:
            return
        least, most = date_ms - received_ms, date_ms + _OLDEST_MS - sent_ms
        if self._least is not None and least <= self._most and self._least <= most:
            least, most = max(least, self._least), min(most, self._most)
        self._least, self._most = least, most

    @property
    def ms(self) -> int | None:
        """By how much the service's clock is ahead, in ms: negative if it is behind, None if no answer had a date."""
        return None if self._least is None else (self._least + self._most) // 2


def _date_ms(written: str) -> int | None:
    if not written or len(written) > _LONGEST:
        return None
    try:
        return http_date_ms(written)
    except (ValueError, TypeError, OverflowError, OSError):
        return None


def http_date_ms(written: str) -> int:
    """Return a date of a header in ms since the epoch: any of the three forms of RFC 9110, 5.6.7. All are in UTC.

    Raise ValueError, TypeError, OverflowError or OSError.
    """
    date = parsedate_to_datetime(written)
    return round((date if date.tzinfo is not None else date.replace(tzinfo=UTC)).timestamp() * 1000)
