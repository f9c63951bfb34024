"""Every operation of the contract, over real HTTP: granted, refused to the wrong caller, refused for bad input."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack

import pytest

from console.api.catalogue import catalogue, find
from console.api.marks import Access, Variant
from console.service.answering import ANSWERS, load_answers
from tests.contract.case import CASES, assert_refusal, open_ground, sent
from tests.contract.cases import load_cases

load_cases()
load_answers()
NAMES = [request.operation.name for request in CASES]
BOTH = [
    pytest.param(request.operation.name, variant, id=f"{request.operation.name}-{variant}")
    for request, case in CASES.items()
    for variant in case.variants
    if request.operation.variant in {None, variant}
]


@pytest.fixture
def stack() -> Generator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.mark.parametrize(("name", "variant"), BOTH)
async def test_it_does_what_it_says(stack: ExitStack, name: str, variant: Variant) -> None:
    ground = open_ground(stack, variant)
    case = CASES[find(name)]
    client = await ground.client(case.by)
    try:
        answer = await client.send(case.asks(ground))
    finally:
        await client.close()
    case.proves(ground, answer)


@pytest.mark.parametrize("name", [name for name in NAMES if find(name).operation.access is not Access.ANYONE])
def test_it_is_refused_to_the_wrong_caller(stack: ExitStack, name: str) -> None:
    operation, case = find(name).operation, CASES[find(name)]
    ground = open_ground(stack, operation.variant or Variant.LATER)
    callers = {who: ground.raw(who) for who in ("nobody", *case.not_for)}
    request = case.asks(ground)
    before = ground.dump()
    for who, client in callers.items():
        assert_refusal(sent(client, request, ground.variant), 401 if who == "nobody" else 403, operation.error_shape)
        assert ground.dump() == before, who


@pytest.mark.parametrize("name", [name for name in NAMES if CASES[find(name)].bad])
def test_bad_input_is_refused_in_the_contracts_shape_and_changes_nothing(stack: ExitStack, name: str) -> None:
    operation, case = find(name).operation, CASES[find(name)]
    ground = open_ground(stack, operation.variant or Variant.LATER)
    client = ground.raw(case.by)
    request = case.asks(ground)
    before = ground.dump()
    for bad in case.bad:
        assert_refusal(sent(client, request, ground.variant, bad), bad.status, operation.error_shape)
        assert ground.dump() == before, bad


def test_every_operation_has_an_answer_and_a_case() -> None:
    assert {name for name, each in catalogue().items() if each not in CASES} == set()
    assert {each.operation.name for each in catalogue().values() if each not in ANSWERS} == set()


def test_every_role_that_access_excludes_is_tried() -> None:
    for request, case in CASES.items():
        access = request.operation.access
        tried = set(case.not_for)
        if access is Access.ADMIN:
            assert tried - {"guest"}, request.operation.name
        if access not in {Access.ANYONE, Access.SIGNED_IN}:
            assert tried, request.operation.name
