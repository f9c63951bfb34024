"""The presence of people whom the caller does not follow: asked for while it is on the screen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from console.api.errors import ApiError, Forbidden, NotFound, NotOffered
from console.views.scope import ADMIN

if TYPE_CHECKING:
    from console.api.request import Request
    from console.records.support import Presence
    from console.screens.app_context import AppContext


class Pace:
    """How often the service is asked. An admin may name several addresses at once, others ask for one at a time."""

    def __init__(self, *, again: float, at_once: int, most: int) -> None:
        self.again = again
        """Seconds after which an answer is asked for again."""
        self.at_once = at_once
        """Addresses in one request: they travel in the URL."""
        self.most = most
        """Addresses that are asked for at all."""


_ADMINS = Pace(again=5.0, at_once=40, most=400)
_OTHERS = Pace(again=15.0, at_once=1, most=30)


class AskedPresence:
    """What was answered about addresses that are not followed. One request is under way at a time."""

    def __init__(self, context: AppContext) -> None:
        self.rows: Mapping[str, Presence] = {}
        """By address; another object whenever there are others."""
        self._context = context
        self._asked: tuple[tuple[str, ...], Future[Any]] | None = None
        self._asked_at: dict[str, float] = {}
        self._looked = -1
        self._refused = False
        self._ticket = 0

    def poll(self, wanted: Callable[[], Iterable[str]]) -> None:
        """Take an answer that has come, and ask for addresses whose turn it is; `wanted` is asked once a second."""
        now, answered = self._context.clock.monotonic(), False
        if self._asked is not None:
            if not self._asked[1].done():
                return
            (addresses, asked), self._asked, answered = self._asked, None, True
            self._take(addresses, asked)
        if self._refused or self._context.backend.me is None or (int(now) == self._looked and not answered):
            return
        self._looked = int(now)
        self._look_at_own_changes()
        pace = _ADMINS if self._context.render_context().role == ADMIN else _OTHERS
        followed, unasked = self._context.backend.records("presence"), now - pace.again
        others = (each for each in dict.fromkeys(wanted()) if each not in followed)
        due = (each for each in islice(others, pace.most) if self._asked_at.get(each, unasked) <= unasked)
        addresses = tuple(islice(due, pace.at_once))
        if addresses:
            self._asked_at |= dict.fromkeys(addresses, now)
            self._asked = addresses, self._context.backend.ask(_request(addresses, several=pace.at_once > 1))

    def _look_at_own_changes(self) -> None:
        """Ask again at once after a change made from here has ended."""
        ended = max((each.command.number for each in self._context.backend.tickets() if not each.under_way), default=0)
        if ended != self._ticket:
            self._ticket = ended
            self._asked_at.clear()

    def _take(self, addresses: tuple[str, ...], asked: Future[Any]) -> None:
        try:
            answer = asked.result()
        except NotFound:
            answer = ()
        except (Forbidden, NotOffered):
            self._refused = True
            return
        except ApiError:
            return
        found = cast("tuple[Presence, ...]", answer if isinstance(answer, tuple) else (answer,))
        kept = {address: each for address, each in self.rows.items() if address not in addresses}
        rows = kept | {each.address: each for each in found if each.address in addresses}
        if rows != self.rows:
            self.rows = rows


def _request(addresses: tuple[str, ...], *, several: bool) -> Request[Any]:
    # What is asked is imported when something is: the first frame does without.
    from console.api.operations.presence import GetPresence, ListPresences

    return ListPresences(addresses=addresses) if several else GetPresence(address=addresses[0])
