"""Histories made by hand, each with one fault, to show that the verdict on a cluster can fail."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest

from console.live.command import Stage
from console.records.people import Group
from tests.cluster import clients
from tests.cluster.clients import Client, Ledger
from tests.cluster.consoles import oldest
from tests.cluster.verdict import LONGEST_LIVE, LONGEST_PROOF, compare

EVENTS = ((11, "client-0 0"), (12, "created-0 1"), (13, "client-0 1"), (14, "console-0 0"))


@dataclass
class ConsoleStub:
    number: int = 0
    outcomes: dict[str, Stage] = field(default_factory=dict[str, Stage])
    oldest_live: float = 0.0


@dataclass
class History:
    """By default, one in which nothing is wrong."""

    events: Sequence[tuple[int, str]] = EVENTS
    offsets: Sequence[int] = (11, 12, 13, 14)
    """Of the events that the client received."""
    acknowledged: Sequence[str] = ("client-0 0", "created-0 1", "client-0 1")
    stored: str = "client-0 1"
    """The name of the client's group at the end."""
    shown: str = "console-0 0"
    """The group that a console tried to create."""
    outcome: Stage = Stage.DONE
    oldest_proof: float = LONGEST_PROOF
    oldest_live: float = LONGEST_LIVE
    faults: Sequence[str] = ()

    def findings(self) -> dict[str, list[str]]:
        """Return what the verdict names."""
        ledger = Ledger(set(self.acknowledged), faults=list(self.faults))
        client = Client(0, "", ["http://a"], ledger, 1.0, acknowledged=[1.0, 2.0], start=10)
        client.offsets, client.oldest_proof = list(self.offsets), self.oldest_proof
        names = {"client-0": self.stored, "created": "created-0 1", "console": "console-0 0"}
        console = ConsoleStub(outcomes={self.shown: self.outcome}, oldest_live=self.oldest_live)
        verdict = compare(names, self.events, ledger, [client], [console])
        return {name: entries for name, entries in verdict.rows() if entries}


def test_a_history_without_a_fault_has_no_findings() -> None:
    assert History().findings() == {}


TWICE = (*EVENTS, (15, "created-0 1"))
LATE = (*EVENTS[:3], (14, "console-0 1"), (15, "console-0 0"))
SWAPPED = ((11, "client-0 1"), (12, "created-0 1"), (13, "client-0 0"), (14, "console-0 0"))


@pytest.mark.parametrize(
    ("history", "findings"),
    [
        (
            History(events=TWICE, offsets=(11, 12, 13, 14, 15)),
            {"changes done twice": ["created-0 1 has 2 events"]},
        ),
        (History(offsets=(11, 12, 14)), {"events missed": ["client-0: 1 of 4, the first is 13"]}),
        (History(offsets=(11, 12, 13)), {"events missed": ["client-0: 1 of 4, the first is 14"]}),
        (History(offsets=(11, 12, 12, 13, 14)), {"events doubled": ["client-0: 1"]}),
        (History(offsets=(11, 13, 12, 14)), {"events out of order": ["client-0: its events"]}),
        (History(events=SWAPPED), {"events out of order": ["client-0 0 was stored after 1"]}),
        (
            History(oldest_proof=LONGEST_PROOF + 0.1),
            {"LIVE without proof": ["client-0: a heartbeat was 8.1 s behind"]},
        ),
        (History(oldest_live=LONGEST_LIVE + 0.1), {"LIVE without proof": ["console 0: LIVE was 14.1 s behind"]}),
        (
            History(stored="client-0 0"),
            {"acknowledged changes lost": ["client-0 is client-0 0 after 2 changes"]},
        ),
        (
            History(acknowledged=("client-0 2",)),
            {"acknowledged changes lost": ["client-0 2 has no event"]},
        ),
        (
            History(shown="console-0 7"),
            {"acknowledged changes lost": ["console-0 7 has no event", "console-0 7 is missing"]},
        ),
        (History(outcome=Stage.REFUSED), {"changes refused and yet done": ["console-0 0"]}),
        (
            History(events=LATE, offsets=(11, 12, 13, 14, 15)),
            {"events out of order": ["console-0 0 was stored after 1"]},
        ),
        (History(faults=["client-0: 418"]), {"unexpected answers": ["client-0: 418"]}),
    ],
)
def test_a_history_with_one_fault_is_found_guilty_of_it_alone(history: History, findings: dict[str, list[str]]) -> None:
    assert history.findings() == findings


def test_a_change_of_which_a_console_said_that_it_does_not_know_may_be_stored_late_or_never() -> None:
    offsets = (11, 12, 13, 14, 15)
    assert History(events=LATE, offsets=offsets, outcome=Stage.UNKNOWN).findings() == {}
    assert History(shown="console-0 7", outcome=Stage.UNKNOWN).findings() == {}


def message(**fields: object) -> bytes:
    return json.dumps(fields).encode()


def test_a_heartbeat_and_a_list_are_as_old_as_the_first_change_that_they_lack(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(monotonic=lambda: clock.now, now=100.0)
    monkeypatch.setattr(clients, "time", clock)
    ledger = Ledger()
    client = Client(0, "", ["http://a"], ledger, 1.0)
    for number, offset in enumerate((11, 12)):
        ledger.acknowledge(f"client-0 {number}", offset)
        client.acknowledged.append(clock.now)
        clock.now += 10
    client.take(message(type="heartbeat", epoch="e", offset=12, after=12))
    assert client.oldest_proof == 0.0
    client.take(message(type="heartbeat", epoch="e", offset=11, after=11))
    assert client.oldest_proof == 10.0
    assert oldest({"client-0": Group(group_id="client-0", name="client-0 1")}, [client]) == 0.0
    assert oldest({"client-0": Group(group_id="client-0", name="client-0 0")}, [client]) == 10.0
    assert oldest({}, [client]) == 0.0


def test_an_event_that_does_not_follow_the_last_one_is_a_fault() -> None:
    ledger = Ledger()
    client = Client(0, "", ["http://a"], ledger, 1.0, epoch="e", start=10, position=10)
    body = {"groupId": "client-0", "name": "client-0 0"}
    event = {"type": "event", "topic": "groups", "kind": "upsert", "key": "client-0", "data": body}
    client.take(message(**event, offset=11, after=10))
    assert ledger.faults == []
    client.take(message(**event, offset=13, after=12))
    assert ledger.faults == ["client-0: event 13 comes after 11 instead of 12"]
