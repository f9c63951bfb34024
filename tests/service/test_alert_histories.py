"""Three people and time end the same alerts: all answers are consistent with one order of events."""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections.abc import Generator
from contextlib import AsyncExitStack

import httpx
import pytest

from console.records.support import AlertTemplate
from console.service.auth.caller import Caller
from console.service.domain import alerts, people, templates
from console.service.domain.alerts import ALERTS
from tests.background import Running
from tests.faults.figures import count, record
from tests.manual_clock import ManualClock
from tests.service.histories import ACTIVE, CANCELED, DONE, EXPIRED, UNKNOWN, Deed, accepted_by, legal
from tests.service.over_http import TRUSTING, fill, token_of
from tests.services import Services

HISTORIES = 20 * count("FAULTS_COUNT", 0) or 8
EXPIRES_SECONDS = 0.2
"""Short, because logins expire by the same clock."""
SPANS = {"acceptedSince": 10**9, "expiredSince": 10**9, "canceledSince": 10**9}
WAYS = {"ana": ("accept", "look"), "bob": ("accept", "look"), "eva": ("cancel", "look", "expire")}
ALL = (accepted_by("ana"), accepted_by("bob"), EXPIRED, CANCELED)


@pytest.mark.parametrize(
    ("deeds", "can_be"),
    [
        ([Deed("ana", "accept", DONE, 0, 2), Deed("bob", "accept", accepted_by("ana"), 1, 3)], True),
        ([Deed("ana", "accept", DONE, 0, 2), Deed("bob", "accept", DONE, 1, 3)], False),
        ([Deed("bob", "accept", accepted_by("ana"), 0, 1), Deed("ana", "accept", DONE, 2, 3)], False),
        ([Deed("ana", "accept", UNKNOWN, 0), Deed("bob", "look", ACTIVE, 5, 6)], True),
        ([Deed("ana", "accept", UNKNOWN, 0), Deed("bob", "accept", accepted_by("ana"), 5, 6)], True),
        ([Deed("bob", "look", EXPIRED, 0, 1), Deed("eva", "expire", DONE, 2, 3)], False),
        ([Deed("eva", "cancel", DONE, 0, 1), Deed("bob", "look", ACTIVE, 2, 3)], False),
        (
            [
                Deed("ana", "accept", UNKNOWN, 0),
                Deed("bob", "look", accepted_by("ana"), 1, 2),
                Deed("eva", "look", ACTIVE, 3, 4),
            ],
            False,
        ),
    ],
)
def test_only_possible_histories_are_accepted(deeds: list[Deed], can_be: bool) -> None:
    assert legal(deeds) is can_be


class Office:
    """Three people who are logged in, and the clock of the service."""

    def __init__(self, service: Running, clock: ManualClock) -> None:
        self.service = service
        self.clock = clock
        template = AlertTemplate(
            template_id="fire", title="Fire", payload="Out!", time_to_expire=round(EXPIRES_SECONDS * 1000)
        )
        templates.create(service.platform, template)
        templates.attach(service.platform, "fire", ["ana", "bob"])
        with service.database.read() as tx:
            self._eva = Caller(people.need_user(tx, "eva"))

    def send(self, alert_id: str) -> None:
        """Send an alert to ana and bob."""
        alerts.send(self.service.platform, self._eva, "fire", alert_id)

    def forget(self, alert_id: str) -> None:
        """Drop an alert, so that lists stay short."""
        with self.service.platform.write() as tx:
            ALERTS.remove(tx, alert_id)


@pytest.fixture
def office(services: Services) -> Generator[Office]:
    clock = ManualClock()
    with services.anew(fill, clock=clock) as service:
        yield Office(service, clock)


async def history(office: Office, clients: dict[str, httpx.AsyncClient], alert_id: str) -> list[Deed]:
    """Run concurrent actions of all three on one alert, some of which are never answered."""
    lot = random.Random(alert_id)
    found: list[Deed] = []

    async def act(who: str) -> None:
        for _ in range(lot.randint(2, 4)):
            what = lot.choice(WAYS[who])
            asked = time.perf_counter()
            if what == "expire":
                office.clock.advance(EXPIRES_SECONDS)
                told = DONE
            else:
                patience = lot.choice((0.0, lot.uniform(0.0, 0.006))) if lot.random() < 0.25 else 30.0
                told = await told_state(clients[who], who, what, alert_id, patience)
            answered = float("inf") if told == UNKNOWN else time.perf_counter()
            found.append(Deed(who, what, told, asked, answered))
            for _ in range(lot.randint(0, 9)):
                await asyncio.sleep(0)

    await asyncio.gather(*map(act, WAYS))
    return found


async def told_state(client: httpx.AsyncClient, who: str, what: str, alert_id: str, patience: float) -> str:
    """Send a request and return the state that it answers; give up after a timeout."""
    try:
        async with asyncio.timeout(patience):
            match what:
                case "accept":
                    answer = await client.post("/alerts/accept", json={"alertId": alert_id})
                case "cancel":
                    answer = await client.delete(f"/alerts/{alert_id}")
                case _:
                    answer = await client.get("/alerts", params=SPANS)
    except TimeoutError:
        return UNKNOWN
    if answer.status_code == 409:
        return _ending(answer.text)
    assert answer.status_code == 200, answer.text
    if what != "look":
        return DONE
    for state, listed in answer.json().items():
        for each in listed:
            if each["alertId"] == alert_id:
                return accepted_by(each["acceptedBy"]) if state == "accepted" else str(state)
    raise AssertionError(f"{who} does not see {alert_id}")


def _ending(words: str) -> str:
    """Return how the alert ended according to a refusal."""
    accepted = re.search(r"was accepted by .*\((\w+)\) at", words)
    if accepted:
        return accepted_by(accepted[1])
    return CANCELED if "was canceled" in words else EXPIRED


@pytest.mark.timeout(60 + HISTORIES)
async def test_answers_about_alerts_are_consistent_with_one_order_of_events(office: Office) -> None:
    base = office.service.base_url
    seen: set[str] = set()
    unknown = 0
    wrong: list[list[Deed]] = []
    async with AsyncExitStack() as stack:
        clients: dict[str, httpx.AsyncClient] = {}
        for who in WAYS:
            headers = {"Authorization": f"Bearer {token_of(base, who)}"}
            client = httpx.AsyncClient(base_url=f"{base}/core", headers=headers, trust_env=False, verify=TRUSTING)
            clients[who] = await stack.enter_async_context(client)
        for number in range(HISTORIES):
            alert_id = f"alert-{number}"
            office.send(alert_id)
            deeds = await history(office, clients, alert_id)
            deeds.append(await last_look(clients["eva"], alert_id))
            office.forget(alert_id)
            seen |= {each.told for each in deeds}
            unknown += sum(each.told == UNKNOWN for each in deeds)
            if not legal(deeds):
                wrong.append(deeds)
    value = f"{len(wrong)} of {HISTORIES:,} histories of three users, {unknown} requests without an answer"
    record("S12", not wrong and unknown > 0, value, "0 impossible")
    assert not wrong, wrong[0]
    assert seen > {UNKNOWN, DONE}


async def last_look(eva: httpx.AsyncClient, alert_id: str) -> Deed:
    asked = time.perf_counter()
    return Deed("eva", "look", await told_state(eva, "eva", "look", alert_id, 30.0), asked, time.perf_counter())
