"""Values of options: numbers, ports and names of files."""

from __future__ import annotations

import math
from argparse import ArgumentTypeError
from pathlib import Path
from typing import TypeVar

N = TypeVar("N", int, float)
_LAST_PORT = 65535


def finite(text: str) -> float:
    """Return a number. Raise ValueError for infinity and NaN, which pass every comparison with a limit or none."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def amount(text: str) -> float:
    """Return a number. Raise ValueError for other texts, ArgumentTypeError for a negative number."""
    return _not_negative(finite(text))


def count(text: str) -> int:
    """Return a whole number. Raise ValueError for other texts, ArgumentTypeError for a negative number."""
    return _not_negative(int(text))


def _not_negative(number: N) -> N:
    if number < 0:
        raise ArgumentTypeError("must not be negative")
    return number


def named_file(text: str) -> Path:
    """Return a path. Raise ArgumentTypeError for an empty name, such as of an unset variable: it names no directory.

    `dir/` is refused: a path loses the slash, and names a file then. `-` is refused: in other programs it is
    the standard output or input, and here it would be a file of that name.
    """
    if not text:
        raise ArgumentTypeError("needs the name of a file")
    if text.endswith("/"):
        raise ArgumentTypeError(f"{text} is a directory, not the name of a file")
    if text == "-":
        raise ArgumentTypeError("- is not the name of a file; write ./- for a file of that name")
    return Path(text)


def port_number(text: str) -> int:
    """Return the number of a port. Raise ArgumentTypeError."""
    if not text.isdecimal() or len(text) > len(str(_LAST_PORT)) or int(text) > _LAST_PORT:
        raise ArgumentTypeError(f"must be a whole number from 0 to {_LAST_PORT}, not {text!r}")
    return int(text)
