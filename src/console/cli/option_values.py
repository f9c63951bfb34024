"""Values of options: numbers, ports and names of files."""

from __future__ import annotations

import math
from argparse import ArgumentTypeError
from pathlib import Path

_LAST_PORT = 65535


def finite(text: str) -> float:
    """Return a number. Raise ValueError for infinity and NaN, which pass every comparison with a limit or none."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def named_file(text: str) -> Path:
    """Return a path. Raise ArgumentTypeError for an empty name, such as of an unset variable: it is no directory."""
    if not text:
        raise ArgumentTypeError("needs the name of a file")
    return Path(text)


def port_number(text: str) -> int:
    """Return the number of a port. Raise ArgumentTypeError."""
    if not text.isdecimal() or len(text) > len(str(_LAST_PORT)) or int(text) > _LAST_PORT:
        raise ArgumentTypeError(f"must be a whole number from 0 to {_LAST_PORT}, not {text!r}")
    return int(text)
