"""What the service does by itself as time passes: ends what has expired, forgets what is old.

    @every(1.0)
    def expire_alerts(platform: Platform) -> None: ...

A job looks at the platform's clock for what is due; how often it runs is real time. A job that returns true has
left something undone, and is run again sooner. A job that fails is logged and tried again the next time.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from console.frozen import Frozen
from console.service import idempotency
from console.service.domain import phones, sessions
from console.service.platform import Platform

log = logging.getLogger(__name__)

Job = Callable[[Platform], bool | None]


class _Repeated(Frozen):
    job: Job
    seconds: float
    again: float


JOBS: list[_Repeated] = []
"""All there are; declared in modules that `load_handlers` imports, or here."""


def every(seconds: float, *, again: float | None = None) -> Callable[[Job], Job]:
    """Have the decorated function run that often while the service runs, and after `again` seconds while it returns
    true: what is done step by step should not look twenty times a second for something to do."""

    def register(job: Job) -> Job:
        JOBS.append(_Repeated(job, seconds, seconds if again is None else again))
        return job

    return register


def run_jobs(platform: Platform) -> None:
    """Run every job once, now: what a test calls after it has moved the clock."""
    for each in JOBS:
        each.job(platform)


async def keep_running(platform: Platform) -> None:
    """Run the jobs until cancelled."""
    async with asyncio.TaskGroup() as group:
        for each in JOBS:
            group.create_task(_repeat(each, platform))


async def _repeat(repeated: _Repeated, platform: Platform) -> None:
    while True:
        more = False
        try:
            more = repeated.job(platform)
        except Exception:
            log.exception("%s failed", repeated.job.__name__)
        await asyncio.sleep(repeated.again if more else repeated.seconds)


@every(2.0)
def end_expired_sessions(platform: Platform) -> None:
    """End the sessions whose time is up."""
    sessions.end_expired(platform)


@every(300.0)
def forget_old(platform: Platform) -> None:
    """Drop old sessions, dead tokens, kept answers and events that nobody resumes from any more."""
    sessions.forget_old(platform)
    with platform.write() as tx:
        idempotency.forget_old(tx)
        phones.forget_expired(tx)
    platform.database.trim(platform.settings.keep_events)
