"""Every changing operation obeys its Idempotency-Key: one effect, one answer, and no other request with it."""

from __future__ import annotations

from contextlib import ExitStack

from console.api.annotations import Effect
from console.api.catalogue import catalogue, find
from console.service.handlers import load_handlers
from tests.contract.case import CASES, assert_refusal, prepared, sent
from tests.contract.cases import load_cases
from tests.for_each import for_each
from tests.services import Services

load_cases()
load_handlers()
CHANGES = [name for name, each in catalogue().items() if each.operation.effect is Effect.CHANGE]


@for_each("name", CHANGES)
def test_a_change_repeated_with_the_same_key_is_made_once(services: Services, name: str) -> None:
    operation, case = find(name).operation, CASES[find(name)]
    with ExitStack() as stack:
        setup = prepared(stack, services, operation.variant or case.variants[0])
        client = setup.raw(case.by)
        client.headers["Idempotency-Key"] = f"press for {name}"
        request = case.asks(setup)
        first = sent(client, request, setup.variant)
        assert first.is_success, first.text
        after = setup.dump()
        again = sent(client, request, setup.variant)
        assert (again.status_code, again.content) == (first.status_code, first.content)
        client.params = client.params.set("another", "1")
        assert_refusal(sent(client, request, setup.variant), 409, operation.error_shape)
        assert setup.dump() == after
