"""Entries of the command palette. Textual parses every `str` in them as markup, so they are created only here."""

from __future__ import annotations

from collections.abc import Callable

from textual.command import DiscoveryHit, Hit
from textual.content import Content
from textual.fuzzy import Matcher

from console.base.text import SafeText, clean
from console.ui.widgets.tones import styled
from console.views.cell import Tone

_WIDEST = 120
_WIDEST_ABOUT = 240

Do = Callable[[], object]


def offered(title: str, about: str, do: Do) -> DiscoveryHit:
    """Return an entry that is shown without input."""
    name = clean(title, _WIDEST)
    return DiscoveryHit(_shown(styled(name), about), do, text=name)


def found(matcher: Matcher, title: str, about: str, do: Do) -> Hit | None:
    """Return an entry with highlighted matches; None if the title does not match."""
    name = clean(title, _WIDEST)
    score, offsets = matcher.fuzzy_search.match(matcher.query, name)
    if score <= 0:
        return None
    words = styled(name)
    for offset in offsets:
        if not name[offset].isspace():
            words = words.stylize(matcher.match_style, offset, offset + 1)
    return Hit(score, _shown(words, about), do, text=name)


def _shown(title: Content, about: str) -> Content:
    """Return title and description. Textual's own field for the description accepts only markup."""
    safe_text: SafeText = clean(about, _WIDEST_ABOUT)
    return Content("\n").join([title, styled(safe_text, Tone.QUIET).stylize("not bold")] if safe_text else [title])
