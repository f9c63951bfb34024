"""Every operation requested by every kind of caller; a refusal changes nothing.

The rows are those of the catalogue, and the expected result follows from each operation's `Access`; only the callers
with a relation come from the cases. The event stream follows the same rules.
"""

from __future__ import annotations

from contextlib import ExitStack, closing
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from console.api.annotations import Role, Variant
from console.api.request import Request
from console.base.clock import SystemClock
from console.records.people import User
from console.service.auth.caller import NOBODY, Caller
from console.service.auth.passwords import Cost
from console.service.domain import people, sessions
from console.service.domain.people import USERS
from console.service.events.hub import EncodedChange, Subscriber
from console.service.platform import Platform, ServiceSettings
from console.service.scenarios.fill import fill
from console.service.store.documents import TOPICS
from console.service.store.outbox import OutboxEntry
from tests.contract.case import CASES, CaseSetup, prepared, sent
from tests.contract.cases import load_cases
from tests.faults.figures import record
from tests.services import Services, content_of, writes_of
from tests.stores import new_store

load_cases()

OTHER_DOMAIN = User(id="otto", username="otto", domain="shop.example", role="user")
GUEST = User(id="visitor", username="visitor", domain="desk.example", role="anonymous")
WHO = {
    "nobody": ("", Role.NOBODY),
    "guest": ("visitor", Role.ANONYMOUS),
    "other domain": ("otto", Role.USER),
    "user": ("pat", Role.USER),
    "agent": ("bob", Role.USER),
    "admin": ("eva", Role.ADMIN),
}


def token_of(platform: Platform, name: str) -> str:
    with platform.write() as tx:
        for user in (OTHER_DOMAIN, GUEST):
            if USERS.get(tx, user.id) is None:
                people.add_user(platform, user)
        return sessions.create(platform, people.need_user(tx, name), None)[1]


def expected(request: type[Request[Any]], name: str, role: Role) -> set[int] | None:
    """Return the expected refusal, or None if it depends on the answer."""
    terms, case = request.operation.access.value, CASES[request]
    if role < terms.least:
        return {401 if role is Role.NOBODY else 403}
    if name in case.not_for:
        return {403}
    if terms.related and name == OTHER_DOMAIN.id and case.by != name:
        return {403, 404}
    return None


def test_every_operation_is_refused_to_roles_without_access_and_changes_nothing(services: Services) -> None:
    wrong: list[str] = []
    refused = 0
    with httpx.Client(trust_env=False) as client:
        for request, case in CASES.items():
            cells = list(WHO.items())
            while cells:
                # A refused request changes nothing, so that the next can use the same data.
                with ExitStack() as stack:
                    setup = prepared(stack, services, request.operation.variant or Variant.LATER)
                    asked = case.asks(setup)
                    client.base_url = setup.service.core_url
                    granted = False
                    while cells and not granted:
                        who, (name, role) = cells.pop(0)
                        client.headers = {"Authorization": f"Bearer {token_of(setup.platform, name)}"} if name else {}
                        before = content(setup)
                        answer = sent(client, asked, setup.variant)
                        granted = answer.is_success
                        refused += not granted
                        wrong += faults(request, who, name, role, answer.status_code)
                        if not granted and content(setup) != before and not unchanged(client, asked, setup):
                            wrong.append(f"{request.operation.name} was refused to {who} and changed something")
    value = f"{refused} of {len(CASES) * len(WHO)} cells refused, {len(wrong)} wrong"
    record("S3", not wrong, value, "every cell; refused calls change nothing")
    assert wrong == []


def faults(request: type[Request[Any]], who: str, name: str, role: Role, status: int) -> list[str]:
    must = expected(request, name, role)
    if status >= 500 or (must is not None and status not in must):
        return [f"{request.operation.name} answers {who} with {status}, not one of {must}"]
    return []


def content(setup: CaseSetup) -> object:
    """Return the database, byte for byte, or of one on a server, where that takes too long, the number of writes."""
    with setup.platform.read() as tx:
        return writes_of(tx) if setup.platform.database.is_remote else content_of(tx)


def unchanged(client: httpx.Client, asked: Request[Any], setup: CaseSetup) -> bool:
    """Repeat a request and compare the database: the service may have changed something by itself before."""
    before = setup.dump()
    sent(client, asked, setup.variant)
    return setup.dump() == before


@pytest.mark.parametrize("variant", list(Variant))
def test_events_contain_what_the_lists_of_their_receivers_show_and_nothing_else(variant: Variant) -> None:
    settings, clock = ServiceSettings(variant=variant, password_cost=Cost.cheap()), SystemClock()
    cells = 0
    with (
        new_store(clock, settings) as (database, settings),
        closing(Platform(database, clock, settings)) as platform,
        platform.write() as tx,
    ):
        fill(platform, "busy")
        users = [people.add_user(platform, user) for user in (OTHER_DOMAIN, GUEST)]
        users += [people.need_user(tx, name) for name in ("eva", "bob", "pat")]
        for caller in (NOBODY, *(Caller(user) for user in users)):
            subscriber = Subscriber(caller)
            subscriber.listen(TOPICS)
            for topic, documents in TOPICS.items():
                cells += 1
                listed = set(tx.run(sa.select(documents.c.key).where(*documents.conditions((), caller))).scalars())
                visibility = subscriber.visibilities[topic]
                told = {
                    row.key
                    for row in tx.rows(sa.select(documents.table))
                    if EncodedChange(_change(topic, row), variant).to(subscriber, visibility) is not None
                }
                assert told == listed, (topic, caller.id)
    record("S3", True, f"streams: {cells} cells", "every cell; refused calls change nothing")


def _change(topic: str, row: sa.Row[Any]) -> OutboxEntry:
    scope = {name: getattr(row, name) for name in TOPICS[topic].rule.columns}
    return OutboxEntry(1, topic, "upsert", row.key, row.body, None, scope)
