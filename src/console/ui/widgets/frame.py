"""Common parts of all screens: tabs and footer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from textual.message import Message

from console.base.frozen import Frozen
from console.base.text import SafeText, cells
from console.ui.widgets.styled_line import ClickableLine, Piece, piece, width_of
from console.ui.widgets.theme import ScreenPart
from console.ui.widgets.tones import Appearance, Badge
from console.views.cell import Tone


class TabLabel(Frozen):
    """The content of a tab."""

    name: str
    digit: str
    title: str
    short: str
    counted: str = ""
    """The title with the count, if known."""
    short_counted: str = ""


class ScreenTabs(ClickableLine):
    """The screens with their digits and record counts."""

    class Chosen(Message):
        """A tab was clicked."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def show(self, tabs: Sequence[TabLabel], here: str, colour: Tone | None = None) -> None:
        """Show these tabs, with the current one; `colour` is the profile's."""
        if not self.differs(tuple(tabs), here, colour):
            return
        width = max(20, self.size.width - 2)
        pieces: list[Piece] = []
        spans: list[tuple[int, int, str]] = []
        for tab_shape in _TAB_SHAPES:
            pieces, spans = _tab_words(tabs, here, tab_shape, ScreenPart.TAB if colour is None else Badge(colour))
            if width_of(pieces) <= width:
                break
        self.spans = spans
        self.update(pieces)

    def clicked(self, name: str) -> None:
        """Post the message."""
        self.post_message(self.Chosen(name))


class _TabShape(Frozen):
    """Level of detail of the tabs; the current one always has its title."""

    long: bool
    counted: Literal["all", "current", "none"]
    """Which tabs have their counts."""
    titled: bool = True


_TAB_SHAPES = (
    _TabShape(True, "all"),
    _TabShape(False, "all"),
    _TabShape(False, "current"),
    # The titles of all are worth more than `Your alerts 4`, which the line of totals says too.
    _TabShape(False, "none"),
    _TabShape(False, "current", titled=False),
)


def _tab_words(
    tabs: Sequence[TabLabel], here: str, shape: _TabShape, look: Appearance
) -> tuple[list[Piece], list[tuple[int, int, str]]]:
    """Return the pieces of the tabs, with their positions."""
    pieces: list[Piece] = []
    spans: list[tuple[int, int, str]] = []
    at = 0
    for tab in tabs:
        present = tab.name == here
        counted = tab.counted if shape.long else tab.short_counted
        has_count = shape.counted == "all" or (present and shape.counted == "current")
        title = counted if counted and has_count else tab.title if shape.long else tab.short
        if present:
            tab_pieces = [piece(f" {tab.digit} {title} ", look)]
        else:
            tab_pieces = [piece(f" {tab.digit} ", ScreenPart.KEY)]
            tab_pieces += [piece(f"{title} ", Tone.QUIET)] if shape.titled else []
        pieces += tab_pieces
        spans.append((at, at + width_of(tab_pieces), tab.name))
        at += width_of(tab_pieces)
    return pieces, spans


class FooterKey(Frozen):
    """A key in the footer: name, meaning, and why it is not available, if so."""

    key: str
    words: str
    why_not: SafeText
    identifier: str = ""
    """The id of its action or view key."""


class KeyFooter(ClickableLine):
    """The available keys, as many as fit. They can be clicked."""

    DEFAULT_CSS = """
    KeyFooter { background: $panel; margin: 1 0 0 0; }
    """

    class Pressed(Message):
        """A key was clicked."""

        def __init__(self, identifier: str) -> None:
            super().__init__()
            self.identifier = identifier

    def show(self, keys: Sequence[FooterKey]) -> None:
        """Show these keys, the first ones first; help and quit are always last."""
        if not self.differs(tuple(keys)):
            return
        width = max(20, self.size.width - 2)
        last = [key for key in keys if key.words in {"help", "quit"}]
        room = width - sum(cells(key.key) + len(key.words) + 3 for key in last)
        footer_keys: list[FooterKey] = []
        for key in (footer_key for footer_key in keys if footer_key not in last):
            need = cells(key.key) + len(key.words) + 3
            if need > room:
                continue
            room -= need
            footer_keys.append(key)
        pieces: list[Piece] = []
        self.spans = []
        for key in (*footer_keys, *last):
            start = width_of(pieces)
            pieces += _key(key)
            self.spans.append((start, width_of(pieces) - 2, key.identifier))
        self.update(pieces)

    def clicked(self, name: str) -> None:
        """Post the message."""
        self.post_message(self.Pressed(name))


def _key(key: FooterKey) -> tuple[Piece, ...]:
    if key.why_not:
        return (piece(f"{key.key} {key.words}  ", Tone.QUIET),)
    return piece(key.key, ScreenPart.KEY), piece(f" {key.words}  ")
