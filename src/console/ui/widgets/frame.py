"""Common parts of all screens: tabs and footer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
        look = ScreenPart.TAB if colour is None else Badge(colour)
        pieces, spans = _tab_words(tabs, here, fitting_titles(tabs, here, max(20, self.size.width)), look)
        self.spans = spans
        self.update(pieces)

    def clicked(self, name: str) -> None:
        """Post the message."""
        self.post_message(self.Chosen(name))


_BESIDE_TITLE = 4
"""Cells of a tab besides its title: the digit and the gaps."""


def fitting_titles(tabs: Sequence[TabLabel], here: str, width: int) -> dict[str, str]:
    """Return the titles of the tabs, shortened one by one until they fit, the current one last.

    First the longest title is shortened, then the rightmost count is left out. The titles of all are worth more than
    a count, which the line of totals says too. Without room for them, only the current tab has a title.
    """
    titles = {tab.name: tab.counted or tab.title for tab in tabs}
    excess = sum(cells(title) + _BESIDE_TITLE for title in titles.values()) - width
    longest_first = sorted(tabs, key=lambda tab: (tab.name == here, -cells(tab.title)))
    from_the_right = sorted(reversed(tabs), key=lambda tab: tab.name == here)
    shorter = [(tab.name, tab.short_counted or tab.short) for tab in longest_first]
    shorter += [(tab.name, tab.short) for tab in from_the_right]
    for name, title in shorter:
        if excess <= 0:
            break
        excess -= cells(titles[name]) - cells(title)
        titles[name] = title
    if excess > 0:
        return {tab.name: tab.short_counted or tab.short if tab.name == here else "" for tab in tabs}
    for tab in reversed(longest_first):
        # A count that was left out may have made room for a whole word.
        whole = {tab.short_counted: tab.counted, tab.short: tab.title}.get(titles[tab.name], titles[tab.name])
        growth = cells(whole) - cells(titles[tab.name])
        if excess + growth <= 0:
            excess += growth
            titles[tab.name] = whole
    return titles


def _tab_words(
    tabs: Sequence[TabLabel], here: str, titles: Mapping[str, str], look: Appearance
) -> tuple[list[Piece], list[tuple[int, int, str]]]:
    """Return the pieces of the tabs, with their positions."""
    pieces: list[Piece] = []
    spans: list[tuple[int, int, str]] = []
    at = 0
    for tab in tabs:
        title = titles[tab.name]
        if tab.name == here:
            tab_pieces = [piece(f" {tab.digit} {title} ", look)]
        else:
            tab_pieces = [piece(f" {tab.digit} ", ScreenPart.KEY)]
            tab_pieces += [piece(f"{title} ", Tone.QUIET)] if title else []
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
