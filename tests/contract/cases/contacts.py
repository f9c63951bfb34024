"""Address books and contacts in backends (contract 4.6)."""

from __future__ import annotations

from typing import Any

from console.api.annotations import Variant
from console.api.operations.contacts import (
    CreateContact,
    DeleteContact,
    GetContact,
    InsertContacts,
    ListAddressBooks,
    ListContacts,
    ListContactsAsObject,
    UpdateContact,
)
from console.records.contacts import (
    Contact,
    ContactEntry,
    ContactParticipant,
    ContactPhone,
    StaticContact,
    UserContact,
)
from console.service.caller import Caller
from console.service.domain import contacts, kept_contacts, phonebooks
from console.service.domain.contacts import CONTACTS
from console.service.domain.people import need_user
from tests.contract.case import Bad, CaseSetup, case

UNKNOWN = "none"
DOMAIN = "desk.example"
WORK = ContactEntry(type="work", value="+34910000001", primary=True)
MAIL = ContactEntry(value="lola@else.example")


def _caller(setup: CaseSetup, name: str) -> Caller:
    with setup.platform.read() as tx:
        return Caller(need_user(tx, name))


def _contact(setup: CaseSetup, key: str) -> Contact:
    with setup.platform.read() as tx:
        return CONTACTS.need(tx, key)


def _made(setup: CaseSetup, by: str = "ana", **given: Any) -> Contact:
    values = {"name": "Lola", "phones": (ContactPhone(name="work", address="+34910000001"),), **given}
    return contacts.create(setup.platform, _caller(setup, by), values)


def user_contact(setup: CaseSetup, key: str = "u1", by: str = "ana", **given: Any) -> None:
    """Create a user contact as the given user."""
    values = {"id": key, "name": "Lola", "phones": (WORK,), "emails": (MAIL,), "favorite": True, **given}
    kept_contacts.keep(setup.platform, _caller(setup, by), UserContact.model_validate(values))


def static_contact(setup: CaseSetup, key: str = "s1", domain: str = DOMAIN, **given: Any) -> None:
    """Create a static contact in a domain."""
    values = {"id": key, "name": "Porter", "phones": (WORK,), "emails": (MAIL,), "associated_user_id": "bob", **given}
    kept_contacts.offer(setup.platform, domain, StaticContact.model_validate(values))


def _books(setup: CaseSetup) -> ListAddressBooks:
    user_contact(setup)
    static_contact(setup)
    _made(setup, name="From a backend")
    _made(setup, by="bob", name="Not ana's")
    book = phonebooks.create(setup.platform, "Suppliers")
    phonebooks.add_contact(setup.platform, book.id, "Paper", "+34910000009")
    phonebooks.subscribe(setup.platform, book.id, "ana")
    phonebooks.create(setup.platform, "Not subscribed")
    shared = Contact(name="In the cloud", phones=(ContactPhone(address="+34910000010"),))
    contacts.insert(setup.platform, _caller(setup, "eva"), "cloudOrgContacts", (shared,))
    if setup.variant is Variant.EARLIER:
        return ListAddressBooks(contacts=True, domain=True, phonebooks=True)
    return ListAddressBooks(
        contacts=True, domain=True, phonebooks=True, static=True, groups=True, cloud_org_contacts=True
    )


@case(
    ListAddressBooks,
    by="ana",
    asks=_books,
    not_for=("guest",),
    bad=(Bad({"contacts": "perhaps"}), Bad({"static": "perhaps"}), Bad({"cloudOrgUsers": "perhaps"})),
)
def address_books(setup: CaseSetup, answer: Any) -> None:
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


def _filtered(setup: CaseSetup) -> ListContacts:
    _several(setup)
    return ListContacts(source=("crm",), name="^z", favorite=True, limit=1, offset=1)


_BAD_FILTERS = (
    Bad({"name": "("}),
    Bad({"name": "(?P<x"}),
    Bad({"name": "x" * 201}),
    Bad({"favorite": "perhaps"}),
    Bad({"limit": "0"}),
    Bad({"offset": "-1"}),
    Bad({"deviceId": "d1"}),
)


@case(ListContacts, by="pat", asks=_filtered, not_for=("guest",), bad=_BAD_FILTERS)
def list_contacts(setup: CaseSetup, answer: Any) -> None:
    assert [each.name for each in answer] == ["Zoé Arp"]
    assert answer[0] == _contact(setup, answer[0].id)


def _on_device(setup: CaseSetup) -> ListContactsAsObject:
    _several(setup)
    return ListContactsAsObject(source=("device",), device_id="d1")


