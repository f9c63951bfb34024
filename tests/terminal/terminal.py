"""A terminal with a program in it, as a person has one: keys go in as bytes, what it draws is read from a screen."""

from __future__ import annotations

import fcntl
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from types import TracebackType
from typing import Any, Self, TypeVar

import pyte
from pyte import modes

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
    "ctrl+l": "\x0c",
    "ctrl+r": "\x12",
}
"""What a terminal sends for the keys that are no characters."""

ALTERNATE_SCREEN = 1049
IN_BAND_RESIZE = 2048
_TAKE_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
)
"""Runs in the child between its start and the program: makes the terminal the one that hangs up on it."""


class Glass(pyte.Screen):
    """A screen that keeps what stood on it while a program uses the alternate one."""

    def __init__(self, columns: int, lines: int) -> None:
        super().__init__(columns, lines)
        self._beneath: Any = None

    def set_mode(self, *modes: int, **kwargs: Any) -> None:
        """Take a mode; the alternate screen begins empty."""
        super().set_mode(*modes, **kwargs)
        if ALTERNATE_SCREEN in modes and self._beneath is None:
            self._beneath = deepcopy(self.buffer), self.cursor.x, self.cursor.y
            self.erase_in_display(2)

    def reset_mode(self, *modes: int, **kwargs: Any) -> None:
        """Leave a mode; leaving the alternate screen shows what stood there before."""
        super().reset_mode(*modes, **kwargs)
        if ALTERNATE_SCREEN in modes and self._beneath is not None:
            self.buffer, self.cursor.x, self.cursor.y = self._beneath
            self._beneath = None


class Terminal:
    """One program on a pseudo terminal of its own. Use it with `with`: at the end the program is gone and reaped."""

    def __init__(
        self,
        *arguments: str,
        environment: Mapping[str, str],
        size: tuple[int, int] = (120, 40),
        modern: bool = False,
    ) -> None:
        """Start `console` with these arguments.

        A `modern` terminal answers that it reports its size in band, upon which programs switch on more of it.
        """
        self._modern = modern
        self._glass = Glass(*size)
        self._stream = pyte.ByteStream(self._glass)
        self._changed = threading.Condition()
        self._reading = threading.Event()
        self._reading.set()
        self.written = bytearray()
        """Every byte that the program wrote."""
        self._master, slave = pty.openpty()
        self._window(size)
        self.attributes_before = termios.tcgetattr(self._master)
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _TAKE_TERMINAL, sys.executable, "-m", "console", *arguments],
                stdin=slave,
                stdout=slave,
                stderr=slave,
                env=dict(environment),
                start_new_session=True,
            )
        finally:
            os.close(slave)
        self._reader = threading.Thread(target=self._read, name=f"terminal {self.process.pid}", daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    # -- what a person does ------------------------------------------------------------------------------------

    def press(self, *keys: str) -> None:
        """Press keys one after the other."""
        self.type("".join(KEYS.get(key, key) for key in keys))

    def type(self, text: str) -> None:
        """Type a text."""
        os.write(self._master, text.encode())

    def resize(self, width: int, height: int) -> None:
        """Make the window larger or smaller."""
        with self._changed:
            self._glass.resize(height, width)
        self._window((width, height))

    @contextmanager
    def not_read(self) -> Generator[None]:
        """Be away, with a terminal that takes nothing more."""
        self._reading.clear()
        try:
            yield
        finally:
            self._reading.set()

    def hang_up(self) -> None:
        """Close the window, or lose the line."""
        master, self._master = self._master, -1
        os.close(master)

    # -- what a person sees ------------------------------------------------------------------------------------

    @property
    def screen(self) -> str:
        """What is on the screen, as lines of text."""
        with self._changed:
            return "\n".join(line.rstrip() for line in self._glass.display).rstrip()

    def line(self, words: str) -> str:
        """Return the first line on the screen that has these words in it, empty if there is none."""
        return next((line for line in self.screen.splitlines() if words in line), "")

    def until(self, wanted: str | Callable[[], T], seconds: float = 15.0) -> T | str:
        """Wait until the screen says these words, or the condition is true. Fails with what is on the screen."""
        end = time.monotonic() + seconds
        while True:
            found = (self.screen if wanted in self.screen else "") if isinstance(wanted, str) else wanted()
            if found:
                return found
            if time.monotonic() > end:
                what = repr(wanted) if isinstance(wanted, str) else "what was waited for"
                raise AssertionError(f"{what} is not there after {seconds} s; the screen says:\n{self.screen}")
            with self._changed:
                self._changed.wait(0.02)

    @property
    def leftovers(self) -> list[str]:
        """What is not as the program found it: modes of the terminal, its attributes, its keyboard protocol."""
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

    def ended(self, seconds: float = 10.0) -> int:
        """Wait for the end of the program and of all it writes, and return its exit code, negative for a signal."""
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"has not ended after {seconds} s; the screen says:\n{self.screen}") from None
        if self._reading.is_set():
            self._reader.join(seconds)
        return code

    def close(self) -> None:
        """End the program, whatever it does, and reap it."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self._reader.join(5)
        if self._master >= 0:
            os.close(self._master)

    # -- the line ----------------------------------------------------------------------------------------------

    def _window(self, size: tuple[int, int]) -> None:
        width, height = size
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def _read(self) -> None:
        while self._reading.wait():
            try:
                data = os.read(self._master, 65536)
            except OSError:
                # A line whose other end is closed by everybody.
                data = b""
            with self._changed:
                self.written += data
                self._stream.feed(data.replace(b"\x1b[<u", b""))
                self._changed.notify_all()
            if not data:
                return
            if self._modern and b"\x1b[?2048$p" in data:
                os.write(self._master, b"\x1b[?2048;2$y")
