"""A refusal that rests on a list, such as that there are no skills, is given only if the whole list is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from console.api.operations.people import ClearParticipants, LeaveGroups
from console.api.operations.provisioning import LogOutDomain
from console.base.frozen import replace
from console.commands.action import Situation
from console.kinds.actions import by_id
from console.kinds.consequences import consequence
from console.live.command import Step
from console.records.extent import Extent
from console.records.people import Group, Session, User
from console.records.phonebooks import Phonebook
from console.records.record import Record
from console.records.sip import SipIdentity
from console.records.support import Agent, Skill
from tests.kinds.action_world import ANA_AGENT, CHATS, DAN, DAN_AGENT, OF_EVA, SALES, SKILLS, situation

ODD: dict[str, Any] = {"odd": True}
FULL = Skill(skill="all", agents=("u-dan",))


def refused(action: str, at: Situation, *records: Record) -> str | None:
    why_not = by_id(action).why_not
    assert why_not is not None
    return why_not(at, records)


def known_to(extent: Extent, at: Situation) -> Situation:
    def known(_kind: str) -> Extent:
        return extent

    return replace(at, render=replace(at.render, extent=known))


@pytest.mark.parametrize(
    ("action", "at", "records", "some", "none"),
    [
        ("agents.give-skill", situation(skills=()), (DAN_AGENT,), "Only some skills", "The skills are not known."),
        ("agents.give-skill", situation(skills=(FULL,)), (DAN_AGENT,), "Only some skills", "The skills are"),
        ("agents.take-skill", situation(), (DAN_AGENT,), "Not all skills are known.", "Not all skills are known."),
        ("chats.transfer", situation(agents=(ANA_AGENT,)), CHATS, "Only some agents", "The agents are not known."),
        ("agents.transfer", situation(agents=(ANA_AGENT,)), (ANA_AGENT,), "Only some agents", "The agents are"),
        ("alerts.send", situation(templates=()), (), "Only some alert templates", "The alert templates are not known."),
        ("skills.attach", situation(agents=(DAN_AGENT,)), (FULL,), "Only some agents", "The agents are not known."),
        ("sessions.revoke-all", situation(role="admin"), (Session(id="x", user="u-x"),), "Only some", "The sessions"),
        ("sip.take-back", situation(role="admin"), (SipIdentity(id="i", username="1"),), "Only some SIP", "The SIP"),
        ("users.leave-groups", situation(role="admin", groups=()), (DAN,), "Not all groups", "Not all groups"),
        ("groups.leave-all", situation(groups=()), (), "Not all groups", "Not all groups"),
    ],
)
def test_a_refusal_that_rests_on_a_list_says_if_the_list_is_not_known(
    action: str, at: Situation, records: Sequence[Record], some: str, none: str
) -> None:
    claim = refused(action, at, *records)
    assert claim is not None
    for extent, begins in ((Extent.PART, some), (Extent.UNKNOWN, none)):
        said = refused(action, known_to(extent, at), *records)
        assert said is not None
        assert said.startswith(begins)
        assert said != claim


@pytest.mark.parametrize(
    ("action", "record", "unknown"),
    [
        ("skills.detach", Skill.model_validate({"skill": "s", "agents": ODD}), "The agents of this skill are not"),
        (
            "groups.clear",
            Group.model_validate({"groupId": "g", "participants": ODD}),
            "The members of g are not known.",
        ),
        ("groups.reorder", Group.model_validate({"groupId": "g", "participants": ODD}), "The members of g are not"),
        ("groups.follow", Group.model_validate({"groupId": "g", "participants": ODD}), "The members of g are not"),
        ("groups.unfollow", Group.model_validate({"groupId": "g", "participants": ODD}), "The members of g are not"),
        ("phonebooks.take-out", Phonebook.model_validate({"id": "p", "contacts": ODD}), "The contacts of this"),
        (
            "agents.transfer",
            Agent.model_validate({"id": "u-x", "channels": {"chat": ODD}}),
            "The chats of u-x are not known.",
        ),
    ],
)
def test_a_refusal_that_rests_on_a_list_in_a_row_says_if_it_cannot_be_read(
    action: str, record: Record, unknown: str
) -> None:
    said = refused(action, situation(role="admin"), record)
    assert said is not None
    assert said.startswith(unknown)


def test_an_agent_is_in_no_skill_only_if_the_agents_of_all_skills_can_be_read() -> None:
    at = situation(skills=(*SKILLS, Skill.model_validate({"skill": "odd", "agents": ODD})))
    assert refused("agents.take-skill", at, DAN_AGENT) == "Not all skills are known."


def test_a_confirmation_does_not_count_what_is_not_listed() -> None:
    sessions = (Session(id="1", user="u-ana", domain="d"), Session(id="2", user="u-bob", domain="d"))
    at = situation(role="admin", sessions=sessions)
    odd = Group.model_validate({"groupId": "odd", "participants": ODD, "owner": OF_EVA.model_dump()})
    steps = {
        "log out": Step(LogOutDomain(id="d"), "d", ""),
        "leave": Step(LeaveGroups(target_user_id="u-ana"), "u-ana", ""),
        "clear": Step(ClearParticipants(group_id="odd"), "odd", ""),
    }
    whole, part = at, known_to(Extent.PART, at)
    assert "2 sessions of 2 people in d end" in consequence(whole, [steps["log out"]]).warning
    assert consequence(part, [steps["log out"]]).warning.startswith("All sessions of d end immediately.")
    assert consequence(whole, [steps["leave"]]).warning == "Ana leaves this group; undo restores their positions."
    assert consequence(part, [steps["leave"]]).warning == (
        "Ana leaves every group, also those that are not known here, to which undo does not return."
    )
    assert "no members" not in consequence(situation(groups=(SALES, odd)), [steps["clear"]]).warning


def test_a_user_who_left_groups_of_which_only_some_are_known_left_every_group() -> None:
    user: User = DAN.model_copy(update={"id": "u-ana"})
    plan = by_id("users.leave-groups").plan
    named = [plan(at, (user,), {})[0].words for at in (situation(), known_to(Extent.PART, situation()))]
    assert named == ["removed Ana from Sales", "removed Ana from every group"]


def test_a_user_is_no_agent_only_if_that_is_known() -> None:
    at, unsaid = situation(role="admin"), "The service does not say which capabilities this user has."
    told = User(id="u-x", username="x", capabilities=("chat",))
    untold, odd = User(id="u-x", username="x"), User.model_validate({"id": "u-x", "username": "x", "capabilities": ODD})
    part = known_to(Extent.PART, at)
    said = [refused("users.make-plain", each, user) for each in (at, part) for user in (told, untold, odd)]
    assert said == [*["u-x is not an agent."] * 2, unsaid, "u-x is not an agent.", unsaid, unsaid]
