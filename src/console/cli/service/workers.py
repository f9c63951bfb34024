"""Several nodes on one machine (`console serve --workers`): child processes that accept from one socket."""

from __future__ import annotations

import logging
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from socket import socket
from types import FrameType

from console.base.signal_pipe import SignalPipe
from console.cli.exits import Exit
from console.service.serve import base_url, listen

CHECK_SECONDS = 0.2
"""Interval in which ended workers are noticed."""
FIRST_PAUSE = 1.0
"""Pause before the restart of a worker, doubled each time it ends again soon."""
LONGEST_PAUSE = 30.0
STEADY_SECONDS = 60.0
"""A worker that ran this long is restarted after the first pause."""
END_SECONDS = 10.0
"""Longest wait for workers to end; a node drains within five seconds."""

log = logging.getLogger(__name__)


class NodeProcess:
    """A node in a child process, started again when it ends.

    The child ends when a pipe from this process closes, so even if this process is killed. It has its own process
    group, so that a key in the terminal stops it only through this process.
    """

    def __init__(self, number: int, command: Sequence[str], listener: int) -> None:
        """Prepare. `listener` is the descriptor of the socket, which the command names too."""
        self.ready = False
        """Whether the current process has announced that it serves."""
        self._number, self._command, self._listener = number, command, listener
        self._process: subprocess.Popen[str] | None = None
        self._began = 0.0
        self._pause = 0.0
        self._next_start = 0.0

    def check(self) -> int | None:
        """Start the process if it is due, note whether it serves, and return its exit code if it has just ended."""
        now = time.monotonic()
        process = self._process
        if process is None:
            if now >= self._next_start:
                self._start()
            return None
        assert process.stdout is not None
        if not self.ready and select.select([process.stdout], [], [], 0)[0]:
            self.ready = bool(process.stdout.readline())
        code = process.poll()
        if code is not None:
            self._close()
            is_steady = now - self._began > STEADY_SECONDS
            self._pause = FIRST_PAUSE if is_steady else min(max(FIRST_PAUSE, 2 * self._pause), LONGEST_PAUSE)
            self._next_start = now + self._pause
        return code

    def _start(self) -> None:
        self._began = time.monotonic()
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            pass_fds=(self._listener,),
            start_new_session=True,
        )

    def report(self, code: int) -> None:
        """Log how the process ended, and when another one starts."""
        reason = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
        log.warning("worker %s %s; starting it again in %g s", self._number, reason, self._pause)

    def stop(self) -> None:
        """Tell the process to drain and end."""
        if self._process is not None:
            self._process.terminate()
            assert self._process.stdin is not None
            # A process that is just being imported may ignore the signal.
            self._process.stdin.close()

    def wait(self, until: float) -> None:
        """Wait until the process has ended, and kill it at a time of `time.monotonic`."""
        if self._process is None:
            return
        try:
            self._process.wait(max(0.0, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            log.warning("worker %s did not end within %g s and is killed", self._number, END_SECONDS)
            self._process.kill()
            self._process.wait()
        self._close()

    def _close(self) -> None:
        process, self._process, self.ready = self._process, None, False
        for pipe in (process.stdin, process.stdout) if process else ():
            if pipe is not None:
                pipe.close()


def run_workers(count: int, arguments: Sequence[str], host: str, port: int, announce: Callable[[str], None]) -> int:
    """Serve with several processes until interrupted or terminated, and return the exit code.

    `arguments` of `console` start one of them. The first worker prepares the database alone; `announce` is
    called with the base URL when it serves. If it ends before, so does this function. Raise ServeFault if the address
    is not available.
    """
    with listen(host, port) as listener, _stopping() as stopping:
        listener.set_inheritable(True)
        workers = [_worker(number + 1, arguments, listener) for number in range(count)]
        running = workers[:1]
        try:
            while not stopping.wait(CHECK_SECONDS):
                for worker in running:
                    code = worker.check()
                    if code is not None and len(running) < count:
                        return code or Exit.FAILED
                    if code is not None:
                        worker.report(code)
                if len(running) < count and running[0].ready:
                    running = workers
                    announce(base_url(listener))
        finally:
            for worker in running:
                worker.stop()
            until = time.monotonic() + END_SECONDS
            for worker in running:
                worker.wait(until)
    return Exit.OK


def _worker(number: int, arguments: Sequence[str], listener: socket) -> NodeProcess:
    # -P: a file of the current folder, such as a downloaded secrets.py, must not replace a module.
    command = [sys.executable, "-P", "-m", "console", *arguments]
    # Of an option that is given twice, the last one counts.
    command += ["--workers", "1", "--listener", str(listener.fileno()), "--until-stdin-closes"]
    return NodeProcess(number, command, listener.fileno())


@contextmanager
def _stopping() -> Generator[SignalPipe]:
    """Yield a pipe that is notified of signals that end the process."""
    pipe = SignalPipe()

    def notify(number: int, frame: FrameType | None) -> None:
        pipe.notify()

    signals = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
    before = [signal.signal(number, notify) for number in signals]
    try:
        yield pipe
    finally:
        for number, handler in zip(signals, before, strict=True):
            signal.signal(number, handler)
