"""Every table, by the kind it shows."""

from __future__ import annotations

from typing import Any

from console.tables.calls import CALLS
from console.tables.table import Table

TABLES: dict[str, Table[Any]] = {table.kind: table for table in (CALLS,)}
"""The kinds are the names used by feeds, screens, actions and `console list`."""
