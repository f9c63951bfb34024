"""The smallest piece of what is shown: safe words and how loud they are."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from console.frozen import Frozen
from console.text import SafeText


class Tone(StrEnum):
    """How much a cell wants to be seen. Themes give each a look; a symbol always says the same without colour."""

    PLAIN = "plain"
    QUIET = "quiet"
    STRONG = "strong"
    GOOD = "good"
    NOTICE = "notice"
    WARN = "warn"
    BAD = "bad"


class Cell(NamedTuple):
    """Words in one tone. Details are compared with what stood there cell by cell, which a tuple does by itself."""

    text: SafeText
    tone: Tone = Tone.PLAIN


Line = tuple[Cell, ...]
"""Cells that are painted one after the other."""


class Section(Frozen):
    """A titled part of a record's detail."""

    id: str
    title: str
    lines: tuple[Line, ...]
