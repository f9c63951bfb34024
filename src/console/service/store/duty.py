"""Background work of the service: periodic jobs, deliveries, the simulation.

Of the nodes of one database, the one that has the duty runs it. When its connection ends, another node has the duty
within seconds. Until the first one notices, its transactions that write are refused: each makes sure of the duty.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence

from console.service.platform import Platform

log = logging.getLogger(__name__)

Job = Callable[[Platform], Awaitable[None]]
"""A coroutine that runs until it is cancelled, such as the simulator."""

CHECK_SECONDS = 0.2
"""Interval in which a node of several checks whether it has the duty."""


async def run_on_duty(platform: Platform, jobs: Sequence[Job]) -> None:
    """Run the jobs while this node has the duty, until cancelled. After a failure, they are started again."""
    database = platform.database
    tasks: list[asyncio.Future[None]] = []
    try:
        while True:
            if tasks and (not database.has_duty or any(map(_has_failed, tasks))):
                await _stop(tasks)
                tasks = []
            elif not tasks and database.has_duty:
                with database.on_duty():
                    tasks = [asyncio.ensure_future(job(platform)) for job in jobs]
            if not database.is_remote:
                await asyncio.gather(*tasks, return_exceptions=True)
                return
            await asyncio.sleep(CHECK_SECONDS)
    finally:
        await _stop(tasks)


def _has_failed(task: asyncio.Future[None]) -> bool:
    return task.done() and not task.cancelled() and task.exception() is not None


async def _stop(tasks: Sequence[asyncio.Future[None]]) -> None:
    for task in tasks:
        task.cancel()
    for ended in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(ended, Exception):
            log.error("background work failed: %s", ended)
