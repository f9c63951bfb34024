"""Moments in the forms that services send: numbers of seconds, milliseconds or microseconds, and ISO 8601.

The contract says milliseconds since the epoch (1); other deployments differ, sometimes by field. The size of a number
tells its unit: between 2001 and 2200, the three ranges do not overlap.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

LATEST_MS = 7_258_118_400_000
"""The year 2200; later values are not valid times."""
_SURELY_MS = 10_000_000_000
"""As seconds the year 2286, as milliseconds April 1970."""
_SECONDS = (1_000_000_000, LATEST_MS // 1_000)
_MICROSECONDS = (1_000_000_000_000_000, LATEST_MS * 1_000)
_COUNTED = (int, float)
"""A tuple, because `int | float` would be created for each check; filtering checks seven times per row."""
_LONGEST = 40
"""Most characters of a time as text."""
_NUMBER = re.compile(r"[0-9]{1,18}(\.[0-9]{1,9})?")


def at(value: object) -> float | None:
    """Return a time in ms since the epoch, or None for what is no time; services send -1 or 0 for `never`.

    `value` is a number of seconds, ms or us since the epoch, also as text, or an ISO 8601 text; without a zone it is
    UTC.
    """
    if isinstance(value, _COUNTED):
        if _SURELY_MS <= value < LATEST_MS:
            return value
        return _other_unit(value)
    return None if value is None else _of_text(value)


def _other_unit(value: float) -> float | None:
    if _SECONDS[0] <= value < _SECONDS[1]:
        return value * 1_000
    if _MICROSECONDS[0] <= value < _MICROSECONDS[1]:
        return value / 1_000
    return value if 0 < value < LATEST_MS and value is not True else None


def _of_text(value: object) -> float | None:
    if not isinstance(value, str) or len(value) > _LONGEST:
        return None
    text = value.strip()
    if _NUMBER.fullmatch(text):
        return at(float(text) if "." in text else int(text))
    try:
        found = datetime.fromisoformat(text)
        ms = (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp() * 1_000
    except (ValueError, OverflowError):
        return None
    return ms if 0 < ms < LATEST_MS else None
