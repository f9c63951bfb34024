"""Writing values for a filter (`tables.filter`)."""

from __future__ import annotations

import re


def quoted(value: str) -> str:
    """Write a value for a filter; `*` stands for a quotation mark, which a quoted value cannot hold."""
    return value if re.fullmatch(r"[\w-]+", value) else '"' + value.replace('"', "*") + '"'
