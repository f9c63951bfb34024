"""Agents, skills, chats, presence and sessions: exact requests, order of the picker, ways back."""

from __future__ import annotations

from collections import Counter

import pytest

from console.api.annotations import Variant
from console.api.operations.people import UpdateUser
from console.api.operations.presence import SubscribePresence, SubscribePresences, UpdatePresence
from console.api.operations.resolution import ListResolved, UpdateSubscriptions
from console.api.operations.sessions import RevokeSession
from console.api.operations.support import (
    AttachAgent,
    AttachAgents,
    CreateSkill,
    DetachAgent,
    SetAgents,
    StartSupportChat,
    TransferSupportChat,
)
from console.commands.action import ChoiceAsk, TextAsk
from console.commands.guards import blocked, command
from console.frozen import replace
from console.kinds.actions import by_id
from console.kinds.agents.actions import Toggle, grid_steps
from console.kinds.agents.facts import load
from console.kinds.chats.actions import SPREAD
from console.kinds.chats.distribution import candidates, narrow, spread
from console.kinds.consequences import consequence
from console.kinds.presence.following import read_addresses
from console.live.command import Basis
from console.live.merging import taking_back
from console.records.people import AGENT_CAPABILITY, Session, User
from console.records.resolution import ResolvedAddresses, ResolvedUser
from console.records.support import ChatParticipant, Presence, Skill
from tests.unit.actions.action_world import (
    AGENTS,
    ANA,
    BOB,
    CARLA,
    CHATS,
    DAN,
    EVA,
    OWN_SESSION,
    SALES,
    SESSION,
    SKILLS,
    agent,
    chat,
    plan,
    requests,
    situation,
)

ANA_AGENT, BOB_AGENT, _, DAN_AGENT, _ = AGENTS
BILLING, SALES_SKILL = SKILLS
DAN_TO = ChatParticipant(id="u-dan", username="dan", domain="desk.example")
BOB_TO = ChatParticipant(id="u-bob", username="bob", domain="desk.example")

# -- the picker ------------------------------------------------------------------------------------------------------


def test_those_who_can_take_it_first_then_the_skill_then_what_they_say_then_the_least_loaded() -> None:
    people = (
        agent("1", "Zoe"),
        agent("2", "Yan", chats=("x",)),
        agent("3", "Abe", activity="busy"),
        agent("4", "Off", online=False),
        agent("5", "Kim", chats=("y",)),
        agent("6", "Kay", chats=("z", "w")),
        agent("7", "Abe", activity="Available"),
        agent("8", "Eli", activity="in a meeting"),
    )
    skills = (Skill(skill="billing", agents=("5", "6", "3", "4")),)
    found = candidates(situation(agents=people, skills=skills).render, {"billing"})
    assert [each.agent.id for each in found] == ["5", "6", "3", "7", "1", "2", "8", "4"]


def test_a_skill_or_a_name_narrows_the_picker_and_keeps_its_order() -> None:
    found = candidates(situation().render, ())
    assert [each.name for each in narrow(found, "#bil")] == ["Bob", "Ana", "Carla"]
    assert [each.name for each in narrow(found, "#BIL a")] == ["Ana", "Carla"]
    assert [each.name for each in narrow(found, "dA")] == ["Dan"]
    assert narrow(found, "") == found
    assert narrow(found, "#none") == ()


def test_the_transfer_picker_leaves_the_holder_out_and_puts_the_best_first() -> None:
    (ask,) = by_id("chats.transfer").asks(situation(), CHATS[:1])
    assert isinstance(ask, ChoiceAsk)
    assert [each.value for each in ask.choices] == ["u-bob", "u-carla", "u-dan", "u-off"]
    assert ask.choices[0].note == "busy, 1 open  #billing"
    assert ask.choices[2].note == "free, 0 open"
    assert ask.choices[0].tags == ("billing",)


# -- chats -----------------------------------------------------------------------------------------------------------


