"""Cells: safe text with a tone."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from console.base.frozen import Frozen
from console.base.text import SafeText


class Tone(StrEnum):
    """Emphasis of a cell. Themes define its style; a symbol always has the same meaning without colour."""

    PLAIN = "plain"
    QUIET = "quiet"
    STRONG = "strong"
    GOOD = "good"
    NOTICE = "notice"
    WARN = "warn"
    BAD = "bad"


class Cell(NamedTuple):
    """Text in one tone. A tuple, so that details can be compared cell by cell."""

    text: SafeText
    tone: Tone = Tone.PLAIN


Line = tuple[Cell, ...]
"""Cells in a row."""


class Section(Frozen):
    """A section of a record's detail, with a title."""

    id: str
    title: str
    lines: Sequence[Line]
    closed: bool = False
    """Whether only its title is shown until somebody opens it."""
