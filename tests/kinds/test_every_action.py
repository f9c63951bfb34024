"""Every action is complete, reachable and distinct."""

from __future__ import annotations

import re
from typing import Any

from console.api.annotations import Access, Effect
from console.api.catalogue import catalogue
from console.commands.action import Action, FormAsk
from console.commands.guards import blocked
from console.kinds.actions import ACTIONS, by_id, for_kind
from console.kinds.tables import TABLES
from tests.for_each import for_each
from tests.kinds.action_world import situation

KINDS = frozenset(TABLES) | {"grid"}


def test_ids_are_unique() -> None:
    assert len({action.id for action in ACTIONS}) == len(ACTIONS)


@for_each("action", ACTIONS)
def test_an_action_is_complete(action: Action[Any]) -> None:
    assert re.fullmatch(r"[a-z]+\.[a-z-]+", action.id)
    assert action.title
    assert action.key or action.via
    assert 1 <= action.footer <= 9
    assert action.kind in KINDS | {"everywhere"}
    assert action.subject in KINDS | {""}
    assert action.kind != "everywhere" or action.subject
    assert action.needs in {"one", "many", "none"}
    assert action.sends, "who may do it follows from what it sends"
    assert by_id(action.id) is action


@for_each("action", ACTIONS)
def test_every_request_is_in_the_catalogue_of_operations(action: Action[Any]) -> None:
    for request in action.sends:
        assert catalogue()[request.operation.name] is request
        assert request.operation.effect is Effect.CHANGE


@for_each("action", ACTIONS)
def test_every_action_is_refused_in_a_read_only_profile(action: Action[Any]) -> None:
    assert blocked(action, situation(read_only=True), ()) == "This profile is read-only."


@for_each("action", ACTIONS)
def test_guests_are_offered_only_operations_without_a_name(action: Action[Any]) -> None:
    reason = blocked(action, situation(role="anonymous"), ())
    open_to_guests = all(request.operation.access is Access.SIGNED_IN for request in action.sends)
    assert (reason == "Guests cannot do this: log in first.") is not open_to_guests


@for_each("action", ACTIONS)
def test_operations_for_admins_are_refused_to_others(action: Action[Any]) -> None:
    reason = blocked(action, situation(role="user"), ())
    if any(request.operation.access is Access.ADMIN for request in action.sends):
        assert reason == "Only admins can do this."
    else:
        assert reason != "Only admins can do this."


@for_each("action", ACTIONS)
def test_without_a_record_an_action_is_refused_with_a_reason(action: Action[Any]) -> None:
    if action.needs != "none":
        assert blocked(action, situation(), ()) == "No record selected."


@for_each("action", ACTIONS)
def test_every_kind_offers_its_actions(action: Action[Any]) -> None:
    for kind in KINDS if action.kind == "everywhere" else {action.kind}:
        assert action in for_kind(kind)


def test_the_most_used_actions_are_first_and_groups_act_among_their_members() -> None:
    offered = for_kind("members")
    assert [action.footer for action in offered] == sorted(action.footer for action in offered)
    assert by_id("groups.add") in offered
    assert by_id("members.remove") not in for_kind("groups")


def test_forms_name_existing_fields_of_the_operation() -> None:
    from tests.kinds.action_world import CALL, HELP

    for action_id, record in (("calls.edit", CALL), ("templates.edit", HELP)):
        (ask,) = by_id(action_id).asks(situation(), (record,))
        assert isinstance(ask, FormAsk)
        fields = {each.field for each in ask.request.inputs()}
        assert {*ask.only, *ask.initial, *ask.fixed} <= fields
