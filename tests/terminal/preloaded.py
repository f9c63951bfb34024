"""The process from which programs of tests are forked. `tests.terminal.processes` starts it and sends requests."""

from __future__ import annotations

import fcntl
import gc
import importlib
import json
import os
import signal
import socket
import sys
import termios
import time
from contextlib import suppress
from functools import cache
from types import FrameType
from typing import Any

from tests.terminal.processes import NUMBER

CONSOLE = (
    "console.cli.opening",
    "console.cli.profiles.faults",
    "console.ui.runner",
    "console.live.engine",
    "console.client.client",
)
SERVICE = ("console.cli.service.serve",)
FRAMES = "30"
"""Frames per second: scripted keys need no intermediate frames.

The program uses many more for quick response. Painting all of those is a quarter of the processor time of the tests.
"""
_LONGEST = 1 << 17


def _serve(orders: socket.socket) -> None:
    """Fork a program for every request, until the socket is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, _reap)
    while True:
        message, files, *_ = socket.recv_fds(orders, _LONGEST, 4)
        if not message:
            return
        order = json.loads(message)
        _import(order["arguments"][:1] == ["serve"])
        if not os.fork():
            orders.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            *standard, report = files
            _watch(order, standard, report)
            return
        for each in files:
            os.close(each)


def _reap(_signal: int, _frame: FrameType | None) -> None:
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _watch(order: dict[str, Any], standard: list[int], report: int) -> None:
    """Start a program, report its process id, and report its exit code."""
    program = os.fork()
    if not program:
        os.close(report)
        _become(order, standard)
    for each in standard:
        os.close(each)
    os.write(report, NUMBER.pack(program))
    os.write(report, NUMBER.pack(os.waitpid(program, 0)[1]))
    os._exit(0)


def _become(order: dict[str, Any], standard: list[int]) -> None:
    """Become the program with these files for input, output and errors, as if it had just been started there."""
    os.setsid()
    for number, file in enumerate(standard):
        os.dup2(file, number)
    for each in standard:
        os.close(each)
    if os.isatty(0):
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    for number in (signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.clear()
    os.environ.update(order["environment"])
    time.tzset()
    sys.stdin = sys.__stdin__ = os.fdopen(0, closefd=False)
    sys.stdout = sys.__stdout__ = os.fdopen(1, "w", closefd=False)
    sys.stderr = sys.__stderr__ = os.fdopen(2, "w", buffering=1, closefd=False, errors="backslashreplace")
    from console.cli.program import main

    main(order["arguments"])


@cache
def _import(serves: bool) -> None:
    """Import the modules of the service or of a console."""
    for name in SERVICE if serves else CONSOLE:
        importlib.import_module(name)
    if not serves:
        from console.ui.screens import preload

        preload.load()
    gc.collect()
    gc.freeze()


if __name__ == "__main__":
    # Textual reads it once, when it is imported.
    os.environ["TEXTUAL_FPS"] = FRAMES
    _serve(socket.socket(fileno=int(sys.argv[1])))
