"""Compare what clients and consoles were told with the database, after the last fault."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import psycopg

from console.live.command import Stage
from tests.cluster.clients import Client, Ledger

LONGEST_PROOF = 8.0
"""Seconds that a heartbeat may be behind: 5 for which a node may be unable to read, and 3 for slow lines."""
LONGEST_LIVE = 14.0
"""Seconds that a list shown as LIVE may be behind: a console trusts a heartbeat for 6 more."""


class ShownChanges(Protocol):
    """What a console showed: its number, how each creation of a group ended, by name, and how old its LIVE was."""

    number: int
    oldest_live: float
    """In seconds."""

    @property
    def outcomes(self) -> Mapping[str, Stage]: ...


@dataclass
class Verdict:
    """What was lost, done twice, missed and so on, in words."""

    lost: list[str] = field(default_factory=list[str])
    twice: list[str] = field(default_factory=list[str])
    untrue: list[str] = field(default_factory=list[str])
    missed: list[str] = field(default_factory=list[str])
    doubled: list[str] = field(default_factory=list[str])
    disordered: list[str] = field(default_factory=list[str])
    unproven: list[str] = field(default_factory=list[str])
    unexpected: list[str] = field(default_factory=list[str])

    def rows(self) -> list[tuple[str, list[str]]]:
        """Return each sort with its findings."""
        return [
            ("acknowledged changes lost", self.lost),
            ("changes done twice", self.twice),
            ("changes refused and yet done", self.untrue),
            ("events missed", self.missed),
            ("events doubled", self.doubled),
            ("events out of order", self.disordered),
            ("LIVE without proof", self.unproven),
            ("unexpected answers", self.unexpected),
        ]


def judge(url: str, ledger: Ledger, clients: Sequence[Client], consoles: Sequence[ShownChanges]) -> Verdict:
    """Compare everything with a database in which nothing happens any more."""
    with psycopg.connect(url) as connection:
        stored = [json.loads(body) for (body,) in connection.execute("SELECT body FROM groups").fetchall()]
        query = "SELECT \"offset\", body FROM outbox WHERE topic = 'groups' ORDER BY 1"
        events = [(offset, json.loads(body)["name"]) for offset, body in connection.execute(query).fetchall()]
    names = {group["groupId"]: group["name"] for group in stored}
    return compare(names, events, ledger, clients, consoles)


def compare(
    names: Mapping[str, str],
    events: Sequence[tuple[int, str]],
    ledger: Ledger,
    clients: Sequence[Client],
    consoles: Sequence[ShownChanges],
) -> Verdict:
    """Compare everything with the names of the stored groups by id, and with the events: offset and name."""
    verdict = Verdict(unexpected=ledger.faults)
    counts = Counter(name for _, name in events)
    outcomes = {name: stage for console in consoles for name, stage in console.outcomes.items()}
    created = {name for name, stage in outcomes.items() if stage is Stage.DONE}
    acknowledged = ledger.names | created
    verdict.lost += [f"{name} has no event" for name in sorted(acknowledged) if not counts[name]]
    for client in clients:
        if names.get(client.group) != f"{client.group} {client.written - 1}":
            verdict.lost.append(f"{client.group} is {names.get(client.group)} after {client.written} changes")
    verdict.lost += [f"{name} is missing" for name in sorted(created - set(names.values()))]
    verdict.untrue += [name for name in counts if outcomes.get(name) is Stage.REFUSED]
    verdict.twice += [f"{name} has {count} events" for name, count in counts.items() if count > 1]
    order: defaultdict[str, int] = defaultdict(lambda: -1)
    for _, name in events:
        # A console goes on after a change that got no answer, and says so: the service may make it later, or never.
        if outcomes.get(name) is Stage.UNKNOWN:
            continue
        group, number = name.split(" ")
        if int(number) < order[group]:
            verdict.disordered.append(f"{name} was stored after {order[group]}")
        order[group] = int(number)
    for client in clients:
        _judge_events(client, [offset for offset, _ in events if offset > client.start], verdict)
        if client.oldest_proof > LONGEST_PROOF:
            verdict.unproven.append(f"{client.group}: a heartbeat was {client.oldest_proof:.1f} s behind")
    for console in consoles:
        if console.oldest_live > LONGEST_LIVE:
            verdict.unproven.append(f"console {console.number}: LIVE was {console.oldest_live:.1f} s behind")
    return verdict


def _judge_events(client: Client, wanted: Sequence[int], verdict: Verdict) -> None:
    """Compare the events of a client with all since its subscription, by offset."""
    if missing := set(wanted).symmetric_difference(client.offsets):
        verdict.missed.append(f"{client.group}: {len(missing)} of {len(wanted)}, the first is {min(missing)}")
    if len(set(client.offsets)) != len(client.offsets):
        verdict.doubled.append(f"{client.group}: {len(client.offsets) - len(set(client.offsets))}")
    if client.offsets != sorted(client.offsets):
        verdict.disordered.append(f"{client.group}: its events")
