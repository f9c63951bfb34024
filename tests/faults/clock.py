"""The machine's time with a wall clock that can be moved, as by a time server, an operator, or sleep."""

from __future__ import annotations

from console.clock import SystemClock


class UnsteadyClock(SystemClock):
    """Runs like the machine's clock; the wall clock jumps when it is told to."""

    def __init__(self) -> None:
        self._moved = 0

    def now_ms(self) -> int:
        """Return the moved wall clock."""
        return super().now_ms() + self._moved

    def jump(self, milliseconds: int) -> None:
        """Move the wall clock alone: a machine that slept sees the same, because its steady clock stood still."""
        self._moved += milliseconds
