"""When the terminal's bell rings: for a new alert, a new chat of the caller's own, and a new offer of a chat."""

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
"""How fresh a list must be to tell what is new. While it is not, nothing is: what comes then is compared later."""


class Bell:
    """Looks for alerts, own chats and offered chats that were not there at the last look."""

    def __init__(self) -> None:
        self._whose = ""
        self._known: dict[str, frozenset[str]] = {}
        """What was there, by kind, since the kind was first known."""

    def rings(self, context: AppContext) -> bool:
        """Return whether anything is new. What is there when a kind is seen for the first time is not.

        After a reconnect, and when a list was made anew, what was there before is not new again.
        """
        render = context.render_context()
        if not render.me:
            return False
        if render.me != self._whose:
            self._whose, self._known = render.me, {}
        news = False
        for kind, keys in _HEARD.items():
            # Asked first: a list is made as soon as somebody wants it.
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