@case(
    ListContactsAsObject,
    by="pat",
    asks=_on_device,
    not_for=("guest",),
    bad=(Bad({"name": "["}), Bad({"source": "crm"}), Bad({"limit": "many"})),
)
def list_contacts_as_object(setup: CaseSetup, answer: Any) -> None:
    assert [(each.name, each.device_id) for each in answer] == [("Zorro", "d1")]


@case(
    CreateContact,
    by="ana",
    asks=lambda _: CreateContact(
        source="group",
        name="Board",
        favorite=True,
        participants=(ContactParticipant(name="Eva", address="svc-user:eva"),),
    ),
    not_for=("guest",),
    bad=(
        Bad({"name": ""}),
        Bad({"source": "a b"}),
        Bad({"source": "crm"}),
        Bad({"source": "device"}),
        Bad({"phones": [{"address": "+34910000001"}]}),
        Bad({"participants": [{"name": "x"}]}),
        Bad({"favorite": "perhaps"}),
        Bad({"emails": "x"}),
        Bad({"user": "bob"}, 403),
    ),
)
def create_contact(setup: CaseSetup, answer: Any) -> None:
    assert answer == _contact(setup, answer.id)
    assert (answer.source, answer.user, answer.favorite, answer.phones) == ("group", "ana", True, ())
    assert [each.address for each in answer.participants] == ["svc-user:eva"]


@case(
    GetContact,
    by="ana",
    asks=lambda setup: GetContact(id=_made(setup).id),
    not_for=("bob", "guest"),
    bad=(Bad({"id": UNKNOWN}, 404),),
)
def get_contact(setup: CaseSetup, answer: Any) -> None:
    assert answer == _contact(setup, answer.id)


@case(
    UpdateContact,
    by="ana",
    asks=lambda setup: UpdateContact(
        id=_made(setup, favorite=True).id,
        name="Lola Ruiz",
        phones=(
            ContactPhone(address="0034 (910) 00-00-02"),
            ContactPhone(address="+34910000003", attached_user_id="bob"),
        ),
    ),
    not_for=("bob", "guest"),
    bad=(
        Bad({"id": UNKNOWN}, 404),
        Bad({"name": ""}),
        Bad({"source": "crm"}),
        Bad({"user": "bob"}),
        Bad({"deviceId": "d1"}),
        Bad({"phones": [{"name": "no address"}]}),
    ),
)
def update_contact(setup: CaseSetup, answer: Any) -> None:
    assert answer == _contact(setup, answer.id)
    assert (answer.name, answer.favorite) == ("Lola Ruiz", True)
    assert [each.address for each in answer.phones] == ["+34910000002", "+34910000003"]
    assert answer.unnormalized_phones == ({"address": "0034 (910) 00-00-02"},)


def _to_delete(setup: CaseSetup) -> DeleteContact:
    return DeleteContact(id=_made(setup).id)


@case(DeleteContact, by="ana", asks=_to_delete, not_for=("bob", "guest"), bad=(Bad({"id": UNKNOWN}, 404),))
def delete_contact(setup: CaseSetup, answer: Any) -> None:
    assert answer.name == "Lola"
    with setup.platform.read() as tx:
        assert CONTACTS.row(tx, answer.id) is None


def _to_insert(setup: CaseSetup) -> InsertContacts:
    _made(setup, name="Old name", source="device", device_id="d7", contact_device_id="7")
    return InsertContacts(
        source="device",
        contacts=(
            Contact(name="New name", device_id="d7", contact_device_id="7"),
            Contact(name="Another", device_id="d7", contact_device_id="8"),
        ),
    )


@case(
    InsertContacts,
    by="ana",
    asks=_to_insert,
    not_for=("guest",),
    bad=(
        Bad({"source": ""}),
        Bad({"contacts": [3]}),
        Bad({"contacts": "x"}),
        Bad({"contacts": [{"name": "Fine", "deviceId": "d7"}, {"name": "no device"}]}),
        Bad({"contacts": [{"name": "x", "deviceId": "d7", "source": "crm"}]}),
        Bad({"contacts": [{"name": "x", "deviceId": "d7", "user": "bob"}]}, 403),
    ),
)
def insert_contacts(setup: CaseSetup, answer: Any) -> None:
    assert answer.message == "CREATED"
    with setup.platform.read() as tx:
        found = CONTACTS.records(tx, CONTACTS.c.device == "d7", order=(CONTACTS.c.device_key,))
    assert [(each.name, each.user, each.source) for each in found] == [
        ("New name", "ana", "device"),
        ("Another", "ana", "device"),
    ]
