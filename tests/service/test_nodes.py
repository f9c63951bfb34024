"""Two nodes on one database: one order of events, answers that are never older than what was seen, one duty."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import httpx
import psycopg
import pytest

from console.api.events import CLOSE_LOGIN_NEEDED, Subscribed
from console.service.domain import groups, people, sessions, status
from console.service.domain.domains import DOMAINS
from console.service.domain.people import USERS
from console.service.domain.sessions import SESSIONS
from console.service.platform import Platform
from console.service.store import duty, node
from console.service.store.faults import StorageFault
from tests.background import Running
from tests.live.until import settled, until
from tests.service.channels import confirmed, heard, subscribed
from tests.service.nodes import Nodes, events_until, is_chain, rest_of, two_nodes
from tests.service.over_http import PASSWORD, TRUSTING, data, get, grant, log_in

DUTY = "SELECT pg_advisory_lock(7261003)"


@pytest.fixture(scope="module")
def announced() -> Generator[list[Platform]]:
    """The platforms that announced their status. It is no event, which would come at any moment."""
    announced: list[Platform] = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(status, "announce", announced.append)
        yield announced


@pytest.fixture(scope="module")
def nodes(announced: list[Platform]) -> Generator[Nodes]:
    with two_nodes() as nodes:
        yield nodes


@pytest.fixture
def eva(nodes: Nodes) -> Generator[httpx.Client]:
    """A client of node A."""
    with log_in(nodes.a, "eva") as client:
        yield client


def at(running: Running, client: httpx.Client) -> httpx.Client:
    """Return a client of another node with the same login."""
    return httpx.Client(base_url=running.core_url, headers=client.headers, trust_env=False, verify=TRUSTING)


def create(running: Running, *names: str) -> None:
    with running.platform.read() as tx:
        owner = people.need_user(tx, "eva")
    for name in names:
        groups.create(running.platform, owner, name, name, participants=("bob",))


def cut_connections(nodes: Nodes) -> int:
    """End the connections on which both nodes listen, from the server's side; return their number."""
    with psycopg.connect(nodes.url, autocommit=True) as other:
        listening = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = 7261002 AND granted"
        query = f"SELECT pg_terminate_backend(pid, 10000) FROM ({listening}) AS listening"
        return len(other.execute(query.encode()).fetchall())


def test_changes_at_both_nodes_reach_all_channels_in_one_order(nodes: Nodes, eva: httpx.Client) -> None:
    with subscribed(nodes.a.events_url, eva, "groups") as at_a, subscribed(nodes.b.events_url, eva, "groups") as at_b:
        starts = [heard(opened) for opened in (at_a, at_b)]
        names = [f"order-{number}" for number in range(24)]
        with ThreadPoolExecutor() as threads:
            for running, own in ((nodes.a, names[::3]), (nodes.b, names[1::3]), (nodes.a, names[2::3])):
                threads.submit(create, running, *own)
        with nodes.a.platform.read() as tx:
            head = tx.head
        seen = [events_until(opened, head) for opened in (at_a, at_b)]
    for start, events in zip(starts, seen, strict=True):
        assert isinstance(start, Subscribed)
        assert is_chain(events, start.offset)
        assert sorted(event.key for event in events) == sorted(names)
    assert [event.offset for event in seen[0]] == [event.offset for event in seen[1]]


def test_nothing_is_missed_or_doubled_while_the_connection_is_lost(nodes: Nodes, eva: httpx.Client) -> None:
    with subscribed(nodes.b.events_url, eva, "groups") as opened:
        start = confirmed(opened)
        for number in range(3):
            until(lambda: cut_connections(nodes))
            create(nodes.a, f"lost-{number}")
        events = events_until(opened, nodes.a.database.head)
    assert is_chain(events, start.offset)
    assert [event.key for event in events] == ["lost-0", "lost-1", "lost-2"]


