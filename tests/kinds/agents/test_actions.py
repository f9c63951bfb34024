"""Actions on agents and their skills: the requests sent, refusals, undo."""

from __future__ import annotations

import pytest

from console.api.annotations import Variant
from console.api.operations.people import UpdateUser
from console.api.operations.support import (
    AttachAgent,
    AttachAgents,
    CreateSkill,
    DetachAgent,
    SetAgents,
)
from console.commands.guards import blocked
from console.kinds.actions import by_id
from console.kinds.skills.assigning import Toggle, grid_steps
from console.records.people import AGENT_CAPABILITY, User
from console.records.support import Skill
from tests.kinds.action_world import (
    ANA,
    ANA_AGENT,
    BOB,
    DAN,
    DAN_AGENT,
    EVA,
    SKILLS,
    plan,
    requests,
    situation,
)

BILLING, SALES_SKILL = SKILLS


def test_the_grid_sends_one_step_for_each_changed_cell() -> None:
    changes = (
        Toggle("billing", "u-ana", False),
        Toggle("billing", "u-bob", True),
        Toggle("sales", "u-dan", True),
        Toggle("sales", "u-dan", True),
    )
    steps = grid_steps(changes, situation())
    assert requests(steps) == [DetachAgent(skill="billing", agent="u-ana"), AttachAgent(skill="sales", agent="u-dan")]
    assert [each.inverse for each in steps] == [
        (AttachAgent(skill="billing", agent="u-ana"),),
        (DetachAgent(skill="sales", agent="u-dan"),),
    ]
    assert [each.words for each in steps] == ["removed skill billing from Ana", "added skill sales to Dan"]


def test_skills_are_assigned_and_removed() -> None:
    steps = plan("agents.give-skill", situation(), (ANA_AGENT, DAN_AGENT), skills=("billing",))
    assert requests(steps) == [AttachAgent(skill="billing", agent="u-dan")]
    steps = plan("agents.take-skill", situation(), (ANA_AGENT, DAN_AGENT), skills=("billing",))
    assert requests(steps) == [DetachAgent(skill="billing", agent="u-ana")]
    assert steps[0].key == "u-ana"
    with pytest.raises(ValueError, match="Nothing to change"):
        plan("agents.give-skill", situation(), (ANA_AGENT,), skills=("billing",))
    assert blocked(by_id("agents.take-skill"), situation(), (DAN_AGENT,)) == "These agents have no skill."
    assert blocked(by_id("agents.give-skill"), situation(skills=()), (DAN_AGENT,)) == "There are no skills yet."
    full = situation(skills=(Skill(skill="a", agents=("u-dan",)),))
    assert blocked(by_id("agents.give-skill"), full, (DAN_AGENT,)) == "These agents already have every skill."


def test_one_or_several_agents_are_added_to_a_skill() -> None:
    (one,) = plan("skills.attach", situation(), (BILLING,), agents=("u-dan",))
    assert one.request == AttachAgent(skill="billing", agent="u-dan")
    (many,) = plan("skills.attach", situation(), (SALES_SKILL,), agents=("u-ana", "u-dan", "u-off"))
    assert many.request == AttachAgents(skill="sales", agents=("u-ana", "u-dan"))
    assert many.inverse == (DetachAgent(skill="sales", agent="u-ana"), DetachAgent(skill="sales", agent="u-dan"))
    with pytest.raises(ValueError, match="already"):
        plan("skills.attach", situation(), (BILLING,), agents=("u-ana",))


def test_agents_are_removed_from_a_skill() -> None:
    steps = plan("skills.detach", situation(), (BILLING,), agents=("u-ana", "u-bob", "u-dan"))
    assert requests(steps) == [DetachAgent(skill="billing", agent="u-ana"), DetachAgent(skill="billing", agent="u-bob")]
    assert steps[1].inverse == (AttachAgent(skill="billing", agent="u-bob"),)
    with pytest.raises(ValueError, match="do not have"):
        plan("skills.detach", situation(), (BILLING,), agents=("u-dan",))
    assert blocked(by_id("skills.detach"), situation(), (Skill(skill="new"),)) == "No agent has this skill."


def test_a_skill_is_created() -> None:
    assert requests(plan("skills.create", situation(), skill=" tech ")) == [CreateSkill(skill="tech")]
    with pytest.raises(ValueError, match="Skill billing already exists"):
        plan("skills.create", situation(), skill="billing")


def test_users_become_agents_in_both_variants() -> None:
    later = plan("users.make-agent", situation(), (EVA, ANA))
    assert requests(later) == [SetAgents(user_id="u-eva")], "Ana is an agent already"
    earlier = plan("users.make-agent", situation(variant=Variant.EARLIER, agents=()), (EVA, ANA))
    assert requests(earlier) == [SetAgents(user_ids=("u-eva", "u-ana"))]
    assert blocked(by_id("users.make-agent"), situation(), (ANA,)) == "Ana is already an agent."


def test_an_agent_becomes_a_plain_user_and_undo_restores_the_skills() -> None:
    agent = User(id="u-ana", username="ana", role="user", capabilities=("+other", AGENT_CAPABILITY))
    (step,) = plan("users.make-plain", situation(), (agent, DAN))
    assert step.request == UpdateUser(id="u-ana", capabilities=("+other",))
    assert step.inverse == (
        UpdateUser(id="u-ana", capabilities=("+other", AGENT_CAPABILITY)),
        AttachAgent(skill="billing", agent="u-ana"),
    )
    assert blocked(by_id("users.make-plain"), situation(agents=()), (DAN,)) == "Sam is not an agent."
    assert blocked(by_id("users.make-plain"), situation(BOB), (agent,)) == "Only admins can do this."
    plain = User(id="u-new", username="new", role="user", capabilities=())
    (made,) = plan("users.make-agent", situation(), (plain,))
    assert made.inverse == (UpdateUser(id="u-new", capabilities=()),)
