"""Which terminals show notifications, by the environment variables that they set.

A running console does not ask its terminal: the answer would be read as keys.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from console.config.notice_settings import TerminalSequence

_BY_PROGRAM: Mapping[str, TerminalSequence] = {
    "iTerm.app": "osc9",
    "WarpTerminal": "osc9",
    "WezTerm": "osc777",
    "ghostty": "osc777",
}
_BY_TERM: Mapping[str, TerminalSequence] = {
    "xterm-kitty": "osc99",
    "xterm-ghostty": "osc777",
    "foot": "osc777",
    "rxvt-unicode": "osc777",
    "wezterm": "osc777",
}


def sequence_for(environ: Mapping[str, str]) -> TerminalSequence | None:
    """Return the sequence for the terminal of this environment, None if it is not known to have one.

    tmux and screen swallow the sequences.
    """
    term = environ.get("TERM", "")
    if environ.get("TMUX") or environ.get("STY") or term.startswith(("screen", "tmux")):
        return None
    if environ.get("KITTY_WINDOW_ID"):
        return "osc99"
    sequence = _BY_PROGRAM.get(environ.get("TERM_PROGRAM", ""))
    return sequence or next(
        (terminal_sequence for name, terminal_sequence in _BY_TERM.items() if term.startswith(name)), None
    )