def test_transferring_one_and_many() -> None:
    (step,) = plan("chats.transfer", situation(), CHATS[:1], agent="u-dan")
    assert step.request == TransferSupportChat(id="c-1", destination=DAN_TO)
    assert step.words == "transferred chat with customer-c-1 to Dan"
    assert not step.inverse
    many = plan("chats.transfer", situation(), (*CHATS, chat("c-9", "u-dan")), agent="u-dan")
    assert [each.key for each in many] == ["c-1", "c-2"], "who holds it already is left out"


def test_spreading_by_load() -> None:
    steps = plan("chats.transfer", situation(), CHATS, agent=SPREAD)
    assert requests(steps) == [
        TransferSupportChat(id="c-1", destination=DAN_TO),
        TransferSupportChat(id="c-2", destination=BOB_TO),
    ], "Dan has none; then both have one, and Bob knows about billing"
    plain = [chat(f"p-{number}", "u-gone") for number in range(4)]
    shared = spread(plain, situation().render)
    assert [each.agent.id for _, each in shared] == ["u-dan", "u-bob", "u-dan", "u-ana"]


def test_spreading_counts_what_the_plan_has_given_so_far() -> None:
    knowing = [agent(f"k-{number}", f"Knowing {number}") for number in range(6)]
    others = [agent(f"o-{number}", f"Other {number:02}", chats=("x",) * (number % 2)) for number in range(24)]
    dear = [chat(f"c-{number}", "u-gone", "billing") for number in range(30)]
    skills = (Skill(skill="billing", agents=tuple(each.id for each in knowing)),)
    at = situation(agents=(*knowing, *others), skills=skills)
    given = Counter(each.agent.id for _, each in spread(dear, at.render))
    loads = [load(each) + given[each.id] for each in (*knowing, *others)]
    assert max(loads) - min(loads) <= 1
    assert all(given[each.id] == 2 for each in knowing), "of equal loads those with the skill come first"


