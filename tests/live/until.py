"""Waiting for a condition, never for a time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def until(condition: Callable[[], T], seconds: float = 10.0) -> T:
    """Return what the condition returns once it is true; fail after `seconds`."""
    end = time.monotonic() + seconds
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} s: {condition}")
        time.sleep(0.01)


async def settled(rounds: int = 50) -> None:
    """Let everything that can run without time passing run."""
    for _ in range(rounds):
        await asyncio.sleep(0)


async def until_async(condition: Callable[[], T], seconds: float = 10.0) -> T:
    """Return what the condition returns once it is true, letting the loop and other threads run meanwhile."""
    end = time.monotonic() + seconds
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} s: {condition}")
        await asyncio.sleep(0.001)
