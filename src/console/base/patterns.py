"""Regular expressions from outside, executed only by RE2, whose run time is bounded.

The package has no type hints, so its two functions are wrapped here.
"""

from __future__ import annotations

import importlib
from functools import cache, lru_cache
from typing import Any

LONGEST_PATTERN = 500
_MEMORY = 1 << 20


@cache
def _re2() -> Any:
    """Import the library on first use: most processes need none."""
    return importlib.import_module("re2")


class BadPattern(ValueError):
    """A text is not a valid regular expression; the message contains the reason."""


@lru_cache(maxsize=256)
def compiled(pattern: str) -> Any:
    """Compile a pattern. Raise BadPattern."""
    if not pattern or len(pattern) > LONGEST_PATTERN:
        raise BadPattern(f"must have 1 to {LONGEST_PATTERN} characters")
    options: Any = _re2().Options()
    options.max_mem = _MEMORY
    options.log_errors = False
    try:
        return _re2().compile(pattern, options)
    except _re2().error as error:
        argument = error.args[0] if error.args else "unreadable"
        raise BadPattern(
            argument.decode("utf-8", "replace") if isinstance(argument, bytes) else str(argument)
        ) from None


def matches(pattern: str, text: str) -> bool:
    """Return whether the pattern matches the whole text. Raise BadPattern."""
    return compiled(pattern).fullmatch(text) is not None
