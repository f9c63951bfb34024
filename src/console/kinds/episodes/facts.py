"""Facts about episodes: which go on, which are muted, which nobody has seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from console.base.text import of_number
from console.kinds.episodes.states import SEVERITIES
from console.kinds.notifications.facts import ALERT
from console.views import wording
from console.views.index import Derived
from console.views.quoting import quoted

if TYPE_CHECKING:
    from console.records.episodes import Episode
    from console.records.notifications import Notification
    from console.views.render_context import RenderContext


def over(episode: Episode) -> bool:
    """Return whether an episode has ended."""
    return wording.at(episode.ended_at) is not None


def muted(episode: Episode) -> bool:
    """Return whether an episode goes on, but is muted."""
    return episode.state == "muted"


def unseen(episode: Episode) -> bool:
    """Return whether nobody has seen an episode since it was renewed."""
    return (wording.at(episode.renewed_at) or 0) > (wording.at(episode.seen_at) or 0)


def since(episode: Episode) -> float | None:
    """Return when it began to wait, otherwise when the rule began to apply, in ms since the epoch."""
    at = wording.at(episode.since_at)
    return wording.at(episode.began_at) if at is None else at


def _place(episode: Episode) -> tuple[bool, int, tuple[bool, float], str]:
    rank = (episode.place or 0) if episode.mine else SEVERITIES.look(episode.severity).rank
    return not episode.mine, rank, wording.oldest_first(since(episode)), episode.id


def _current(render: RenderContext) -> tuple[Sequence[Episode], int]:
    known = cast("Mapping[str, Episode]", render.lookup("episodes"))
    going_on = [episode for episode in known.values() if not over(episode)]
    active = [episode for episode in going_on if not muted(episode)]
    return sorted(active, key=_place), len(going_on) - len(active)


_CURRENT = Derived("episodes", _current)


def target(episode: Episode, render: RenderContext) -> tuple[str, str, str]:
    """Return the list to open, and in it a record or a filter. Offered alerts are opened as alerts."""
    listed, keys, wanted = episode.list or "", episode.keys, episode.filter or ""
    offer = (
        cast("Notification | None", render.find("notifications", keys[0]))
        if listed == "notifications" and keys
        else None
    )
    if offer is not None and offer.kind == ALERT:
        listed, keys = "alerts", (offer.subject or "",) if len(keys) == 1 else keys
        wanted = f"offered:yes title={quoted(offer.title)}" if offer.title else "offered:yes"
    return (listed, keys[0], "") if len(keys) == 1 else (listed, "", wanted)


def attention(render: RenderContext) -> Sequence[Episode]:
    """Return what needs attention now: the caller's own in the order of the rules, then the worst and oldest."""
    return _CURRENT.of(render)[0]


def need_attention(many: int) -> str:
    """Return the number of things that need attention, as words."""
    return f"{wording.plural(many, 'thing')} {of_number(many, 'needs')} attention"


def muted_now(render: RenderContext) -> int:
    """Return how many episodes go on and are muted."""
    return _CURRENT.of(render)[1]
