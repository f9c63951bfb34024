"""Quote values for filters (`views.filter`), and the words of a command for a shell."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from console.base.text import SafeText, clean


def quoted(value: str) -> str:
    """Quote a value for a filter; `*` replaces quotation marks, which a quoted value cannot contain."""
    return value if re.fullmatch(r"[\w-]+", value) else '"' + value.replace('"', "*") + '"'


def shell_command(words: Sequence[str], limit: int = 1000) -> SafeText | None:
    """Return a command to paste into a shell, at most `limit` cells wide.

    None if a word would have to be cut or cannot be shown as it is: the rest of a cut word would be run.
    """
    text = shlex.join(words)
    safe_text = clean(text, limit)
    return safe_text if safe_text == text else None
