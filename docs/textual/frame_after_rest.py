"""The frame after the first one waits for one to two periods."""

import os

os.environ["TEXTUAL_FPS"] = "5"

import asyncio
import time

from textual.app import App
from textual.widgets import Static

PERIOD = 0.2
ROUNDS = 5


class Painted(Static):
    """Sets an event when it is painted."""

    def __init__(self) -> None:
        super().__init__()
        self.painted = asyncio.Event()

    def render(self) -> str:
        """Return the text."""
        self.painted.set()
        return str(time.monotonic())

    async def seconds_to_frame(self) -> float:
        """Change the widget, and return how long its frame takes."""
        self.painted.clear()
        began = time.monotonic()
        self.refresh()
        await self.painted.wait()
        return time.monotonic() - began


async def main() -> None:
    """Print whether the second frame after a rest can take longer than a period."""
    app, widget = App[None](), Painted()
    late = False
    async with app.run_test() as pilot:
        await app.mount(widget)
        for _ in range(ROUNDS):
            await asyncio.sleep(2.5 * PERIOD)
            await widget.seconds_to_frame()
            late |= await widget.seconds_to_frame() > PERIOD
            await pilot.pause()
    print(f"a frame comes later than one period: {late}")


asyncio.run(main())
