"""Moments in the forms that services send: numbers of seconds, ms, us or ns since the epoch, and ISO 8601.

The contract says milliseconds since the epoch (1); other deployments differ, sometimes by field. The size of a number
tells its unit: between 2001 and 2200, the four ranges do not overlap.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import cast

LATEST_MS = 7_258_118_400_000
"""The year 2200; later values are not valid times."""
LEAST_MS = 10_000_000_000
"""Numbers from here on are not seconds: as seconds the year 2286, as milliseconds April 1970."""
_SECONDS = (1_000_000_000, LATEST_MS // 1_000)
_MICROSECONDS = (1_000_000_000_000_000, LATEST_MS * 1_000)
_NANOSECONDS = (1_000_000_000_000_000_000, LATEST_MS * 1_000_000)
_COUNTED = (int, float)
"""A tuple, because `int | float` would be created for each check; filtering checks seven times per row."""
_LONGEST = 64
"""Most characters of a time as text."""
_NUMBER = re.compile(r"[0-9]{1,19}(\.[0-9]{1,9})?")
_ZONE_NAME = re.compile(r"\[[\w/+-]{1,40}\]$")
"""The name of a zone that Java adds to its offset: `+01:00[Europe/Madrid]`."""
_DOTNET = re.compile(r"/Date\((-?[0-9]{1,16})(?:[+-][0-9]{4})?\)/")
_NEVER = re.compile(r"(?:0000|0001|9999)-[0-9]{2}-[0-9]{2}(?:[T ][0-9:.]{1,20}(?:Z|[+-][0-9:]{2,6})?)?")
"""The first or last year of a type of another language, which stands for no time."""


def at(value: object) -> float | None:
    """Return a time in ms since the epoch, or None for other values; services send -1 or 0 for `never`.

    `value` is a number of seconds, ms, us or ns since the epoch, also as text, or an ISO 8601 text; without a zone it
    is UTC.
    """
    if isinstance(value, _COUNTED):
        if LEAST_MS <= value < LATEST_MS:
            return value
        return _other_unit(value)
    return None if value is None else _of_text(value)


def _other_unit(value: float) -> float | None:
    if _SECONDS[0] <= value < _SECONDS[1]:
        return value * 1_000
    if _MICROSECONDS[0] <= value < _MICROSECONDS[1]:
        return value / 1_000
    if _NANOSECONDS[0] <= value < _NANOSECONDS[1]:
        return value / 1_000_000
    return None


def _of_text(value: object) -> float | None:
    if not isinstance(value, str) or len(value) > _LONGEST:
        return None
    text = value.strip()
    if _NUMBER.fullmatch(text):
        return at(float(text) if "." in text else int(text))
    if (counted := _DOTNET.fullmatch(text)) is not None:
        return at(int(counted[1]))
    try:
        parsed = datetime.fromisoformat(_ZONE_NAME.sub("", text))
        ms = (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).timestamp() * 1_000
    except (ValueError, OverflowError):
        return None
    return ms if LEAST_MS <= ms < LATEST_MS else None


def is_never(text: str) -> bool:
    """Return whether a text is a date of the year 0, 1 or 9999: services write one for no time."""
    return len(text) <= _LONGEST and _NEVER.fullmatch(text.strip()) is not None


def of_parts(parts: Sequence[object]) -> float | None:
    """Return the time of a list of year, month and day, perhaps hour, minute, second and ns, as Java writes it, in UTC.

    Return None for any other list.
    """
    if not 3 <= len(parts) <= 7 or not all(type(part) is int for part in parts):
        return None
    year, month, day, *rest = cast("Sequence[int]", parts)
    hour, minute, second, ns = (*rest, 0, 0, 0, 0)[:4]
    try:
        found = datetime(year, month, day, hour, minute, second, ns // 1_000, tzinfo=UTC).timestamp() * 1_000
    except (ValueError, OverflowError):
        return None
    return found if LEAST_MS <= found < LATEST_MS else None
