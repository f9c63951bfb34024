"""A one-shot timer that is late is never called."""

import asyncio

from textual.app import App


async def main() -> None:
    """Print how many of ten timers of a nanosecond, which are always late, are called."""
    app, called = App[None](), list[int]()
    async with app.run_test() as pilot:
        for number in range(10):
            app.set_timer(1e-9, lambda number=number: called.append(number))
        await pilot.pause(0.5)
    print(f"called: {len(called)} of 10")


asyncio.run(main())
