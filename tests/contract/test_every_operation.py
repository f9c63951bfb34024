"""Every operation of the contract over real HTTP: bad input, a good request, and the same again.

Wrong callers are in `test_roles`.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack, closing
from typing import Any

import httpx
import pytest

from console.api.annotations import Access, Effect, Role, Variant
from console.api.catalogue import catalogue, find
from console.service.handlers import load_handlers
from console.service.handlers.handler import HANDLERS, Handler, Wire
from console.service.http.openapi import openapi
from tests.contract.case import CASES, CaseSetup, assert_refusal, derived_bad_values, prepared, sent
from tests.contract.cases import load_cases
from tests.contract.document import assert_documented
from tests.contract.rows import deviations_of_resources, row_of, rows
from tests.contract.shapes import Seen, expected
from tests.contract.walk import touched
from tests.for_each import for_each
from tests.services import Services

load_cases()
load_handlers()
NAMES = [request.operation.name for request in CASES]
DEPENDENT = {
    ("contacts.create", "source"),
    ("contacts.list-object", "source"),
    ("credentials.update", "type"),
    ("sessions.validate", "username"),
    ("tokens.issue", "grant_type"),
    ("users.validate-phone", "field"),
}
"""Inputs whose bad values are reported at another input, which does not match them."""


class Pass:
    """The one pass through all operations; several tests look at what it saw."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._done: set[str] = set()
        self.fields: dict[Variant, set[tuple[str, str]]] = {variant: set() for variant in Variant}
        """All fields of the answers to good requests."""

    def ensure(self, name: str) -> None:
        """Try an operation in its variants, unless that was done."""
        if name not in self._done:
            for variant in variants(name):
                with ExitStack() as stack:
                    asyncio.run(self._try(name, variant, prepared(stack, self._services, variant)))
            self._done.add(name)

    async def _try(self, name: str, variant: Variant, setup: CaseSetup) -> None:
        """Refuse, grant, repeat. A refusal changes nothing, so the next request can use the same data."""
        operation, case, first = find(name).operation, CASES[find(name)], variant is variants(name)[0]
        bad = [*case.bad_values(find(name), variant)] if first or operation.error_shape_earlier is not None else []
        repeated = first and operation.effect is Effect.CHANGE
        client = setup.client(case.by)
        try:
            steps = setup.stack.enter_context(closing(case.steps(setup)))
            request = next(steps)
            before = setup.dump()
            for status, values in bad:
                answer = sent(setup.raw(case.by), request, variant, values)
                assert_refusal(answer, status, operation.refuses_with(variant))
                if status == 400 and not {(name, wire) for wire in values} & DEPENDENT:
                    assert reported(answer, values), (values, answer.text)
                assert setup.dump() == before, values
            fetched = await client.fetch(request, once=f"press for {name}")
            typed_answer = await client.read(request, fetched)
        finally:
            await client.close()
        after = setup.dump()
        status = assert_documented(name, variant, fetched.body)
        if repeated:
            again = setup.raw(case.by)
            if client.sessions.token is not None:
                again.headers["Authorization"] = f"Bearer {client.sessions.token}"
            again.headers["Idempotency-Key"] = f"press for {name}"
            answer = sent(again, request, variant)
            assert (answer.status_code, answer.content) == (status, fetched.body)
            again.params = again.params.set("another", "1")
            assert_refusal(sent(again, request, variant), 409, operation.error_shape)
            assert setup.dump() == after
        if not operation.is_extension:
            row, contract_operation = row_of(name)
            seen = Seen(variant)
            seen.look_at(row, contract_operation, json.loads(fetched.body))
            assert seen.faults == []
            self.fields[variant] |= seen.fields
            assert touched(before, after) == contract_operation.touches[variant]
        with pytest.raises(StopIteration):
            steps.send(typed_answer)


def reported(answer: httpx.Response, values: Mapping[str, Any]) -> bool:
    """Return whether a refusal reports one of these inputs, or a part of it."""
    return any(each["dataPath"].partition(".")[0] in values for each in answer.json()["validationErrors"])


@pytest.fixture(scope="module")
def whole(services: Services) -> Pass:
    return Pass(services)


def variants(name: str) -> tuple[Variant, ...]:
    """Return the variants in which an operation is tried; in the first one, wrong callers are tried as well."""
    only = find(name).operation.variant
    return tuple(each for each in CASES[find(name)].variants if only in {None, each})


