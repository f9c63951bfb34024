"""The tables of all kinds. The first frame does not need them."""

from __future__ import annotations

from typing import Any

from console.kinds.catalogue import KINDS
from console.views.table import Table

TABLES: dict[str, Table[Any]] = {kind.name: table for kind in KINDS if (table := kind.load_table()) is not None}
"""The tables by kind, which is also the name of feed, topic, list and `console list`."""