def test_a_channel_resumes_at_the_other_node_with_exactly_the_rest(nodes: Nodes, eva: httpx.Client) -> None:
    with subscribed(nodes.a.events_url, eva, "groups") as opened:
        heard(opened)
        create(nodes.b, "seen")
        (seen,) = events_until(opened, nodes.b.database.head)
    create(nodes.a, "missed")
    create(nodes.b, "missed-too")
    with subscribed(nodes.b.events_url, eva, "groups", resume=(nodes.a.database.epoch, seen.offset)) as opened:
        confirmed(opened)
        create(nodes.a, "later")
        events = events_until(opened, nodes.a.database.head)
    assert is_chain(events, seen.offset)
    assert [event.key for event in events] == ["missed", "missed-too", "later"]


def test_a_list_is_never_older_than_a_change_at_the_other_node(nodes: Nodes, eva: httpx.Client) -> None:
    with at(nodes.b, eva) as other:
        for number in range(20):
            alias = f"Number {number}"
            changed = eva.put("/users/pat", json={"alias": alias})
            listed = other.get("/users")
            assert alias in listed.text
            assert int(listed.headers["Event-Offset"]) >= int(changed.headers["Event-Offset"])
            # A tag is good at both nodes, until a change at either.
            tag = {"If-None-Match": listed.headers["ETag"]}
            assert eva.get("/users", headers=tag).status_code == 304
            data(other.put("/users/pat", json={"alias": "between"}))
            assert "between" in eva.get("/users", headers=tag).text


def test_a_permission_revoked_at_one_node_is_enforced_at_the_other(nodes: Nodes) -> None:
    with (
        log_in(nodes.a, "otto") as otto,
        at(nodes.b, otto) as other,
        subscribed(nodes.b.events_url, otto, "chats") as opened,
    ):
        heard(opened)
        assert other.get("/support-chats").status_code == 200
        with nodes.a.platform.write() as tx:
            domain = DOMAINS.need(tx, "other.example")
            DOMAINS.put(tx, domain.model_copy(update={"services": {"login": ()}}))
        assert other.get("/support-chats").status_code == 403
        with nodes.a.platform.write() as tx:
            sessions.end_many(tx, [session for session in SESSIONS.records(tx) if session.user == "otto"])
        assert other.get("/support-chats").status_code == 401
        assert rest_of(opened)[1] == CLOSE_LOGIN_NEEDED


def test_wrong_passwords_count_at_all_nodes_together(nodes: Nodes) -> None:
    def attempt(number: int, password: str = "wrong") -> int:
        with log_in((nodes.a, nodes.b)[number % 2], "nobody") as nobody:
            return grant(nobody, "pat", password).status_code

    for number in range(9):
        assert attempt(number) == 401
    # The right password resets the count.
    assert attempt(0, PASSWORD) == 200
    with ThreadPoolExecutor(8) as threads:
        answers = Counter(threads.map(attempt, range(24)))
    assert answers[401] <= 10
    assert answers[401] + answers[429] == 24
    until(lambda: attempt(0) == attempt(1) == 429)
    assert [attempt(number, PASSWORD) for number in range(2)] == [429, 429]


def test_a_repeated_key_has_one_effect_at_both_nodes(nodes: Nodes, eva: httpx.Client) -> None:
    with at(nodes.b, eva) as other, ThreadPoolExecutor(4) as threads:
        for key in ("one", "two", "three"):
            post = partial(httpx.Client.post, url="/groups", json={"name": key}, headers={"Idempotency-Key": key})
            made = [data(answer)["groupId"] for answer in threads.map(post, (eva, other, eva, other))]
            assert len(set(made)) == 1
            groups = data(other.get("/groups"))["groupList"]
            assert [group["groupId"] for group in groups if group["name"] == key] == made[:1]


