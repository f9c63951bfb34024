"""The list of observed states, computed from presence and agents."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from console.kinds.derived_kind import DerivedKind
from console.kinds.presence.facts import activity_of, user_at
from console.live.backend_api import ListsApi
from console.live.delta import Delta, Freshness
from console.records.activities import ObservedActivity
from console.records.record import Record
from console.records.support import Agent, Presence
from console.views.render_context import RenderContext
from console.views.wording import user_address

_UNSEEN = frozenset({Freshness.LOADING, Freshness.OFFLINE, Freshness.REFUSED})
"""Freshness in which changes are missed: afterwards nobody knows how long a state has lasted."""


class ActivityList(DerivedKind[ObservedActivity]):
    """Notes when the state of a user changes. Presence has precedence over the record of an agent."""

    def __init__(self, kind: str, backend: ListsApi, render: Callable[[], RenderContext]) -> None:
        super().__init__(kind, backend, render)
        self._versions = dict.fromkeys(sorted(self.sources), 0)
        self._unseen = set(self.sources)
        self._source: dict[str, str] = {}
        """The list that tells the state of each user."""

    def update(self) -> None:
        """Note the changes since the last update."""
        render = self.render()
        for kind, version in self._versions.items():
            health, delta = self.backend.health(kind), self.backend.delta(kind, version)
            if health.state in _UNSEEN:
                self._unseen.add(kind)
                continue
            self._versions[kind] = delta.version
            self._take(kind, delta, render)
            self._unseen.discard(kind)

    def _take(self, kind: str, delta: Delta[Record], render: RenderContext) -> None:
        gap = kind in self._unseen
        keys = {*delta.removes, *delta.upserts}
        users = {user_at(key, render) for key in keys} if kind == "presence" else keys
        if gap or delta.whole:
            users |= {user for user, source in self._source.items() if source == kind}
        changed: dict[str, ObservedActivity] = {}
        gone: list[str] = []
        for user in users:
            source, person = _listed(user, render)
            if person is None:
                gone.append(user)
                self._source.pop(user, None)
                continue
            activity, known = activity_of(person), self.collection.get(user)
            same = self._source.get(user) == source and not (gap and source == kind)
            self._source[user] = source
            if known is None or known.activity != activity or not same:
                began = known is not None and same
                row = ObservedActivity.row_of(id=user, activity=activity, since_at=render.now_ms, from_start=began)
                changed[user] = ObservedActivity.model_validate_json(row)
        self.collection.change(changed, gone)


def _listed(user: str, render: RenderContext) -> tuple[str, Presence | Agent | None]:
    """Return the record that tells the state of a user, and its list. Presences read for a detail do not count."""
    presence = render.find("presence", user_address(user, render))
    if presence is not None:
        return "presence", cast("Presence", presence)
    return "agents", cast("Agent | None", render.find("agents", user))


LIST = ActivityList
