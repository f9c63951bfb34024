"""Two processes on one database: one is killed or stopped, the other goes on."""

from __future__ import annotations

import signal
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import httpx
import psycopg
import pytest

from console.api.events import CLOSE_GOING_DOWN
from console.api.operations.people import CreateGroup
from console.client.endpoint import Endpoint, Node, events_beside
from console.kinds.catalogue import FEEDS
from console.live.backend import Backend
from console.live.command import Command, Stage, Step
from console.live.delta import Freshness
from tests.client.test_nodes import no_lot
from tests.live.until import until
from tests.service.channels import confirmed, subscribed
from tests.service.killed import Said, Started, examined, faults, load, make_group, started
from tests.service.nodes import events_until, is_chain, rest_of
from tests.service.over_http import data, get, token_of

ALL = ("calls", "status", "presence", "groups", "sessions", "agents", "chats")


@contextmanager
def two_processes(url: str, key: Path) -> Generator[tuple[Started, Started]]:
    """Start two nodes, of which the first has the duty."""
    with started(url, key=key) as first:
        until(lambda: duty_of(url))
        with started(url, key=key) as second:
            yield first, second


def duty_of(url: str) -> int:
    """Return the process of the server that holds the duty for a node; 0 without one."""
    with psycopg.connect(url) as other:
        held = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = 7261003 AND granted"
        row = other.execute(held).fetchone()
        return int(row[0]) if row else 0


def head_of(url: str) -> int:
    """Return the offset of the last event."""
    with psycopg.connect(url) as other:
        row = other.execute('SELECT max("offset") FROM outbox').fetchone()
        return int(row[0]) if row else 0


def client_of(node: Started) -> httpx.Client:
    headers = {"Authorization": f"Bearer {token_of(node.base_url, 'eva')}"}
    return httpx.Client(base_url=f"{node.base_url}/core", headers=headers, trust_env=False)


def test_a_node_that_is_killed_loses_nothing_and_another_goes_on(empty_url: str, tmp_path: Path) -> None:
    key, said = tmp_path / "service.key", Said()
    with two_processes(empty_url, key) as (first, second), client_of(first) as eva:
        duty = duty_of(empty_url)
        with subscribed(events_beside(first.base_url), eva, *ALL) as opened:
            start = confirmed(opened)
            load(second.base_url, said, 8)
            threads = load(first.base_url, said, 8, workers=1)
            first.process.kill()
            seen, _ = rest_of(opened)
        for thread in threads:
            thread.join()
        with subscribed(events_beside(second.base_url), eva, *ALL, resume=(start.epoch, seen[-1].offset)) as opened:
            confirmed(opened)
            until(lambda: duty_of(empty_url) not in {0, duty}, seconds=60)
            seen += events_until(opened, head_of(empty_url) + 1)
            # Only the node on duty announces the status.
            while seen[-1].topic != "status":
                seen += events_until(opened, seen[-1].offset + 1)
        assert is_chain(seen, start.offset)
        second.process.kill()
        second.process.wait()
    with examined(empty_url) as connection:
        assert faults(connection, key.read_bytes(), said) == []


def test_a_node_that_is_stopped_sends_its_clients_away_and_gives_up_the_duty(empty_url: str, tmp_path: Path) -> None:
    with two_processes(empty_url, tmp_path / "service.key") as (first, second), client_of(first) as eva:
        duty = duty_of(empty_url)
        with subscribed(events_beside(first.base_url), eva, "groups") as opened:
            confirmed(opened)
            first.process.send_signal(signal.SIGTERM)
            assert rest_of(opened)[1] == CLOSE_GOING_DOWN
        assert first.process.wait() == 0
        with pytest.raises(httpx.ConnectError):
            get(f"{first.base_url}/readyz")
        until(lambda: duty_of(empty_url) not in {0, duty}, seconds=60)
        with httpx.Client(base_url=f"{second.base_url}/core", headers=eva.headers, trust_env=False) as other:
            assert make_group(other, "key", "after")
        assert data(get(f"{second.base_url}/readyz")) == {"status": "ready"}


def test_a_console_goes_on_at_the_other_node_with_every_change_made_once(
    empty_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It begins at the first node instead of one by lot.
    monkeypatch.setattr("random.randrange", no_lot)
    with two_processes(empty_url, tmp_path / "service.key") as processes:
        first, second = (Node(f"{each.base_url}/core", events=events_beside(each.base_url)) for each in processes)
        endpoint = Endpoint(first.core, events=first.events, others=(second,))
        journal = tmp_path / "eva.journal"
        backend = Backend(endpoint, FEEDS.values(), journal_path=journal, login=lambda: ("eva", "demo"))
        backend.show(frozenset({"groups"}))
        backend.start()
        try:
            until(lambda: backend.health("groups").state is Freshness.LIVE and backend.records("groups"))
            for name in ("before", "after"):
                step = Step(CreateGroup(group_id=name, name=name), name, "created", ())
                backend.commands.submit(Command("groups.create", "groups", (step,), f"Create {name}"))
                if name == "before":
                    until(lambda: "before" in backend.records("groups"))
                    processes[0].process.kill()
                    processes[0].process.wait()
            until(lambda: {ticket.stage for ticket in backend.commands.tickets()} == {Stage.DONE}, seconds=60)
            until(lambda: "after" in backend.records("groups"), seconds=60)
            until(lambda: backend.health("groups").state is Freshness.LIVE, seconds=60)
        finally:
            backend.stop(5.0)
