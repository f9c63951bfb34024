"""The forms of addresses in deployments."""

from __future__ import annotations

import pytest

from console.config.address_forms import AddressForms
from console.records.addresses import CONTRACT, Addresses, configured_addresses, learnt_addresses


def forms(user: str, group: str = "svc-group:{id}") -> Addresses:
    found = configured_addresses(AddressForms(user=user, group=group))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("form", "address"),
    [
        ("svc-user:{id}", "svc-user:17"),
        ("wac-user:{id}", "wac-user:17"),
        ("sip:{id}@voice.example", "sip:17@voice.example"),
        ("{id}@voice.example", "17@voice.example"),
    ],
)
def test_an_id_is_written_into_an_address_and_read_from_it(form: str, address: str) -> None:
    found = forms(form)
    assert found.user.of("17") == address
    assert found.user_id(address) == "17"
    assert str(found.user) == form
    assert [found.user_id(other) for other in ("tel:17", "other:17", form.replace("{id}", ""), "")] == [None] * 4


def test_of_two_forms_that_match_the_longer_one_applies() -> None:
    found = forms("sip:{id}@voice.example", "sip:group-{id}@voice.example")
    assert (found.user_id("sip:17@voice.example"), found.group_id("sip:17@voice.example")) == ("17", None)
    assert found.user_id("sip:group-5@voice.example") is None
    assert found.group_id("sip:group-5@voice.example") == "5"


@pytest.mark.parametrize("identifier", ["17", "ana", "u:1"])
def test_the_form_is_learnt_from_the_address_of_a_known_person(identifier: str) -> None:
    presences = {"sip:+34600": 1, f"wac-user:{identifier}": 1}
    for me, users in ((identifier, set[str]()), ("other", {identifier})):
        found = learnt_addresses(me, presences, users)
        assert found == forms("wac-user:{id}", "wac-group:{id}")


@pytest.mark.parametrize(
    ("address", "form"),
    [("17", "{id}"), ("urn:acme:user:17", "urn:acme:user:{id}"), ("https:17", None), ("user/17", "user/{id}")],
)
def test_the_form_may_be_the_id_alone_or_have_several_separators(address: str, form: str | None) -> None:
    found = learnt_addresses("17", {address: 1}, set[str]())
    assert (str(found.user) if found is not None else None) == form


@pytest.mark.parametrize(
    ("address", "identifier"),
    [("usr_17", "usr_17"), ("ana", "ana"), ("+34600111222", None), ("600", None), ("sip:ana", None), ("a@b", None)],
)
def test_where_addresses_are_ids_numbers_and_other_addresses_are_none(address: str, identifier: str | None) -> None:
    assert forms("{id}").user_id(address) == identifier


@pytest.mark.parametrize("address", ["sip:17", "tel:17", "117", "wac-group:17", "wac-user:18", "wac-user:", ""])
def test_nothing_is_learnt_from_other_addresses(address: str) -> None:
    assert learnt_addresses("17", {address: 1}, set[str]()) is None


def test_the_contract_is_recognized() -> None:
    assert learnt_addresses("17", {"x-user:17": 1, "svc-user:17": 1}, set[str]()) is CONTRACT
    assert learnt_addresses("17", {"svc-user:18": 1}, set[str]()) is CONTRACT
