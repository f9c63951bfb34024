"""The terminal that the console draws on, left as it was found whatever happened in between."""

from __future__ import annotations

from textual.drivers.linux_driver import LinuxDriver


class TerminalDriver(LinuxDriver):
    """Textual's driver for terminals, with what it forgets."""

    _drawing = False

    def start_application_mode(self) -> None:
        """Take the terminal. After a stop that nobody could foresee it is handed back first, then taken anew."""
        if self._drawing:
            self.suspend_application_mode()
        super().start_application_mode()
        self._drawing = True

    def stop_application_mode(self) -> None:
        """Hand the terminal back, with a mouse that is told in cells: in pixels the next program would misread it."""
        self._drawing = False
        self.write("\x1b[?1016l")
        super().stop_application_mode()
