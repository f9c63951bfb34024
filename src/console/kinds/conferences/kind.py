"""Conferences as a kind."""

from __future__ import annotations

from console.kinds.conferences.columns import CONFERENCES
from console.kinds.kind import Kind

KIND = Kind("conferences", (CONFERENCES,))
