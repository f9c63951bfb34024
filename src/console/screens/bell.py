"""The terminal's bell: rings for a new alert, a new own chat and a new offered chat."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, cast

from console.kinds.alerts import facts as alerts
from console.kinds.chats import facts as chats
from console.kinds.notifications import facts as offers
from console.live.delta import Freshness
from console.views.render_context import RenderContext

if TYPE_CHECKING:
    from console.records.support import SupportChat
    from console.screens.app_context import AppContext

_TRUE = frozenset({Freshness.LIVE, Freshness.POLLING})
"""Freshness in which new records are detected. In other states they are detected when the list is fresh again."""


class Bell:
    """Finds alerts, own chats and offered chats that are new since the last call."""

    def __init__(self) -> None:
        self._whose = ""
        self._known: dict[str, frozenset[str]] = {}
        """Known keys by kind, since the kind was first loaded."""

    def rings(self, context: AppContext) -> bool:
        """Return whether there are new records. Those of the first load of a kind are not new.

        Records known before a reconnect or a new listing are not new either.
        """
        render = context.render_context()
        if not render.me:
            return False
        if render.me != self._whose:
            self._whose, self._known = render.me, {}
        news = False
        for kind, keys in _HEARD.items():
            # Accessed before `health`: a list is computed when it is first requested.
            found = frozenset(keys(render))
            if context.backend.health(kind).state in _TRUE:
                before, self._known[kind] = self._known.get(kind), found
                news |= before is not None and not found <= before
        return news


def _alerts(render: RenderContext) -> Iterator[str]:
    return (each.alert_id for each in alerts.active(render))


def _own_chats(render: RenderContext) -> Iterator[str]:
    known = cast("Mapping[str, SupportChat]", render.lookup("chats"))
    return (each.chat_id for each in known.values() if chats.mine(each, render))


def _offered_chats(render: RenderContext) -> Iterator[str]:
    return (each.id for each in offers.offered_chats(render))


_HEARD: Mapping[str, Callable[[RenderContext], Iterator[str]]] = {
    "alerts": _alerts,
    "chats": _own_chats,
    "notifications": _offered_chats,
}