@pytest.mark.parametrize(
    ("answer", "reason"), [("u-ana", "already holds it"), ("u-pat", "is not an agent"), ("", "is missing")]
)
def test_a_transfer_that_cannot_be(answer: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        plan("chats.transfer", situation(), CHATS[:1], agent=answer)


def test_only_the_agent_of_the_chat_or_an_admin_transfers_it() -> None:
    assert blocked(by_id("chats.transfer"), situation(EVA), CHATS) is None
    assert blocked(by_id("chats.transfer"), situation(ANA), CHATS) is None
    reason = blocked(by_id("chats.transfer"), situation(BOB), CHATS)
    assert reason == "Only its agent, Ana, and admins can transfer this chat."
    alone = situation(agents=AGENTS[:1])
    assert blocked(by_id("chats.transfer"), alone, CHATS) == "There is no other agent to transfer to."


def test_of_several_chats_those_of_others_are_skipped_and_counted() -> None:
    at, transfer = situation(ANA), by_id("chats.transfer")
    others = [chat("c-8", "u-bob"), chat("c-9", "u-dan")]
    assert blocked(transfer, at, [*others, *CHATS]) is None
    decided = command(transfer, at, [*others, *CHATS], {"agent": "u-carla"})
    assert [step.key for step in decided.steps] == ["c-1", "c-2"]
    assert decided.skipped == "2 skipped: Only its agent, Bob, and admins can transfer this chat."
    assert blocked(transfer, at, others) == decided.skipped.removeprefix("2 skipped: ")
    assert command(transfer, at, CHATS, {"agent": "u-carla"}).skipped == ""


def test_a_supervisor_transfers_the_chats_of_an_agent() -> None:
    asks = by_id("agents.transfer").asks(situation(), (ANA_AGENT,))
    assert [ask.name for ask in asks if not callable(ask)] == ["chats", "agent"]
    assert isinstance(asks[0], ChoiceAsk)
    assert [each.value for each in asks[0].choices] == ["*", "c-2", "c-1"], "the oldest first"
    all_of_them = plan("agents.transfer", situation(), (ANA_AGENT,), chats=("*",), agent="u-dan")
    assert [each.key for each in all_of_them] == ["c-2", "c-1"]
    one = plan("agents.transfer", situation(chats=()), (ANA_AGENT,), chats=("c-1",), agent="u-dan")
    assert requests(one) == [TransferSupportChat(id="c-1", destination=DAN_TO)]


def test_an_agent_with_one_chat_is_not_asked_which() -> None:
    asks = by_id("agents.transfer").asks(situation(), (BOB_AGENT,))
    assert [ask.name for ask in asks if not callable(ask)] == ["agent"]
    assert [each.key for each in plan("agents.transfer", situation(), (BOB_AGENT,), agent="u-dan")] == ["c-3"]


def test_who_may_transfer_the_chats_of_an_agent() -> None:
    assert blocked(by_id("agents.transfer"), situation(), (DAN_AGENT,)) == "Dan has no chats."
    assert "Only the agent and admins" in (blocked(by_id("agents.transfer"), situation(BOB), (ANA_AGENT,)) or "")
    assert blocked(by_id("agents.transfer"), situation(BOB), (BOB_AGENT,)) is None


def test_starting_a_chat() -> None:
    skill, request_id = by_id("chats.start").asks(situation(), ())
    assert isinstance(skill, ChoiceAsk)
    assert isinstance(request_id, TextAsk)
    assert request_id.initial.startswith("c-")
    assert requests(plan("chats.start", situation(), id="c-x", skill="billing")) == [
        StartSupportChat(id="c-x", context={"skill": "billing"})
    ]
    assert requests(plan("chats.start", situation(), id="c-x", skill="-")) == [StartSupportChat(id="c-x")]


# -- agents and skills -------------------------------------------------------------------------------------------------


def test_the_grid_sends_one_step_for_each_cell_that_differs() -> None:
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


def test_giving_and_taking_skills() -> None:
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


def test_adding_agents_to_a_skill_one_or_many() -> None:
    (one,) = plan("skills.attach", situation(), (BILLING,), agents=("u-dan",))
    assert one.request == AttachAgent(skill="billing", agent="u-dan")
    (many,) = plan("skills.attach", situation(), (SALES_SKILL,), agents=("u-ana", "u-dan", "u-off"))
    assert many.request == AttachAgents(skill="sales", agents=("u-ana", "u-dan"))
    assert many.inverse == (DetachAgent(skill="sales", agent="u-ana"), DetachAgent(skill="sales", agent="u-dan"))
    with pytest.raises(ValueError, match="already"):
        plan("skills.attach", situation(), (BILLING,), agents=("u-ana",))


def test_removing_agents_from_a_skill() -> None:
    steps = plan("skills.detach", situation(), (BILLING,), agents=("u-ana", "u-bob", "u-dan"))
    assert requests(steps) == [DetachAgent(skill="billing", agent="u-ana"), DetachAgent(skill="billing", agent="u-bob")]
    assert steps[1].inverse == (AttachAgent(skill="billing", agent="u-bob"),)
    with pytest.raises(ValueError, match="do not have"):
        plan("skills.detach", situation(), (BILLING,), agents=("u-dan",))
    assert blocked(by_id("skills.detach"), situation(), (Skill(skill="new"),)) == "No agent has this skill."


def test_creating_a_skill() -> None:
    assert requests(plan("skills.create", situation(), skill=" tech ")) == [CreateSkill(skill="tech")]
    with pytest.raises(ValueError, match="Skill billing already exists"):
        plan("skills.create", situation(), skill="billing")


def test_making_users_agents_in_both_variants() -> None:
    later = plan("users.make-agent", situation(), (EVA, ANA))
    assert requests(later) == [SetAgents(user_id="u-eva")], "Ana is an agent already"
    earlier = plan("users.make-agent", situation(variant=Variant.EARLIER, agents=()), (EVA, ANA))
    assert requests(earlier) == [SetAgents(user_ids=("u-eva", "u-ana"))]
    assert blocked(by_id("users.make-agent"), situation(), (ANA,)) == "Ana is already an agent."


# -- presence --------------------------------------------------------------------------------------------------------


def test_following_one_many_and_those_not_yet_followed() -> None:
    at = situation(BOB)
    assert requests(plan("presence.follow", at, addresses="dan")) == [SubscribePresence(address="svc-user:u-dan")]
    assert requests(plan("presence.follow", at, addresses="dan\nsip:x@y\n+34600\nana\nnobody")) == [
        SubscribePresences(addresses=("svc-user:u-dan", "sip:x@y", "+34600"))
    ]
    with pytest.raises(ValueError, match="already follow this"):
        plan("presence.follow", at, addresses="ana")
    with pytest.raises(ValueError, match="No address or known user"):
        plan("presence.follow", at, addresses="nobody")
    assert len(read_addresses("bob\nnobody\nsip:x", at.render)[1]) == 3


def test_following_users_and_groups() -> None:
    at = situation(BOB)
    assert requests(plan("users.follow", at, (ANA, CARLA, DAN))) == [
        SubscribePresences(addresses=("svc-user:u-carla", "svc-user:u-dan"))
    ]
    assert blocked(by_id("users.follow"), at, (ANA,)) == "You already follow Ana."
    assert requests(plan("groups.follow", at, (SALES,))) == [
        SubscribePresences(addresses=("svc-user:u-bob", "svc-user:u-carla"))
    ]
    followed = SALES.model_copy(update={"participants": ("u-ana", "u-eva")})
    assert blocked(by_id("groups.follow"), at, (followed,)) == "You already follow everybody in Sales."
    nobody = SALES.model_copy(update={"participants": ()})
    assert blocked(by_id("groups.follow"), at, (nobody,)) == "Sales has no members."


LISTS_NOW = ResolvedAddresses(resolved=(ResolvedUser(id="u-bob"),), subscribed=("svc-user:u-ana", "svc-user:u-dan"))


def test_stopping_to_follow_somebody_keeps_everybody_else_on_the_lists() -> None:
    at = situation(BOB)
    (step,) = plan("users.unfollow", at, (ANA,), lists=LISTS_NOW)
    assert step.request == UpdateSubscriptions(resolved=("svc-user:u-bob",), subscribed=("svc-user:u-dan",))
    assert step.inverse == (UpdateSubscriptions(resolved=("svc-user:u-bob",), subscribed=LISTS_NOW.subscribed),)
    assert step.basis == Basis(ListResolved(), {"subscribed": LISTS_NOW.subscribed})
    assert step.words == "unfollowed Ana"
    (both,) = plan("users.unfollow", at, (ANA, DAN, CARLA), lists=LISTS_NOW)
    assert both.words == "unfollowed 2 addresses"
    with pytest.raises(ValueError, match="You do not follow Carla"):
        plan("users.unfollow", at, (CARLA,), lists=LISTS_NOW)
    with pytest.raises(ValueError, match="does not say whom you follow"):
        plan("users.unfollow", at, (ANA,))
    assert blocked(by_id("users.unfollow"), at, (CARLA,)) == "You do not follow Carla."


def test_following_is_taken_back_to_the_lists_as_they_were() -> None:
    (step,) = plan("users.follow", situation(BOB), (CARLA,), lists=LISTS_NOW)
    assert step.request == SubscribePresence(address="svc-user:u-carla")
    assert step.inverse == (UpdateSubscriptions(resolved=("svc-user:u-bob",), subscribed=LISTS_NOW.subscribed),)
    after = (*LISTS_NOW.subscribed, "svc-user:u-carla")
    assert taking_back(step, step.inverse[0]) == Basis(ListResolved(), {"subscribed": after})
    (blind,) = plan("users.follow", situation(BOB), (CARLA,))
    assert not blind.inverse, "who does not know the lists cannot put them back"


def test_an_agent_is_made_a_plain_user_and_back_with_the_skills() -> None:
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


def test_an_admin_who_sees_everybody_may_still_follow() -> None:
    assert blocked(by_id("users.follow"), situation(EVA), (ANA,)) is None
    assert requests(plan("users.follow", situation(EVA), (ANA,))) == [SubscribePresence(address="svc-user:u-ana")]


def test_setting_oneself_with_a_digit_and_back() -> None:
    (ask,) = by_id("me.set").asks(situation(), ())
    assert isinstance(ask, ChoiceAsk)
    assert ask.digits
    assert [each.value for each in ask.choices] == ["available", "busy", "away", "dnd", "offline", "note", "leave"]
    assert (ask.choices[-2].key, ask.choices[-2].leads_to) == ("n", "me.note")
    assert (ask.choices[-1].key, ask.choices[-1].leads_to) == ("", "groups.leave-all")
    (step,) = plan("me.set", situation(), activity="away")
    assert step.request == UpdatePresence(address="svc-user:u-eva", online=True, activity="away")
    assert step.inverse == (UpdatePresence(address="svc-user:u-eva", online=True, activity="available"),)
    (step,) = plan("me.set", situation(), activity="offline")
    assert isinstance(step.request, UpdatePresence)
    assert step.request.online is False


def test_what_was_not_known_of_oneself_cannot_be_put_back() -> None:
    (step,) = plan("me.set", situation(presence=()), activity="busy")
    assert step.inverse == ()
    (step,) = plan("me.set", situation(ANA, presence=()), activity="busy")
    assert step.inverse == (UpdatePresence(address="svc-user:u-ana", online=True, activity="available"),)
    with pytest.raises(ValueError, match="note is not a status"):
        plan("me.set", situation(), activity="note")


def test_a_note_and_its_way_back() -> None:
    (ask,) = by_id("me.note").asks(situation(), ())
    assert isinstance(ask, TextAsk)
    assert ask.initial == "at the desk"
    assert not ask.required
    (step,) = plan("me.note", situation(), note="back 15:30")
    assert step.request == UpdatePresence(address="svc-user:u-eva", note="back 15:30")
    assert step.inverse == (UpdatePresence(address="svc-user:u-eva", note="at the desk"),)
    (step,) = plan("me.note", situation(presence=(Presence(address="svc-user:u-eva"),)), note="")
    assert step.inverse == (UpdatePresence(address="svc-user:u-eva", note=""),)
    (step,) = plan("me.note", situation(ANA, presence=()), note="x")
    assert step.inverse == ()


# -- sessions --------------------------------------------------------------------------------------------------------


def test_ending_sessions() -> None:
    steps = plan("sessions.revoke", situation(), (SESSION, OWN_SESSION))
    assert requests(steps) == [RevokeSession(id="s-1"), RevokeSession(id="s-2")]
    assert [each.words for each in steps] == ["ended a session of Ana", "ended a session of Eva"]


def test_all_sessions_of_a_user_end_but_the_one_that_is_worked_in() -> None:
    here = Session(id="s-3", user="u-eva")
    known = {each.id: each for each in (SESSION, OWN_SESSION, here)}
    at = replace(situation(sessions=tuple(known.values())), session_id="s-3")
    assert requests(plan("sessions.revoke-all", at, (OWN_SESSION,))) == [RevokeSession(id="s-2")]
    assert requests(plan("sessions.revoke-all", at, (SESSION,))) == [RevokeSession(id="s-1")]
    action = by_id("sessions.revoke-all")
    assert blocked(action, at, (here,)) is None
    said = consequence(at, action.plan(at, (here,), {})).warning
    assert said == "The session of Eva ends immediately. Your current session is kept."
    unknown = replace(at, session_id="")
    assert blocked(action, unknown, (here,)) == ("Your current session is unknown: end the sessions one by one.")
    alone = replace(situation(sessions=(here,)), session_id="s-3")
    assert blocked(action, alone, (here,)) == "This user has no other session."
