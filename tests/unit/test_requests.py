"""Requests: what code makes of values is what a check of the same values makes of them."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from console.api.catalogue import catalogue
from console.api.operations.people import CreateUser
from console.api.operations.resolution import ResolveAddress
from console.api.operations.support import StartSupportChat
from console.api.operations.traffic import ListConferences
from console.api.outgoing import outgoing
from console.api.request import Request
from console.base.text import clean
from console.records.fields import resolved_fields
from console.records.model import checked
from tests.examples import EXAMPLES, LONG
from tests.kinds.wild import values_of

_LENGTHS = st.sampled_from(["", "x", "name.asc", "name.asc\n", "name.up", "x" * 40, "x" * 300, "12", "012", "12\n"])


def test_code_and_people_get_the_same_request_or_refusal_for_the_same_values() -> None:
    for request in _different(catalogue().values()):
        _tried(request)


def _different(requests: Iterable[type[Request[Any]]]) -> list[type[Request[Any]]]:
    """Return requests that have every type of input, small ones first: of many inputs, one is always wrong.

    In `make fuzz`, return all of them.
    """
    seen = set[str]()
    found: list[type[Request[Any]]] = []
    for request in sorted(requests, key=lambda each: len(resolved_fields(each))):
        inputs = resolved_fields(request).values()
        types = {f"{each.annotation} {each.declared.limits} {each.declared.default}" for each in inputs}
        if LONG or not types <= seen:
            found.append(request)
        seen |= types
    return found


def _tried(request: type[Request[Any]]) -> None:
    texts = _LENGTHS | _LENGTHS.map(clean)
    fields = {name: values_of(each.annotation) | texts for name, each in resolved_fields(request).items()}
    needed = {name: fields.pop(name) for name, each in resolved_fields(request).items() if each.required}

    @settings(
        max_examples=max(1, EXAMPLES // 6),
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(values=st.fixed_dictionaries(needed, optional=fields))
    def tried(values: dict[str, Any]) -> None:
        assert _made(lambda: request(**values)) == _made(lambda: checked(request, values)), values

    tried()


def _made(make: Callable[[], Request[Any]]) -> Request[Any] | str:
    try:
        return make()
    except ValidationError as error:
        return str(error)


def test_a_value_beyond_its_limits_is_refused() -> None:
    with pytest.raises(ValidationError, match="at least 1 character"):
        ResolveAddress(address="")


def test_a_line_end_after_a_text_with_a_pattern_is_refused() -> None:
    assert ListConferences(limit="12").limit == "12"
    with pytest.raises(ValidationError, match="pattern"):
        ListConferences(limit="12\n")


def test_a_missing_input_is_refused() -> None:
    with pytest.raises(ValidationError, match="id"):
        StartSupportChat.model_validate({"context": {}})


def test_an_infinite_number_is_not_sent() -> None:
    with pytest.raises(ValueError, match="JSON"):
        outgoing(StartSupportChat(id="c1", context={"priority": math.inf}))


def test_requests_are_values() -> None:
    one, same = ResolveAddress(address="770"), ResolveAddress.model_validate({"addresses": "770"})
    assert (one, hash(one)) == (same, hash(same))
    assert one.model_copy(update={"address": "771"}).address == "771"
    assert one.address == "770"
    with pytest.raises(AttributeError):
        one.address = "772"  # pyright: ignore[reportAttributeAccessIssue] - this is what must fail


def test_declaring_and_sending_requests_needs_no_model() -> None:
    code = (
        "import sys; from console.api.catalogue import catalogue; from console.api.outgoing import outgoing;"
        "every = catalogue();"
        "outgoing(every['calls.list']()); every['sessions.create'];"
        "sys.exit('pydantic' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_person_may_use_words_that_an_enumeration_does_not_have() -> None:
    values = {"username": "ana", "domain": "d", "role": "supervisor"}
    made = CreateUser.from_person(values)
    assert (made.role, outgoing(made).body) == (
        "supervisor", b'{"username":"ana","domain":"d","role":"supervisor"}'
    )  # fmt: skip
    assert CreateUser.from_person(values | {"role": "admin"}) == CreateUser(username="ana", domain="d", role="admin")


@pytest.mark.parametrize("wrong", [{"role": 7}, {"role": ""}, {"role": "boss", "username": 7}, {"username": "ana"}])
def test_other_invalid_values_of_a_person_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        CreateUser.from_person({"username": "ana", "domain": "d"} | wrong)
