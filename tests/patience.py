"""How long a test waits for a condition: one limit, for machines that are slower than ours."""

from __future__ import annotations

PATIENCE = 45.0
"""Seconds. Only a test that fails waits so long; the limit of a test, 60 s, comes after it."""
