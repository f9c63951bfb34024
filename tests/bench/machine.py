"""Processor time and memory of a process, and the load of the machine, from the operating system."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
TICK = 1.0 / os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Spent:
    """Processor time of a process up to a moment, in seconds."""

    at: float
    process: float
    screen: float
    """The time of the main thread, which runs Textual."""

    def since(self, before: Spent) -> Spent:
        """Return the time spent between two moments; `at` is then the elapsed seconds."""
        return Spent(self.at - before.at, self.process - before.process, self.screen - before.screen)

    @property
    def share(self) -> float:
        """The share of one core, for a difference."""
        return self.process / self.at


NOTHING = Spent(0.0, 0.0, 0.0)


def spent(pid: int) -> Spent:
    """Return the processor time of a process so far."""
    fields = (PROC / str(pid) / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    screen = (PROC / str(pid) / "task" / str(pid) / "schedstat").read_text(encoding="utf-8").split()[0]
    return Spent(time.monotonic(), (int(fields[11]) + int(fields[12])) * TICK, int(screen) / 1e9)


def resident(pid: int) -> int:
    """Return the resident memory of a process, in bytes."""
    for line in (PROC / str(pid) / "status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise ProcessLookupError(pid)


def load() -> str:
    """Return the load of the machine during the last minute and its number of cores, as text."""
    return f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
