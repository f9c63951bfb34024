"""Title and text of a delivery, composed from its content.

compose("phone code", {"code": "12345678"}, hide=True)    # "Your validation code", "Your code is ********. ..."
"""

from __future__ import annotations

import zoneinfo
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, cast

LONGEST_TEXT = 2_000
"""Most characters of a text."""
PHONE_CODE = "phone code"
MEETING_CREATED = "meeting created"
MEETING_INVITATION = "meeting invitation"
MEETING_DELETED = "meeting deleted"

_MEETING_TITLES = {
    MEETING_CREATED: "Meeting",
    MEETING_INVITATION: "Invitation",
    MEETING_DELETED: "Cancelled",
}


def compose(kind: str, content: Mapping[str, Any], *, hide: bool) -> tuple[str, str]:
    """Return title and text; `hide` replaces codes and PINs by asterisks."""
    if kind == PHONE_CODE:
        code = _secret(content.get("code"), hide)
        title, text = "Your validation code", f"Your code is {code}. It is valid for 15 minutes."
    elif kind in _MEETING_TITLES:
        name = _text(content.get("name")) or "a meeting"
        title, text = f"{_MEETING_TITLES[kind]}: {name}", "\n".join(_meeting(content, hide))
    else:
        notification = _object(content.get("notification"))
        title = _text(notification.get("title")) or kind
        text = _text(notification.get("body"))
    return title[:200], text[:LONGEST_TEXT]


def secret_of(content: Mapping[str, Any]) -> str | None:
    """Return the code or PIN in a content, or None."""
    found = content.get("code") or _object(content.get("ddi")).get("pin")
    return str(found) if found else None


def _meeting(content: Mapping[str, Any], hide: bool) -> list[str]:
    zone = content.get("currentTimezone")
    lines = [
        f"{label}: {_moment(content[name], zone)}"
        for label, name in (("Begins", "validSince"), ("Ends", "validUntil"))
        if isinstance(content.get(name), int | float)
    ]
    dial_in = _object(content.get("ddi"))
    if content.get("phone") and dial_in:
        pin = _secret(dial_in.get("pin"), hide)
        lines.append(f"Dial in: {_text(content['phone'])}, extension {_text(dial_in.get('extension'))}, PIN {pin}")
    if content.get("roomId"):
        lines.append(f"Room: {_text(content['roomId'])}")
    return lines


def _moment(at: float, zone: object) -> str:
    try:
        place = zoneinfo.ZoneInfo(zone) if isinstance(zone, str) and zone else UTC
        moment = datetime.fromtimestamp(at / 1000, place)
    except (ValueError, OSError, OverflowError, zoneinfo.ZoneInfoNotFoundError):
        try:
            moment = datetime.fromtimestamp(at / 1000, UTC)
        except (ValueError, OSError, OverflowError):
            return "unknown"
    return f"{moment:%Y-%m-%d %H:%M} ({moment.tzinfo})"


def _secret(value: object, hide: bool) -> str:
    text = _text(value)
    return "*" * len(text) if hide else text


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _object(value: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}
