"""Sessions as a kind."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.kinds.sessions.columns import SESSIONS

KIND = Kind("sessions", (SESSIONS,))
