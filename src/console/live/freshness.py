"""How fresh a kind is, worked out when somebody asks, so that a stuck engine can never look alive."""

from __future__ import annotations

from collections.abc import Sequence

from console.frozen import Frozen, replace
from console.live.delta import Freshness, Health

LIVE_SECONDS = 6.0
"""A proof older than this is none."""
DEAD_SECONDS = 9.0
"""A channel that has proved nothing for so long is dropped."""


class ChannelFacts(Frozen):
    """What the event channel knows. Times on the monotonic clock."""

    wanted: bool = False
    """Whether the profile has one, and it has not turned out to be missing."""
    open: bool = False
    proof: float = 0.0
    """When it was last proved that nothing sent to us is missing."""
    since: float = 0.0
    """When it opened or broke."""
    reason: str = ""
    retry_at: float | None = None


class KindFacts(Frozen):
    """What the follower of a kind knows. Times on the monotonic clock."""

    proved: float | None = None
    """When what is shown was last proved: when the last complete list was asked for, or by events after it."""
    joined: bool = False
    """Whether every event since that list has been applied."""
    interval: float = 2.0
    error: str = ""
    """Why the last list failed; empty when it did not."""
    unreachable: bool = False
    refused: bool = False
    retry_at: float | None = None
    cut: str = ""
    """What is said of a list that goes on behind what is shown; empty when all of it is."""


def kind_health(kind: KindFacts, channel: ChannelFacts, now: float) -> Health:
    """Say how far the rows of a kind can be believed at `now`."""
    health = _kind_health(kind, channel, now)
    return replace(health, cut=kind.cut) if kind.cut else health


def _kind_health(kind: KindFacts, channel: ChannelFacts, now: float) -> Health:
    age = None if kind.proved is None else max(0.0, now - kind.proved)
    retry = None if kind.retry_at is None else max(0.0, kind.retry_at - now)
    if kind.refused:
        return Health(Freshness.REFUSED, age, kind.error, retry)
    if age is None or kind.proved is None:
        state = Freshness.OFFLINE if kind.unreachable else Freshness.LOADING
        return Health(state, None, kind.error, retry)
    if kind.joined and channel.open:
        age = max(0.0, now - max(kind.proved, channel.proof))
        if now - channel.proof < LIVE_SECONDS:
            return Health(Freshness.LIVE, age)
        return Health(Freshness.STALE, age, "the event channel is silent")
    if kind.error:
        return Health(Freshness.OFFLINE if kind.unreachable else Freshness.STALE, age, kind.error, retry)
    if age <= 2 * kind.interval + LIVE_SECONDS:
        return Health(Freshness.POLLING, age, channel.reason)
    return Health(Freshness.STALE, age, channel.reason or "the next list is overdue")


def link_health(channel: ChannelFacts, contact: float | None, broken: Sequence[KindFacts], now: float) -> Health:
    """Say how the connection as a whole is: the channel where it is open, otherwise what listing met.

    `contact` is when the service last answered anything; `broken` are the kinds that cannot be listed right now. The
    next try is the earliest of all.
    """
    if channel.open:
        age = max(0.0, now - channel.proof)
        return Health(Freshness.LIVE if age < LIVE_SECONDS else Freshness.STALE, age)
    age = None if contact is None else max(0.0, now - contact)
    retries = [at for at in (channel.retry_at, *(each.retry_at for each in broken)) if at is not None]
    retry = max(0.0, min(retries) - now) if retries else None
    answers_still = not broken and contact is not None and (not channel.wanted or contact >= channel.since)
    if answers_still:
        return Health(Freshness.POLLING, age, channel.reason, retry)
    if broken:
        return Health(Freshness.OFFLINE, age, broken[0].error, retry)
    return Health(Freshness.OFFLINE if channel.reason else Freshness.LOADING, age, channel.reason, retry)
