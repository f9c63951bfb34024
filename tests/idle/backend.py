"""A backend in which nothing changes by itself: screens show the records that it was given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any
from zoneinfo import ZoneInfo

from console.api.errors import ApiError
from console.api.request import Request
from console.base.frozen import replace
from console.kinds.catalogue import DERIVED, FEEDS
from console.live.authentication import Fatal
from console.live.collection import Collection
from console.live.command import Command, Outcome, Stage, Ticket
from console.live.delta import Delta, Freshness, Health
from console.live.derived import DerivedList
from console.live.history import History
from console.records.extent import Extent
from console.records.people import Capabilities, CurrentUser
from console.records.record import Record
from console.rules.watch import EPISODES
from console.views.render_context import RenderContext
from tests.idle.world import StillWorld
from tests.manual_clock import ManualClock

COMPUTED = frozenset({"episodes"})
"""Lists that the console computes; empty unless a test gives records."""
LIVE = Health(Freshness.LIVE, 0.4)
LOADING = Health(Freshness.LOADING)


@dataclass
class IdleBackend:
    """A `BackendApi` over fixed records. Deviations from a healthy backend are given at the start.

    Commands are never sent: `becomes` gives the stage that they reach, and why; held ones stay held.
    """

    world: StillWorld
    link: Health = LIVE
    healths: Mapping[str, Health] = field(default_factory=dict[str, Health])
    """The freshness of single kinds; the others have that of the link."""
    unknown: frozenset[str] = frozenset()
    """Kinds that were never listed."""
    fatal: Fatal | None = None
    read_only: bool = False
    becomes: tuple[Stage, str] = (Stage.DONE, "")
    revision: int = 1
    unresolved: tuple[Mapping[str, Any], ...] = ()
    journal_fault: str = ""
    clock_difference: int | None = None
    recorded: bool = False
    recording_fault: str = ""
    watch: DerivedList[Any] | None = None
    """The episodes of rules, up to date whenever they are read; none without."""

    def __post_init__(self) -> None:
        self._regular: dict[str, Any] = {}
        self._derived: dict[str, tuple[int, Mapping[str, Record]]] = {}
        self._watched: tuple[int, int] = (0, 0)
        self.restore()

    def restore(self, **deviations: Any) -> None:
        """Return to the records of the scenario, and forget all commands; `deviations` last until the next call."""
        before, self._regular = self._regular, {}
        for name, value in (before | deviations).items():
            if name in deviations:
                self._regular[name] = before.get(name, getattr(self, name))
            setattr(self, name, value)
        self._tickets: list[Ticket] = []
        self._records: dict[str, Mapping[str, Record]] = {
            kind: {} if kind in self.unknown else self.world.records[kind] for kind in FEEDS
        }
        self._records |= {kind: {} for kind in COMPUTED if kind not in self._records}
        self.revision += 1

    def change(self, kind: str, *upserts: Record, removes: Iterable[str] = ()) -> None:
        """Insert, change and remove records."""
        kept = {key: record for key, record in self.records(kind).items() if key not in set(removes)}
        self._records[kind] = kept | {record.key: record for record in upserts}
        self.revision += 1

    @property
    def me(self) -> CurrentUser | None:
        return None if self.link.state is Freshness.LOADING else self.world.me

    @property
    def session_id(self) -> str:
        return ""

    @property
    def capabilities(self) -> Capabilities | None:
        return self.world.capabilities

    @property
    def commands(self) -> IdleBackend:
        """The commands, which are held here as well."""
        return self

    def saw_unresolved(self) -> None: ...

    def forget_secrets(self, number: int) -> None:
        self._tickets = [
            replace(each, outcomes=tuple(replace(outcome, secret=False) for outcome in each.outcomes))
            if each.command.number == number
            else each
            for each in self._tickets
        ]

    @property
    def history(self) -> History:
        return History(ManualClock()) if "status" in self.unknown else self.world.history

    def start(self) -> None: ...

    def stop(self, timeout: float = 2.0) -> None: ...

    def retry(self) -> None: ...

    async def change_password(self, username: str, password: str, new: str) -> None: ...

    def show(self, kinds: frozenset[str]) -> None: ...

    def refresh(self, kind: str | None = None) -> None: ...

    def _episodes(self) -> Collection[Any]:
        """Evaluate the rules if anything changed, or time did."""
        if self.watch is None:
            return Collection()
        now = self.revision, self.world.clock.now_ms()
        if now != self._watched:
            self._watched = now
            self.watch.update()
        return self.watch.collection

    def delta(self, kind: str, since: int) -> Delta[Any]:
        if kind == EPISODES:
            return self._episodes().delta(since)
        if since == self.revision:
            return Delta(self.revision, whole=False)
        return Delta(self.revision, whole=True, upserts=self.records(kind))

    def records(self, kind: str) -> Mapping[str, Record]:
        if kind == EPISODES:
            return self._episodes().snapshot()
        if kind in DERIVED and kind not in self._records:
            return self._computed(kind)
        return self._records[kind]

    def _computed(self, kind: str) -> Mapping[str, Record]:
        """Compute a list from the records; figures that need observation are empty."""
        revision, found = self._derived.get(kind, (0, {}))
        if revision != self.revision:
            render = RenderContext(self.world.clock.now_ms(), ZoneInfo("Europe/Madrid"), lookup=self.records)
            made = DERIVED[kind].load_derived()(kind, self, lambda: render)
            made.update()
            found = made.collection.copy()
            self._derived[kind] = self.revision, found
        return found

    def health(self, kind: str) -> Health:
        return self.healths.get(kind, self.link)

    def extent(self, kind: str) -> Extent:
        return self.health(kind).extent

    def ask(self, request: Request[Any]) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(self.world.answer(request))
        except ApiError as error:
            future.set_exception(error)
        return future

    def submit(self, command: Command) -> Ticket:
        if command.hold > 0:
            ticket = Ticket(command, Stage.HELD, seconds_left=command.hold, decided_at=self.world.clock.now_ms())
        else:
            stage, reason = self.becomes
            outcomes = () if stage is Stage.PENDING else tuple(Outcome(each, stage, reason) for each in command.steps)
            ticket = Ticket(command, stage, outcomes, reason=reason, decided_at=self.world.clock.now_ms())
        self._tickets.insert(0, ticket)
        return ticket

    def became(self, command: Command, *outcomes: Outcome) -> None:
        """Give a decided command this result."""
        now = self.world.clock.now_ms()
        last = outcomes[-1]
        known = tuple(replace(each, at=now) for each in outcomes)
        self._tickets.insert(0, Ticket(command, last.stage, known, reason=last.reason, decided_at=now))

    def undo(self, number: int | None = None) -> Ticket | None:
        return None

    def send_held(self) -> None: ...

    def tickets(self) -> tuple[Ticket, ...]:
        return tuple(self._tickets)
