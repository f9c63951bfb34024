"""Ask the terminal what it is, and whether it shows notifications. Only outside the console, which reads its keys."""

from __future__ import annotations

import os
import re
import select
import termios
import time
import tty
from typing import TYPE_CHECKING

from console.base.frozen import Frozen
from console.base.text import SafeText, clean

if TYPE_CHECKING:
    from console.config.notice_settings import TerminalSequence

SECONDS = 1.0
"""Longest wait. Every terminal answers the last question, so it mostly takes a few milliseconds."""
_LONGEST = 4096
_ASKED = b"\x1b[>0q\x1b]99;i=console:p=?;\x1b\\\x1b[c"
"""Name and version (XTVERSION), support of OSC 99, and as the last question the attributes (DA1)."""
_NAME = re.compile(rb"\x1bP>\|([^\x1b]{0,80})\x1b\\")
_SUPPORT = re.compile(rb"\x1b\]99;[^\x07\x1b]{0,400}p=\?[^\x07\x1b]{0,400}(?:\x1b\\|\x07)")
_ATTRIBUTES = re.compile(rb"\x1b\[\?[\d;]{0,80}c")
_BY_NAME: tuple[tuple[str, TerminalSequence], ...] = (
    ("kitty", "osc99"),
    ("foot", "osc777"),
    ("WezTerm", "osc777"),
    ("ghostty", "osc777"),
    ("contour", "osc777"),
    ("iTerm2", "osc9"),
)


class TerminalAnswer(Frozen):
    """Answers of a terminal."""

    name: SafeText
    """Name and version; empty if it did not say."""
    sequence: TerminalSequence | None
    """The sequence for its notifications; None if it is not known to show any."""


def ask_terminal(source: int, target: int) -> TerminalAnswer | None:
    """Ask the terminal of two file descriptors. Return None if it does not answer, or if there is none."""
    if not (os.isatty(source) and os.isatty(target)):
        return None
    before = termios.tcgetattr(source)
    try:
        tty.setraw(source, termios.TCSAFLUSH)
        os.write(target, _ASKED)
        said = _read(source)
    except (OSError, termios.error):
        return None
    finally:
        termios.tcsetattr(source, termios.TCSAFLUSH, before)
    return read_answer(said) if _ATTRIBUTES.search(said) else None


def read_answer(content: bytes) -> TerminalAnswer:
    """Return what the answers mean. They are as untrusted as any text from outside."""
    match = _NAME.search(content)
    name = clean(match[1].decode("utf-8", "replace") if match else "", 60)
    if _SUPPORT.search(content):
        return TerminalAnswer(name, "osc99")
    return TerminalAnswer(
        name, next((terminal_sequence for word, terminal_sequence in _BY_NAME if name.startswith(word)), None)
    )


def _read(source: int) -> bytes:
    said = b""
    end = time.monotonic() + SECONDS
    while not _ATTRIBUTES.search(said) and len(said) < _LONGEST and (left := end - time.monotonic()) > 0:
        if not select.select([source], [], [], left)[0]:
            break
        part = os.read(source, 1024)
        if not part:
            break
        said += part
    return said
