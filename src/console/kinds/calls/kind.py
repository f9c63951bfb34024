"""Calls as a kind."""

from __future__ import annotations

from console.kinds.calls.columns import CALLS
from console.kinds.kind import Kind

KIND = Kind("calls", (CALLS,))
