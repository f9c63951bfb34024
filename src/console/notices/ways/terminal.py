"""The ways of the terminal itself: bell, window title, and its own notifications.

Texts are clean, so they contain no control character. What else a sequence could take for its own punctuation is
replaced: no title may continue as another field, and no text may begin like a number, which is a command to some
terminals.
"""

from __future__ import annotations

import base64
import zlib
from typing import TYPE_CHECKING

from console.base.signs import drawn
from console.base.text import SafeText, clean
from console.notices.notice import SIGNS
from console.notices.ways.way import Way, Write

if TYPE_CHECKING:
    from console.config.notice_settings import TerminalSequence
    from console.notices.notice import Notice

_END = "\x1b\\"
_TITLE_CELLS = 80
_TEXT_CELLS = 160
_PUNCTUATION = str.maketrans(";", ",")


class Bell(Way):
    """The bell of the terminal."""

    name = "bell"

    def __init__(self, write: Write) -> None:
        self._write = write

    def send(self, notice: Notice) -> None:
        """Ring once."""
        self._write("\a")

    def expected_effect(self) -> str:
        """Return what a person should have heard."""
        return "the terminal rings, or its window is marked, unless the terminal ignores the bell"


class Title(Way):
    """The title of the window: the last notice while something is unseen, otherwise the profile."""

    name = "title"

    def __init__(self, write: Write, symbols: str) -> None:
        self._write = write
        self._symbols = symbols
        self._shown = ""
        self.has_notice = False
        """Whether it shows a notice."""

    def send(self, notice: Notice) -> None:
        """Show the notice."""
        self.has_notice = True
        sign = drawn(SIGNS[notice.severity], self._symbols)
        self._show(clean(f"{sign} {notice.line}", _TITLE_CELLS))

    def nothing_unseen(self, profile: str) -> None:
        """Show the profile, if a notice is shown."""
        if self.has_notice:
            self.has_notice = False
            self._show(clean(f"console {profile}", _TITLE_CELLS))

    def close(self) -> None:
        """Restore the title that the window had before."""
        if self._shown:
            self._shown = ""
            self._write("\x1b[23;2t")

    def expected_effect(self) -> str:
        """Return what a person should have seen."""
        return "the title of the window shows the notice"

    def _show(self, title: SafeText) -> None:
        if title == self._shown:
            return
        # The terminal keeps the title of before.
        self._write(f"{'' if self._shown else f'{chr(27)}[22;2t'}\x1b]2;{title}{_END}")
        self._shown = title


class TerminalNotification(Way):
    """A notification that the terminal shows on the desktop, also on the machine from which ssh was called."""

    name = "terminal"

    def __init__(self, write: Write, sequence: TerminalSequence | None) -> None:
        """Use this sequence; None if none is known for this terminal."""
        self._write = write
        self._sequence = sequence

    def available(self) -> str:
        """Return why it cannot be used."""
        if self._sequence is None:
            return 'this terminal is not known to show notifications: set terminal = "osc9", "osc777" or "osc99"'
        return ""

    def send(self, notice: Notice) -> None:
        """Write the sequence."""
        if self._sequence is not None:
            self._write(_SEQUENCES[self._sequence](notice))

    def expected_effect(self) -> str:
        """Return what a person should have seen."""
        return f"the terminal shows a notification ({self._sequence})"


def _osc9(notice: Notice) -> str:
    # Some terminals read `9;4;…` as progress: the text begins with a word.
    return f"\x1b]9;console {_field(notice.line)}{_END}"


def _osc777(notice: Notice) -> str:
    return f"\x1b]777;notify;{_field(f'console {notice.profile}: {notice.title}')};{_field(notice.words)}{_END}"


def _osc99(notice: Notice) -> str:
    # One id for all notices about an episode: a repeated one replaces the last.
    key = zlib.crc32("\n".join(notice.episodes).encode(errors="replace"))
    title, body = _coded(f"console {notice.profile}: {notice.title}"), _coded(notice.words)
    return f"\x1b]99;i=console{key:x}:d=0:e=1;{title}{_END}\x1b]99;i=console{key:x}:d=1:e=1:p=body;{body}{_END}"


_SEQUENCES = {"osc9": _osc9, "osc777": _osc777, "osc99": _osc99}


def _field(text: str) -> str:
    return clean(text, _TEXT_CELLS).translate(_PUNCTUATION)


def _coded(text: str) -> str:
    return base64.b64encode(clean(text, _TEXT_CELLS).encode(errors="replace")).decode()
