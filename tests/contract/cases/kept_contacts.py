"""User contacts and static contacts (contract 4.6)."""

from __future__ import annotations

from typing import Any

from console.api.annotations import Variant
from console.api.operations import contacts as ops
from console.records.contacts import ContactEntry, StaticContact, UserContact
from console.service.domain.address_books import STATIC_CONTACTS, USER_CONTACTS
from tests.contract.case import CaseSetup, case
from tests.contract.cases.contacts import DOMAIN, UNKNOWN, WORK, static_contact, user_contact


def _kept(setup: CaseSetup, key: str = "ana/u1") -> UserContact:
    return setup.need(USER_CONTACTS, key)


def _two_kept(setup: CaseSetup) -> ops.ListUserContacts:
    user_contact(setup, associated_user_id="pat")
    user_contact(setup, "u2")
    user_contact(setup, by="bob", associated_user_id="pat")
    return ops.ListUserContacts(associated_user_id="pat")


@case(ops.ListUserContacts, by="ana", asks=_two_kept, variants=(Variant.LATER,))
def list_user_contacts(setup: CaseSetup, answer: Any) -> None:
    assert answer == (_kept(setup),)
    assert (answer[0].owner, answer[0].phones) == ("ana", (WORK,))


@case(
    ops.CreateUserContact,
    by="ana",
    asks=lambda _: ops.CreateUserContact(id="u1", name="Lola", phones=(WORK,), emails=(), associated_user_id="pat"),
    bad={
        400: {
            "id": ["", " ", ".", "..", None],
            "name": [None],
            "phones": [None, ["+34910000001"], [{"type": "home"}]],
            "emails": ["x"],
            "favorite": ["perhaps"],
            "associatedUserId": ["nobody at all"],
        }
    },
    variants=(Variant.LATER,),
)
def createuser_contact(setup: CaseSetup, answer: Any) -> None:
    assert answer.message == "Created"
    kept = _kept(setup)
    assert (kept.owner, kept.name, kept.phones, kept.emails) == ("ana", "Lola", (WORK,), ())
    assert (kept.favorite, kept.associated_user_id) == (False, "pat")


def _to_change(setup: CaseSetup) -> ops.UpdateUserContact:
    user_contact(setup)
    user_contact(setup, by="bob")
    return ops.UpdateUserContact(id="u1", name="Lola Ruiz", emails=())


@case(
    ops.UpdateUserContact,
    by="ana",
    asks=_to_change,
    bad={400: {"name": [""], "phones": ["x"], "associatedUserId": ["nobody at all"]}, 404: {"id": [UNKNOWN]}},
    variants=(Variant.LATER,),
)
def updateuser_contact(setup: CaseSetup, answer: Any) -> None:
    assert answer.message == "Updated"
    kept = _kept(setup)
    assert (kept.name, kept.phones, kept.emails, kept.favorite) == ("Lola Ruiz", (WORK,), (), True)
    assert _kept(setup, "bob/u1").name == "Lola"


def _offered(setup: CaseSetup, key: str = f"{DOMAIN}/s1") -> StaticContact:
    return setup.need(STATIC_CONTACTS, key)


def _two_offered(setup: CaseSetup) -> ops.ListStaticContacts:
    static_contact(setup)
    static_contact(setup, "s2", associated_user_id="ana")
    return ops.ListStaticContacts(name="Porter", associated_user_id="bob")


@case(ops.ListStaticContacts, by="pat", asks=_two_offered, bad={403: {"domain": [DOMAIN]}})
def list_static_contacts(setup: CaseSetup, answer: Any) -> None:
    assert [(each.id, each.domain) for each in answer] == [("s1", DOMAIN)]
    if setup.variant is Variant.LATER:
        assert answer[0] == _offered(setup)
    else:
        assert (answer[0].phones, answer[0].emails) == (("+34910000001",), ("lola@else.example",))


@case(
    ops.CreateStaticContact,
    asks=lambda _: ops.CreateStaticContact(
        id="s1", name="Porter", phones=(WORK,), emails=("porter@desk.example",), target_domain=DOMAIN
    ),
    bad={
        400: {
            "id": ["", " ", ".", ".."],
            "name": [None],
            "phones": [None, [3], [""]],
            "emails": [[{"type": "home"}]],
            "associatedUserId": ["nobody at all"],
            "targetDomain": ["nowhere.example"],
        }
    },
)
def create_static_contact(setup: CaseSetup, answer: Any) -> None:
    assert answer.message == "Created"
    offered = _offered(setup)
    assert (offered.name, offered.phones) == ("Porter", (WORK,))
    assert offered.emails == (ContactEntry(value="porter@desk.example"),)


def _one_offered(setup: CaseSetup) -> ops.GetStaticContact:
    static_contact(setup)
    return ops.GetStaticContact(id="s1")


@case(ops.GetStaticContact, by="pat", asks=_one_offered, bad={403: {"domain": [DOMAIN]}, 404: {"id": [UNKNOWN]}})
def get_static_contact(setup: CaseSetup, answer: Any) -> None:
    assert (answer.name, answer.associated_user_id, answer.domain) == ("Porter", "bob", DOMAIN)


def _to_alter(setup: CaseSetup) -> ops.UpdateStaticContact:
    static_contact(setup)
    return ops.UpdateStaticContact.from_person(
        {"id": "s1", "domain": DOMAIN, "name": "Gate", "associated_user_id": None}
    )


@case(
    ops.UpdateStaticContact,
    asks=_to_alter,
    bad={
        400: {"name": [""], "phones": ["x"], "associatedUserId": ["nobody at all"]},
        404: {"id": [UNKNOWN], "domain": ["nowhere.example"]},
    },
)
def update_static_contact(setup: CaseSetup, answer: Any) -> None:
    assert answer.message == "Updated"
    offered = _offered(setup)
    assert (offered.name, offered.phones, offered.associated_user_id) == ("Gate", (WORK,), None)


def _to_withdraw(setup: CaseSetup) -> ops.DeleteStaticContact:
    static_contact(setup)
    return ops.DeleteStaticContact(id="s1")


@case(ops.DeleteStaticContact, asks=_to_withdraw, bad={404: {"id": [UNKNOWN], "domain": ["nowhere.example"]}})
def delete_static_contact(setup: CaseSetup, answer: Any) -> None:
    assert answer.message == "Deleted"
    assert setup.row(STATIC_CONTACTS, f"{DOMAIN}/s1") is None
