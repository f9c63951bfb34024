"""A line of words in tones, painted again only when it says something else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from textual.content import Content
from textual.widget import Widget

from console.tables.cell import Cell, Tone
from console.text import SafeText, cells, clean
from console.widgets.theme import Part
from console.widgets.tones import styled


class Piece(NamedTuple):
    """Words in one look."""

    text: SafeText
    look: Tone | Part = Tone.PLAIN


def piece(text: object, look: Tone | Part = Tone.PLAIN) -> Piece:
    """Make a piece; what is not clean yet is cleaned."""
    return Piece(text if isinstance(text, SafeText) else clean(text), look)


def pieces(line: Iterable[Cell]) -> list[Piece]:
    """Make pieces of the cells of a line."""
    return [Piece(cell.text, cell.tone) for cell in line]


def width_of(words: Iterable[Piece]) -> int:
    """Return how many cells pieces need one after the other."""
    return sum(cells(each.text) for each in words)


def words_of(words: Iterable[Piece]) -> SafeText:
    """Return what pieces say, without looks."""
    return clean("".join(each.text for each in words), 2000)


class Saying(Widget):
    """One line, or with `rows` several, of words in tones."""

    DEFAULT_CSS = """
    Saying { height: 1; width: 100%; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis; }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._said: tuple[tuple[Piece, ...], ...] = ()

    def put(self, *rows: Sequence[Piece]) -> None:
        """Say other words, if they differ: a sequence of pieces for each row."""
        said = tuple(tuple(row) for row in rows)
        if said != self._said:
            grown = len(said) != len(self._said)
            self._said = said
            self.refresh(layout=grown)

    @property
    def said(self) -> str:
        """What is said, without looks."""
        return "\n".join("".join(each.text for each in row) for row in self._said)

    def render(self) -> Content:
        """Paint the words in the looks of the theme that is worn now."""
        rows = [Content("").join(styled(each.text, each.look) for each in row) for row in self._said]
        return Content("\n").join(rows)
