"""Start `console`: as a fresh process, or forked from one that has already imported the program.

Importing takes three quarters of the processor time of a console from start to exit. A forked console is otherwise a
process of its own, with its own terminal, session, environment, signals and exit code.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import socket
import struct
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Protocol

from tests.patience import PATIENCE

NUMBER = struct.Struct("i")
FRESH = "FRESH_CONSOLES" in os.environ
"""Set if every console must start as a fresh process, as in `make test-elsewhere`."""
_TAKE_TERMINAL = """
import fcntl, os, signal, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
for number in (signal.SIGINT, signal.SIGQUIT):
    signal.signal(number, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
"""
"""Runs in the child before the program: makes the terminal the controlling one and restores its signals.

Tests that a shell runs in the background inherit that SIGINT and SIGQUIT are ignored, unlike programs in a person's
terminal.
"""


Standard = tuple[int, int, int]
"""File descriptors of standard input, output and errors."""


class Process(Protocol):
    """The part of `subprocess.Popen` that tests use."""

    pid: int

    def poll(self) -> int | None:
        """Return the exit code if the process has ended, negative for a signal."""
        ...

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the exit code. Raise subprocess.TimeoutExpired."""
        ...

    def send_signal(self, sig: int, /) -> None:
        """Send a signal, unless the process has ended."""
        ...


def start_fresh(arguments: Sequence[str], environment: Mapping[str, str], standard: Standard) -> Process:
    """Start `console` as a fresh process with these files for input, output and errors.

    A terminal as its input becomes its controlling terminal.
    """
    program = [sys.executable, "-m", "console", *arguments]
    reads, writes, tells = standard
    if os.isatty(reads):
        program = [sys.executable, "-I", "-S", "-c", _TAKE_TERMINAL, *program]
    return subprocess.Popen(
        program, stdin=reads, stdout=writes, stderr=tells, env=dict(environment), start_new_session=True
    )


def start(arguments: Sequence[str], environment: Mapping[str, str], standard: Standard) -> Process:
    """Start `console` in the same way, forked if possible."""
    if FRESH:
        return start_fresh(arguments, environment, standard)
    ours, theirs = os.pipe()
    order = json.dumps({"arguments": list(arguments), "environment": dict(environment)}).encode()
    socket.send_fds(_forker(), [order], [*standard, theirs])
    os.close(theirs)
    return _Forked(ours)


@cache
def _forker() -> socket.socket:
    """Start the process that forks. It ends with this one."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    root = Path(__file__).parents[2]
    with theirs:
        command = [sys.executable, "-m", "tests.terminal.preloaded", str(theirs.fileno())]
        process = subprocess.Popen(command, cwd=root, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)

    def end() -> None:
        ours.close()
        process.wait(PATIENCE)

    atexit.register(end)
    return ours


class _Forked:
    """A program that this process is not the parent of; its parent reports its exit code."""

    def __init__(self, report: int) -> None:
        self._report = report
        self._code: int | None = None
        self.pid = self._number()

    def poll(self) -> int | None:
        return self._code if self._ended(0) else None

    def wait(self, timeout: float | None = None) -> int:
        if not self._ended(timeout) or self._code is None:
            raise subprocess.TimeoutExpired("console", timeout or 0)
        return self._code

    def send_signal(self, sig: int, /) -> None:
        if self.poll() is None:
            os.kill(self.pid, sig)

    def _ended(self, seconds: float | None) -> bool:
        if self._code is None and select.select([self._report], [], [], seconds)[0]:
            self._code = os.waitstatus_to_exitcode(self._number())
            os.close(self._report)
        return self._code is not None

    def _number(self) -> int:
        return int(NUMBER.unpack(os.read(self._report, NUMBER.size))[0])
