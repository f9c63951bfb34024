"""Domains as a kind."""

from __future__ import annotations

from console.kinds.domains.columns import DOMAINS
from console.kinds.kind import Kind

KIND = Kind("domains", (DOMAINS,))
