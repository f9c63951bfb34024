"""Every operation requested by every kind of caller; a refusal changes nothing.

The rows are those of the catalogue, and the expected result follows from each operation's `Access`; only the callers
with a relation come from the cases. The event stream follows the same rules.
"""

from __future__ import annotations

from collections.abc import Iterator
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
from console.service.events.hub import EncodedChange, Subscriber
from console.service.platform import Platform, ServiceSettings
from console.service.scenarios.fill import fill
from console.service.store.documents import TOPICS
from console.service.store.outbox import OutboxEntry
from tests.contract.case import CASES, CaseSetup, assert_refusal, prepared, sent
from tests.contract.cases import load_cases
from tests.faults.figures import record
from tests.services import Services, writes_of
from tests.stores import new_store

load_cases()

OTHER_DOMAIN = User(id="otto", username="otto", domain="shop.example", role="user")
GUEST = User(id="visitor", username="visitor", domain="desk.example", role="anonymous")
WHO = {
    "nobody": Role.NOBODY,
    "guest": Role.ANONYMOUS,
    "otto": Role.USER,
    "pat": Role.USER,
    "bob": Role.USER,
    "eva": Role.ADMIN,
}
"""Callers: `otto` is of another domain, `bob` an agent."""


def token_of(setup: CaseSetup, name: str) -> str | None:
    if name != OTHER_DOMAIN.id:
        return setup.token(name)
    with setup.platform.write():
        return sessions.create(setup.platform, people.add_user(setup.platform, OTHER_DOMAIN), None)[1]


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
    refused = asked_by = 0
    with httpx.Client(trust_env=False) as client:
        for request, case in CASES.items():
            cells = [*WHO.items(), *((name, Role.USER) for name in case.not_for if name not in WHO)]
            asked_by += len(cells)
            while cells:
                # A refused request changes nothing, so that the next can use the same data.
                with ExitStack() as stack:
                    setup = prepared(stack, services, request.operation.variant or Variant.LATER)
                    asked = case.asks(setup)
                    client.base_url = setup.service.core_url
                    granted = False
                    while cells and not granted:
                        name, role = cells.pop(0)
                        token = token_of(setup, name)
                        client.headers = {"Authorization": f"Bearer {token}"} if token else {}
                        before = writes(setup)
                        answer = sent(client, asked, setup.variant)
                        granted = answer.is_success
                        refused += not granted
                        wrong += faults(request, name, role, setup.variant, answer)
                        if not granted and writes(setup) != before and not unchanged(client, asked, setup):
                            wrong.append(f"{request.operation.name} was refused to {name} and changed something")
    value = f"{refused} of {asked_by} cells refused, {len(wrong)} wrong"
    record("S3", not wrong, value, "every cell; refused calls change nothing")
    assert wrong == []


def faults(
    request: type[Request[Any]], name: str, role: Role, variant: Variant, answer: httpx.Response
) -> Iterator[str]:
    """Yield what is wrong with an answer: its status, or the shape of a refusal."""
    must = expected(request, name, role)
    if answer.status_code >= 500 or (must is not None and answer.status_code not in must):
        yield f"{request.operation.name} answers {name} with {answer.status_code}, not one of {must}"
    elif not answer.is_success:
        try:
            assert_refusal(answer, answer.status_code, request.operation.refuses_with(variant))
        except (AssertionError, KeyError) as error:
            yield f"{request.operation.name} refuses {name} in another shape: {error!r}: {answer.text}"


def writes(setup: CaseSetup) -> object:
    with setup.platform.read() as tx:
        return writes_of(tx)


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
