"""Facts about queues: breach of the waiting time, and calls served in time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple, cast

from console.kinds.calls import WAIT
from console.kinds.calls.facts import waits_exact
from console.records.extent import Extent
from console.views import wording
from console.views.quoting import quoted
from console.views.thresholds import level

if TYPE_CHECKING:
    from console.records.queues import Queue
    from console.views.render_context import RenderContext


NO_QUEUE = "no target"
"""The queue of calls that tell neither a target nor a skill."""
MINUTES = 15
"""The minutes of `outcomes`."""


class Outcomes(NamedTuple):
    """Numbers of the calls that left all queues in the last minutes."""

    served: int
    in_time: int
    abandoned: int
    abandoned_today: int
    since_ms: float
    """When this console began to count."""

    @property
    def ended(self) -> int:
        """Number of calls that were served or abandoned."""
        return self.served + self.abandoned

    @property
    def percent(self) -> float | None:
        """Calls served in time in percent of those that ended; None if there were none."""
        return share_in_time(self.served, self.in_time, self.abandoned)


def outcomes(render: RenderContext) -> Outcomes | None:
    """Return how the calls of all queues ended in the last minutes; None while that is not known."""
    if render.extent("calls") is Extent.UNKNOWN:
        return None
    queues = [
        queue for queue in cast("Iterable[Queue]", render.lookup("queues").values()) if queue.served_15 is not None
    ]
    since = min((at for queue in queues if (at := wording.at(queue.since_at)) is not None), default=None)
    if since is None:
        return None
    return Outcomes(
        sum(queue.served_15 or 0 for queue in queues),
        sum(queue.in_time_15 or 0 for queue in queues),
        sum(queue.abandoned_15 or 0 for queue in queues),
        sum(queue.abandoned_today or 0 for queue in queues),
        since,
    )


def breach_ms(render: RenderContext) -> float:
    """Return the wait in ms after which a call is not served in time: the critical threshold of `calls.wait`."""
    return level(WAIT, render).bad


def until_breach(queue: Queue, render: RenderContext) -> float | None:
    """Return the ms until the longest wait breaches, negative after that; None if nobody waits."""
    since = wording.at(queue.longest_at)
    return None if since is None else since + breach_ms(render) - render.now_ms


def share_in_time(served: int | None, in_time: int | None, abandoned: int | None) -> float | None:
    """Return the calls served in time in percent of those that were served or abandoned; None if there were none."""
    ended = (served or 0) + (abandoned or 0)
    return 100 * (in_time or 0) / ended if ended else None


def waiting_of(queue: Queue, render: RenderContext) -> int | None:
    """Return the number of calls known to wait in a queue; None for none, if it is not known of all calls."""
    return queue.waiting or (queue.waiting if waits_exact(render) else None)


def staffed(queue: Queue) -> bool | None:
    """Return whether an agent is free; None if the agents are unknown."""
    return None if queue.free is None else queue.free > 0


def calls_filter(queue: Queue) -> str:
    """Return the filter of the calls that wait in a queue."""
    if queue.queue == NO_QUEUE:
        return "waiting:yes"
    return f"waiting:yes queue-name={quoted(queue.queue)}"


def agents_filter(queue: Queue) -> str:
    """Return the filter of the agents who serve a queue; empty if they are unknown."""
    return f"skills:{quoted(queue.skill)}" if queue.skill else ""
