"""User contacts and static contacts (contract 4.6)."""

from __future__ import annotations

from typing import Any

from console.api.annotations import Variant
from console.api.operations.contacts import (
    CreateStaticContact,
    CreateUserContact,
    DeleteStaticContact,
    GetStaticContact,
    ListStaticContacts,
    ListUserContacts,
    UpdateStaticContact,
    UpdateUserContact,
)
from console.records.contacts import ContactEntry, StaticContact, UserContact
from console.service.domain.kept_contacts import STATIC_CONTACTS, USER_CONTACTS
from tests.contract.case import Bad, CaseSetup, case
from tests.contract.cases.contacts import DOMAIN, UNKNOWN, WORK, static_contact, user_contact


def _kept(setup: CaseSetup, key: str = "ana/u1") -> UserContact:
    with setup.platform.read() as tx:
        return USER_CONTACTS.need(tx, key)


def _two_kept(setup: CaseSetup) -> ListUserContacts:
    user_contact(setup, associated_user_id="pat")
    user_contact(setup, "u2")
    user_contact(setup, by="bob", associated_user_id="pat")
    return ListUserContacts(associated_user_id="pat")


@case(ListUserContacts, by="ana", asks=_two_kept, not_for=("guest",), variants=(Variant.LATER,))
def list_user_contacts(setup: CaseSetup, answer: Any) -> None:
    assert answer == (_kept(setup),)
    assert (answer[0].owner, answer[0].phones) == ("ana", (WORK,))


@case(
    CreateUserContact,
    by="ana",
    asks=lambda _: CreateUserContact(id="u1", name="Lola", phones=(WORK,), emails=(), associated_user_id="pat"),
    not_for=("guest",),
    bad=(
        Bad({"id": ""}),
        Bad({"id": None}),
        Bad({"name": None}),
        Bad({"phones": None}),
        Bad({"phones": ["+34910000001"]}),
        Bad({"phones": [{"type": "home"}]}),
        Bad({"emails": "x"}),
        Bad({"favorite": "perhaps"}),
        Bad({"associatedUserId": "nobody at all"}),
    ),
    variants=(Variant.LATER,),
)
def createuser_contact(setup: CaseSetup, answer: Any) -> None:
    assert answer.message == "Created"
    kept = _kept(setup)
    assert (kept.owner, kept.name, kept.phones, kept.emails) == ("ana", "Lola", (WORK,), ())
    assert (kept.favorite, kept.associated_user_id) == (False, "pat")


def _to_change(setup: CaseSetup) -> UpdateUserContact:
    user_contact(setup)
    user_contact(setup, by="bob")
    return UpdateUserContact(id="u1", name="Lola Ruiz", emails=())


@case(
    UpdateUserContact,
    by="ana",
    asks=_to_change,
    not_for=("guest",),
    bad=(
        Bad({"id": UNKNOWN}, 404),
        Bad({"name": ""}),
        Bad({"phones": "x"}),
        Bad({"associatedUserId": "nobody at all"}),
    ),
    variants=(Variant.LATER,),
)
def updateuser_contact(setup: CaseSetup, answer: Any) -> None:
    assert answer.message == "Updated"
    kept = _kept(setup)
    assert (kept.name, kept.phones, kept.emails, kept.favorite) == ("Lola Ruiz", (WORK,), (), True)
    assert _kept(setup, "bob/u1").name == "Lola"


def _offered(setup: CaseSetup, key: str = f"{DOMAIN}/s1") -> StaticContact:
    with setup.platform.read() as tx:
        return STATIC_CONTACTS.need(tx, key)


def _two_offered(setup: CaseSetup) -> ListStaticContacts:
    static_contact(setup)
    static_contact(setup, "s2", associated_user_id="ana")
    return ListStaticContacts(name="Porter", associated_user_id="bob")


@case(ListStaticContacts, by="pat", asks=_two_offered, not_for=("guest",), bad=(Bad({"domain": DOMAIN}, 403),))
def list_static_contacts(setup: CaseSetup, answer: Any) -> None:
    assert [(each.id, each.domain) for each in answer] == [("s1", DOMAIN)]
    if setup.variant is Variant.LATER:
        assert answer[0] == _offered(setup)
    else:
        assert (answer[0].phones, answer[0].emails) == (("+34910000001",), ("lola@else.example",))


@case(
    CreateStaticContact,
    asks=lambda _: CreateStaticContact(
        id="s1", name="Porter", phones=(WORK,), emails=("porter@desk.example",), target_domain=DOMAIN
    ),
    not_for=("ana", "guest"),
    bad=(
        Bad({"id": ""}),
        Bad({"name": None}),
        Bad({"phones": None}),
        Bad({"phones": [3]}),
        Bad({"phones": [""]}),
        Bad({"emails": [{"type": "home"}]}),
        Bad({"associatedUserId": "nobody at all"}),
        Bad({"targetDomain": "nowhere.example"}),
    ),
)
def create_static_contact(setup: CaseSetup, answer: Any) -> None:
    assert answer.message == "Created"
    offered = _offered(setup)
    assert (offered.name, offered.phones) == ("Porter", (WORK,))
    assert offered.emails == (ContactEntry(value="porter@desk.example"),)


def _one_offered(setup: CaseSetup) -> GetStaticContact:
    static_contact(setup)
    return GetStaticContact(id="s1")


@case(
    GetStaticContact,
    by="pat",
    asks=_one_offered,
    not_for=("guest",),
    bad=(Bad({"id": UNKNOWN}, 404), Bad({"domain": DOMAIN}, 403)),
)
def get_static_contact(setup: CaseSetup, answer: Any) -> None:
    assert (answer.name, answer.associated_user_id, answer.domain) == ("Porter", "bob", DOMAIN)


def _to_alter(setup: CaseSetup) -> UpdateStaticContact:
    static_contact(setup)
    return UpdateStaticContact.from_person({"id": "s1", "domain": DOMAIN, "name": "Gate", "associated_user_id": None})


@case(
    UpdateStaticContact,
    asks=_to_alter,
    not_for=("ana", "guest"),
    bad=(
        Bad({"id": UNKNOWN}, 404),
        Bad({"domain": "nowhere.example"}, 404),
        Bad({"name": ""}),
        Bad({"phones": "x"}),
        Bad({"associatedUserId": "nobody at all"}),
    ),
)
def update_static_contact(setup: CaseSetup, answer: Any) -> None:
    assert answer.message == "Updated"
    offered = _offered(setup)
    assert (offered.name, offered.phones, offered.associated_user_id) == ("Gate", (WORK,), None)


def _to_withdraw(setup: CaseSetup) -> DeleteStaticContact:
    static_contact(setup)
    return DeleteStaticContact(id="s1")


@case(
    DeleteStaticContact,
    asks=_to_withdraw,
    not_for=("ana", "guest"),
    bad=(Bad({"id": UNKNOWN}, 404), Bad({"domain": "nowhere.example"}, 404)),
)
def delete_static_contact(setup: CaseSetup, answer: Any) -> None:
    assert answer.message == "Deleted"
    with setup.platform.read() as tx:
        assert STATIC_CONTACTS.row(tx, f"{DOMAIN}/s1") is None
