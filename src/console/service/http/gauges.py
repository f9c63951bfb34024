"""Figures of the present state of a node: channels, duty, outbox, connections to the database."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import sqlalchemy as sa

from console.service.events.hub import Hub
from console.service.platform import Platform
from console.service.store.faults import StorageFault
from console.service.store.outbox import outbox

Gauges = dict[str, tuple[str, float]]
"""Description and value by name."""


async def gauges(platform: Platform, hub: Hub) -> Gauges:
    """Return the figures; without those of the outbox if the database does not answer."""
    database = platform.database
    values: Gauges = {
        "service_event_channels": ("Open event channels of this node.", hub.channels),
        "service_on_duty": ("Whether this node runs background work.", database.has_duty),
        "service_outbox_offset": ("Offset of the last event that this node has sent.", database.head),
        "service_tail_current": ("Whether events of other nodes are known.", database.is_current),
    }
    if (pool := database.pool) is not None:
        values |= {
            "service_pool_size": ("Most connections of this node to the database.", pool.size),
            "service_pool_used": ("Connections that a transaction uses now.", pool.used),
            "service_pool_waiting": ("Transactions that wait for a thread now.", pool.waiting),
            "service_pool_wait_seconds_total": ("Time that transactions have waited for a thread.", pool.waited),
            "service_writer_wait_seconds_total": (
                "Time that transactions have waited for their turn to write, among all nodes.",
                pool.writer_waited,
            ),
        }
    try:
        values |= await database.run(partial(_outbox, platform))
    except StorageFault:
        values["service_database_up"] = ("Whether the database answers.", False)
    return values


def _outbox(platform: Platform) -> Gauges:
    """Return the figures that need the database. Raise StorageFault."""
    sent = platform.database.head
    moments = sa.select(outbox.c.offset, outbox.c.at).order_by(outbox.c.offset).limit(1)
    with platform.read() as tx:
        first = tx.rows(moments)
        unsent = tx.rows(moments.where(outbox.c.offset > sent))
        # Offsets have no gaps, so the rows need not be counted.
        rows = tx.head + 1 - first[0].offset if first else 0
        lag = max(0, tx.head - sent)
    now = platform.now_ms()

    def age(events: Sequence[sa.Row[Any]]) -> float:
        return max(0, now - events[0].at) / 1000 if events else 0.0

    return {
        "service_database_up": ("Whether the database answers.", True),
        "service_outbox_rows": ("Events in the outbox.", rows),
        "service_outbox_oldest_seconds": ("Age of the oldest event in the outbox.", age(first)),
        "service_tail_lag_events": ("Events of the database that this node has not sent yet.", lag),
        "service_tail_lag_seconds": ("Age of the oldest event that this node has not sent yet.", age(unsent)),
    }
