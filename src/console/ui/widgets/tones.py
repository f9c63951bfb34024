"""Styled text for Textual's own widgets: clean, without markup, in tones of the theme."""

from __future__ import annotations

from collections.abc import Iterable

from textual.content import Content, Span

from console.base.frozen import Frozen
from console.base.text import SafeText, clean
from console.ui.widgets.theme import ScreenPart
from console.views.cell import Cell, Tone

_WIDEST = 4096


class Badge(Frozen):
    """A tone in reverse: its colour as the background."""

    tone: Tone


class WithoutLine(Frozen):
    """A tone without its underline, which would strike through characters of several lines."""

    tone: Tone


Appearance = Tone | ScreenPart | Badge | WithoutLine
"""The style of a text."""


def styled(text: str, look: Appearance = Tone.PLAIN) -> Content:
    """Return content with the text in this style; the text is cleaned."""
    return Content.styled(clean(text, _WIDEST), _style(look))


def styled_lines(rows: Iterable[Iterable[tuple[SafeText, Appearance]]]) -> Content:
    """Return content of lines of styled texts.

    Its spans are made at once: joining the content of each text takes four times as long.
    """
    texts: list[str] = []
    spans: list[Span] = []
    at = 0
    for line_number, row in enumerate(rows):
        if line_number:
            texts.append("\n")
            at += 1
        for text, look in row:
            texts.append(text)
            spans.append(Span(at, at + len(text), f"$tone-{look}" if isinstance(look, Tone) else _style(look)))
            at += len(text)
    return Content("".join(texts), spans)


def _style(look: Appearance) -> str:
    if isinstance(look, Badge):
        return f"$tone-{look.tone} reverse"
    if isinstance(look, WithoutLine):
        return f"$tone-{look.tone} not underline"
    return f"${'tone' if isinstance(look, Tone) else 'part'}-{look}"


def line(cells: Iterable[Cell]) -> Content:
    """Return content of cells in a row."""
    return Content("").join(styled(cell.text, cell.tone) for cell in cells)


def block(lines: Iterable[Iterable[Cell]]) -> Content:
    """Return content of lines."""
    return Content("\n").join(line(cells) for cells in lines)
