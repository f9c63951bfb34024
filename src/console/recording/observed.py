"""Freshness and samples as rows of a recording."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, cast

from console.live.delta import Freshness, Health
from console.records.moments import LATEST_MS

_AGEING = frozenset({Freshness.STALE, Freshness.OFFLINE, Freshness.REFUSED})
"""Freshness in which the data gets older; in others it is proven again and again."""

_LARGEST_VALUE = 1e15
_NOTED_MS = 10_000
"""Longest time from a sample until it is noted."""


def json_row(values: Mapping[str, Any]) -> bytes:
    """Return a row of values."""
    return json.dumps(values, separators=(",", ":")).encode()


def health_row(health: Health, now_ms: int) -> bytes:
    """Return the row of a freshness. It changes only when the freshness does."""
    proven = None
    if health.age is not None:
        # The moment of the last proof is the same as long as there is no new one.
        proven = round(now_ms / 1000 - health.age) if health.state in _AGEING else 0
    return _health_row(health.state, health.reason, health.cut, proven)


@lru_cache(maxsize=256)
def _health_row(state: Freshness, reason: str, cut: str, proven: int | None) -> bytes:
    """Return the row of a freshness. All lists have the same one most of the time."""
    row: dict[str, Any] = {"state": state.value}
    if reason:
        row["reason"] = reason
    if cut:
        row["cut"] = cut
    if proven is not None:
        row["proven"] = proven
    return json_row(row)


def health_of(row: bytes, at_ms: int) -> Health:
    """Return the freshness in a row as it was at a moment. Anything else is loading."""
    try:
        loads: Any = json.loads(row)
        values = cast("dict[str, Any]", loads)
        state = Freshness(values["state"])
        proven = values.get("proven")
        reason, cut = values.get("reason", ""), values.get("cut", "")
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return Health()
    age = None
    if isinstance(proven, int) and 0 <= proven < LATEST_MS / 1000:
        age = max(0.0, at_ms / 1000 - proven) if proven else 0.0
    return Health(state, age, str(reason), cut=str(cut))


def number_of(value: object) -> float | None:
    """Return the value of a chart, None for anything else."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    return float(value) if abs(value) < _LARGEST_VALUE else None


def are_moments(*values: object) -> bool:
    """Return whether all are moments in ms since the epoch."""
    return all(isinstance(value, int) and 0 <= value < LATEST_MS for value in values)


def sampled_at(at_ms: object, noted_ms: int) -> int:
    """Return when something was sampled that was noted at a moment: a little earlier, if its row says so."""
    return at_ms if isinstance(at_ms, int) and 0 <= noted_ms - at_ms <= _NOTED_MS else noted_ms
