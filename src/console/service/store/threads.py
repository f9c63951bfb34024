"""The threads in which statements wait for a database server."""

from __future__ import annotations

THREADS = 8
"""Transactions at a time."""
