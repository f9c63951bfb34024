"""Quote values for filters (`views.filter`)."""

from __future__ import annotations

import re


def quoted(value: str) -> str:
    """Quote a value for a filter; `*` replaces quotation marks, which a quoted value cannot contain."""
    return value if re.fullmatch(r"[\w-]+", value) else '"' + value.replace('"', "*") + '"'
