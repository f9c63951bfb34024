"""Wait for an event or a timeout, on any clock."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from typing import TypeVar

from console.api.errors import ApiError
from console.base.clock import Clock

T = TypeVar("T")
log = logging.getLogger("console.live")


async def wait_or_sleep(event: asyncio.Event, clock: Clock, seconds: float | None) -> bool:
    """Return True when `event` is set, False after this many seconds; None waits without limit."""
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
    """Wait with a timeout; return None if the work did not finish in time, or failed."""
    try:
        return await asyncio.wait_for(work, seconds)
    except (TimeoutError, ApiError):
        log.info("some tasks did not finish in time")
        return None