def test_a_node_is_ready_while_it_hears_of_the_others(nodes: Nodes, monkeypatch: pytest.MonkeyPatch) -> None:
    for running in (nodes.a, nodes.b):
        assert data(get(f"{running.base_url}/readyz")) == {"status": "ready"}
    monkeypatch.setattr(node, "CURRENT_SECONDS", -1.0)
    refused = get(f"{nodes.a.base_url}/readyz")
    assert (refused.status_code, refused.json()) == (503, {"status": "the events of other nodes cannot be read"})
    assert get(f"{nodes.a.base_url}/healthz").status_code == 200


def figure(running: Running, name: str) -> float:
    """Return a figure of a node without labels."""
    text = get(f"{running.base_url}/metrics").text
    return next(float(line.split()[1]) for line in text.splitlines() if line.startswith(f"{name} "))


def test_the_figures_of_a_node_show_its_connections_and_the_wait_for_the_other_writer(nodes: Nodes) -> None:
    size, before = (figure(nodes.b, name) for name in ("service_pool_size", "service_writer_wait_seconds_total"))
    with ThreadPoolExecutor(1) as pool, nodes.a.platform.write():
        pool.submit(create, nodes.b, "waiting")
        with psycopg.connect(nodes.url, autocommit=True) as other:
            waiting = "SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 7261001 AND NOT granted"
            until(lambda: other.execute(waiting).fetchone() is not None)
        began = time.monotonic()
        assert 1 <= figure(nodes.b, "service_pool_used") < size
        waited = time.monotonic() - began
    assert figure(nodes.b, "service_writer_wait_seconds_total") >= before + waited
    until(lambda: figure(nodes.b, "service_tail_lag_events") == figure(nodes.b, "service_tail_lag_seconds") == 0)
    # The background work of a node may wait for a connection for a moment.
    until(lambda: figure(nodes.b, "service_pool_waiting") == 0)
    assert figure(nodes.b, "service_pool_wait_seconds_total") > 0


def test_every_figure_is_described_on_the_page_of_the_service(nodes: Nodes) -> None:
    text = get(f"{nodes.a.base_url}/metrics").text
    page = (Path(__file__).parents[2] / "docs/service.md").read_text()
    families = [line.split()[2:4] for line in text.splitlines() if line.startswith("# TYPE ")]
    assert len(families) > 10
    assert [name for name, kind in families if f"`{name}{'_total' * (kind == 'counter')}`" not in page] == []


def test_one_node_does_the_background_work_and_another_takes_it_over(nodes: Nodes, announced: list[Platform]) -> None:
    first, other = nodes.on_duty()
    create(first, "heard of after trying to get the duty")
    until(lambda: other.database.head == first.database.head)
    assert not other.database.has_duty
    with psycopg.connect(nodes.url, autocommit=True) as third:
        # It waits for the duty, so that it gets it before either of the two.
        waiting = threading.Thread(target=third.execute, args=(DUTY,))
        waiting.start()
        with psycopg.connect(nodes.url, autocommit=True) as watcher:
            until(lambda: watcher.execute("SELECT 1 FROM pg_locks WHERE NOT granted").fetchone())
        with first.database.on_duty():
            with first.platform.write() as tx:
                USERS.put(tx, people.need_user(tx, "pat"))
            cut_connections(nodes)
            waiting.join()
            with pytest.raises(StorageFault, match="duty"), first.platform.write():
                pass
        until(lambda: not first.database.has_duty)
        announced.clear()
    first, _ = nodes.on_duty()
    until(lambda: announced)
    assert set(announced) == {first.platform}


def test_a_node_without_the_duty_starts_no_background_work(nodes: Nodes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duty, "CHECK_SECONDS", 0)
    started: list[Platform] = []

    async def job(platform: Platform) -> None:
        started.append(platform)
        await asyncio.Event().wait()

    async def run_for_many_checks(platform: Platform) -> None:
        background = asyncio.create_task(duty.run_on_duty(platform, [job]))
        await settled()
        background.cancel()
        await asyncio.gather(background, return_exceptions=True)

    on_duty, other = nodes.on_duty()
    for running in (other, on_duty):
        asyncio.run(run_for_many_checks(running.platform))
    assert started == [on_duty.platform]
