"""Domains."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.views.thresholds import Threshold

FREE = Threshold(20, 5, below=True, name="domains.free")
"""Of the identities of a pool, in percent."""

KIND = Kind(
    "domains",
    thresholds=(FREE,),
)
