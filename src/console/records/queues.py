"""Queues of waiting calls, computed by the console from calls, agents and skills."""

from __future__ import annotations

from typing import ClassVar

from console.records.record import Record


class Queue(Record):
    """The calls that wait at one target or for one skill. Times in ms since the epoch.

    Numbers of served and abandoned calls are those that this console saw: in the last 15 and 60 minutes, and today.
    They are None before it saw anything.
    """

    key_field: ClassVar[str] = "queue"

    queue: str = ""
    """The target of its calls, or the skill of calls without a target."""
    skill: str | None = None
    """The skill whose agents serve it."""
    group: str | None = None
    """The id of the group that serves it."""
    waiting: int | None = None
    longest_at: int | float | None = None
    """When the longest wait began, of those whose beginning is known."""
    untimed: int | None = None
    """Number of waiting calls that do not tell when they began to wait."""
    longest: str | None = None
    """The id of the call that waits longest."""
    caller: str | None = None
    """The address of its caller."""
    served_15: int | None = None
    served_60: int | None = None
    served_today: int | None = None
    in_time_15: int | None = None
    """Number of calls served before the critical threshold of `calls.wait`."""
    in_time_60: int | None = None
    in_time_today: int | None = None
    abandoned_15: int | None = None
    """Number of calls that ended while they waited."""
    abandoned_60: int | None = None
    abandoned_today: int | None = None
    unmeasured_15: int | None = None
    """Number of calls served after an unknown time: whether in time is not known."""
    unmeasured_60: int | None = None
    unmeasured_today: int | None = None
    unknown_15: int | None = None
    """Number of calls that left while nothing was observed, or that the service lists no more."""
    unknown_60: int | None = None
    unknown_today: int | None = None
    free: int | None = None
    """Number of agents who can take a call; None if the agents are unknown, or for 0 beside some of unknown state."""
    busy: int | None = None
    away: int | None = None
    doubtful: int | None = None
    """Number of agents whose state is unknown."""
    trend: tuple[int | None, ...] = ()
    """Most calls that waited at once, in each five minutes of the last hour; None where nothing was observed."""
    since_at: int | float | None = None
    """When this console began to observe it."""
    unseen_ms: int | float | None = None
    """How long it could not be observed since then, today."""