def excluded(name: str) -> dict[str, int]:
    """Return the roles that an operation's access excludes, with the expected status."""
    least = find(name).operation.access.value.least
    by_role = {"nobody": (Role.NOBODY, 401), "guest": (Role.ANONYMOUS, 403), "pat": (Role.USER, 403)}
    return {who: status for who, (role, status) in by_role.items() if role < least}


@pytest.mark.parametrize("name", NAMES)
def test_an_operation_refuses_bad_input_and_then_has_its_effect(whole: Pass, name: str) -> None:
    whole.ensure(name)


@for_each("variant", list(Variant))
def test_every_field_of_the_contract_is_shown_or_left_out_with_a_reason(whole: Pass, variant: Variant) -> None:
    for name in NAMES:
        whole.ensure(name)
    left_out = {(name, each.what) for name, found in deviations_of_resources().items() for each in found}
    wanted = expected(variant, rows())
    assert wanted - whole.fields[variant] == left_out & wanted


@for_each(
    "name", [name for name in NAMES if find(name).operation.access.value.but_admins and CASES[find(name)].by != "eva"]
)
def test_admins_need_no_relation_where_the_contract_says_so(services: Services, name: str) -> None:
    with ExitStack() as stack:
        setup = prepared(stack, services, find(name).operation.variant or Variant.LATER)
        answer = sent(setup.raw("eva"), CASES[find(name)].asks(setup), setup.variant)
        assert answer.is_success, answer.text


def test_every_operation_has_an_answer_and_a_case() -> None:
    assert {name for name, each in catalogue().items() if each not in CASES} == set()
    assert {each.operation.name for each in catalogue().values() if each not in HANDLERS} == set()


def test_every_operation_is_granted_in_each_of_its_variants_and_refused_to_some_caller() -> None:
    for name, request in catalogue().items():
        wanted = {request.operation.variant} if request.operation.variant else set(Variant)
        assert wanted <= set(variants(name)), name
        assert request.operation.access is Access.ANYONE or excluded(name) or CASES[request].not_for, name


def test_only_operations_that_accept_any_input_have_no_bad_input_case() -> None:
    for request, case in CASES.items():
        taken = {str(each.annotation) for each in request.inputs()}
        bad = [*case.bad_values(request, request.operation.variant or Variant.LATER)]
        assert bad or taken <= {"str | None"}, f"{request.operation.name} can be asked wrongly, and is not"


@for_each("variant", list(Variant))
def test_the_openapi_document_states_the_access_of_every_operation(variant: Variant) -> None:
    said = {
        operation["operationId"]: (operation["description"], operation["x-access"], "security" in operation)
        for methods in openapi(variant)["paths"].values()
        for operation in methods.values()
    }
    for name, request in catalogue().items():
        access = request.operation.access
        if request.operation.variant in {None, variant}:
            wanted = (f"For {access.words}.", access.name.lower(), access is not Access.ANYONE)
            assert said[name] == wanted, name


def test_every_relation_is_tried_by_an_unrelated_caller() -> None:
    for request, case in CASES.items():
        terms, name = request.operation.access.value, request.operation.name
        if terms.related:
            assert set(case.not_for) - excluded(name).keys(), name
        if terms.related and not terms.but_admins:
            assert "eva" in {case.by, *case.not_for}, name
        assert (HANDLERS[request].related is not None) is terms.related, name


def test_the_declarations_imply_as_many_bad_values_as_the_contract() -> None:
    values = Counter(
        (status, value)
        for name, request in catalogue().items()
        for status, _, value in derived_bad_values(request, variants(name)[0])
    )
    unknown, missing, empty = values[404, "none"], values[400, None], values[400, ""]
    texts, structures, times, flags, paging = (values[400, wrong] for wrong in (3, "x", "then", "perhaps", "0"))
    assert (unknown, missing, empty) == (79, 68, 36)
    assert (texts, structures, times, flags, paging) == (166, 138, 46, 21, 17)


def test_a_wrong_answer_of_an_operation_fails_no_other(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    tried, request = Pass(services), find("user-permissions.get")
    sound = HANDLERS[request]

    def answer_wrongly(*arguments: Any) -> Wire:
        return Wire({**sound.run(*arguments).wire(), "unheard": "of"})

    with monkeypatch.context() as planted:
        planted.setitem(HANDLERS, request, Handler(answer_wrongly, related=sound.related))
        with pytest.raises(AssertionError, match="no such field"):
            tried.ensure("user-permissions.get")
    tried.ensure("user-permissions.update")
    tried.ensure("user-permissions.get")
