"""Presence as a kind."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.kinds.presence.columns import PRESENCE

KIND = Kind("presence", (PRESENCE,))
