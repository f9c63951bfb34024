"""Every changing operation obeys its Idempotency-Key: one effect, one answer, and no other request under it."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from console.api.catalogue import catalogue, find
from console.api.marks import Effect
from console.service.answering import load_answers
from tests.contract.case import CASES, assert_refusal, prepared, sent
from tests.contract.cases import load_cases
from tests.services import Services

load_cases()
load_answers()
CHANGES = [name for name, each in catalogue().items() if each.operation.effect is Effect.CHANGE]


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_under_one_key_is_made_once(services: Services, name: str) -> None:
    operation, case = find(name).operation, CASES[find(name)]
    with ExitStack() as stack:
        ground = prepared(stack, services, operation.variant or case.variants[0])
        client = ground.raw(case.by)
        client.headers["Idempotency-Key"] = f"press for {name}"
        request = case.asks(ground)
        first = sent(client, request, ground.variant)
        assert first.is_success, first.text
        after = ground.dump()
        again = sent(client, request, ground.variant)
        assert (again.status_code, again.content) == (first.status_code, first.content)
        client.params = client.params.set("another", "1")
        assert_refusal(sent(client, request, ground.variant), 409, operation.error_shape)
        assert ground.dump() == after
