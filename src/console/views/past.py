"""Parse past moments as typed: `10:42`, `1042`, `-15m`, `yesterday 22:10`, `2026-11-20 10:42`, `now`."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from console.views.spans import skipped, span

FORMS = "10:42, 1042, -15m, yesterday 22:10, 2026-11-20 10:42 or now"
"""Examples of all forms."""
_TIME = re.compile(r"(\d{1,2}):?(\d{2})(?::?(\d{2}))?")
_DATED = re.compile(r"(\d{4}-\d{2}-\d{2})(?:(?:t| +)(.+))?")
_OFFSET = re.compile(r"(\d{2}:\d{2}(?::\d{2})?) ?([+-]\d{2}:\d{2})")
DATE = 11
"""Length of the date of a moment as text, with the space after it."""
_FIRST_MS = -62_135_510_400_000
"""The second day of the year 1, which every zone can show."""
_YESTERDAY = re.compile(r"(?:yesterday|y) *(.*)")


def past_ms(text: str, now_ms: int, zone: ZoneInfo) -> int | None:
    """Return a moment in ms since the epoch, None for a text of another form, or a moment that is still to come.

    A time without a date is the last one before now. A date without a time is its beginning. Of a time that the clock
    shows twice, when summer time ends, the later one before now is taken; `2026-10-25 02:30+02:00` names one of them.
    """
    text = text.strip().lower()
    now = datetime.fromtimestamp(now_ms / 1000, zone)
    if text == "now":
        return now_ms
    if text.startswith("-"):
        return _before(now_ms, text[1:].strip())
    if dated := _DATED.fullmatch(text):
        try:
            day = datetime.fromisoformat(dated[1])
        except ValueError:
            return None
        if offset := _OFFSET.fullmatch(dated[2] or ""):
            with_offset = _with_offset(f"{dated[1]} {offset[1]}{offset[2]}")
        else:
            # A date alone is its beginning, also where midnight comes twice.
            with_offset = _on(day, dated[2], zone) if dated[2] else _on(day, "00:00", zone)[:1]
    elif yesterday := _YESTERDAY.fullmatch(text):
        with_offset = _on(now - timedelta(days=1), yesterday[1] or "00:00", zone)
    else:
        with_offset = [moment for days in (1, 0) for moment in _on(now - timedelta(days=days), text, zone)]
    return max((moment for moment in with_offset if _FIRST_MS <= moment <= now_ms), default=None)


def clock_text(at_ms: int, zone: ZoneInfo, to: str = "seconds") -> str:
    """Return a moment with its date as `past_ms` reads it, with the offset if the clock shows the time twice.

    `to`: `minutes`, `seconds` or `milliseconds`, which are not read.
    """
    at = datetime.fromtimestamp(at_ms / 1000, zone)
    is_repeated = at.replace(fold=1 - at.fold).utcoffset() != at.utcoffset()
    return (at if is_repeated else at.replace(tzinfo=None)).isoformat(" ", to)


def short_clock_text(at_ms: int, now_ms: int, zone: ZoneInfo) -> str:
    """Return a moment as `past_ms` reads it: without its date if it is of today, and its time came once."""
    text, today = clock_text(at_ms, zone), clock_text(now_ms, zone)
    return text[DATE:] if text[:DATE] == today[:DATE] and len(text) == DATE + 8 else text


def past_times(first: str, last: str, now_ms: int, zone: ZoneInfo) -> tuple[int, int] | None:
    """Return beginning and end of a time, such as from `22:00` to `06:00`; None for a text of another form.

    A time of day as the end is the next one after the beginning. An end that is still to come is now. A length, such
    as `8h`, begins so long before the end.
    """
    text = first.strip().removeprefix("-")
    if text[-1:].isalpha() and span(text) is not None:
        end = past_ms(last, now_ms, zone)
        start = None if end is None else _before(end, text)
        return None if start is None or end is None or start >= end else (start, end)
    start = past_ms(first, now_ms, zone)
    if start is None:
        return None
    end = _next(last.strip(), start, zone) if _TIME.fullmatch(last.strip()) else past_ms(last, now_ms, zone)
    return (start, min(end, now_ms)) if end is not None and start < end else None


def _before(end_ms: int, text: str) -> int | None:
    """Return the moment a length before another; None for a text of another form, or a moment before all dates."""
    length = span(text)
    return None if length is None or length.ms > end_ms - _FIRST_MS else end_ms - round(length.ms)


def _next(text: str, after_ms: int, zone: ZoneInfo) -> int | None:
    """Return the next time of day after a moment."""
    day = datetime.fromtimestamp(after_ms / 1000, zone)
    moments = [moment for days in (0, 1, 2) for moment in _on(day + timedelta(days=days), text, zone)]
    return min((moment for moment in moments if moment > after_ms), default=None)


def _on(day: datetime, text: str, zone: ZoneInfo) -> list[int]:
    """Return the moments of a time of a day in ms since the epoch: two where the clock is set back.

    A time that the clock skips is the moment at which it is set forward, as in a filter.
    """
    time = _TIME.fullmatch(text)
    if time is None:
        return []
    try:
        at = datetime(day.year, day.month, day.day, int(time[1]), int(time[2]), int(time[3] or 0), tzinfo=zone)
        skip = skipped(at)
        first, second = (round(at.replace(fold=fold).timestamp() * 1000) for fold in (0, 1))
    except (ValueError, OverflowError):
        return []
    if skip is not None:
        return [round(skip)]
    return [first, second] if second > first else [first]


def _with_offset(text: str) -> list[int]:
    """Return the moment of a date and time with an offset."""
    try:
        return [round(datetime.fromisoformat(text).timestamp() * 1000)]
    except (ValueError, OverflowError):
        return []
