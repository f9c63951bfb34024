"""Which choices are meant by what was typed. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from console.actions.action import Choice


def narrow(typed: str, choices: Sequence[Choice]) -> list[Choice]:
    """Return the choices that match every word typed: those where a word begins so first, then the rest.

    `#word` narrows to choices with a tag that begins so. Letters need not stand together, but be in order. Among
    equals the order of the choices stays, for it may say which is best.
    """
    words = typed.casefold().split()
    tags = [word[1:] for word in words if word.startswith("#") and len(word) > 1]
    names = [word for word in words if not word.startswith("#")]
    found: list[tuple[int, int, Choice]] = []
    for index, choice in enumerate(choices):
        if not all(any(own.casefold().startswith(tag) for own in choice.tags) for tag in tags):
            continue
        text = f"{choice.title} {choice.note or ''}".casefold()
        ranks = [_rank(word, text, choice.title.casefold()) for word in names]
        if None not in ranks:
            found.append((max((rank for rank in ranks if rank is not None), default=0), index, choice))
    return [choice for _, _, choice in sorted(found, key=lambda each: each[:2])]


def _rank(word: str, text: str, title: str) -> int | None:
    """Say how well a word matches: 0 at a word's beginning, 1 inside, 2 scattered over the title, None not at all."""
    at = text.find(word)
    while at > 0 and text[at - 1].isalnum():
        nearer = text.find(word, at + 1)
        if nearer < 0:
            return 1
        at = nearer
    if at >= 0:
        return 0
    rest = iter(title)
    return 2 if len(word) > 1 and all(letter in rest for letter in word) else None
