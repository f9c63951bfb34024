"""Facts about the connection of this console."""

from __future__ import annotations

from typing import TYPE_CHECKING

from console.live.delta import Freshness

if TYPE_CHECKING:
    from console.records.connection import Connection

_LOST = frozenset({Freshness.OFFLINE.value, Freshness.REFUSED.value})


def lost(connection: Connection) -> bool:
    """Return whether the service cannot be reached, or refuses the console."""
    return connection.state in _LOST
