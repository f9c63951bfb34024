"""Play a night, and count what the notices were worth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median

from console.config.notice_settings import NoticeSettings
from console.notices.claims import Claims
from console.notices.notice import Notice
from console.notices.notifier import SentNotice
from console.rules.reading import SHIPPED_FILE, read_rules
from console.rules.rule import Rule
from tests.live.until import settled
from tests.night.console import Console
from tests.night.ledger import Count, Event, Ledger
from tests.night.person import Person
from tests.night.service import NightService
from tests.night.truth import Truth, rule_about, told_by

SEVERAL = "(several)"
"""In the table, notices about several rules at once."""
BEGIN_SECONDS = 30
"""Time for the first lists; what was there before the console is told on one line."""
RESTART_SECONDS = 600
"""How long a restart is news."""
LINK_SECONDS = 5
"""How long the link has to be lost until somebody is told."""


@dataclass
class Fault:
    """The service is away from a second of the night on."""

    at: int
    seconds: int
    restarts: bool


@dataclass
class Seat:
    """A person with her console, and what she is told."""

    console: Console
    person: Person
    truth: Truth
    ledger: Ledger = field(default_factory=Ledger)
    counts: dict[str, Count] = field(default_factory=dict[str, Count])
    missed: list[Event] = field(default_factory=list[Event])
    nothing: list[str] = field(default_factory=list[str])
    """The notices that meant nothing, as lines."""
    heard: list[tuple[int, SentNotice]] = field(default_factory=list[tuple[int, SentNotice]])
    """All notices, with the second of each."""


@dataclass
class Night:
    """The figures of a night."""

    world: str
    seed: int
    seats: list[Seat]

    @property
    def told(self) -> int:
        """Number of notices."""
        return sum(count.told for seat in self.seats for count in seat.counts.values())

    @property
    def rules(self) -> set[str]:
        """The rules of which somebody was told."""
        return {rule for seat in self.seats for rule in seat.counts}

    @property
    def missed(self) -> list[str]:
        """The missed events, as lines."""
        return [
            f"{seat.console.who}: {' '.join(event.thing)} since {clock(event.opened)}"
            for seat in self.seats
            for event in seat.missed
        ]

    @property
    def nothing(self) -> list[str]:
        """The notices that meant nothing, as lines."""
        return [line for seat in self.seats for line in seat.nothing]

    @property
    def share(self) -> float:
        """Share of the notices that meant nothing."""
        return len(self.nothing) / max(1, self.told)


def clock(seconds: int) -> str:
    """Return the time of a second of the night."""
    return f"{(22 + seconds // 3600) % 24:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


async def play(
    world: str,
    seed: int,
    hours: float,
    *,
    people: Iterable[str] = ("eva", "ana"),
    change: Callable[[Rule], Rule] = lambda rule: rule,
    settings: NoticeSettings | None = None,
    happens: Callable[[NightService], object] = lambda _: None,
    begins: Callable[[Console], object] = lambda _: None,
    shared: Path | None = None,
) -> Night:
    """Play a night with these people, by the shipped rules, each changed by `change`.

    `begins` is called with each console before it starts, `happens` before each step, which may change something at the
    service. `shared` is the directory in which
    the consoles of a person know of each other; without it, they do not.
    """
    rules = [change(each) for each in read_rules([SHIPPED_FILE]).rules]
    service = NightService(world, seed)
    seats: list[Seat] = []
    for who in people:
        claims = Claims(shared) if shared is not None else None
        console = Console(service, who, rules, settings or NoticeSettings(), claims)
        seats.append(
            Seat(
                console, Person(service, console, Random(f"{seed}:{who}")), Truth(service.platform, service.caller(who))
            )
        )
        begins(console)
        console.start()
    seconds = round(hours * 3600)
    try:
        await _play(service, seats, seconds, list(_faults(Random(f"{seed}:faults"), seconds)), happens)
    finally:
        for seat in seats:
            await seat.console.stop()
        service.platform.close()
    return Night(world, seed, seats)


def _faults(rng: Random, seconds: int) -> Iterator[Fault]:
    """Yield lost links, some too short to be told, and restarts of the service: one every quarter of an hour or so."""
    at = 300 + rng.randrange(300)
    number = 0
    while at < seconds - 200:
        match number % 3:
            case 0:
                yield Fault(at, rng.randint(15, 90), restarts=False)
            case 1:
                yield Fault(at, rng.randint(3, 30), restarts=True)
            case _:
                yield Fault(at, rng.randint(1, 3), restarts=False)
        number += 1
        at += rng.randint(1200, 4800)


async def _play(
    service: NightService,
    seats: list[Seat],
    seconds: int,
    faults: list[Fault],
    happens: Callable[[NightService], object],
) -> None:
    gone_at, back_at, restarted_at = -1, 0, -RESTART_SECONDS
    fault: Fault | None = None
    while service.seconds < seconds:
        now = service.seconds
        if fault is None and faults and faults[0].at <= now:
            fault, gone_at = faults.pop(0), now
            service.go()
        elif fault is not None and now >= gone_at + fault.seconds:
            service.come_back(restarted=fault.restarts)
            back_at, restarted_at = now, now if fault.restarts else restarted_at
            fault = None
        for seat in seats:
            for notice in seat.person.act(seat.ledger):
                _count(seat, notice).seen += 1
        happens(service)
        service.step()
        await settled(15)
        for seat in seats:
            told = seat.console.beat()
            _observe(service, seat, gone_at if fault is not None else None, restarted_at)
            for each in told:
                seat.heard.append((service.seconds, each))
                _judge(seat, each.notice, service.seconds)
                seat.console.show(each.notice)
                seat.person.hear(each.notice)
            if fault is None or service.seconds - gone_at > LINK_SECONDS:
                seat.missed += seat.ledger.judge_missed(service.seconds, max(back_at, BEGIN_SECONDS))


def _observe(service: NightService, seat: Seat, gone_at: int | None, restarted_at: int) -> None:
    """Note what goes on. While the service is away, nobody knows more than that."""
    now = service.seconds
    if gone_at is not None:
        found = set(seat.ledger.open)
        if now - gone_at >= LINK_SECONDS:
            found.add(("link", ""))
    else:
        found = seat.truth.things()
        if now - restarted_at < RESTART_SECONDS:
            found.add(("restart", ""))
    seat.ledger.observe(found, now)


def _judge(seat: Seat, notice: Notice, now: int) -> None:
    """Count a notice, and whether it meant anything."""
    found = [each for key in notice.episodes if (each := seat.console.episode(key)) is not None]
    told = {thing for each in found for thing in told_by(each)}
    means, delays = seat.ledger.tell(told, now, again=notice.again > 0)
    if notice.silent:
        return
    count = _count(seat, notice)
    count.told += 1
    count.repeated += notice.again > 0
    count.delays += delays
    if not means:
        count.meaningless += 1
        names = ", ".join(f"{each.rule} {each.about or ''} {each.state}" for each in found)
        seat.nothing.append(f"{clock(now)} {seat.console.who}: {notice.line} ({names}, again {notice.again})")


def _count(seat: Seat, notice: Notice) -> Count:
    rules = {each.rule or "" for key in notice.episodes if (each := seat.console.episode(key)) is not None}
    return seat.counts.setdefault(rules.pop() if len(rules) == 1 else SEVERAL, Count())


def table(nights: Iterable[Night]) -> str:
    """Return the figures of nights by rule, as lines."""
    counts: dict[str, Count] = {}
    for night in nights:
        for seat in night.seats:
            for rule, each in seat.counts.items():
                total = counts.setdefault(rule, Count())
                total.told += each.told
                total.seen += each.seen
                total.repeated += each.repeated
                total.meaningless += each.meaningless
                total.delays += each.delays
            for event in seat.missed:
                counts.setdefault(rule_about(event.thing), Count()).missed += 1
    lines = [f"{'rule':22}{'told':>7}{'seen':>7}{'again':>7}{'nothing':>9}{'missed':>8}{'median s':>10}"]
    for rule, each in sorted(counts.items()):
        middle = f"{median(each.delays):.0f}" if each.delays else "-"
        lines.append(
            f"{rule:22}{each.told:7}{each.seen:7}{each.repeated:7}{each.meaningless:9}{each.missed:8}{middle:>10}"
        )
    return "\n".join(lines)
