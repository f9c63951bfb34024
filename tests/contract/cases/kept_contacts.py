"""User contacts and static contacts (contract 4.6)."""

from __future__ import annotations

from console.api.annotations import Variant
from console.api.operations import contacts as ops
from console.records.contacts import ContactEntry, StaticContact, UserContact
from console.service.domain.address_books import STATIC_CONTACTS, USER_CONTACTS
from tests.contract.case import CaseSetup, Steps, case
from tests.contract.cases.contacts import DOMAIN, WORK, static_contact, user_contact


def _kept(setup: CaseSetup, key: str = "ana/u1") -> UserContact:
    return setup.need(USER_CONTACTS, key)


@case(ops.ListUserContacts, by="ana", variants=(Variant.LATER,))
def list_user_contacts(setup: CaseSetup) -> Steps:
    user_contact(setup, associated_user_id="pat")
    user_contact(setup, "u2")
    user_contact(setup, by="bob", associated_user_id="pat")
    answer = yield ops.ListUserContacts(associated_user_id="pat")
    assert answer == (_kept(setup),)
    assert (answer[0].owner, answer[0].phones) == ("ana", (WORK,))


@case(
    ops.CreateUserContact,
    by="ana",
    bad={
        400: {
            "id": [" ", ".", ".."],
            "phones": [["+34910000001"], [{"type": "home"}]],
            "associatedUserId": ["nobody at all"],
        }
    },
    variants=(Variant.LATER,),
)
def createuser_contact(setup: CaseSetup) -> Steps:
    answer = yield ops.CreateUserContact(id="u1", name="Lola", phones=(WORK,), emails=(), associated_user_id="pat")
    assert answer.message == "Created"
    kept = _kept(setup)
    assert (kept.owner, kept.name, kept.phones, kept.emails) == ("ana", "Lola", (WORK,), ())
    assert (kept.favorite, kept.associated_user_id) == (False, "pat")


@case(
    ops.UpdateUserContact,
    by="ana",
    bad={400: {"name": [""], "associatedUserId": ["nobody at all"]}},
    variants=(Variant.LATER,),
)
def updateuser_contact(setup: CaseSetup) -> Steps:
    user_contact(setup)
    user_contact(setup, by="bob")
    answer = yield ops.UpdateUserContact(id="u1", name="Lola Ruiz", emails=())
    assert answer.message == "Updated"
    kept = _kept(setup)
    assert (kept.name, kept.phones, kept.emails, kept.favorite) == ("Lola Ruiz", (WORK,), (), True)
    assert _kept(setup, "bob/u1").name == "Lola"


def _offered(setup: CaseSetup, key: str = f"{DOMAIN}/s1") -> StaticContact:
    return setup.need(STATIC_CONTACTS, key)


@case(ops.ListStaticContacts, by="pat", bad={403: {"domain": [DOMAIN]}})
def list_static_contacts(setup: CaseSetup) -> Steps:
    static_contact(setup)
    static_contact(setup, "s2", associated_user_id="ana")
    answer = yield ops.ListStaticContacts(name="Porter", associated_user_id="bob")
    assert [(each.id, each.domain) for each in answer] == [("s1", DOMAIN)]
    if setup.variant is Variant.LATER:
        assert answer[0] == _offered(setup)
    else:
        assert (answer[0].phones, answer[0].emails) == (("+34910000001",), ("lola@else.example",))


@case(
    ops.CreateStaticContact,
    bad={
        400: {
            "id": [" ", ".", ".."],
            "phones": [[3], [""]],
            "emails": [[{"type": "home"}]],
            "associatedUserId": ["nobody at all"],
            "targetDomain": ["nowhere.example"],
        }
    },
)
def create_static_contact(setup: CaseSetup) -> Steps:
    answer = yield ops.CreateStaticContact(
        id="s1", name="Porter", phones=(WORK,), emails=("porter@desk.example",), target_domain=DOMAIN
    )
    assert answer.message == "Created"
    offered = _offered(setup)
    assert (offered.name, offered.phones) == ("Porter", (WORK,))
    assert offered.emails == (ContactEntry(value="porter@desk.example"),)


@case(ops.GetStaticContact, by="pat", bad={403: {"domain": [DOMAIN]}})
def get_static_contact(setup: CaseSetup) -> Steps:
    static_contact(setup)
    answer = yield ops.GetStaticContact(id="s1")
    assert (answer.name, answer.associated_user_id, answer.domain) == ("Porter", "bob", DOMAIN)


@case(
    ops.UpdateStaticContact,
    bad={400: {"name": [""], "associatedUserId": ["nobody at all"]}, 404: {"domain": ["nowhere.example"]}},
)
def update_static_contact(setup: CaseSetup) -> Steps:
    static_contact(setup)
    answer = yield ops.UpdateStaticContact.from_person(
        {"id": "s1", "domain": DOMAIN, "name": "Gate", "associated_user_id": None}
    )
    assert answer.message == "Updated"
    offered = _offered(setup)
    assert (offered.name, offered.phones, offered.associated_user_id) == ("Gate", (WORK,), None)


@case(ops.DeleteStaticContact, bad={404: {"domain": ["nowhere.example"]}})
def delete_static_contact(setup: CaseSetup) -> Steps:
    static_contact(setup)
    answer = yield ops.DeleteStaticContact(id="s1")
    assert answer.message == "Deleted"
    assert setup.row(STATIC_CONTACTS, f"{DOMAIN}/s1") is None
