"""How the list of alerts comes, and for how long it shows an alert that has ended (contract 4.7)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from console.live.feeds import DAY_MS, listed_rows
from console.records.raw import Json, fields

if TYPE_CHECKING:
    from console.records.support import Alert

_STATES = ("active", "accepted", "expired", "canceled")


def rows_by_state(body: bytes, most: int) -> Iterable[Json]:
    """Flatten the lists by state into rows that name their state; one that is missing has no alerts."""
    if body[:1] != b"{":
        raise ValueError("it is not an object" if body else "it is empty")
    lists = fields(body, _STATES)
    if not lists:
        raise ValueError("it is an object without any list of alerts")
    for state in _STATES:
        found = bytes(lists.get(state, b"[]"))
        for row in listed_rows(b"[]" if found == b"null" else found, most):
            yield Json(_with_state(bytes(row).strip(), state))


def _with_state(row: bytes, state: str) -> bytes:
    """Add the state at the end of an object, where it outweighs any other; leave alone what is none."""
    if not (row.startswith(b"{") and row.endswith(b"}")):
        return row
    fields = row[:-1].rstrip()
    return fields + (b"" if fields == b"{" else b",") + f'"state":"{state}"}}'.encode()


def expires(alert: Alert) -> float | None:
    """Alerts that have ended are asked for by how long ago that is: a span that includes its end."""
    if alert.state == "active" or alert.resolved_at is None:
        return None
    return alert.resolved_at + DAY_MS + 1
