"""Generated requests that conform to the served OpenAPI document are answered as documented.

No answer is a server error, or has an undocumented status or shape. `make fuzz` tries more: another seed every time,
input that the document forbids, and both variants throughout.
"""

from __future__ import annotations

import importlib
import os
from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from console.api.annotations import Variant
from console.api.catalogue import catalogue
from console.records.people import User
from console.service.auth.passwords import Cost
from console.service.domain import people, sessions
from console.service.platform import ServiceSettings
from console.service.scenarios.fill import fill
from tests.background import Running, start_background
from tests.faults.figures import record
from tests.for_each import for_each
from tests.service.aim import Known, known
from tests.service.over_http import token_of

COUNT = int(os.environ.get("FUZZ_COUNT", "0"))
"""Examples per operation; 0 for the few, constant ones of every test run."""
FEW = 3
_GENERAL: Any = importlib.import_module("schemathesis.checks")
_OPENAPI: Any = importlib.import_module("schemathesis.specs.openapi.checks")
CHECKS = [
    _GENERAL.not_a_server_error,
    _OPENAPI.status_code_conformance,
    _OPENAPI.content_type_conformance,
    _OPENAPI.response_schema_conformance,
]
FINAL = {"delete", "remove", "revoke", "drop", "clear", "remove-contact", "detach-receivers", "logout", "logout-domain"}
"""Operations that delete come last: the others need some existing records."""
told: Counter[str] = Counter()
"""Counts of operations, of requests, and of operations with a wrong answer."""
POSITIVE, NEGATIVE = schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE


@dataclass
class Fuzzed:
    """A running service and its document."""

    service: Running
    operations: dict[str, Any]
    """By operation name."""
    known: Known
    http: requests.Session

    admin: User

    def log_in(self) -> None:
        """Log in as the admin, whatever earlier requests did to sessions, password or account."""
        platform = self.service.platform
        with platform.write() as tx:
            if people.USERS.get(tx, self.admin.id) != self.admin:
                people.USERS.put(tx, self.admin)
            _, token = sessions.create(platform, self.admin, None)
        self.http.headers["Authorization"] = f"Bearer {token}"


@pytest.fixture(scope="module")
def fuzzed() -> Generator[dict[Variant, Fuzzed]]:
    found: dict[Variant, Fuzzed] = {}
    running = [_running(variant) for variant in Variant]
    for variant, each in zip(Variant, running, strict=True):
        found[variant] = next(each)
    yield found
    value = f"{told['requests']:,} requests to {told['operations']:,} operations and modes: {told['wrong']} findings"
    record("S5", not told["wrong"], value, "0 findings")
    for each in running:
        each.close()


def _running(variant: Variant) -> Generator[Fuzzed]:
    options = ServiceSettings(variant=variant, password_cost=Cost.cheap(), caller_ids=True, remote_sip=True)
    with start_background(lambda platform: fill(platform, "quiet"), settings=options) as service:
        schema: Any = schemathesis.openapi.from_url(f"{service.base_url}/openapi.json")
        operations: dict[str, Any] = {}
        for each in schema.get_all_operations():
            operation = each.ok()
            operations[operation.definition.raw["operationId"]] = operation
        with requests.Session() as http:
            http.trust_env = False
            with service.platform.read() as tx:
                admin = people.need_user(tx, "eva")
            there = known(service, token_of(service.base_url, "eva"), variant)
            fuzzed = Fuzzed(service, operations, there, http, admin)
            fuzzed.log_in()
            yield fuzzed


def _differs(name: str) -> bool:
    """Return whether an operation differs in the earlier variant."""
    request = catalogue()[name]
    wrapped = request.operation.unwrap_in is not None
    return wrapped or request.operation.variant is not None or any(each.variant for each in request.inputs())


ASKED = [
    (name, variant, mode)
    for mode in (POSITIVE, NEGATIVE)
    for variant in Variant
    for name, request in sorted(catalogue().items(), key=lambda each: each[0].rpartition(".")[2] in FINAL)
    if request.operation.variant in {None, variant}
    if COUNT or (mode is POSITIVE and (variant is Variant.LATER or _differs(name)))
]


@pytest.mark.hypothesis
@for_each("name, variant, mode", ASKED)
def test_any_request_that_the_document_allows_is_answered_as_described(
    fuzzed: dict[Variant, Fuzzed], name: str, variant: Variant, mode: schemathesis.GenerationMode
) -> None:
    there = fuzzed[variant]

    @settings(
        max_examples=COUNT or FEW,
        derandomize=not COUNT,
        database=None,
        deadline=None,
        phases=[Phase.generate, Phase.shrink] if COUNT else [Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
    )
    @given(case=there.operations[name].as_strategy(generation_mode=mode), random=st.randoms(use_true_random=False))
    def ask(case: Any, random: Any) -> None:
        if mode is POSITIVE:
            there.known.aim(name, (case.path_parameters, case.query, case.body), random)
        told["requests"] += 1
        response = case.call(session=there.http)
        if response.status_code == 401:
            there.log_in()
        case.validate_response(response, checks=CHECKS)

    told["operations"] += 1
    told["wrong"] += 1
    ask()
    told["wrong"] -= 1
