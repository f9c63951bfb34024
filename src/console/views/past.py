"""Parse past moments as typed: `10:42`, `1042`, `-15m`, `yesterday 22:10`, `2026-11-20 10:42`, `now`."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from console.views.spans import span

FORMS = "10:42, 1042, -15m, yesterday 22:10, 2026-11-20 10:42 or now"
"""Examples of all forms."""
_DAY_MS = 86_400_000
_TIME = re.compile(r"(\d{1,2}):?(\d{2})(?::?(\d{2}))?")
_DATED = re.compile(r"(\d{4}-\d{2}-\d{2})(?:(?:t| +)(.+))?")
_YESTERDAY = re.compile(r"(?:yesterday|y) *(.*)")


def past_ms(text: str, now_ms: int, zone: ZoneInfo) -> int | None:
    """Return a moment in ms since the epoch, None for a text of another form, or a moment that is still to come.

    A time without a date is the last one before now. A date without a time is its beginning.
    """
    text = text.strip().lower()
    now = datetime.fromtimestamp(now_ms / 1000, zone)
    if text == "now":
        return now_ms
    if text.startswith("-"):
        length = span(text[1:].strip())
        return None if length is None else now_ms - round(length.ms)
    if dated := _DATED.fullmatch(text):
        try:
            day = datetime.fromisoformat(dated[1])
        except ValueError:
            return None
        found = _on(day, dated[2] or "00:00", zone)
    elif yesterday := _YESTERDAY.fullmatch(text):
        found = _on(now - timedelta(days=1), yesterday[1] or "00:00", zone)
    else:
        found = _on(now, text, zone)
        if found is not None and found > now_ms:
            found = _on(now - timedelta(days=1), text, zone)
    return found if found is not None and found <= now_ms else None


def past_times(first: str, last: str, now_ms: int, zone: ZoneInfo) -> tuple[int, int] | None:
    """Return beginning and end of a time, such as from `22:00` to `06:00`; None for a text of another form.

    A time of day as the end is the next one after the beginning. An end that is still to come is now. A length, such
    as `8h`, begins so long before the end.
    """
    text = first.strip().removeprefix("-")
    length = span(text) if text[-1:].isalpha() else None
    if length is not None:
        end = past_ms(last, now_ms, zone)
        return None if end is None or length.ms <= 0 else (end - round(length.ms), end)
    start = past_ms(first, now_ms, zone)
    if start is None:
        return None
    end = past_ms(last, start + _DAY_MS if _TIME.fullmatch(last.strip()) else now_ms, zone)
    return (start, min(end, now_ms)) if end is not None and start < end else None


def _on(day: datetime, text: str, zone: ZoneInfo) -> int | None:
    """Return a time of a day in ms since the epoch."""
    time = _TIME.fullmatch(text)
    if time is None:
        return None
    try:
        at = datetime(day.year, day.month, day.day, int(time[1]), int(time[2]), int(time[3] or 0), tzinfo=zone)
        return round(at.timestamp() * 1000)
    except (ValueError, OverflowError):
        return None
