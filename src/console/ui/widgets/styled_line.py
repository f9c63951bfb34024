"""Lines of styled text that repaint only changed cells."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, zip_longest
from typing import NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.content import Content
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from console.base.text import CUT, SafeText, cells, clean
from console.ui.widgets.theme import ScreenPart, Theme, theme_here
from console.ui.widgets.tones import Appearance, Badge, WithoutLine, styled_lines
from console.views.cell import Cell, Tone
from console.views.wording import plural

_COUNT_OF_STATE = re.compile(r"[^\s\d] (\d[\d\s]*) [^\W\d]")


class Piece(NamedTuple):
    """Text with a style."""

    text: SafeText
    look: Appearance = Tone.PLAIN


def piece(text: object, look: Appearance = Tone.PLAIN) -> Piece:
    """Return a piece; clean the text if necessary."""
    return Piece(text if isinstance(text, SafeText) else clean(text), look)


def pieces(line: Iterable[Cell]) -> list[Piece]:
    """Return the pieces of a line's cells."""
    return [Piece(cell.text, cell.tone) for cell in line]


class LineStyles(dict[Appearance, Style]):
    """The styles of pieces in a theme, on the style of a widget; `ground` is the row's under the cursor."""

    def __init__(self, theme: Theme, base: Style, ground: Style | None = None) -> None:
        self.theme, self.base, self._ground = theme, base, ground

    def __missing__(self, look: Appearance) -> Style:
        match look:
            case Badge(tone):
                style = self.theme.tones[tone].rich + Style(reverse=True)
            case WithoutLine(tone):
                style = self.theme.tones[tone].rich + Style(underline=False)
            case ScreenPart():
                style = self.theme.parts[look].rich
            case _:
                style = self.theme.tones[look].rich
        style = self.base + style if self._ground is None else self.base + style + self._ground
        self[look] = style
        return style

    def painted(self, row: Iterable[Piece]) -> Strip:
        """Return a row as the framework draws it."""
        return Strip([Segment(piece.text, self[piece.look]) for piece in row])


def width_of(line: Iterable[Piece]) -> int:
    """Return the width of pieces in cells."""
    return cells("".join([word.text for word in line]))


def within(line: Sequence[Piece], width: int) -> list[Piece]:
    """Drop whole parts from the end until the rest fits; keep at least the first part.

    Parts are separated by pieces of spaces, the most important first. No part is cut, because a cut number would be
    wrong. Dropped counts of states become one: `99 others`. Only a first part that does not fit itself ends in `…`.
    """
    if not line or width_of(line) <= width:
        return list(line)
    parts: list[list[Piece]] = [[]]
    for word in line:
        if word.text.isspace() and parts[-1]:
            parts.append([])
        parts[-1].append(word)
    ends = [*accumulate(width_of(part) for part in parts)]
    most = max(1, bisect_right(ends, width))
    numbers = [_number(part) for part in parts]
    for kept in range(most, 1, -1):
        dropped = [number for number in numbers[kept:] if number is not None]
        others = f"  {plural(sum(dropped), 'other')}"
        if dropped and ends[kept - 1] + len(others) <= width:
            place = max([place + 1 for place in range(kept) if numbers[place] is not None], default=kept)
            return [*chain(*parts[:place]), piece(others, Tone.QUIET), *chain(*parts[place:kept])]
    return [*chain(*parts[:most]), *([piece(" …", Tone.QUIET)] if ends[0] > width else [])]


def _number(part: Sequence[Piece]) -> int | None:
    """Return the number of a part that counts a state, such as `● 12 connected`, after the space before it."""
    match = _COUNT_OF_STATE.match(part[1].text) if len(part) > 1 else None
    return None if match is None else int(match[1].replace(" ", ""))


def words_of(line: Iterable[Piece]) -> SafeText:
    """Return the text of pieces, without styles."""
    return clean("".join(word.text for word in line), 2000)


