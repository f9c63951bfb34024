"""Inputs that were not given are not sent, whichever way the request was made."""

from __future__ import annotations

import json
from typing import Any

import pytest

from console.api.annotations import InputPlace, Variant
from console.api.catalogue import catalogue
from console.api.operations.phonebooks import AddPhonebookContact
from console.api.operations.sessions import IssueToken
from console.api.operations.support import TransferSupportChat
from console.api.outgoing import outgoing
from console.api.request import Request
from console.client.token_sources import ServiceTokens
from console.records.people import BearerToken
from console.records.phonebooks import NewPhonebookContact
from console.records.support import ChatParticipant
from tests.kinds.sample_inputs import sample_inputs

OPERATIONS = tuple(catalogue().values())


def sent_names(request: Request[Any], variant: Variant) -> set[str]:
    """Return the names in the query and in the body of a request, without those of a body that is one input."""
    sent = outgoing(request, variant=variant)
    body: Any = json.loads(sent.body) if sent.body else {}
    is_whole = any(each.place is InputPlace.WHOLE_BODY for each in request.inputs())
    members: set[str] = set() if is_whole else set(body)
    return members | {name for name, _ in sent.query}


@pytest.mark.parametrize("variant", Variant)
def test_no_operation_sends_an_input_that_was_not_given(variant: Variant) -> None:
    for operation in OPERATIONS:
        required = sample_inputs(operation, {})
        optional = [each.field for each in operation.inputs() if each.field not in required]
        empty = {name: None for name in optional if operation.declared_fields[name].default is None}
        given = {each.travels for each in operation.inputs() if each.field in required}
        for values in (required, required | empty):
            assert sent_names(operation(**values), variant) <= given, operation.operation.name


def test_a_record_in_a_request_has_only_what_was_given() -> None:
    contact = NewPhonebookContact(name="Gate", address=None)
    adding = AddPhonebookContact(phonebook_id="b1", contact=contact)
    assert outgoing(adding).body == b'{"contact":{"name":"Gate"}}'
    transfer = TransferSupportChat(id="c1", destination=ChatParticipant(id="ana", username=None, domain=None))
    assert outgoing(transfer).body == b'{"id":"c1","destination":{"id":"ana"}}'


async def test_a_login_sends_no_new_password_unless_one_was_given() -> None:
    asked: list[Request[Any]] = []

    async def answer(request: Request[Any], _token: str | None, /) -> Any:
        asked.append(request)
        return BearerToken(access_token="a", token_type="Bearer")

    tokens = ServiceTokens(answer)
    await tokens.issue("ana", "demo")
    await tokens.issue("ana", "demo", "better")
    bodies = [json.loads(outgoing(each).body or b"") for each in asked]
    first = {"grant_type": "password", "username": "ana", "password": "demo"}
    assert bodies == [first, first | {"new_password": "better"}]


def test_a_null_that_a_person_gave_is_sent() -> None:
    issued = IssueToken.from_person({"username": "ana", "new_password": None})
    assert outgoing(issued).body == b'{"username":"ana","new_password":null}'
