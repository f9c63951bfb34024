"""A deployment may lack single operations: actions use others, or say so before anything is sent."""

from __future__ import annotations

from typing import Any

import pytest

from console.api.operations.people import AddParticipant, RemoveParticipant
from console.api.operations.presence import SubscribePresence, SubscribePresences
from console.api.operations.support import AttachAgent, AttachAgents
from console.api.request import Request
from console.base.frozen import replace
from console.commands.action import Action, Situation
from console.commands.guards import blocked, command
from console.kinds.actions import ACTIONS, by_id
from tests.for_each import for_each
from tests.kinds.action_world import BOB, NIGHT, SALES, SKILLS, plan, requests, situation


def lacking(at: Situation, *missing: type[Request[Any]]) -> Situation:
    """Return a situation in a deployment without these operations."""
    return replace(at, lacking={each.operation.name: "this deployment has no such operation" for each in missing})


@for_each("action", ACTIONS)
def test_an_action_is_unavailable_if_the_deployment_lacks_its_operations(action: Action[Any]) -> None:
    assert blocked(action, lacking(situation(), *action.sends), ()) == "This deployment has no such operation."


def test_several_are_followed_one_by_one_without_the_operation_for_several() -> None:
    at = lacking(situation(BOB), SubscribePresences)
    assert requests(plan("presence.follow", at, addresses="dan\nsip:x@y")) == [
        SubscribePresence(address="svc-user:u-dan"),
        SubscribePresence(address="sip:x@y"),
    ]
    at = lacking(situation(BOB), SubscribePresence)
    assert requests(plan("presence.follow", at, addresses="dan")) == [SubscribePresences(addresses=("svc-user:u-dan",))]


def test_several_agents_get_a_skill_one_by_one_without_the_operation_for_several() -> None:
    at, sales = lacking(situation(), AttachAgents), SKILLS[1:]
    assert requests(plan("skills.attach", at, sales, agents=("u-ana", "u-bob"))) == [
        AttachAgent(skill="sales", agent="u-ana"),
        AttachAgent(skill="sales", agent="u-bob"),
    ]
    at = lacking(situation(), AttachAgent)
    assert requests(plan("skills.attach", at, sales, agents=("u-ana",))) == [
        AttachAgents(skill="sales", agents=("u-ana",))
    ]


def test_nothing_is_sent_if_a_later_step_is_not_possible() -> None:
    action = by_id("groups.copy")
    at = lacking(situation(), action.sends[1])
    with pytest.raises(ValueError, match=r"^This deployment has no such operation: groups\.update\.$"):
        command(action, at, (SALES,), {"group_id": "copy"})


def test_a_change_whose_inverse_is_not_offered_cannot_be_undone() -> None:
    (step,) = plan("groups.add", situation(), (SALES,), user="u-dan")
    assert requests([step]) == [AddParticipant(group_id="sales", target_user_id="u-dan")]
    assert isinstance(step.inverse[0], RemoveParticipant)
    (held,) = plan("groups.add", lacking(situation(), RemoveParticipant), (SALES,), user="u-dan")
    assert held.inverse == ()
    assert held.request.guarded(undoable=bool(held.inverse)) > step.request.guarded()


def test_a_group_without_a_strategy_is_created_without_one() -> None:
    (step,) = plan("groups.create-many", situation(groups=(NIGHT,)), groups="a, A\nb, B, all")
    assert step.request.model_dump(by_alias=True, exclude_unset=True)["groups"] == (
        {"groupId": "a", "name": "A"},
        {"groupId": "b", "name": "B", "ringingStrategy": {"type": "all"}},
    )
