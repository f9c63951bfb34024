"""Inputs of `console call`: lists, null, empty texts and missing inputs are distinguished."""

from __future__ import annotations

import json
from typing import Any

import pytest

from console.api.catalogue import catalogue, find
from console.api.inputs import Input
from console.api.outgoing import outgoing
from console.api.request import Request
from console.api.values import allows_list, items
from console.cli.exits import Failure
from console.cli.lists.typed_inputs import make_request, read_inputs
from console.records.resolution import ResolvedAddresses
from tests.background import Running
from tests.cli.conftest import Console

EVERY = [(request, each) for request in catalogue().values() for each in request.inputs()]


def entries(wanted: Input) -> list[Any]:
    """Return two sample entries of a list input."""
    types = items(wanted.annotation)
    if str in types:
        return ["a", "b,c"]
    if int in types or float in types:
        return [1, 2]
    return [{"id": "a"}, {"id": "b"}]


def test_every_list_can_be_given_as_an_array_or_by_repeating_its_field() -> None:
    lists = [(request, each) for request, each in EVERY if allows_list(each.annotation)]
    assert len(lists) > 50
    for request, wanted in lists:
        two = entries(wanted)

        def read(*values: str, request: type[Request[Any]] = request, wire: str = wanted.wire) -> Any:
            return read_inputs(request, [f"{wire}={value}" for value in values])[wire]

        single = [each if isinstance(each, str) else json.dumps(each) for each in two]
        said = f"{request.operation.name} {wanted.wire}"
        assert read(json.dumps(two)) == two, said
        assert read(*single) == two, said
        assert read(json.dumps(two[:1]), single[1]) == two, said
        assert read(json.dumps(two[:1]), json.dumps(two[1:])) == two, said
        assert read("[]") == [], said


def test_every_nullable_input_is_null_by_name_and_other_texts_stay_texts() -> None:
    for request, wanted in EVERY:
        said = f"{request.operation.name} {wanted.wire}"
        assert wanted.wire not in read_inputs(request, []), said
        texts = str in items(wanted.annotation)
        if wanted.nullable:
            assert read_inputs(request, [f"{wanted.wire}=null"]) == {wanted.wire: None}, said
        elif texts:
            assert read_inputs(request, [f"{wanted.wire}=null"])[wanted.wire] in ("null", ["null"]), said
        if texts:
            assert read_inputs(request, [f'{wanted.wire}:="null"'])[wanted.wire] in ("null", ["null"]), said
            assert read_inputs(request, [f"{wanted.wire}="])[wanted.wire] in ("", [""]), said


def test_null_empty_and_missing_values_are_sent_as_such() -> None:
    def body(*fields: str) -> Any:
        request = make_request(find("contacts.update"), ["id=c1", *fields], None)
        return json.loads(outgoing(request).body or b"")

    assert body() == {}
    assert body("phones=null") == {"phones": None}
    assert body("phones=[]") == {"phones": []}
    anonymous = make_request(find("sessions.start"), ["token="], None)
    assert json.loads(outgoing(anonymous).body or b"") == {"token": ""}


def test_a_text_that_begins_like_an_array_stays_a_text() -> None:
    assert read_inputs(find("groups.create"), ["name=[night]"]) == {"name": "[night]"}
    assert read_inputs(find("domains.create"), ['origins=["[a-z]+[.]example"]']) == {"origins": ["[a-z]+[.]example"]}


def test_an_invalid_array_is_refused_with_the_name_of_its_field() -> None:
    with pytest.raises(Failure, match=r'origins: must be a JSON array, such as \["a","b"\], where it begins with \['):
        read_inputs(find("domains.create"), ["domain=d", "origins=[a-z]+.example"])


def test_null_is_refused_in_a_path() -> None:
    from console.api.route import Route

    request = make_request(find("contacts.update"), ["id=c1", "name=null"], None)
    with pytest.raises(ValueError, match="name is sent in the path, which cannot contain null"):
        outgoing(request, Route.parse("PUT /contacts/{id}/{name}"))


def test_a_meeting_loses_its_password_by_null_and_keeps_it_without_the_input(
    console: Console, service: Running
) -> None:
    made = json.loads(console("call", "meetings.create", "name=Shift", "password=s3cret").out)
    assert made["isPasswordProtected"] is True
    kept = json.loads(console("call", "meetings.update", f"id={made['id']}", "name=Late shift").out)
    assert kept["isPasswordProtected"] is True
    assert "password: " in console("call", "meetings.update", f"id={made['id']}", "password=").err
    freed = json.loads(console("call", "meetings.update", f"id={made['id']}", "password=null").out)
    assert freed["isPasswordProtected"] is False


def test_addresses_that_belong_to_nobody_are_named(console: Console) -> None:
    ended = console("call", "addresses.resolve", 'addresses=["svc-user:ana","svc-user:nobody","+34 000 111"]')
    assert "ana" in {each["id"] for each in json.loads(ended.out)["resolved"]}
    assert (ended.code, ended.err) == (1, "console: not found: svc-user:nobody, +34 000 111\n")
    assert console("call", "addresses.resolve", "addresses=ana@desk.example").code == 0
    listed = console("call", "presence.list", 'addresses=["svc-user:ana","svc-user:nobody"]')
    assert (listed.code, listed.err) == (1, "console: not found: svc-user:nobody\n")


def test_an_address_answered_in_another_spelling_is_found() -> None:
    ana = {"id": "ana", "username": "ana", "domain": "desk.example", "mobilePhone": ["+34 600-100 200"]}
    answer = ResolvedAddresses.model_validate({"resolved": [ana]})
    asked = make_request(find("addresses.resolve"), ["addresses=ANA@desk.example", "addresses=0034600100200"], None)
    assert asked.passed_over(answer) == ()


def test_a_word_outside_an_enumeration_is_sent_and_noted(capsys: pytest.CaptureFixture[str]) -> None:
    request = make_request(find("users.create"), ["username=ana", "domain=d", "role=supervisor"], None)
    assert json.loads(outgoing(request).body or b"")["role"] == "supervisor"
    assert (
        "users.create: role: input should be 'user', 'admin' or 'anonymous'; sent as it is" in capsys.readouterr().err
    )
    with pytest.raises(Failure, match="domain: is missing"):
        make_request(find("users.create"), ["username=ana", "role=supervisor"], None)