def differing(before: Sequence[Piece], after: Sequence[Piece]) -> Iterator[tuple[int, int]]:
    """Yield the ranges of cells in which a row differs."""
    same = _common(zip(before, after, strict=False))
    left = width_of(after[:same])
    old, new = before[same:], after[same:]
    rest = _common(zip(reversed(old), reversed(new), strict=False))
    changed_old, changed = old[: len(old) - rest], new[: len(new) - rest]
    widths = [cells(part.text) for part in changed]
    if widths == [cells(part.text) for part in changed_old]:
        for width, was, now in zip(widths, changed_old, changed, strict=True):
            if was != now:
                yield _narrowed(left, width, was, now)
            left += width
    elif width_of(changed_old) == sum(widths):
        yield left, left + sum(widths)
    else:
        # What follows has moved.
        yield left, left + max(width_of(old), width_of(new))


def _common(pairs: Iterable[tuple[Piece, Piece]]) -> int:
    """Return the number of equal pairs before the first that differs."""
    number = 0
    for was, now in pairs:
        if was != now:
            break
        number += 1
    return number


def _narrowed(left: int, width: int, was: Piece, now: Piece) -> tuple[int, int]:
    """Return the changed range of a piece: of a ticking age, often a single digit."""
    if was.look != now.look or not (was.text.isascii() and now.text.isascii()):
        return left, left + width
    first, last = 0, width - 1
    while was.text[first] == now.text[first]:
        first += 1
    while was.text[last] == now.text[last]:
        last -= 1
    return left + first, left + last + 1


class StyledLine(Widget):
    """One or more lines of styled text. Only changed cells are painted."""

    DEFAULT_CSS = """
    StyledLine { height: 1; width: 100%; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._said: tuple[tuple[Piece, ...], ...] = ()
        self._facts: object = None
        self._styles: LineStyles | None = None

    def differs(self, *facts: object) -> bool:
        """Return whether the facts or the width differ from the last call, and remember them.

        Comparing facts takes a tenth of the time of rendering and comparing text.
        """
        known = self.size.width, facts
        if known == self._facts:
            return False
        self._facts = known
        return True

    def update(self, *rows: Sequence[Piece]) -> None:
        """Show these rows, each a sequence of pieces. Only cells that differ are painted."""
        texts = tuple(tuple(row) for row in rows)
        before, self._said = self._said, texts
        if texts == before:
            return
        height = self.styles.height
        grown = len(texts) != len(before) and height is not None and height.is_auto
        if grown or self.styles.text_wrap == "wrap":
            self.refresh(layout=grown)
            return
        width = self.size.width
        if not width:
            # Hidden: as a whole, or the lines painted before would be shown again.
            self.refresh()
            return
        regions = [
            Region(left, y, min(right, width) - left, 1)
            for y, (was, now) in enumerate(zip_longest(before, texts, fillvalue=()))
            for left, right in differing(was, now)
            if left < width
        ]
        if regions:
            self.refresh(*regions)

    @property
    def said(self) -> str:
        """The text of the rows, without styles."""
        return "\n".join("".join(part.text for part in row) for row in self._said)

    def render(self) -> Content:
        """Return the rows in the styles of the current theme."""
        return styled_lines(self._said)

    def render_line(self, y: int) -> Strip:
        """Paint a row. Textual would parse and lay out the content of all rows for each cell that differs."""
        if self.styles.text_wrap == "wrap":
            return super().render_line(y)
        width, theme, base = self.size.width, theme_here(self), self.visual_style.rich_style
        if self._styles is None or self._styles.theme is not theme or self._styles.base != base:
            self._styles = LineStyles(theme, base)
        strip = self._styles.painted(self._said[y] if y < len(self._said) else ())
        if strip.cell_length > width > 0:
            strip = _with_ellipsis(strip.crop(0, width - 1))
        return strip.adjust_cell_length(width, base)


class ClickableLine(StyledLine):
    """A line with parts that can be clicked."""

    def __init__(self) -> None:
        super().__init__()
        self.spans: list[tuple[int, int, str]] = []
        """First cell, the one after the last, and name of each part."""

    def clicked(self, name: str) -> None:
        """Report a click on a part with a name."""

    def on_click(self, event: events.Click) -> None:
        """Report the clicked part."""
        for start, end, name in self.spans:
            if start <= event.x - 1 < end and name:
                self.clicked(name)


def _with_ellipsis(strip: Strip) -> Strip:
    last = [*strip][-1:]
    return Strip([*strip, Segment(CUT, last[0].style if last else None)])
