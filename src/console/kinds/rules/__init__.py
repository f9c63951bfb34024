"""Rules: what is watched, and how."""

from __future__ import annotations

from console.kinds.kind import Kind

KIND = Kind("rules")
