"""Differences between two moments of a recording, record by record."""

from __future__ import annotations

from console.kinds.kind import Kind

KIND = Kind("differences")
