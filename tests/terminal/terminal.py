"""A terminal with a program in it: keys are sent as bytes, output is read from an emulated screen."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

import pyte
from pyte import modes

from console.ui.dialogs.dialog import DEAF_SECONDS
from tests.patience import PATIENCE
from tests.terminal import processes
from tests.terminal.emulation import Glass
from tests.terminal.tap import answers, unlawful

T = TypeVar("T")

KEYS: Mapping[str, str] = {
    "enter": "\r",
    "escape": "\x1b",
    "tab": "\t",
    "shift+tab": "\x1b[Z",
    "space": " ",
    "backspace": "\x7f",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "home": "\x1b[H",
    "shift+up": "\x1b[1;2A",
    "shift+down": "\x1b[1;2B",
    "ctrl+c": "\x03",
    "ctrl+d": "\x04",
    "ctrl+l": "\x0c",
    "ctrl+r": "\x12",
    "ctrl+y": "\x19",
    "ctrl+z": "\x1a",
}
"""The bytes that a terminal sends for named keys."""

IN_BAND_RESIZE = 2048
PRESSED_AGAIN_SECONDS = 3.0
"""After so long a person presses a key again."""
DRAWING_SECONDS = 0.005
"""A pause of this length ends a frame."""
_STYLE = re.compile(rb"\x1b\[[\d;]*m")
_KEYBOARD = re.compile(rb"\x1b\[<u")
"""A sequence that the emulation would print instead of executing."""


class Terminal:
    """A program on a pseudo terminal, as a context manager. At the end the program is killed and reaped.

    It answers all queries to terminals, and at the end of each test it checks the output for forbidden sequences
    (`tests.terminal.tap`).
    """

    def __init__(
        self,
        *arguments: str,
        environment: Mapping[str, str],
        size: tuple[int, int] = (120, 40),
        modern: bool = False,
        coloured: bool = False,
        errors: Path | None = None,
        fresh: bool = False,
    ) -> None:
        """Start `console` with these arguments; `errors` is a file for standard error.

        A `modern` terminal reports its size in band, upon which programs use more features. Colours are parsed only by
        a `coloured` one: they are most of the output. A `fresh` program imports everything itself, for tests of its
        start.
        """
        self._modern = modern
        self._coloured = coloured
        self._glass = Glass(*size)
        self._stream = pyte.ByteStream(self._glass)
        self._changed = threading.Condition()
        self._text: str | None = None
        self._reading = threading.Event()
        self._reading.set()
        self.written = bytearray()
        """All output of the program."""
        self.lawful = re.compile(rb"(?!)")
        """Sequences that this program may write too."""
        self._master, slave = pty.openpty()
        self._window(size)
        self.attributes_before = termios.tcgetattr(self._master)
        kept = os.open(errors, os.O_WRONLY | os.O_CREAT) if errors else slave
        try:
            begin = processes.start_fresh if fresh else processes.start
            self.process = begin(arguments, environment, (slave, slave, kept))
        finally:
            for each in {slave, kept}:
                os.close(each)
        self._reader = threading.Thread(target=self._read, name=f"terminal {self.process.pid}", daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
        if error is None:
            strange = [each for each in unlawful(bytes(self.written)) if not self.lawful.fullmatch(each)]
            assert not strange, f"written to the terminal, though it may not be: {strange}"

    # -- input -------------------------------------------------------------------------------------------------

    def press(self, *keys: str) -> None:
        """Press keys one after the other."""
        self.type("".join(KEYS.get(key, key) for key in keys))

    def type(self, text: str) -> None:
        """Type a text."""
        os.write(self._master, text.encode())

    @property
    def unread(self) -> int:
        """The number of typed bytes that the program has not read yet."""
        line = os.open(f"/proc/{self.process.pid}/fd/0", os.O_RDONLY | os.O_NOCTTY)
        try:
            return struct.unpack("i", fcntl.ioctl(line, termios.FIONREAD, b"\0\0\0\0"))[0]
        finally:
            os.close(line)

    def answer(self, key: str, words: str) -> None:
        """Answer the dialog with these words. It ignores keys at first, so the key may have to be repeated."""
        self.until_hears(words)
        for _ in range(5):
            self.press(key)
            try:
                self.until_gone(words, 2.0)
            except AssertionError:
                continue
            return
        raise AssertionError(f"the dialog takes no {key}; the screen says:\n{self.screen}")

    def resize(self, width: int, height: int) -> None:
        """Resize the window."""
        with self._changed:
            self._text = None
            self._glass.resize(height, width)
        self._window((width, height))

    @contextmanager
    def not_read(self) -> Generator[None]:
        """Stop reading the output within the block, as if the terminal hung."""
        self._reading.clear()
        try:
            yield
        finally:
            self._reading.set()

    def hang_up(self) -> None:
        """Close the window, or lose the line."""
        master, self._master = self._master, -1
        os.close(master)

    # -- output ------------------------------------------------------------------------------------------------

    @property
    def screen(self) -> str:
        """The text on the screen by lines; a wrapped line is one line."""
        with self._changed:
            if self._text is None:
                self._text = self._glass.text
            return self._text

    def shows(self, words: str) -> bool:
        """Return whether the screen shows these words, in one line or wrapped."""
        return words in (text := self.screen) or words in " ".join(text.split())

    @property
    def row(self) -> str:
        """The row of a list under the cursor, empty if there is none."""
        return next((line for line in self.screen.splitlines() if line.startswith("►")), "")

    def colour(self, words: str) -> str:
        """Return the colour of the first of these words; the terminal must be `coloured`."""
        with self._changed:
            for number, line in enumerate(self._glass.display):
                at = line.find(words)
                if at >= 0:
                    return self._glass.buffer[number][at].fg
        raise AssertionError(f"{words!r} is not there; the screen says:\n{self.screen}")

    def until(self, wanted: str | re.Pattern[str] | Callable[[], T], seconds: float = PATIENCE) -> T | bool:
        """Wait until the screen shows these words or the condition is true. Fail with the text of the screen."""
        end = time.monotonic() + seconds
        while True:
            found = self._found(wanted)
            if found:
                return found
            if time.monotonic() > end:
                what = "what was waited for" if callable(wanted) else repr(wanted)
                raise AssertionError(f"{what} is not there after {seconds} s; the screen says:\n{self.screen}")
            with self._changed:
                self._changed.wait(0.02)

    def _found(self, wanted: str | re.Pattern[str] | Callable[[], T]) -> T | bool:
        if isinstance(wanted, str):
            return self.shows(wanted)
        return bool(wanted.search(self.screen)) if isinstance(wanted, re.Pattern) else wanted()

    def until_hears(self, words: str) -> None:
        """Wait until the screen shows these words of a dialog, and until the dialog should accept keys."""
        self.until(words)
        there = time.monotonic()
        self.until(lambda: time.monotonic() - there > DEAF_SECONDS)

    def until_gone(self, words: str, seconds: float = PATIENCE) -> None:
        """Wait until the screen no longer shows these words."""
        self.until(lambda: not self.shows(words), seconds)

    @property
    def leftovers(self) -> list[str]:
        """Changes of the terminal that the program has not reverted: modes, attributes, keyboard protocol."""
        with self._changed:
            found = {mode >> 5 if mode >= 32 else mode for mode in self._glass.mode}
            usual = {mode >> 5 for mode in (modes.DECAWM, modes.DECTCEM)}
            left = [f"mode {mode} is on" for mode in sorted(found - usual)]
            left += [f"mode {mode} is off" for mode in sorted(usual - found)]
            if self.written.count(b"\x1b[>") != self.written.count(b"\x1b[<u"):
                left.append("the keyboard protocol is another one")
        if termios.tcgetattr(self._master) != self.attributes_before:
            left.append("the attributes of the line are others")
        return left

    # -- the program -------------------------------------------------------------------------------------------

    def signal(self, number: signal.Signals) -> None:
        """Send the program a signal."""
        self.process.send_signal(number)

    def ended(self, seconds: float = PATIENCE) -> int:
        """Wait until the program has ended and all output is read; return the exit code, negative for a signal."""
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"has not ended after {seconds} s; the screen says:\n{self.screen}") from None
        if self._reading.is_set():
            self._reader.join(seconds)
        return code

    def interrupted(self) -> int:
        """Press ctrl+c at a prompt until the program ends; return the exit code.

        `input` loses an interrupt that arrives between its prompt and the read, so a person would press it again.
        """
        pressed = time.monotonic()
        self.press("ctrl+c")

        def has_ended() -> bool:
            nonlocal pressed
            if time.monotonic() - pressed > PRESSED_AGAIN_SECONDS:
                pressed = time.monotonic()
                self.press("ctrl+c")
            return self.process.poll() is not None

        self.until(has_ended)
        return self.ended()

    def close(self) -> None:
        """Kill the program and reap it."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self._reader.join(PATIENCE)
        if self._master >= 0:
            os.close(self._master)

    # -- the line ----------------------------------------------------------------------------------------------

    def _window(self, size: tuple[int, int]) -> None:
        width, height = size
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def _read(self) -> None:
        while self._reading.wait():
            data = self._picture()
            with self._changed:
                self.written += data
                self._text = None
                read = _KEYBOARD.sub(b"", data)
                self._stream.feed(read if self._coloured else _STYLE.sub(b"", read))
                self._changed.notify_all()
            if not data:
                return
            if self._modern and b"\x1b[?2048$p" in data:
                os.write(self._master, b"\x1b[?2048;2$y")
            said = answers(data)
            if said:
                os.write(self._master, said)

    def _picture(self) -> bytes:
        """Read output until there is a pause, since programs draw a frame at once."""
        data = bytearray()
        try:
            while not data or select.select([self._master], [], [], DRAWING_SECONDS)[0]:
                found = os.read(self._master, 65536)
                if not found:
                    break
                data += found
        except (OSError, ValueError):
            # A line whose other end is closed, or which this side has closed.
            pass
        return bytes(data)
