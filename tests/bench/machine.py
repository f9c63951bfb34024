"""What the operating system says of a process: time on a processor, memory, and how busy the machine is."""

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
    """That of the main thread, which is Textual's."""

    def since(self, before: Spent) -> Spent:
        """Return what was spent between two moments; `at` is then the seconds between them."""
        return Spent(self.at - before.at, self.process - before.process, self.screen - before.screen)

    @property
    def share(self) -> float:
        """The part of one core, when this is a difference."""
        return self.process / self.at


NOTHING = Spent(0.0, 0.0, 0.0)


def spent(pid: int) -> Spent:
    """Return the processor time that a process has had so far."""
    fields = (PROC / str(pid) / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    screen = (PROC / str(pid) / "task" / str(pid) / "schedstat").read_text(encoding="utf-8").split()[0]
    return Spent(time.monotonic(), (int(fields[11]) + int(fields[12])) * TICK, int(screen) / 1e9)


def resident(pid: int) -> int:
    """Return the bytes of memory that a process holds (RSS)."""
    for line in (PROC / str(pid) / "status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise ProcessLookupError(pid)


def load() -> str:
    """Say how busy the machine has been during the last minute, against its cores."""
    return f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
