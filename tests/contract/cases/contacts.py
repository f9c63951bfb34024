"""Address books and contacts in backends (contract 4.6)."""

from __future__ import annotations

from typing import Any

from console.api.annotations import Variant
from console.api.operations import contacts as ops
from console.records.contacts import Contact, ContactEntry, ContactParticipant, ContactPhone, StaticContact, UserContact
from console.service.domain import address_books, contacts, phonebooks
from console.service.domain.contacts import CONTACTS
from tests.contract.case import CaseSetup, Steps, case

UNKNOWN = "none"
DOMAIN = "desk.example"
WORK = ContactEntry(type="work", value="+34910000001", primary=True)
MAIL = ContactEntry(value="lola@else.example")


def _contact(setup: CaseSetup, key: str) -> Contact:
    return setup.need(CONTACTS, key)


def _made(setup: CaseSetup, by: str = "ana", **given: Any) -> Contact:
    values = {"name": "Lola", "phones": (ContactPhone(name="work", address="+34910000001"),), **given}
    return contacts.create(setup.platform, setup.caller(by), values)


def user_contact(setup: CaseSetup, key: str = "u1", by: str = "ana", **given: Any) -> None:
    """Create a user contact as the given user."""
    values = {"id": key, "name": "Lola", "phones": (WORK,), "emails": (MAIL,), "favorite": True, **given}
    address_books.create_user_contact(setup.platform, setup.caller(by), UserContact.model_validate(values))


def static_contact(setup: CaseSetup, key: str = "s1", domain: str = DOMAIN, **given: Any) -> None:
    """Create a static contact in a domain."""
    values = {"id": key, "name": "Porter", "phones": (WORK,), "emails": (MAIL,), "associated_user_id": "bob", **given}
    address_books.create_static_contact(setup.platform, domain, StaticContact.model_validate(values))


def _books(setup: CaseSetup) -> ops.ListAddressBooks:
    user_contact(setup)
    static_contact(setup)
    _made(setup, name="From a backend")
    _made(setup, by="bob", name="Not ana's")
    book = phonebooks.create(setup.platform, "Suppliers")
    phonebooks.add_contact(setup.platform, book.id, "Paper", "+34910000009")
    phonebooks.subscribe(setup.platform, book.id, "ana")
    phonebooks.create(setup.platform, "Not subscribed")
    shared = Contact(name="In the cloud", phones=(ContactPhone(address="+34910000010"),))
    contacts.insert(setup.platform, setup.caller("eva"), "cloudOrgContacts", (shared,))
    if setup.variant is Variant.EARLIER:
        return ops.ListAddressBooks(contacts=True, domain=True, phonebooks=True)
    return ops.ListAddressBooks(
        contacts=True, domain=True, phonebooks=True, static=True, groups=True, cloud_org_contacts=True
    )


@case(ops.ListAddressBooks, by="ana")
def books_of_the_caller(setup: CaseSetup) -> Steps:
    answer = yield _books(setup)
    later = setup.variant is Variant.LATER
    books = {each.name: {one.name: one for one in each.contacts} for each in answer}
    types = [each.type for each in answer]
    assert types[:2] == ["contacts", "domain"]
    assert types.count("static") == 1
    own, static = books["Contacts"], books[f"{DOMAIN} directory"]
    assert ("Lola" in own) is later
    assert "From a backend" in own
    assert "Not ana's" not in own
    assert {"Bob Whitaker", "Eva Salazar"} <= set(books[DOMAIN])
    assert "Ana Belmonte" not in books[DOMAIN]
    assert "Not subscribed" not in books
    paper, porter = books["Suppliers"]["Paper"], static["Porter"]
    if later:
        assert [each.value for each in paper.phones] == ["+34910000009"]
        assert (porter.phones, porter.emails) == ((WORK,), (MAIL,))
        assert (porter.associated_user_id, porter.user, porter.favorite) == ("bob", None, False)
        assert own["Lola"].favorite is True
        assert list(books["Night shift"]) == ["Bob Whitaker", "Carla Figueiredo"]
        assert "In the cloud" in books["cloudOrgContacts"]
    else:
        assert paper.phones == ("+34910000009",)
        assert (porter.phones, porter.emails) == (("+34910000001",), ("lola@else.example",))
        assert (porter.associated_user_id, porter.user, porter.favorite) == (None, "bob", None)
        assert set(types) == {"contacts", "domain", "phonebook", "static"}


