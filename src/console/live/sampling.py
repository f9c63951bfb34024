"""The numbers that are sampled for sparklines, while their lists are current."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, cast

from console.base.clock import Clock
from console.live import memory
from console.live.delta import CURRENT, Health
from console.live.follower import Follower
from console.live.history import History

if TYPE_CHECKING:
    from console.records.traffic import StatusSummary

SAMPLE_SECONDS = 2.0


async def keep_sampling(
    history: History, clock: Clock, followers: Mapping[str, Follower], health: Callable[[str], Health]
) -> None:
    """Add a sample of each current kind every two seconds, and return freed memory to the system."""
    while True:
        await clock.sleep(SAMPLE_SECONDS)
        memory.give_back()
        values: dict[str, float | None] = {}
        for kind, follower in followers.items():
            if health(kind).state in CURRENT:
                values.update(sampled(kind, follower.collection.snapshot()))
        history.add(values)


def status_values(status: StatusSummary) -> dict[str, float | None]:
    """Return the numbers of a status summary (contract 2.20) by the names of their series."""
    return {
        "active_users": status.users_now,
        "active_calls": status.calls_now,
        "calls_since_reboot": status.calls.since_reboot,
        "calls_last15": status.calls.last15,
        "calls_last30": status.calls.last30,
        "calls_last60": status.calls.last60,
        "calls_all": status.calls.all,
        "uptime": status.uptime,
        "memory_rss": status.memory_usage.rss,
        "memory_heap_total": status.memory_usage.heap_total,
        "memory_heap_used": status.memory_usage.heap_used,
    }


def sampled(kind: str, records: Mapping[str, object]) -> dict[str, float | None]:
    """Return the sampled numbers of a kind."""
    if kind != "status":
        return {rows_name(kind): float(len(records))}
    status = cast("StatusSummary | None", records.get(kind))
    return status_values(status) if status is not None else {}


def rows_name(kind: str) -> str:
    """Return the name of the series with a kind's number of rows: `rows.calls`."""
    return f"rows.{kind}"
