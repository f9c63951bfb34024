"""The terminal driver, which restores the terminal in all cases.

Needs the driver for Linux with its application mode. Without it, Textual's own driver is used: a stop without notice
leaves the terminal as it was, and the mouse may report pixels afterwards.
"""

from __future__ import annotations

from textual.drivers.linux_driver import LinuxDriver

from console.ui.textual_compat.pieces import takes


def check() -> None:
    """Raise Gone if the driver has changed."""
    for name in ("start_application_mode", "stop_application_mode", "suspend_application_mode"):
        takes(LinuxDriver, name)
    takes(LinuxDriver, "write", "data")


class TerminalDriver(LinuxDriver):
    """Textual's driver, with additions."""

    _drawing = False

    def start_application_mode(self) -> None:
        """Take over the terminal. After an unexpected stop, restore it first."""
        if self._drawing:
            self.suspend_application_mode()
        super().start_application_mode()
        self._drawing = True

    def stop_application_mode(self) -> None:
        """Restore the terminal, with the mouse in cell coordinates: the next program would misread pixels."""
        self._drawing = False
        self.write("\x1b[?1016l")
        super().stop_application_mode()
