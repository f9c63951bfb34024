"""The process that consoles of tests are forked from: `tests.terminal.processes` starts it with a socket for orders."""

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
from types import FrameType
from typing import Any

from tests.terminal.processes import NUMBER

IMPORTED = ("console.cli.opening", "console.cli.faults", "console.app", "console.live.engine", "console.client.client")
FRAMES = "30"
"""How many frames a second are drawn: what scripted keys change between two of them nobody would see.

The program asks for many more, so that keys are fast. To draw all of those is a quarter of what tests compute.
"""
_LONGEST = 1 << 17


def _serve(orders: socket.socket) -> None:
    """Fork a console for every order, until nobody is left to give one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, _reap)
    while True:
        order, files, *_ = socket.recv_fds(orders, _LONGEST, 3)
        if not order:
            return
        if not os.fork():
            orders.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            _watch(json.loads(order), *files)
            return
        for each in files:
            os.close(each)


def _reap(_signal: int, _frame: FrameType | None) -> None:
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _watch(order: dict[str, Any], terminal: int, errors: int, report: int) -> None:
    """Start a console, say which process it is, and say how it ended."""
    console = os.fork()
    if not console:
        os.close(report)
        _become(order, terminal, errors)
    os.close(terminal)
    os.close(errors)
    os.write(report, NUMBER.pack(console))
    os.write(report, NUMBER.pack(os.waitpid(console, 0)[1]))
    os._exit(0)


def _become(order: dict[str, Any], terminal: int, errors: int) -> None:
    """Be the program on a terminal, as if it had just been started there."""
    os.setsid()
    for number, file in enumerate((terminal, terminal, errors)):
        os.dup2(file, number)
    os.close(terminal)
    if errors != terminal:
        os.close(errors)
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    for number in (signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.clear()
    os.environ.update(order["environment"])
    time.tzset()
    sys.stdin = sys.__stdin__ = os.fdopen(0, closefd=False)
    sys.stdout = sys.__stdout__ = os.fdopen(1, "w", buffering=1, closefd=False)
    sys.stderr = sys.__stderr__ = os.fdopen(2, "w", buffering=1, closefd=False, errors="backslashreplace")
    from console.cli.program import main

    main(order["arguments"])


def _import_all() -> None:
    # The framework reads it once, when it is imported.
    os.environ["TEXTUAL_FPS"] = FRAMES
    for name in IMPORTED:
        importlib.import_module(name)
    from console.screens import later

    later.fetch()
    gc.collect()
    gc.freeze()


if __name__ == "__main__":
    _import_all()
    _serve(socket.socket(fileno=int(sys.argv[1])))
