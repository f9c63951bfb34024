"""Parse durations and times as typed: `90s`, `2m`, `1h04`, `1h 04m`, `2:31`, `10:30`, `2026-11-20`."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from console.base.frozen import Frozen
from console.views.render_context import RenderContext

_UNITS = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000}
_NEXT = {"h": "m", "d": "h", "m": "s", "w": "d"}
_PART = re.compile(r"(\d{1,9}(?:\.\d{1,6})?)(ms|[smhdw])?")
_COLONS = re.compile(r"(?:(\d{1,5}):)?(\d{1,5}):(\d{2})")
_DATE = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[tT](\d{2}:\d{2})(:\d{2})?)?")
_DAY = timedelta(days=1)
_TIME = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2}))?")


class Span(Frozen):
    """A duration with its unit: `2m` equals 2:00 to 2:59."""

    ms: float
    unit: float


def span(text: str) -> Span | None:
    """Parse a duration, also as shown on the screen. The default unit is seconds, or the next smaller one."""
    text = text.lower().replace(" ", "")
    if colons := _COLONS.fullmatch(text):
        hours, minutes, seconds = (int(group or 0) for group in colons.groups())
        return Span(((hours * 60 + minutes) * 60 + seconds) * 1_000, 1_000)
    total, unit, position = 0.0, "", 0
    while position < len(text):
        part = _PART.match(text, position)
        if part is None:
            return None
        unit = part[2] or (_NEXT.get(unit, "") if unit else "s")
        if not unit:
            return None
        total += float(part[1]) * _UNITS[unit]
        position = part.end()
    return Span(total, _UNITS[unit]) if unit else None


def typed_span(ms: float) -> str:
    """Return a duration as it can be typed, without loss: `1m 30s`; `0s` for none."""
    parts: list[str] = []
    left = abs(ms)
    for unit in ("d", "h", "m", "s"):
        many, left = divmod(left, _UNITS[unit])
        if many:
            parts.append(f"{many:.0f}{unit}")
    if left:
        parts.append(f"{left:g}ms")
    return " ".join(parts) or "0s"


class TypedMoment(Frozen):
    """A time as typed; its value depends on the time zone and, without a date, on the day."""

    at: datetime
    unit: timedelta
    today: bool

    def ms(self, render: RenderContext, *, again: bool = False) -> tuple[float, float]:
        """Return the first ms since the epoch in it, and the first after it.

        Of a time that the clock shows twice, `again` returns the second one. A time that the clock skips is the moment
        at which it is set forward, without length.
        """
        at = self.at.replace(tzinfo=render.zone, fold=again and self.unit < _DAY)
        if self.today:
            day = datetime.fromtimestamp(render.now_ms / 1000, render.zone)
            at = at.replace(year=day.year, month=day.month, day=day.day)
        if self.unit < _DAY:
            skip = skipped(at)
            if skip is not None:
                return skip, skip
            # A wall clock that is set back after 02:59 shows 03:00 an hour later.
            return at.timestamp() * 1000, (at.astimezone(UTC) + self.unit).timestamp() * 1000
        return at.timestamp() * 1000, (at + self.unit).timestamp() * 1000


def skipped(at: datetime) -> float | None:
    """Return when the clock of its zone skips a time, in ms since the epoch; None if it shows the time."""
    late, early = (round(at.replace(fold=fold).timestamp()) for fold in (0, 1))
    if late <= early:
        return None
    offset = datetime.fromtimestamp(late, at.tzinfo).utcoffset()
    while late - early > 1:
        middle = (late + early) // 2
        is_after = datetime.fromtimestamp(middle, at.tzinfo).utcoffset() == offset
        late, early = (middle, early) if is_after else (late, middle)
    return late * 1000.0


def moment(text: str) -> TypedMoment | None:
    """Parse a date, a time of today, or both joined by `T`."""
    if date := _DATE.fullmatch(text):
        unit = _DAY if not date[2] else timedelta(seconds=1) if date[3] else timedelta(minutes=1)
        try:
            at = datetime.fromisoformat(text.upper())
        except ValueError:
            return None
        return TypedMoment(at, unit, today=False) if 1980 <= at.year <= 2200 else None
    if time := _TIME.fullmatch(text):
        hour, minute, second = int(time[1]), int(time[2]), int(time[3] or 0)
        if hour > 23 or minute > 59 or second > 59:
            return None
        unit = timedelta(seconds=1) if time[3] else timedelta(minutes=1)
        return TypedMoment(datetime(2000, 1, 1, hour, minute, second), unit, today=True)
    return None
