"""A program on a pseudo terminal; all output is kept with the time at which it arrived.

Output is not interpreted during a measurement, only afterwards.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import threading
import time
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Self

SIZE = (160, 50)
_STYLE = re.compile(rb"\x1b\[[\d;]*m")


class Line:
    """A program on a terminal of 160 by 50 or another size, as a context manager.

    At the end the program is killed and reaped. `bytes_per_second` limits the speed of the line.
    """

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        bytes_per_second: int | None = None,
        *,
        size: tuple[int, int] = SIZE,
    ) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        self._slow = bytes_per_second
        self._ends: list[int] = []
        self._times: list[float] = []
        self._came = threading.Condition(threading.RLock())
        self._written = bytearray()
        self.started = time.monotonic()
        try:
            self.process = subprocess.Popen(
                command, stdin=slave, stdout=slave, stderr=slave, env=dict(environment), process_group=0
            )
        finally:
            os.close(slave)
        self._reader = threading.Thread(target=self._read, name=f"line {self.process.pid}", daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self._reader.join(5)
        os.close(self._master)

    @property
    def pid(self) -> int:
        """The process id of the program."""
        return self.process.pid

    def press(self, keys: str) -> float:
        """Press keys, given as the bytes that a terminal sends for them. Return the time."""
        at = time.monotonic()
        os.write(self._master, keys.encode())
        return at

    @property
    def length(self) -> int:
        """The number of bytes that the program has written."""
        return len(self._written)

    def text(self, since: int = 0) -> bytes:
        """Return the output since a position."""
        with self._came:
            return bytes(self._written[since:])

    def time_of(self, position: int) -> float:
        """Return the time at which the byte at a position arrived."""
        return self._times[bisect_right(self._ends, position)]

    def until(self, pattern: bytes, since: int = 0, seconds: float = 30.0) -> float:
        """Wait for a pattern in the output since a position, ignoring styles; return when it arrived."""
        wanted = re.compile(pattern)
        return self.until_true(lambda: wanted.search(_STYLE.sub(b"", self.text(since))), seconds, repr(pattern))

    def until_true(self, found: Callable[[], object], seconds: float, what: str) -> float:
        """Wait until a condition on the output holds; return when the output that fulfilled it arrived."""
        end = time.monotonic() + seconds
        with self._came:
            while not found():
                if time.monotonic() > end or self.process.poll() is not None:
                    tail = b" ".join(_STYLE.sub(b"", self.text(-9000)).split())
                    raise AssertionError(f"{what} did not come within {seconds} s; at last came: {tail[-400:]!r}")
                self._came.wait(0.1)
            return self._times[-1] if self._times else time.monotonic()

    def until_quiet(self, seconds: float = 0.3) -> None:
        """Wait until there is no output for `seconds`, at most four times as long."""
        end = time.monotonic() + 4 * seconds
        while time.monotonic() < end:
            before = len(self._written)
            time.sleep(seconds)
            if len(self._written) == before:
                return

    def _read(self) -> None:
        room = 4096 if self._slow else 65536
        while True:
            try:
                found = os.read(self._master, room)
            except OSError:
                return
            if not found:
                return
            with self._came:
                self._written += found
                self._ends.append(len(self._written))
                self._times.append(time.monotonic())
                self._came.notify_all()
            if self._slow:
                time.sleep(len(found) / self._slow)
