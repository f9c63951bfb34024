"""Answers shown as lines of a detail."""

from __future__ import annotations

from console.base.text import clean
from console.live.store import Asked
from console.views.cell import Cell, Line, Tone

AskedLines = Asked[tuple[Line, ...]]


def lines_of(asked: AskedLines, none: str) -> tuple[Line, ...]:
    """Look, and return the current lines; `none` is the text for "not found"."""
    asked.look()
    if asked.answered:
        return _say(none) if asked.value is None else asked.value
    return _say(f"Cannot load: {asked.reason}", Tone.WARN) if asked.reason else _say("Loading…")


def _say(text: str, tone: Tone = Tone.QUIET) -> tuple[Line, ...]:
    return ((Cell(clean(text, 300), tone),),)
