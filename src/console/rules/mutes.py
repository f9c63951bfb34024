"""Mutes: an episode, a rule or a record is quiet until a time, for a reason."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from console.base.frozen import Frozen
from console.records.episodes import Episode

Scope = Literal["episode", "rule", "record"]
MOST = 500
"""Most mutes at a time; the ones that end first are dropped."""
LONGEST_REASON = 200


class Mute(Frozen):
    """One mute. Times in ms since the epoch."""

    scope: Scope
    name: str
    """The id of an episode, the name of a rule, or list and key of a record."""
    until: float
    reason: str = ""
    by: str = ""


def record_name(listed: str, key: str) -> str:
    """Return the name of a record for a mute."""
    return f"{listed}/{key}"


def names_of(episode: Episode) -> tuple[tuple[Scope, str], ...]:
    """Return what can be muted to mute an episode; a record, if the episode is about one.

    A mute of a record or a rule does not hide what a person asked for about it later.
    """
    if episode.once:
        return (("episode", episode.id),)
    names: list[tuple[Scope, str]] = [("episode", episode.id), ("rule", episode.rule or "")]
    if len(episode.keys) == 1:
        names.append(("record", record_name(episode.list or "", episode.keys[0])))
    return tuple(names)


class MuteBook:
    """The mutes that have not ended."""

    def __init__(self, mutes: Iterable[Mute] = ()) -> None:
        self._mutes: dict[tuple[Scope, str], Mute] = {(mute.scope, mute.name): mute for mute in mutes}

    @property
    def all(self) -> tuple[Mute, ...]:
        """All mutes."""
        return tuple(self._mutes.values())

    def put(self, mute: Mute) -> None:
        """Add a mute. It replaces an earlier mute of the same episode, rule or record."""
        self._mutes[(mute.scope, mute.name)] = mute
        if len(self._mutes) > MOST:
            first = min(self._mutes.values(), key=lambda mute_entry: mute_entry.until)
            del self._mutes[(first.scope, first.name)]

    def drop(self, episode: Episode) -> None:
        """Remove all mutes of an episode."""
        for name in names_of(episode):
            self._mutes.pop(name, None)

    def expire(self, now_ms: float) -> None:
        """Remove the mutes whose time is over."""
        for name in [name for name, mute in self._mutes.items() if mute.until <= now_ms]:
            del self._mutes[name]

    def of(self, episode: Episode) -> Mute | None:
        """Return the mute of an episode that ends last, or None."""
        if not self._mutes:
            return None
        mutes = (self._mutes.get(name) for name in names_of(episode))
        return max((mute for mute in mutes if mute is not None), key=lambda mute: mute.until, default=None)
