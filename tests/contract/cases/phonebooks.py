"""Phonebooks, their subscribers and their contacts (contract 4.6)."""

from __future__ import annotations

from console.api.annotations import Variant
from console.api.operations import phonebooks as ops
from console.records.phonebooks import NewPhonebookContact, Phonebook
from console.service.domain import phonebooks
from console.service.domain.phonebooks import PHONEBOOKS
from tests.contract.case import CaseSetup, Steps, case

UNKNOWN = "none"


def _book(setup: CaseSetup, key: str) -> Phonebook:
    return setup.need(PHONEBOOKS, key)


def _filled(setup: CaseSetup, name: str = "Suppliers") -> Phonebook:
    """Create a phonebook with one contact, to which bob subscribes."""
    book = phonebooks.create(setup.platform, name)
    phonebooks.add_contact(setup.platform, book.id, "Paper", "+34910000009")
    return phonebooks.subscribe(setup.platform, book.id, "bob")


@case(ops.PagePhonebooks, by="bob")
def page_phonebooks(setup: CaseSetup) -> Steps:
    for name in ("Suppliers north", "Suppliers south", "Old suppliers", "Suppliers gone"):
        _filled(setup, name)
    phonebooks.create(setup.platform, "Suppliers of nobody")
    answer = yield ops.PagePhonebooks.model_validate(
        {"name[partial]": "suppliers ", "name[notpartial]": "GONE", "page[size]": 2}
    )
    assert [each.name for each in answer.data] == ["Suppliers north", "Suppliers south"]
    assert answer.meta.page.total == 2
    assert answer.meta.page.next is None
    assert all(each == _book(setup, each.id) for each in answer.data)


@case(ops.ListPhonebooksOfSubscriber, by="bob", not_for=("ana", "guest"), bad={403: {"subscriberId": [UNKNOWN]}})
def phonebooks_of_subscriber(setup: CaseSetup) -> Steps:
    _filled(setup)
    phonebooks.create(setup.platform, "Not subscribed")
    answer = yield ops.ListPhonebooksOfSubscriber(subscriber_id="bob")
    names = [each.name for each in answer]
    assert "Suppliers" in names
    assert "Not subscribed" not in names
    raw = setup.raw("bob").get("/subscribers/bob/phonebooks").json()
    assert isinstance(raw, dict if setup.variant is Variant.LATER else list)


@case(ops.CreatePhonebook, bad={400: {"phonebookName": [" "]}})
def create_phonebook(setup: CaseSetup) -> Steps:
    answer = yield ops.CreatePhonebook(phonebook_name="Suppliers")
    assert answer == _book(setup, answer.id)
    assert (answer.name, answer.contacts, answer.subscribers) == ("Suppliers", (), ())


@case(ops.RemovePhonebook)
def remove_phonebook(setup: CaseSetup) -> Steps:
    answer = yield ops.RemovePhonebook(phonebook_id=_filled(setup).id)
    assert (answer.name, answer.subscribers) == ("Suppliers", ("bob",))
    assert setup.row(PHONEBOOKS, answer.id) is None


@case(ops.AddSubscriber, bad={400: {"subscriberId": ["nobody at all"]}, 409: {"subscriberId": ["bob"]}})
def add_subscriber(setup: CaseSetup) -> Steps:
    answer = yield ops.AddSubscriber(phonebook_id=_filled(setup).id, subscriber_id="ana")
    assert answer == _book(setup, answer.id)
    assert answer.subscribers == ("bob", "ana")


@case(ops.RemoveSubscriber, bad={404: {"subscriberId": ["ana"]}})
def remove_subscriber(setup: CaseSetup) -> Steps:
    answer = yield ops.RemoveSubscriber(phonebook_id=_filled(setup).id, subscriber_id="bob")
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
    bad={
        400: {
            "contact": [None, {"name": "Ink"}, {"name": "", "address": "+34910000001"}, {"name": "Ink", "address": 3}]
        }
    },
)
def add_contact(setup: CaseSetup) -> Steps:
    answer = yield _to_add(setup)
    stored = _book(setup, answer.phonebook.id)
    assert answer.phonebook == stored
    assert [each.name for each in stored.contacts] == ["Paper", "Ink"]
    assert answer.created_contact == stored.contacts[1]
    assert answer.created_contact.address == "svc-user:pat"


@case(ops.EditPhonebookContact, bad={400: {"contact": [{"name": ""}, {"name": 3}]}})
def edit_contact(setup: CaseSetup) -> Steps:
    book = _filled(setup)
    contact = book.contacts[0].id or ""
    answer = yield ops.EditPhonebookContact(
        phonebook_id=book.id, contact_id=contact, contact=NewPhonebookContact(name="Papers")
    )
    stored = _book(setup, answer.phonebook.id)
    assert answer.phonebook == stored
    assert (answer.updated_contact.name, answer.updated_contact.address) == ("Papers", "+34910000009")
    assert stored.contacts == (answer.updated_contact,)


@case(ops.RemovePhonebookContact)
def remove_contact(setup: CaseSetup) -> Steps:
    book = _filled(setup)
    answer = yield ops.RemovePhonebookContact(phonebook_id=book.id, contact_id=book.contacts[0].id or "")
    assert answer == _book(setup, answer.id)
    assert answer.contacts == ()
