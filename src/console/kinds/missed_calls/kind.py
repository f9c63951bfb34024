"""Missed calls as a kind."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.kinds.missed_calls.columns import MISSED_CALLS

KIND = Kind("missed_calls", (MISSED_CALLS,))
