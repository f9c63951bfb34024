"""Search in choices. Pure functions."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from console.commands.action import Choice


def narrow(typed: str, choices: Sequence[Choice]) -> list[Choice]:
    """Return the choices that match every typed word, sorted by quality of the match.

    The order is: start of the title, start of a word in the title, start of a word in the note, inside of a word,
    letters of the title in order. `#word` filters by tags that start with it. Accents are optional. Equal matches keep
    the order of the choices, which may be by suitability.
    """
    words = _plain(typed).split()
    tags = [word[1:] for word in words if word.startswith("#") and len(word) > 1]
    names = [word for word in words if not word.startswith("#")]
    found: list[tuple[int, int, Choice]] = []
    for index, choice in enumerate(choices):
        if not all(any(_plain(own).startswith(tag) for own in choice.tags) for tag in tags):
            continue
        title, note = _plain(choice.title), _plain(choice.note or "")
        ranks = [_rank(word, title, note) for word in names]
        if None not in ranks:
            found.append((max((rank for rank in ranks if rank is not None), default=0), index, choice))
    return [choice for _, _, choice in sorted(found, key=lambda each: each[:2])]


def _rank(word: str, title: str, note: str) -> int | None:
    """Return the rank of a match, 0 for the best; None for no match."""
    if title.startswith(word):
        return 0
    if _begins_a_word(word, title):
        return 1
    if _begins_a_word(word, note):
        return 2
    if word in title:
        return 3
    if word in note:
        return 4
    rest = iter(title)
    return 5 if len(word) > 1 and all(letter in rest for letter in word) else None


def _begins_a_word(word: str, text: str) -> bool:
    at = text.find(word)
    while at > 0 and text[at - 1].isalnum():
        at = text.find(word, at + 1)
    return at >= 0


@lru_cache(maxsize=50_000)
def _plain(text: str) -> str:
    """Return a text without case and accents."""
    if text.isascii():
        return text.casefold()
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))
