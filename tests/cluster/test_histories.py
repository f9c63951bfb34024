"""People act on the same alerts and groups at two nodes: all answers are consistent with one order of events."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import AsyncExitStack, asynccontextmanager

import httpx
import pytest

from console.records.support import AlertTemplate
from console.service.auth.caller import Caller
from console.service.domain import alerts, people, templates
from console.service.domain.alerts import ALERTS
from console.service.platform import ServiceSettings
from tests.faults.figures import count
from tests.service.histories import ACTIVE, DONE, REFUSED, UNKNOWN, Deed, GroupDeed, legal
from tests.service.nodes import Nodes, two_nodes
from tests.service.over_http import session_of
from tests.service.test_alert_histories import last_look, told_state

HISTORIES = 3 * count("CLUSTER_COUNT", 7)
"""Of alerts, and as many of groups."""
ALERT_WAYS = {"ana": ("accept", "look"), "bob": ("accept", "look"), "eva": ("cancel", "look")}
GROUP_WAYS = ("add", "remove", "look")
EDITORS = 3

Clients = dict[str, tuple[httpx.AsyncClient, ...]]
"""By user, a client of each node with the same login."""


@pytest.mark.parametrize(
    ("deeds", "can_be"),
    [
        ([GroupDeed("pat", "add", DONE, 0, 2), GroupDeed("pat", "add", REFUSED, 1, 3)], True),
        ([GroupDeed("pat", "add", DONE, 0, 2), GroupDeed("pat", "add", DONE, 1, 3)], False),
        ([GroupDeed("pat", "add", DONE, 0, 1), GroupDeed("", "look", "bob,carla", 2, 3)], False),
        ([GroupDeed("pat", "add", UNKNOWN, 0), GroupDeed("", "look", "bob,carla", 2, 3)], True),
        (
            [
                GroupDeed("bob", "remove", DONE, 0, 9),
                GroupDeed("", "look", "carla", 1, 2),
                GroupDeed("", "look", "bob,carla", 3, 4),
            ],
            False,
        ),
    ],
)
def test_only_possible_histories_of_participants_are_accepted(deeds: list[Deed], can_be: bool) -> None:
    assert legal(deeds, "bob,carla") is can_be


@pytest.fixture(scope="module")
def nodes() -> Generator[Nodes]:
    with two_nodes(ServiceSettings(account_rate=0, address_rate=0)) as nodes:
        yield nodes


@asynccontextmanager
async def clients_of(nodes: Nodes) -> AsyncGenerator[Clients]:
    """Log in three people; yield clients of both nodes for each."""
    async with AsyncExitStack() as stack:
        clients: Clients = {}
        for who in ALERT_WAYS:
            headers = {"Authorization": f"Bearer {session_of(nodes.a.platform, who)}"}
            pair = [
                httpx.AsyncClient(base_url=node.core_url, headers=headers, trust_env=False)
                for node in (nodes.a, nodes.b)
            ]
            clients[who] = tuple([await stack.enter_async_context(client) for client in pair])
        yield clients


def timeout(lot: random.Random) -> float:
    """Return how many seconds to wait for an answer: mostly until it comes."""
    return lot.choice((0.0, lot.uniform(0.0, 0.05))) if lot.random() < 0.2 else 30.0


async def act_on_alert(clients: Clients, alert_id: str) -> list[Deed]:
    """Accept, cancel and look, three people at once, each request at a node chosen by lot."""
    lot = random.Random(alert_id)
    deeds: list[Deed] = []

    async def act(who: str) -> None:
        for _ in range(lot.randint(2, 4)):
            what, asked = lot.choice(ALERT_WAYS[who]), time.perf_counter()
            state = await told_state(lot.choice(clients[who]), who, what, alert_id, timeout(lot))
            deeds.append(Deed(who, what, state, asked, float("inf") if state == UNKNOWN else time.perf_counter()))

    await asyncio.gather(*map(act, ALERT_WAYS))
    return [*deeds, await last_look(lot.choice(clients["eva"]), alert_id)]


async def act_on_group(clients: Clients, group_id: str) -> list[Deed]:
    """Add, remove and look, three at once, each request at a node chosen by lot."""
    lot = random.Random(group_id)
    deeds: list[Deed] = []

    async def act() -> None:
        for _ in range(lot.randint(2, 4)):
            what, whom = lot.choice(GROUP_WAYS), lot.choice(("bob", "carla", "pat"))
            deeds.append(await edit(lot.choice(clients["ana"]), group_id, what, whom, timeout(lot)))

    await asyncio.gather(*(act() for _ in range(EDITORS)))
    return [*deeds, await edit(lot.choice(clients["ana"]), group_id, "look", "", 30.0)]


async def edit(client: httpx.AsyncClient, group_id: str, what: str, whom: str, seconds: float) -> Deed:
    """Send a request about participants, and return its answer; give up after a time."""
    path, asked = f"/groups/{group_id}/participants", time.perf_counter()
    try:
        async with asyncio.timeout(seconds):
            if what == "look":
                answer = await client.get("/groups")
            else:
                answer = await client.post(path + "/remove" * (what == "remove"), json={"targetUserId": whom})
    except TimeoutError:
        return GroupDeed(whom, what, UNKNOWN, asked)
    answered = time.perf_counter()
    if answer.status_code in {404, 409}:
        return GroupDeed(whom, what, REFUSED, asked, answered)
    assert answer.status_code == 200, answer.text
    if what != "look":
        return GroupDeed(whom, what, DONE, asked, answered)
    (listed,) = [group for group in answer.json()["groupList"] if group["groupId"] == group_id]
    return GroupDeed(whom, what, ",".join(listed["participants"]), asked, answered)


async def check(what: str, history: Callable[[int], Awaitable[list[Deed]]], start: str = ACTIVE) -> None:
    """Print and assert that all histories are possible. `history` returns the one of a number."""
    histories = [await history(number) for number in range(HISTORIES)]
    impossible = [deeds for deeds in histories if not legal(deeds, start)]
    unknown = sum(deed.told == UNKNOWN for deeds in histories for deed in deeds)
    print(f"{what}: {len(impossible)} of {HISTORIES} histories are impossible; {unknown} requests without an answer")
    assert not impossible, impossible[0]
    assert len({deed.told for deeds in histories for deed in deeds}) > 3


@pytest.mark.timeout(60 + 2 * HISTORIES)
async def test_answers_of_two_nodes_about_alerts_are_consistent_with_one_order_of_events(nodes: Nodes) -> None:
    platform = nodes.a.platform
    templates.create(platform, AlertTemplate(template_id="fire", title="Fire", payload="", time_to_expire=600_000))
    templates.attach(platform, "fire", ["ana", "bob"])
    with platform.read() as tx:
        eva = Caller(people.need_user(tx, "eva"))
    async with clients_of(nodes) as clients:

        async def history(number: int) -> list[Deed]:
            alert_id = f"alert-{number}"
            alerts.send(platform, eva, "fire", alert_id)
            deeds = await act_on_alert(clients, alert_id)
            with platform.write() as tx:
                ALERTS.remove(tx, alert_id)
            return deeds

        await check("alerts", history)


@pytest.mark.timeout(60 + 2 * HISTORIES)
async def test_answers_of_two_nodes_about_participants_are_consistent_with_one_order_of_events(nodes: Nodes) -> None:
    async with clients_of(nodes) as clients:

        async def history(number: int) -> list[Deed]:
            group_id = f"group-{number}"
            created = await clients["ana"][number % 2].post("/groups", json={"groupId": group_id, "name": "Night"})
            assert created.is_success, created.text
            return await act_on_group(clients, group_id)

        await check("participants", history, "")
