"""A clock whose wall time can jump, as by a time server, an operator, or sleep."""

from __future__ import annotations

from console.base.clock import SystemClock


class UnsteadyClock(SystemClock):
    """The machine's clock with a wall time that can be moved."""

    def __init__(self) -> None:
        self._moved = 0

    def now_ms(self) -> int:
        """Return the moved wall time."""
        return super().now_ms() + self._moved

    def jump(self, milliseconds: int) -> None:
        """Move only the wall time. A machine that slept sees the same, because its monotonic clock stood still."""
        self._moved += milliseconds
