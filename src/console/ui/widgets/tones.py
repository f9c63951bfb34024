"""Styled text for Textual's own widgets: clean, without markup, in tones of the theme."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from textual.content import Content

from console.base.text import clean
from console.ui.widgets.theme import ScreenPart
from console.views.cell import Cell, Tone

_WIDEST = 4096


class Badge(NamedTuple):
    """A tone in reverse: its colour as the background."""

    tone: Tone


class WithoutLine(NamedTuple):
    """A tone without its underline, which would strike through characters of several lines."""

    tone: Tone


Appearance = Tone | ScreenPart | Badge | WithoutLine
"""The style of a text."""


def styled(text: str, look: Appearance = Tone.PLAIN) -> Content:
    """Return content with the text in this style; the text is cleaned."""
    if isinstance(look, Badge):
        style = f"$tone-{look.tone} reverse"
    elif isinstance(look, WithoutLine):
        style = f"$tone-{look.tone} not underline"
    else:
        style = f"${'tone' if isinstance(look, Tone) else 'part'}-{look}"
    return Content.styled(clean(text, _WIDEST), style)


def line(cells: Iterable[Cell]) -> Content:
    """Return content of cells in a row."""
    return Content("").join(styled(cell.text, cell.tone) for cell in cells)


def block(lines: Iterable[Iterable[Cell]]) -> Content:
    """Return content of lines."""
    return Content("\n").join(line(cells) for cells in lines)
