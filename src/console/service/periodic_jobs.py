"""Periodic jobs of the service: end expired records, delete old ones.

  @every(1.0)
  def expire_alerts(platform: Platform) -> None: ...

A job decides by the platform's clock; its interval is real time. A job that returns true has unfinished work, and runs
again sooner. A job that fails is logged, and runs again at the next interval.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial

from console.base.frozen import Frozen
from console.service.domain import phones, sessions
from console.service.http import idempotency
from console.service.http.throttle import forget_attempts
from console.service.platform import TRIES_SECONDS, Platform

log = logging.getLogger(__name__)

Job = Callable[[Platform], bool | None]


class _Repeated(Frozen):
    job: Job
    seconds: float
    again: float


JOBS: list[_Repeated] = []
"""All jobs; declared here, or in modules that `load_handlers` imports."""


def every(seconds: float, *, again: float | None = None) -> Callable[[Job], Job]:
    """Run the decorated function at an interval of real time, and after `again` seconds if it returns true."""

    def register(job: Job) -> Job:
        JOBS.append(_Repeated(job, seconds, seconds if again is None else again))
        return job

    return register


async def keep_running(platform: Platform) -> None:
    """Run the jobs until cancelled."""
    async with asyncio.TaskGroup() as group:
        for job in JOBS:
            group.create_task(_repeat(job, platform))


async def _repeat(repeated: _Repeated, platform: Platform) -> None:
    while True:
        more = False
        try:
            more = await platform.database.run(partial(repeated.job, platform), writing=True)
        except Exception:  # A failing job must not end the others.
            log.exception("%s failed", repeated.job.__name__)
        await asyncio.sleep(repeated.again if more else repeated.seconds)


@every(2.0)
def end_expired_sessions(platform: Platform) -> None:
    """End expired sessions."""
    sessions.end_expired(platform)


@every(300.0)
def forget_old(platform: Platform) -> None:
    """Delete old sessions, expired tokens, stored answers, and events that are too old to resume from."""
    sessions.forget_old(platform)
    with platform.write() as tx:
        idempotency.forget_old(tx)
        phones.forget_expired(tx)
        forget_attempts(tx, TRIES_SECONDS)
    platform.database.trim(platform.settings.keep_events)
