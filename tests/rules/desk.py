"""Rules over records that a test changes, at the time of a clock that it moves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from console.kinds.episodes.facts import attention
from console.live.backend_api import ListsApi
from console.live.collection import Collection
from console.live.delta import Delta, Freshness, Health
from console.live.rest import no_rest
from console.records.episodes import Episode
from console.records.record import Record
from console.rules.reading import SHIPPED_FILE, RuleSet, read_rules
from console.rules.watch import EPISODES, Watch
from console.views.render_context import RenderContext
from console.views.thresholds import Threshold
from tests.manual_clock import ManualClock

LIVE = Health(Freshness.LIVE, 0.1)


def rules_of(folder: Path, text: str) -> RuleSet:
    """Read rules from a file with this text."""
    file = folder / "rules.toml"
    file.write_text(text)
    return read_rules([file])


class Desk(ListsApi):
    """A backend with the lists of a test, and a watch over them."""

    def __init__(
        self,
        rules: RuleSet | None = None,
        thresholds: Mapping[str, Threshold] | None = None,
        me: str = "me",
        file: Path | None = None,
        role: str = "",
    ) -> None:
        """Watch by these rules, otherwise by the shipped ones."""
        self.clock = ManualClock()
        self.me, self.role, self.thresholds = me, role, thresholds or {}
        self.lists: dict[str, Collection[Record]] = {}
        self.healths: dict[str, Health] = {}
        found = rules or read_rules([SHIPPED_FILE])
        self.watch = Watch(
            found.rules,
            self,
            self.render,
            None if file is None else lambda: file,
            rest=no_rest,
            clock=self.clock,
        )

    # -- as a backend ----------------------------------------------------------------------------------------------

    def delta(self, kind: str, since: int) -> Delta[Any]:
        return self._list(kind).delta(since)

    def records(self, kind: str) -> Mapping[str, Record]:
        return self.watch.collection.snapshot() if kind == EPISODES else self._list(kind).snapshot()

    def health(self, kind: str) -> Health:
        return self.healths.get(kind, LIVE)

    def _list(self, kind: str) -> Collection[Record]:
        return self.lists.setdefault(kind, Collection())

    # -- for tests -------------------------------------------------------------------------------------------------

    @property
    def now_ms(self) -> int:
        return self.clock.now_ms()

    def render(self) -> RenderContext:
        return RenderContext(
            now_ms=self.now_ms,
            zone=ZoneInfo("UTC"),
            me=self.me,
            role=self.role,
            lookup=self.records,
            extent=self.extent,
            thresholds=self.thresholds,
        )

    def put(self, kind: str, *records: Record, removes: Iterable[str] = ()) -> None:
        """Change a list, without evaluating the rules."""
        self._list(kind).change({each.key: each for each in records}, removes)

    def after(self, seconds: float = 0.0) -> list[Episode]:
        """Let time pass, evaluate the rules, and return what needs attention."""
        self.clock.advance(seconds)
        self.watch.update()
        return list(attention(self.render()))

    @property
    def episodes(self) -> list[Episode]:
        """All episodes, also ended ones, in the order of their beginnings."""
        return sorted(self.watch.collection.copy().values(), key=lambda each: (each.began_at or 0, each.id))
