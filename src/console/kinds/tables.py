"""The tables of all kinds. The first frame needs none of them."""

from __future__ import annotations

from typing import Any

from console.kinds.catalogue import KINDS
from console.views.table import Table

TABLES: dict[str, Table[Any]] = {kind.name: table for kind in KINDS if (table := kind.load_table()) is not None}
"""The tables by name: that of their feed, topic, screens' lists, actions and `console list`."""
