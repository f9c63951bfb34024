"""The followers of all kinds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from console.api.events import Event
from console.live.follower import Follower
from console.records.record import Record


class Followers(dict[str, Follower]):
    """One follower per kind."""

    def record(self, kind: str, key: str) -> Record | None:
        """Return the known record, or None."""
        follower = self.get(kind)
        return follower.collection.get(key) if follower is not None else None

    def refresh(self, kinds: Iterable[str]) -> None:
        """List these kinds again."""
        for kind in self.keys() & set(kinds):
            self[kind].refresh()

    def doubt(self, proof: float, *, at_once: bool = False) -> None:
        """List everything again; see `Follower.doubt`."""
        for follower in self.values():
            follower.doubt(proof, at_once=at_once)

    def suspect(self) -> None:
        """List everything again soon."""
        for follower in self.values():
            follower.suspect()

    def hinted(self, kinds: Iterable[str]) -> None:
        """List these kinds again soon; unknown names are ignored."""
        for kind in self.keys() & set(kinds):
            self[kind].hint()

    def heard(self, offset: int) -> None:
        """Note that no event is missing up to `offset`."""
        for follower in self.values():
            follower.heard(offset)

    def take(self, events: Sequence[Event]) -> None:
        """Apply events in order. Notices belong to no list."""
        topics: dict[str, list[Event]] = {}
        for event in events:
            if event.kind != "notice":
                topics.setdefault(event.topic, []).append(event)
        for topic, of_one in topics.items():
            follower = self.get(topic)
            if follower is not None:
                follower.take(of_one)
