"""Phonebooks, their subscribers and their contacts (contract 4.6)."""

from __future__ import annotations

from typing import Any

from console.api.annotations import Variant
from console.api.operations.phonebooks import (
    AddPhonebookContact,
    AddSubscriber,
    CreatePhonebook,
    EditPhonebookContact,
    ListPhonebooksOfSubscriber,
    PagePhonebooks,
    RemovePhonebook,
    RemovePhonebookContact,
    RemoveSubscriber,
)
from console.records.phonebooks import NewPhonebookContact, Phonebook
from console.service.domain import phonebooks
from console.service.domain.phonebooks import PHONEBOOKS
from tests.contract.case import Bad, CaseSetup, case

UNKNOWN = "none"


def _book(setup: CaseSetup, key: str) -> Phonebook:
    with setup.platform.read() as tx:
        return PHONEBOOKS.need(tx, key)


def _filled(setup: CaseSetup, name: str = "Suppliers") -> Phonebook:
    """Create a phonebook with one contact, to which bob subscribes."""
    book = phonebooks.create(setup.platform, name)
    phonebooks.add_contact(setup.platform, book.id, "Paper", "+34910000009")
    return phonebooks.subscribe(setup.platform, book.id, "bob")


def _several(setup: CaseSetup) -> PagePhonebooks:
    for name in ("Suppliers north", "Suppliers south", "Old suppliers", "Suppliers gone"):
        _filled(setup, name)
    phonebooks.create(setup.platform, "Suppliers of nobody")
    return PagePhonebooks.model_validate({"name[partial]": "suppliers ", "name[notpartial]": "GONE", "page[size]": 2})


@case(
    PagePhonebooks,
    by="bob",
    asks=_several,
    not_for=("guest",),
    bad=(Bad({"page[size]": "0"}), Bad({"page[after]": "x"})),
)
def page_phonebooks(setup: CaseSetup, answer: Any) -> None:
    assert [each.name for each in answer.data] == ["Suppliers north", "Suppliers south"]
    assert answer.meta.page.total == 2
    assert answer.meta.page.next is None
    assert all(each == _book(setup, each.id) for each in answer.data)


def _subscribed(setup: CaseSetup) -> ListPhonebooksOfSubscriber:
    _filled(setup)
    phonebooks.create(setup.platform, "Not subscribed")
    return ListPhonebooksOfSubscriber(subscriber_id="bob")


@case(
    ListPhonebooksOfSubscriber,
    by="bob",
    asks=_subscribed,
    not_for=("ana", "guest"),
    bad=(Bad({"subscriberId": UNKNOWN}, 403),),
)
def phonebooks_of_subscriber(setup: CaseSetup, answer: Any) -> None:
    names = [each.name for each in answer]
    assert "Suppliers" in names
    assert "Not subscribed" not in names
    raw = setup.raw("bob").get("/subscribers/bob/phonebooks").json()
    assert isinstance(raw, dict if setup.variant is Variant.LATER else list)


@case(
    CreatePhonebook,
    asks=lambda _: CreatePhonebook(phonebook_name="Suppliers"),
    not_for=("ana", "guest"),
    bad=(
        Bad({"phonebookName": ""}),
        Bad({"phonebookName": " "}),
        Bad({"phonebookName": None}),
        Bad({"phonebookName": 3}),
    ),
)
def create_phonebook(setup: CaseSetup, answer: Any) -> None:
    assert answer == _book(setup, answer.id)
    assert (answer.name, answer.contacts, answer.subscribers) == ("Suppliers", (), ())


@case(
    RemovePhonebook,
    asks=lambda setup: RemovePhonebook(phonebook_id=_filled(setup).id),
    not_for=("bob", "guest"),
    bad=(Bad({"phonebookId": UNKNOWN}, 404),),
)
def remove_phonebook(setup: CaseSetup, answer: Any) -> None:
    assert (answer.name, answer.subscribers) == ("Suppliers", ("bob",))
    with setup.platform.read() as tx:
        assert PHONEBOOKS.row(tx, answer.id) is None


