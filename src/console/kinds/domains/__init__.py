"""Domains."""

from __future__ import annotations

from console.kinds.kind import Kind

KIND = Kind(
    "domains",
    tables=("DOMAINS",),
)
