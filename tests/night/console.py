"""A console of a night: the real engine, the real rules and the real notices, without a screen."""

from __future__ import annotations

import asyncio
from collections.abc import Collection as Several
from collections.abc import Iterable, Mapping
from typing import Any
from zoneinfo import ZoneInfo

from console.config.notice_settings import NoticeSettings
from console.kinds.catalogue import DERIVED, FEEDS
from console.live.backend_api import ListsApi
from console.live.collection import Collection
from console.live.delta import Delta, Health
from console.live.derived import DerivedList
from console.live.engine import Engine
from console.live.history import History
from console.live.rest import no_rest
from console.notices.claims import Claims
from console.notices.notice import Notice
from console.notices.notifier import Notifier, SentNotice
from console.notices.ways.terminal import Bell
from console.records.episodes import Episode
from console.records.people import CurrentUser
from console.records.record import Record
from console.rules.rule import Rule
from console.rules.watch import EPISODES, Watch
from console.views.render_context import RenderContext
from tests.night.service import NightClient, NightService

ZONE = ZoneInfo("Europe/Madrid")


class Console(ListsApi):
    """The console of one person. `beat` is what the threads of a real one do."""

    def __init__(
        self,
        service: NightService,
        who: str,
        rules: Iterable[Rule],
        settings: NoticeSettings,
        claims: Claims | None = None,
    ) -> None:
        self.who = self.profile = who
        self.zone = ZONE
        self.whose = f"night\n{who}"
        self.rang = 0
        """How often the bell rang."""
        self.clock = service.clock
        self._engine = Engine(lambda: NightClient(service, who), service.clock, FEEDS.values())
        self.watch = Watch(rules, self, self.render, rest=no_rest)
        kinds = [DERIVED[each] for each in sorted(self.watch.sources & DERIVED.keys())]
        self._computed: dict[str, DerivedList[Any]] = {
            each.name: each.load_derived()(each.name, self, self.render) for each in kinds
        }
        self._computed[EPISODES] = self.watch
        self.notifier = Notifier(settings, [Bell(self._ring)], service.clock.monotonic, claims)
        self.notifier.follow(self)
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Log in, and begin to follow the lists that the rules are about."""
        self._task = asyncio.ensure_future(self._engine.run())

    async def stop(self) -> None:
        """End, and wait for it."""
        self._engine.end()
        if self._task is not None:
            await self._task
        self.notifier.close()

    def beat(self) -> list[SentNotice]:
        """Evaluate the rules, and tell what is due."""
        for each in self._computed.values():
            each.update()
        return self.notifier.beat(self.clock.now_ms())

    def episode(self, identifier: str) -> Episode | None:
        """Return an episode as it is now."""
        return self.watch.collection.get(identifier)

    def show(self, notice: Notice) -> None:
        """Show a notice on the screen."""
        self.notifier.was_shown(notice)

    def _ring(self, _sequence: str) -> None:
        self.rang += 1

    # -- lists ---------------------------------------------------------------------------------------------------------

    @property
    def link(self) -> Health:
        return self._engine.link()

    def delta(self, kind: str, since: int) -> Delta[Any]:
        if kind in self._computed:
            return self._computed[kind].collection.delta(since)
        return self._followed(kind).collection.delta(since)

    def records(self, kind: str) -> Mapping[str, Record]:
        if kind in self._computed:
            return self._computed[kind].collection.snapshot()
        return self._followed(kind).collection.snapshot() if kind in self._engine.followers else {}

    def health(self, kind: str) -> Health:
        return self._computed[kind].health(self.health) if kind in self._computed else self._engine.health(kind)

    def _followed(self, kind: str) -> Any:
        follower = self._engine.followers[kind]
        if not follower.wanted:
            follower.want()
        return follower

    def follow_all(self) -> None:
        """Follow all lists, as `console record` does."""
        for kind in self._engine.followers:
            self._followed(kind)
        for each in DERIVED.values():
            if each.name not in self._computed:
                self._computed[each.name] = each.load_derived()(each.name, self, self.render)

    def collections(self) -> Mapping[str, Collection[Any]]:
        """Return all lists."""
        followed = {kind: each.collection for kind, each in self._engine.followers.items()}
        return followed | {kind: each.collection for kind, each in self._computed.items()}

    @property
    def me(self) -> CurrentUser | None:
        """The logged-in user."""
        return self._engine.me

    @property
    def revision(self) -> int:
        """Increases with every change of data."""
        return self._engine.revision

    @property
    def history(self) -> History:
        """The samples of the charts."""
        return self._engine.history

    def render(self) -> RenderContext:
        me = self._engine.me
        return RenderContext(self.clock.now_ms(), ZONE, me.user.id if me else "", lookup=self.records)

    # -- as a source of notices ----------------------------------------------------------------------------------------

    def changes(self, since: int) -> Delta[Episode]:
        return self.delta(EPISODES, since)

    def known(self) -> Several[str]:
        return self.watch.judged

    def saw(self, episodes: Mapping[str, int]) -> None:
        self.watch.see(episodes, self.who, episodes)
