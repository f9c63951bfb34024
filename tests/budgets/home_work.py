"""Counts the work of a console that shows Home.

    python -m tests.budgets.home_work ANSWERS

It has a process of its own: a second more before the events of `console_work` would change the figures there.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tests.budgets.console_work import ConsoleWork
from tests.budgets.figure import write


class HomeWork(ConsoleWork):
    """The scenario. It ends without leaving Home."""

    async def play(self) -> None:
        """Count the work of a second, once nothing is left to do."""
        await self.stage.until(self.stage.is_live)
        for _ in range(2):
            await self.settle()
        await self.quiet_second("Home")
        write(self.figures)
        # Its threads are not made to end.
        os._exit(0)


if __name__ == "__main__":
    HomeWork(Path(sys.argv[1])).run()
