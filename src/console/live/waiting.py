"""Waiting for something to happen or for time to pass, whichever is first, on any clock."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from typing import TypeVar

from console.api.errors import ApiError
from console.clock import Clock

T = TypeVar("T")
log = logging.getLogger("console.live")


async def wait_or_sleep(event: asyncio.Event, clock: Clock, seconds: float | None) -> bool:
    """Return True as soon as `event` is set, False when so many seconds have passed; None waits for ever."""
    if event.is_set():
        return True
    if seconds is None:
        return await event.wait()
    if seconds <= 0:
        await asyncio.sleep(0)
        return event.is_set()
    happened = asyncio.ensure_future(event.wait())
    passed = asyncio.ensure_future(clock.sleep(seconds))
    try:
        await asyncio.wait({happened, passed}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        happened.cancel()
        passed.cancel()
    return event.is_set()


async def at_most(work: Awaitable[T], seconds: float) -> T | None:
    """Wait so long and no longer; None when it was not done by then, or failed."""
    try:
        return await asyncio.wait_for(work, seconds)
    except (TimeoutError, ApiError):
        log.info("some tasks did not finish in time")
        return None
