"""Warnings of a form before it is filled in: that the service refuses the operation, or whom it accepts it from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from console.api.annotations import Role
from console.api.catalogue import catalogue
from console.commands.action import Action, FormAsk
from console.commands.conditions import condition
from console.commands.guards import blocked, refused
from console.kinds.catalogue import RESOURCES
from console.kinds.operating import change
from console.kinds.resource import Resource
from console.kinds.resources import operations_of
from console.records.contacts import Contact
from console.records.datapipes import Datapipe
from console.records.record import Record
from tests.for_each import for_each
from tests.kinds.action_world import ANA, EVA, asks_of, situation


def form_of(action: Action[Any], records: Sequence[Record] = (), who: Any = EVA) -> FormAsk:
    (ask,) = asks_of(action, situation(who), records)
    assert isinstance(ask, FormAsk)
    return ask


def test_a_form_shows_who_can_send_it() -> None:
    words = "Only the owner of the group can do this: the service refuses others."
    assert form_of(change("groups.update")).note == words
    assert form_of(change("presence.update")).note.startswith("Only the user concerned")


def test_an_admin_sees_no_condition_where_admins_need_no_relation() -> None:
    assert form_of(change("contacts.update"), who=EVA).note == ""
    assert "the owner and admins" in form_of(change("contacts.update"), who=ANA).note


def test_a_form_for_a_record_of_somebody_else_is_refused_before_it_opens() -> None:
    action = change("contacts.update", RESOURCES["contacts"])
    theirs, mine = Contact(id="c", user=EVA.id), Contact(id="c", user=ANA.id)
    assert blocked(action, situation(ANA), (theirs,)) == "Only the owner and admins can do this."
    assert blocked(action, situation(EVA), (mine,)) is None
    assert blocked(action, situation(ANA), (mine,)) is None
    assert form_of(action, (mine,), ANA).note == ""


def test_an_admin_who_does_not_take_part_is_refused_forms_for_participants() -> None:
    action = change("datapipes.send", RESOURCES["datapipes"])
    pipe = Datapipe(id="p", participants=("svc-user:u-ana", "svc-user:u-bob"))
    assert blocked(action, situation(EVA), (pipe,)) == "Only participants can do this."
    assert blocked(action, situation(ANA), (pipe,)) is None


@for_each("wanted", RESOURCES.values())
def test_no_form_opens_for_an_operation_that_is_always_refused(wanted: Resource) -> None:
    for request in operations_of(wanted):
        operation = request.operation
        action = change(operation.name, wanted, anew=True)
        assert (blocked(action, situation(ANA), ()) is not None) == (operation.access.value.least is Role.ADMIN)


def test_every_operation_for_related_users_states_its_condition() -> None:
    for name, request in catalogue().items():
        terms = request.operation.access.value
        for who in (ANA, EVA):
            exempt = terms.but_admins and who is EVA
            told = bool(condition(request.operation, situation(who)))
            may = refused([request.operation], situation(who)) is None
            assert not may or told == (terms.related and not exempt), name
