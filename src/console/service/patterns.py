"""Regular expressions that come from outside. Only RE2 reads them: no pattern can keep the service busy.

The package has no types, so it is imported where its two calls are given some.
"""

from __future__ import annotations

import importlib
from functools import lru_cache
from typing import Any

LONGEST_PATTERN = 500
_MEMORY = 1 << 20

_re2: Any = importlib.import_module("re2")


class BadPattern(ValueError):
    """A text is not a regular expression; the message says why."""


@lru_cache(maxsize=256)
def compiled(pattern: str) -> Any:
    """Return the pattern ready for use. Raises BadPattern."""
    if not pattern or len(pattern) > LONGEST_PATTERN:
        raise BadPattern(f"must have 1 to {LONGEST_PATTERN} characters")
    options: Any = _re2.Options()
    options.max_mem = _MEMORY
    options.log_errors = False
    try:
        return _re2.compile(pattern, options)
    except _re2.error as error:
        said = error.args[0] if error.args else "unreadable"
        raise BadPattern(said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)) from None


def matches(pattern: str, text: str) -> bool:
    """Whether the pattern fits the whole text. Raises BadPattern."""
    return compiled(pattern).fullmatch(text) is not None
