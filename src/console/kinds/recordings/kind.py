"""Recordings as a kind."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.kinds.recordings.columns import RECORDINGS

KIND = Kind("recordings", (RECORDINGS,))
