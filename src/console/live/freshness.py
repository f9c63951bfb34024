"""Freshness, computed on request, so that a blocked engine cannot appear live."""

from __future__ import annotations

from collections.abc import Sequence

from console.base.frozen import Frozen
from console.live.delta import Freshness, Health

LIVE_SECONDS = 6.0
"""Maximum age of a proof."""
DEAD_SECONDS = 9.0
"""A channel without proof for this time is closed."""


class ChannelFacts(Frozen):
    """State of the event channel. Times on the monotonic clock."""

    wanted: bool = False
    """Whether the profile has one, and it was not found to be missing."""
    open: bool = False
    proof: float = 0.0
    """When it was last proven that no event is missing."""
    since: float = 0.0
    """When it opened or closed."""
    reason: str = ""
    retry_at: float | None = None
    frames: int = 0
    """Frames of a channel of another protocol, and how many of them were not understood."""
    skipped: int = 0

    @property
    def words(self) -> str:
        """Why the channel is closed, or how many frames are not understood; empty if neither."""
        if self.reason or not self.skipped:
            return self.reason
        return f"{self.skipped} of {self.frames} frames on the event channel not understood"


class KindFacts(Frozen):
    """State of a kind's follower. Times on the monotonic clock."""

    proved: float | None = None
    """When the data was last proven: by the request of the last complete list, or by events after it."""
    joined: bool = False
    """Whether every event since that list has been applied."""
    interval: float = 2.0
    error: str = ""
    """Why the last list failed, or empty."""
    unreachable: bool = False
    refused: bool = False
    retry_at: float | None = None
    cut: str = ""
    """Message for a list that has more rows than are shown; empty if complete."""
    total: int | None = None
    """The total number of rows of such a list, if the service tells."""


def kind_health(kind: KindFacts, channel: ChannelFacts, now: float) -> Health:
    """Return the freshness of a kind at `now`, as if its list were complete."""
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
        return Health(Freshness.POLLING, age, channel.words)
    return Health(Freshness.STALE, age, channel.reason or "the next list is overdue")


def link_health(channel: ChannelFacts, contact: float | None, broken: Sequence[KindFacts], now: float) -> Health:
    """Return the state of the connection: the state of an open channel, otherwise of the lists.

    `contact` is the time of the service's last answer; `broken` are the kinds that cannot be listed. The next attempt
    is the earliest of all.
    """
    if channel.open:
        age = max(0.0, now - channel.proof)
        return Health(Freshness.LIVE if age < LIVE_SECONDS else Freshness.STALE, age)
    age = None if contact is None else max(0.0, now - contact)
    retries = [
        at for at in (channel.retry_at, *(kind_freshness.retry_at for kind_freshness in broken)) if at is not None
    ]
    retry = max(0.0, min(retries) - now) if retries else None
    answers_still = not broken and contact is not None and (not channel.wanted or contact >= channel.since)
    if answers_still:
        return Health(Freshness.POLLING, age, channel.words, retry)
    if broken:
        return Health(Freshness.OFFLINE, age, broken[0].error, retry)
    return Health(Freshness.OFFLINE if channel.reason else Freshness.LOADING, age, channel.reason, retry)
