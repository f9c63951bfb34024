"""Freshness and samples as rows of a recording."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

from console.live.delta import Freshness, Health
from console.records.moments import LATEST_MS

_AGEING = frozenset({Freshness.STALE, Freshness.OFFLINE, Freshness.REFUSED})
"""Freshness in which the data gets older; in others it is proven again and again."""


def json_row(values: Mapping[str, Any]) -> bytes:
    """Return a row of values."""
    return json.dumps(values, separators=(",", ":")).encode()


def health_row(health: Health, now_ms: int) -> bytes:
    """Return the row of a freshness. It changes only when the freshness does."""
    row: dict[str, Any] = {"state": health.state.value}
    if health.reason:
        row["reason"] = health.reason
    if health.cut:
        row["cut"] = health.cut
    if health.age is not None:
        # The moment of the last proof is the same as long as there is no new one.
        row["proven"] = round(now_ms / 1000 - health.age) if health.state in _AGEING else 0
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
