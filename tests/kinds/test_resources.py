"""The inputs that a row of a resource fills in the forms of its operations."""

from __future__ import annotations

from console.api.operations.contacts import (
    CreateStaticContact,
    DeleteStaticContact,
    UpdateContact,
    UpdateStaticContact,
    UpdateUserContact,
)
from console.api.operations.domains import UpdateDomain
from console.api.operations.phonebooks import AddSubscriber
from console.kinds.catalogue import RESOURCES
from console.kinds.operating import FORM, change
from console.kinds.resources import bound
from console.records.contacts import Contact, StaticContact, UserContact
from console.records.domains import Domain
from console.records.phonebooks import Phonebook
from tests.kinds.action_world import situation


def test_a_contact_that_two_domains_can_have_is_identified_with_its_domain():
    gate = StaticContact(id="gate", domain="north.example")
    assert gate.key != StaticContact(id="gate", domain="south.example").key
    for request in (UpdateStaticContact, DeleteStaticContact):
        assert bound(RESOURCES["static-contacts"], request, gate) == {"id": "gate", "domain": "north.example"}
    assert "target_domain" not in bound(RESOURCES["static-contacts"], CreateStaticContact, gate)


def test_a_contact_that_two_users_can_have_is_identified_by_its_id():
    lola = UserContact(id="lola", owner="ana")
    assert lola.key != UserContact(id="lola", owner="bob").key
    assert bound(RESOURCES["user-contacts"], UpdateUserContact, lola) == {"id": "lola"}


def test_other_rows_are_identified_by_their_keys():
    assert bound(RESOURCES["contacts"], UpdateContact, Contact(id="c1", name="Lola")) == {"id": "c1"}
    assert bound(RESOURCES["phonebooks"], AddSubscriber, Phonebook(id="p1")) == {"phonebook_id": "p1"}


def test_undoing_a_rename_restores_the_name_of_the_domain():
    action = change("domains.update", RESOURCES["domains"])
    row = Domain(id="north.example", domain="north.example", parent="desk.example")
    (step,) = action.plan(situation(), [row], {FORM: {"domain": "polar.example"}})
    assert step.request == UpdateDomain(id="north.example", domain="polar.example")
    assert step.inverse == (UpdateDomain(id="polar.example", domain="north.example"),)