@case(
    AddSubscriber,
    asks=lambda setup: AddSubscriber(phonebook_id=_filled(setup).id, subscriber_id="ana"),
    not_for=("bob", "guest"),
    bad=(
        Bad({"phonebookId": UNKNOWN}, 404),
        Bad({"subscriberId": "nobody at all"}),
        Bad({"subscriberId": ""}),
        Bad({"subscriberId": None}),
        Bad({"subscriberId": "bob"}, 409),
    ),
)
def add_subscriber(setup: CaseSetup, answer: Any) -> None:
    assert answer == _book(setup, answer.id)
    assert answer.subscribers == ("bob", "ana")


@case(
    RemoveSubscriber,
    asks=lambda setup: RemoveSubscriber(phonebook_id=_filled(setup).id, subscriber_id="bob"),
    not_for=("bob", "guest"),
    bad=(Bad({"phonebookId": UNKNOWN}, 404), Bad({"subscriberId": "ana"}, 404)),
)
def remove_subscriber(setup: CaseSetup, answer: Any) -> None:
    assert answer == _book(setup, answer.id)
    assert answer.subscribers == ()


def _to_add(setup: CaseSetup) -> AddPhonebookContact:
    book = _filled(setup)
    if setup.variant is Variant.EARLIER:
        return AddPhonebookContact(phonebook_id=book.id, name="Ink", address="svc-user:pat")
    return AddPhonebookContact(phonebook_id=book.id, contact=NewPhonebookContact(name="Ink", address="svc-user:pat"))


@case(
    AddPhonebookContact,
    asks=_to_add,
    not_for=("bob", "guest"),
    bad=(
        Bad({"phonebookId": UNKNOWN}, 404),
        Bad({"contact": None}),
        Bad({"contact": "Ink"}),
        Bad({"contact": {"name": "Ink"}}),
        Bad({"contact": {"name": "", "address": "+34910000001"}}),
        Bad({"contact": {"name": "Ink", "address": 3}}),
    ),
)
def add_contact(setup: CaseSetup, answer: Any) -> None:
    stored = _book(setup, answer.phonebook.id)
    assert answer.phonebook == stored
    assert [each.name for each in stored.contacts] == ["Paper", "Ink"]
    assert answer.created_contact == stored.contacts[1]
    assert answer.created_contact.address == "svc-user:pat"


def _to_edit(setup: CaseSetup) -> EditPhonebookContact:
    book = _filled(setup)
    contact = book.contacts[0].id or ""
    return EditPhonebookContact(phonebook_id=book.id, contact_id=contact, contact=NewPhonebookContact(name="Papers"))


@case(
    EditPhonebookContact,
    asks=_to_edit,
    not_for=("bob", "guest"),
    bad=(
        Bad({"phonebookId": UNKNOWN}, 404),
        Bad({"contactId": UNKNOWN}, 404),
        Bad({"contact": "Nora"}),
        Bad({"contact": {"name": ""}}),
        Bad({"contact": {"name": 3}}),
    ),
)
def edit_contact(setup: CaseSetup, answer: Any) -> None:
    stored = _book(setup, answer.phonebook.id)
    assert answer.phonebook == stored
    assert (answer.updated_contact.name, answer.updated_contact.address) == ("Papers", "+34910000009")
    assert stored.contacts == (answer.updated_contact,)


def _to_remove(setup: CaseSetup) -> RemovePhonebookContact:
    book = _filled(setup)
    return RemovePhonebookContact(phonebook_id=book.id, contact_id=book.contacts[0].id or "")


@case(
    RemovePhonebookContact,
    asks=_to_remove,
    not_for=("bob", "guest"),
    bad=(Bad({"phonebookId": UNKNOWN}, 404), Bad({"contactId": UNKNOWN}, 404)),
)
def remove_contact(setup: CaseSetup, answer: Any) -> None:
    assert answer == _book(setup, answer.id)
    assert answer.contacts == ()
