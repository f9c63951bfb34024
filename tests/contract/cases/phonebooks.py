"""Phonebooks, their subscribers and their contacts (contract 4.6)."""

from __future__ import annotations

from typing import Any

from console.api.annotations import Variant
from console.api.operations import phonebooks as ops
from console.records.phonebooks import NewPhonebookContact, Phonebook
from console.service.domain import phonebooks
from console.service.domain.phonebooks import PHONEBOOKS
from tests.contract.case import CaseSetup, case

UNKNOWN = "none"


def _book(setup: CaseSetup, key: str) -> Phonebook:
    return setup.need(PHONEBOOKS, key)


def _filled(setup: CaseSetup, name: str = "Suppliers") -> Phonebook:
    """Create a phonebook with one contact, to which bob subscribes."""
    book = phonebooks.create(setup.platform, name)
    phonebooks.add_contact(setup.platform, book.id, "Paper", "+34910000009")
    return phonebooks.subscribe(setup.platform, book.id, "bob")


def _several(setup: CaseSetup) -> ops.PagePhonebooks:
    for name in ("Suppliers north", "Suppliers south", "Old suppliers", "Suppliers gone"):
        _filled(setup, name)
    phonebooks.create(setup.platform, "Suppliers of nobody")
    return ops.PagePhonebooks.model_validate(
        {"name[partial]": "suppliers ", "name[notpartial]": "GONE", "page[size]": 2}
    )


@case(ops.PagePhonebooks, by="bob", asks=_several, bad={400: {"page[size]": ["0"], "page[after]": ["x"]}})
def page_phonebooks(setup: CaseSetup, answer: Any) -> None:
    assert [each.name for each in answer.data] == ["Suppliers north", "Suppliers south"]
    assert answer.meta.page.total == 2
    assert answer.meta.page.next is None
    assert all(each == _book(setup, each.id) for each in answer.data)


def _subscribed(setup: CaseSetup) -> ops.ListPhonebooksOfSubscriber:
    _filled(setup)
    phonebooks.create(setup.platform, "Not subscribed")
    return ops.ListPhonebooksOfSubscriber(subscriber_id="bob")


@case(
    ops.ListPhonebooksOfSubscriber,
    by="bob",
    asks=_subscribed,
    not_for=("ana", "guest"),
    bad={403: {"subscriberId": [UNKNOWN]}},
)
def phonebooks_of_subscriber(setup: CaseSetup, answer: Any) -> None:
    names = [each.name for each in answer]
    assert "Suppliers" in names
    assert "Not subscribed" not in names
    raw = setup.raw("bob").get("/subscribers/bob/phonebooks").json()
    assert isinstance(raw, dict if setup.variant is Variant.LATER else list)


@case(
    ops.CreatePhonebook,
    asks=lambda _: ops.CreatePhonebook(phonebook_name="Suppliers"),
    bad={400: {"phonebookName": ["", " ", None, 3]}},
)
def create_phonebook(setup: CaseSetup, answer: Any) -> None:
    assert answer == _book(setup, answer.id)
    assert (answer.name, answer.contacts, answer.subscribers) == ("Suppliers", (), ())


@case(
    ops.RemovePhonebook,
    asks=lambda setup: ops.RemovePhonebook(phonebook_id=_filled(setup).id),
    bad={404: {"phonebookId": [UNKNOWN]}},
)
def remove_phonebook(setup: CaseSetup, answer: Any) -> None:
    assert (answer.name, answer.subscribers) == ("Suppliers", ("bob",))
    assert setup.row(PHONEBOOKS, answer.id) is None


@case(
    ops.AddSubscriber,
    asks=lambda setup: ops.AddSubscriber(phonebook_id=_filled(setup).id, subscriber_id="ana"),
    bad={
        400: {"subscriberId": ["nobody at all", "", None]},
        404: {"phonebookId": [UNKNOWN]},
        409: {"subscriberId": ["bob"]},
    },
)
def add_subscriber(setup: CaseSetup, answer: Any) -> None:
    assert answer == _book(setup, answer.id)
    assert answer.subscribers == ("bob", "ana")


@case(
    ops.RemoveSubscriber,
    asks=lambda setup: ops.RemoveSubscriber(phonebook_id=_filled(setup).id, subscriber_id="bob"),
    bad={404: {"phonebookId": [UNKNOWN], "subscriberId": ["ana"]}},
)
def remove_subscriber(setup: CaseSetup, answer: Any) -> None:
    assert answer == _book(setup, answer.id)
    assert answer.subscribers == ()


def _to_add(setup: CaseSetup) -> ops.AddPhonebookContact:
    book = _filled(setup)
    if setup.variant is Variant.EARLIER:
        return ops.AddPhonebookContact(phonebook_id=book.id, name="Ink", address="svc-user:pat")
    return ops.AddPhonebookContact(
        phonebook_id=book.id, contact=NewPhonebookContact(name="Ink", address="svc-user:pat")
    )


@case(
    ops.AddPhonebookContact,
    asks=_to_add,
    bad={
        400: {
            "contact": [
                None,
                "Ink",
                {"name": "Ink"},
                {"name": "", "address": "+34910000001"},
                {"name": "Ink", "address": 3},
            ]
        },
        404: {"phonebookId": [UNKNOWN]},
    },
)
def add_contact(setup: CaseSetup, answer: Any) -> None:
    stored = _book(setup, answer.phonebook.id)
    assert answer.phonebook == stored
    assert [each.name for each in stored.contacts] == ["Paper", "Ink"]
    assert answer.created_contact == stored.contacts[1]
    assert answer.created_contact.address == "svc-user:pat"


def _to_edit(setup: CaseSetup) -> ops.EditPhonebookContact:
    book = _filled(setup)
    contact = book.contacts[0].id or ""
    return ops.EditPhonebookContact(
        phonebook_id=book.id, contact_id=contact, contact=NewPhonebookContact(name="Papers")
    )


@case(
    ops.EditPhonebookContact,
    asks=_to_edit,
    bad={
        400: {"contact": ["Nora", {"name": ""}, {"name": 3}]},
        404: {"phonebookId": [UNKNOWN], "contactId": [UNKNOWN]},
    },
)
def edit_contact(setup: CaseSetup, answer: Any) -> None:
    stored = _book(setup, answer.phonebook.id)
    assert answer.phonebook == stored
    assert (answer.updated_contact.name, answer.updated_contact.address) == ("Papers", "+34910000009")
    assert stored.contacts == (answer.updated_contact,)


def _to_remove(setup: CaseSetup) -> ops.RemovePhonebookContact:
    book = _filled(setup)
    return ops.RemovePhonebookContact(phonebook_id=book.id, contact_id=book.contacts[0].id or "")


@case(ops.RemovePhonebookContact, asks=_to_remove, bad={404: {"phonebookId": [UNKNOWN], "contactId": [UNKNOWN]}})
def remove_contact(setup: CaseSetup, answer: Any) -> None:
    assert answer == _book(setup, answer.id)
    assert answer.contacts == ()
