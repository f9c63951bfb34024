"""Status summary of the service in numbers (contract 2.20)."""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path

import sqlalchemy as sa

from console.records.traffic import CallCounts, MemoryUsage, StatusSummary
from console.service.domain.calls import CALLS, LIVE, call_dates
from console.service.domain.presence import PRESENCE
from console.service.events.visibility import Named
from console.service.platform import Platform
from console.service.store.documents import Documents
from console.service.store.transaction import Transaction

STATUS = Documents("status", StatusSummary, rule=Named())
"""The summary last announced; requests always compute a new one."""

_MINUTE_MS = 60_000


def summary(platform: Platform, tx: Transaction) -> StatusSummary:
    """Compute the summary. Times in seconds, memory in bytes; calls are counted by their start."""
    online = sa.select(PRESENCE.c.user).where(PRESENCE.c.online).order_by(PRESENCE.c.user)
    live = sa.select(CALLS.c.key).where(CALLS.c.state.in_(LIVE)).order_by(CALLS.c.date, CALLS.c.key)
    return StatusSummary(
        active_users=tuple(tx.run(online).scalars()),
        active_calls=tuple(tx.run(live).scalars()),
        calls=CallCounts(
            since_reboot=_begun_since(tx, platform.started_ms),
            last15=_begun_since(tx, tx.now - 15 * _MINUTE_MS),
            last30=_begun_since(tx, tx.now - 30 * _MINUTE_MS),
            last60=_begun_since(tx, tx.now - 60 * _MINUTE_MS),
            all=_begun_since(tx, 0),
        ),
        uptime=max(0, (platform.now_ms() - platform.started_ms) // 1000),
        memory_usage=memory_usage(),
    )


def announce(platform: Platform) -> None:
    """Send the current status to all subscribers."""
    with platform.write() as tx:
        STATUS.put(tx, summary(platform, tx))


def memory_usage() -> MemoryUsage:
    """Return the memory of this process in bytes: resident, heap reserved, heap resident.

    Without `/proc`, all three are the peak resident size.
    """
    try:
        pages = [int(part) for part in Path("/proc/self/statm").read_text(encoding="ascii").split()]
    except OSError:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        return MemoryUsage(rss=peak, heap_total=peak, heap_used=peak)
    size = os.sysconf("SC_PAGE_SIZE")
    _, resident, shared, _, _, data, _ = pages
    return MemoryUsage(rss=resident * size, heap_total=data * size, heap_used=max(0, resident - shared) * size)


def _begun_since(tx: Transaction, since: int) -> int:
    return int(tx.value(sa.select(sa.func.count()).where(call_dates.c.date >= since)))
