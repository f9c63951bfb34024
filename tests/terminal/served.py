"""The service as a separate process, which can be stopped, killed and restarted at the same address."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from console.service.serve import listen
from tests.patience import PATIENCE
from tests.terminal import processes
from tests.terminal.processes import Process


class Served:
    """`console serve` with one database file and one port, as a context manager that ends the process."""

    def __init__(
        self,
        database: Path,
        environment: Mapping[str, str],
        world: str = "busy",
        speed: int = 0,
        begin: Callable[..., Process] = processes.start_fresh,
    ) -> None:
        """Set the options. A fresh process is needed for measurements, a forked one is cheaper."""
        self._begin = begin
        self._environment = dict(environment)
        with listen("127.0.0.1", 0) as probe:
            self.port = int(probe.getsockname()[1])
        self._command = ["--db", str(database), "--port", str(self.port), "--world", world, "--speed", str(speed)]
        self.process: Process | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self.process is not None and self.process.poll() is None:
            self.stop(signal.SIGKILL)

    @property
    def core(self) -> str:
        """The base address of the core service."""
        return f"http://127.0.0.1:{self.port}/core"

    def start(self) -> None:
        """Start the service, and return once it answers."""
        reader, writer = os.pipe()
        with open(reader, encoding="utf-8") as said:
            with open(os.devnull) as nothing, open(writer, "w") as output:
                standard = (nothing.fileno(), output.fileno(), 2)
                self.process = self._begin(["serve", *self._command], self._environment, standard)
            assert said.readline().startswith("http://"), "the service has not started"

    def ensure(self) -> None:
        """Start the service unless it runs."""
        if self.process is None or self.process.poll() is not None:
            self.start()

    def stop(self, number: signal.Signals = signal.SIGTERM) -> None:
        """Send a signal, by default SIGTERM, and wait until the process has ended."""
        assert self.process is not None
        self.process.send_signal(number)
        self.process.wait(PATIENCE)
