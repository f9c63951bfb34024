"""Words and formats of the contrary deployment."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

Json = dict[str, Any]
Rows = Iterable[Json]
"""The rows of a list; the first member of each is its key."""
_EAST = timezone(timedelta(hours=2))


def iso(seconds: float) -> str:
    """Return a moment as ISO 8601 in UTC."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def iso_east(seconds: float) -> str:
    """Return a moment as ISO 8601 in another zone than UTC."""
    return datetime.fromtimestamp(seconds, _EAST).isoformat(timespec="seconds")


def us(seconds: float) -> int:
    """Return a moment as microseconds."""
    return int(seconds * 1_000_000)


def several(value: Any) -> list[Any]:
    """Return the entries of a list; the deployment sends a single one, or null, instead of a list here and there."""
    return [] if value is None else value if isinstance(value, list) else [value]  # pyright: ignore[reportUnknownVariableType] - any row