def _several(setup: CaseSetup) -> None:
    for name in ("Zoé Arp", "Zacharias", "Anna"):
        _made(setup, by="pat", name=name, source="crm", favorite=name != "Anna")
    _made(setup, by="pat", name="Zorro", source="device", device_id="d1", contact_device_id="z", favorite=True)
    _made(setup, by="bob", name="Zilch", source="crm", favorite=True)


@case(ops.ListContacts, by="pat", bad={400: {"name": ["(", "(?P<x", "x" * 201], "offset": ["-1"], "deviceId": ["d1"]}})
def list_contacts(setup: CaseSetup) -> Steps:
    _several(setup)
    answer = yield ops.ListContacts(source=("crm",), name="^z", favorite=True, limit=1, offset=1)
    assert [each.name for each in answer] == ["Zoé Arp"]
    assert answer[0] == _contact(setup, answer[0].id)


@case(ops.ListContactsAsObject, by="pat", bad={400: {"name": ["["], "source": ["crm"]}})
def list_contacts_as_object(setup: CaseSetup) -> Steps:
    _several(setup)
    answer = yield ops.ListContactsAsObject(source=("device",), device_id="d1")
    assert [(each.name, each.device_id) for each in answer] == [("Zorro", "d1")]


@case(
    ops.CreateContact,
    by="ana",
    bad={
        400: {
            "name": [""],
            "source": ["a b", "crm", "device"],
            "phones": [[{"address": "+34910000001"}]],
            "participants": [[{"name": "x"}]],
        },
        403: {"user": ["bob"]},
    },
)
def create_contact(setup: CaseSetup) -> Steps:
    answer = yield ops.CreateContact(
        source="group",
        name="Board",
        favorite=True,
        participants=(ContactParticipant(name="Eva", address="svc-user:eva"),),
    )
    assert answer == _contact(setup, answer.id)
    assert (answer.source, answer.user, answer.favorite, answer.phones) == ("group", "ana", True, ())
    assert [each.address for each in answer.participants] == ["svc-user:eva"]


@case(ops.GetContact, by="ana", not_for=("bob",))
def get_contact(setup: CaseSetup) -> Steps:
    answer = yield ops.GetContact(id=_made(setup).id)
    assert answer == _contact(setup, answer.id)


@case(
    ops.UpdateContact,
    by="ana",
    not_for=("bob",),
    bad={
        400: {
            "name": [""],
            "source": ["crm"],
            "user": ["bob"],
            "deviceId": ["d1"],
            "phones": [[{"name": "no address"}]],
        }
    },
)
def update_contact(setup: CaseSetup) -> Steps:
    answer = yield ops.UpdateContact(
        id=_made(setup, favorite=True).id,
        name="Lola Ruiz",
        phones=(
            ContactPhone(address="0034 (910) 00-00-02"),
            ContactPhone(address="+34910000003", attached_user_id="bob"),
        ),
    )
    assert answer == _contact(setup, answer.id)
    assert (answer.name, answer.favorite) == ("Lola Ruiz", True)
    assert [each.address for each in answer.phones] == ["+34910000002", "+34910000003"]
    assert answer.unnormalized_phones == ({"address": "0034 (910) 00-00-02"},)


@case(ops.DeleteContact, by="ana", not_for=("bob",))
def delete_contact(setup: CaseSetup) -> Steps:
    answer = yield ops.DeleteContact(id=_made(setup).id)
    assert answer.name == "Lola"
    assert setup.row(CONTACTS, answer.id) is None


@case(
    ops.InsertContacts,
    by="ana",
    bad={
        400: {
            "source": [""],
            "contacts": [
                [3],
                [{"name": "Fine", "deviceId": "d7"}, {"name": "no device"}],
                [{"name": "x", "deviceId": "d7", "source": "crm"}],
            ],
        },
        403: {"contacts": [[{"name": "x", "deviceId": "d7", "user": "bob"}]]},
    },
)
def insert_contacts(setup: CaseSetup) -> Steps:
    _made(setup, name="Old name", source="device", device_id="d7", contact_device_id="7")
    answer = yield ops.InsertContacts(
        source="device",
        contacts=(
            Contact(name="New name", device_id="d7", contact_device_id="7"),
            Contact(name="Another", device_id="d7", contact_device_id="8"),
        ),
    )
    assert answer.message == "CREATED"
    found = setup.records(CONTACTS, CONTACTS.c.device == "d7", order=(CONTACTS.c.device_key,))
    assert [(each.name, each.user, each.source) for each in found] == [
        ("New name", "ana", "device"),
        ("Another", "ana", "device"),
    ]
