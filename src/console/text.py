"""The one door through which text from outside reaches the screen.

A remote string can press keys, run actions, crash markup or hang the terminal. `clean` makes it harmless, character by
character, and marks it as such by its type; widgets take `SafeText`, Textual `Content` made from it, or literals.
"""

from __future__ import annotations


class SafeText(str):
    """Text that may be painted. Made only by this module. Still never parse it as markup: wrap it in `Content`."""

    __slots__ = ()


def clean(value: object, limit: int = 512) -> SafeText:
    """Make one line of text harmless for a cell, title or message, at most `limit` cells wide."""
    return SafeText("".join(c if c.isprintable() else "\ufffd" for c in str(value)[:limit]))
