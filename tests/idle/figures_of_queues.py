"""Queues that were observed since the morning, for pictures: an idle backend has seen only one list."""

from __future__ import annotations

from random import Random
from typing import cast

from console.records.queues import Queue
from tests.idle.backend import IdleBackend

SINCE_MS = 2 * 3_600_000 + 42 * 60_000


def observed(backend: IdleBackend) -> None:
    """Give the queues of a backend figures of the morning."""
    now = backend.world.clock.now_ms()
    queues = cast("list[Queue]", list(backend.records("queues").values()))
    backend.change("queues", *(_with_figures(each, now) for each in queues))


def _with_figures(queue: Queue, now: float) -> Queue:
    rng = Random(queue.queue)
    busy = rng.randrange(1, 9)
    figures: dict[str, int] = {}
    for span, minutes in (("15", 15), ("60", 60), ("today", 162)):
        served = busy * minutes // 6
        figures |= {
            f"served_{span}": served,
            f"in_time_{span}": served - rng.randrange(served // 3 + 1),
            f"abandoned_{span}": rng.randrange(served // 6 + 1),
        }
    trend = [rng.randrange(busy) for _ in range(11)]
    return queue.model_copy(
        update={**figures, "trend": (*trend, queue.waiting or 0), "since_at": now - SINCE_MS, "unseen_ms": 0}
    )
