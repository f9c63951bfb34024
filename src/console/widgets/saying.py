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


_WEIGHTS = {Tone.QUIET: 0, Tone.GOOD: 2, Tone.NOTICE: 2, Tone.WARN: 3, Tone.BAD: 4}


def within(words: Sequence[Piece], width: int) -> list[Piece]:
    """Leave out whole parts, what worries least first, until the rest fits; the first part always stays.

    Parts are set apart by pieces that are only space. No part is cut in two: half a number is a wrong one.
    """
    if not words or width_of(words) <= width:
        return list(words)
    parts: list[list[Piece]] = [[]]
    for each in words:
        if each.text.isspace() and parts[-1]:
            parts.append([])
        parts[-1].append(each)
    weights = [
        max((_WEIGHTS.get(each.look, 1) if isinstance(each.look, Tone) else 1) for each in part) for part in parts
    ]
    weights = [weight for weight in weights]
    places = list(range(len(parts)))
    for place in sorted(places[1:], key=lambda each: (weights[each], -each)):
        if sum(width_of(parts[each]) for each in places) <= width - 2:
            break
        places.remove(place)
    return [*(each for place in places for each in parts[place]), piece(" …", Tone.QUIET)]


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
        self._facts: object = None

    def tells(self, *facts: object) -> bool:
        """Say whether what stands here was made of equal facts, for the same width; if not, take note of these.

        To make the words of a frame and compare them took ten times as long as to compare what they are made of.
        """
        known = self.size.width, facts
        if known == self._facts:
            return True
        self._facts = known
        return False

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
