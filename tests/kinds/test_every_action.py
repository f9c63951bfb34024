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
from tests.kinds.action_world import asks_of, situation

KINDS = frozenset(TABLES) | {"grid"}


def test_ids_are_unique() -> None:
    assert len({action.id for action in ACTIONS}) == len(ACTIONS)


@for_each("action", ACTIONS)
def test_an_action_is_complete(action: Action[Any]) -> None:
    assert re.fullmatch(r"[a-z]+\.[a-z-]+", action.id)
    assert action.title
    assert 1 <= action.footer <= 9
    assert action.kind in KINDS | {"everywhere"}
    assert action.subject in KINDS | {""}
    assert action.kind != "everywhere" or action.subject
    assert action.needs in {"one", "many", "none"}
    assert action.sends, "who may do it follows from what it sends"
    assert by_id(action.id) is action
    for request in action.sends:
        assert catalogue()[request.operation.name] is request
        assert request.operation.effect is Effect.CHANGE
    for kind in KINDS if action.kind == "everywhere" else {action.kind}:
        assert action in for_kind(kind)


@for_each("action", ACTIONS)
def test_an_action_is_refused_with_the_reason_that_applies(action: Action[Any]) -> None:
    access = {request.operation.access for request in action.sends}
    assert blocked(action, situation(read_only=True), ()) == "This profile is read-only."
    of_guest, of_user = (blocked(action, situation(role=role), ()) for role in ("anonymous", "user"))
    assert (of_guest == "Guests cannot do this: log in first.") is not (access == {Access.SIGNED_IN})
    assert (of_user == "Only admins can do this.") is (Access.ADMIN in access)
    if action.needs != "none":
        assert blocked(action, situation(), ()) == "No record selected."


def test_the_most_used_actions_are_first_and_groups_act_among_their_members() -> None:
    offered = for_kind("members")
    assert [action.footer for action in offered] == sorted(action.footer for action in offered)
    assert by_id("groups.add") in offered
    assert by_id("members.remove") not in for_kind("groups")


def test_forms_name_existing_fields_of_the_operation() -> None:
    from tests.kinds.action_world import CALL, HELP

    for action_id, record in (("calls.edit", CALL), ("templates.edit", HELP)):
        (ask,) = asks_of(by_id(action_id), situation(), (record,))
        assert isinstance(ask, FormAsk)
        fields = {each.field for each in ask.request.inputs()}
        assert {*ask.only, *ask.initial, *ask.fixed} <= fields
