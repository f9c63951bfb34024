"""Times that a deployment writes without a zone, in the zone that its profile says."""

from __future__ import annotations

import re
from datetime import datetime
from zoneinfo import ZoneInfo

# Whole JSON strings: inside another string, quotation marks have a backslash before them. A colon follows a name.
_TEXT = re.compile(
    rb'(?<!\\)"([0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?)"(?!\s*:)'
)
_PARTS = re.compile(rb"\[\s*((?:19|20)[0-9]{2}(?:\s*,\s*[0-9]{1,2}){4,5}(?:\s*,\s*[0-9]{1,9})?)\s*\]")
"""A list of year, month, day, hour, minute, perhaps second and nanosecond, as Java writes it."""


def with_zone(body: bytes, zone: ZoneInfo) -> bytes:
    """Return JSON whose times without a zone have the offset that this zone had then. Other text is unchanged."""

    def of_text(found: re.Match[bytes]) -> bytes:
        return _written(found[1].decode(), zone) or found[0]

    def of_parts(found: re.Match[bytes]) -> bytes:
        year, month, day, hour, minute, *rest = map(int, found[1].split(b","))
        second, ns = (*rest, 0, 0)[:2]
        text = f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{ns // 1_000:06}"
        return _written(text, zone) or found[0]

    return _PARTS.sub(of_parts, _TEXT.sub(of_text, body))


def _written(text: str, zone: ZoneInfo) -> bytes | None:
    try:
        moment = datetime.fromisoformat(text).replace(tzinfo=zone)
    except ValueError:
        return None
    return None if moment.year < 1900 else f'"{moment.isoformat()}"'.encode()
