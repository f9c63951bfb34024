"""A simulated night that a console sees and a tape records, and what its service knows of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from console.config.notice_settings import NoticeSettings
from console.live.delta import CURRENT, Health
from console.rules.reading import SHIPPED_FILE, read_rules
from console.service.domain.alerts import ALERTS
from console.service.domain.calls import CALLS
from console.service.domain.chats import CHATS
from console.service.store.documents import Documents
from console.service.store.transaction import Transaction
from tests.live.until import settled
from tests.night.console import Console
from tests.night.service import NightService
from tests.night.truth import Truth
from tests.report.tape import FIRST, Tape

KINDS = ("calls", "agents", "skills", "users", "groups", "alerts", "alarms")
WHO = "eva"


class Facts:
    """What the service knows: read from its database each second, without the code of the report."""

    def __init__(self, service: NightService) -> None:
        self._platform = service.platform
        self._caller = service.caller(WHO)
        self._truth = Truth(service.platform, self._caller)
        self._waits: dict[str, str] = {}
        self._last: dict[str, str] = {}
        self.offered: Counter[str] = Counter()
        self.answered: Counter[str] = Counter()
        self.abandoned: Counter[str] = Counter()
        self.holders: dict[str, list[str]] = {}
        self.understaffed: Counter[str] = Counter()
        """Seconds by skill."""
        self.alerts = 0
        self.accepted: list[int] = []
        """After how many ms each alert of the night was accepted."""

    def observe(self) -> None:
        """Note what goes on now."""
        with self._platform.read() as tx:
            calls = {row.key: row for row in self._rows(tx, CALLS, CALLS.c.key, CALLS.c.state, CALLS.c.target)}
            chats = tx.rows(sa.select(CHATS.c.key, CHATS.c.agent))
        for key, row in calls.items():
            if row.state == "queued":
                if key not in self._waits:
                    self.offered[row.target] += 1
                self._waits[key] = row.target
            elif key in self._waits and row.state != "ringing":
                queue = self._waits.pop(key)
                self.answered[queue] += row.state in ("connected", "ended")
                self.abandoned[queue] += row.state not in ("connected", "ended")
        for row in chats:
            holders = self.holders.setdefault(row.key, [])
            if row.agent and holders[-1:] != [row.agent]:
                holders.append(row.agent)
        for subject, about in self._truth.things():
            self.understaffed[about] += subject == "staffing"

    def _rows(self, tx: Transaction, documents: Documents[Any], *columns: Any) -> Sequence[sa.Row[Any]]:
        """Return columns of the rows that the person may see."""
        return tx.rows(sa.select(*columns).where(documents.rule.clause(self._caller, documents.c)))

    @property
    def waiting(self) -> Counter[str]:
        """The calls that wait now, by queue."""
        return Counter(self._waits.values())

    def handed_over(self) -> int:
        """How often a chat went from one agent to another."""
        return sum(max(0, len(each) - 1) for each in self.holders.values())

    def end(self) -> None:
        """Note how the alerts ended that were sent in the night."""
        with self._platform.read() as tx:
            rows = self._rows(tx, ALERTS, ALERTS.c.state, ALERTS.c.sent, ALERTS.c.resolved)
        night = [row for row in rows if row.sent >= FIRST]
        self.alerts = len(night)
        self.accepted = sorted(row.resolved - row.sent for row in night if row.state == "accepted")


class Recorded:
    """Records what a console sees, once a second."""

    def __init__(self, console: Console, tape: Tape) -> None:
        self._console, self._tape = console, tape
        self._versions: dict[str, int] = {}
        self._healths: dict[str, Health] = {}
        self.kinds = (*KINDS, "connection", "episodes")

    def begin(self) -> None:
        """Begin with what is known."""
        rows = {kind: dict(self._console.records(kind)) for kind in self.kinds}
        self._tape.begin(rows)
        for kind in self.kinds:
            self._versions[kind] = self._console.delta(kind, 0).version

    def step(self) -> None:
        """Write what changed."""
        console, tape = self._console, self._tape
        for kind in self.kinds:
            delta = console.delta(kind, self._versions[kind])
            self._versions[kind] = delta.version
            known = console.records(kind)
            gone = [key for key in tape.keys(kind) if key not in known] if delta.whole else [*delta.removes]
            if gone:
                tape.remove(kind, *gone)
            for key, record in delta.upserts.items():
                tape.put(kind, key, record)
        for name, health in ((".", console.link), *((kind, console.health(kind)) for kind in self.kinds)):
            current = health.state in CURRENT
            if name not in self._healths or current != (self._healths[name].state in CURRENT):
                tape.health(health, name)
            self._healths[name] = health


async def play(
    folder: Path, world: str, seed: int, seconds: int, happens: Callable[[NightService], object] = lambda _: None
) -> tuple[Tape, Facts]:
    """Play a night, and return its recording and what was true. The first seconds are for the first lists."""
    service = NightService(world, seed)
    console = Console(service, WHO, read_rules([SHIPPED_FILE]).rules, NoticeSettings())
    tape, facts = Tape(folder / "night.rec"), Facts(service)
    recorded = Recorded(console, tape)
    console.start()
    try:
        for kind in KINDS:
            console.delta(kind, 0)
        for second in range(seconds + 10):
            happens(service)
            service.step()
            await settled(15)
            console.beat()
            tape.at = service.seconds
            if second == 9:
                recorded.begin()
                facts.observe()
            elif second > 9:
                recorded.step()
                if service.reachable:
                    facts.observe()
        tape.end()
        facts.end()
    finally:
        await console.stop()
        service.platform.close()
    return tape, facts
