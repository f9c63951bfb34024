"""Actions on support chats: the requests sent, the order of the picker, undo."""

from __future__ import annotations

from collections import Counter

import pytest

from console.api.operations.support import (
    StartSupportChat,
    TransferSupportChat,
)
from console.base.frozen import replace
from console.commands.action import ChoiceAsk, Situation, TextAsk
from console.commands.guards import applicable, blocked, command
from console.kinds.actions import by_id
from console.kinds.agents.facts import load
from console.kinds.chats.actions import SPREAD
from console.kinds.chats.distribution import candidates, choice, narrow, spread
from console.live.command import Outcome, Stage, Ticket
from console.records.support import ChatParticipant, Skill
from console.ui.widgets.message_line import describe
from console.ui.widgets.styled_line import words_of
from tests.kinds.action_world import (
    AGENTS,
    ANA,
    ANA_AGENT,
    BOB,
    BOB_AGENT,
    CHATS,
    DAN_AGENT,
    EVA,
    agent,
    asks_of,
    chat,
    plan,
    requests,
    situation,
)

DAN_TO = ChatParticipant(id="u-dan", username="dan", domain="desk.example")

BOB_TO = ChatParticipant(id="u-bob", username="bob", domain="desk.example")


def test_the_picker_sorts_by_availability_then_skill_then_activity_then_load() -> None:
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


def test_the_picker_shows_the_activity_in_words() -> None:
    (candidate,) = candidates(situation(agents=(agent("1", "Zoe", activity="oncall", chats=("x",)),)).render, ())
    assert choice(candidate).note == "busy, on a call, 1 open"


def test_a_skill_or_a_name_filters_the_picker_and_keeps_its_order() -> None:
    found = candidates(situation().render, ())
    assert [each.name for each in narrow(found, "#bil")] == ["Bob", "Ana", "Carla"]
    assert [each.name for each in narrow(found, "#BIL a")] == ["Ana", "Carla"]
    assert [each.name for each in narrow(found, "dA")] == ["Dan"]
    assert narrow(found, "") == found
    assert narrow(found, "#none") == ()


def test_the_transfer_picker_excludes_the_holder_and_lists_the_best_first() -> None:
    (ask,) = asks_of(by_id("chats.transfer"), situation(), CHATS[:1])
    assert isinstance(ask, ChoiceAsk)
    assert [each.value for each in ask.choices] == ["u-bob", "u-carla", "u-dan", "u-off"]
    assert ask.choices[0].note == "busy, 1 → 2 open  #billing"
    assert ask.choices[2].note == "free, 0 → 1 open"
    assert ask.choices[0].tags == ("billing",)


def test_the_load_after_a_transfer_counts_the_chats_that_an_agent_does_not_hold_yet() -> None:
    several = (*CHATS, chat("c-9", "u-dan"))
    (ask,) = asks_of(by_id("chats.transfer"), situation(), several)
    assert isinstance(ask, ChoiceAsk)
    notes = {each.value: each.note or "" for each in ask.choices}
    assert f" 0 → {len(several) - 1} open" in notes["u-dan"]
    assert f" 0 → {len(several)} open" in notes["u-off"]


def test_one_or_several_chats_are_transferred() -> None:
    (step,) = plan("chats.transfer", situation(), CHATS[:1], agent="u-dan")
    assert step.request == TransferSupportChat(id="c-1", destination=DAN_TO)
    assert step.words == "transferred chat with customer-c-1 to Dan"
    assert not step.inverse
    many = plan("chats.transfer", situation(), (*CHATS, chat("c-9", "u-dan")), agent="u-dan")
    assert [each.key for each in many] == ["c-1", "c-2"], "who holds it already is left out"


def test_chats_are_distributed_by_load() -> None:
    steps = plan("chats.transfer", situation(), CHATS, agent=SPREAD)
    assert requests(steps) == [
        TransferSupportChat(id="c-1", destination=DAN_TO),
        TransferSupportChat(id="c-2", destination=BOB_TO),
    ], "Dan has none; then both have one, and Bob knows about billing"
    plain = [chat(f"p-{number}", "u-gone") for number in range(4)]
    shared = spread(plain, situation().render)
    assert [each.agent.id for _, each in shared] == ["u-dan", "u-bob", "u-dan", "u-ana"]


@pytest.mark.parametrize(("answer", "line"), [(SPREAD, "2 chats to 2 agents"), ("u-dan", "2 chats to 1 agent")])
def test_the_result_of_several_transfers_names_the_number_of_agents(answer: str, line: str) -> None:
    made = command(by_id("chats.transfer"), situation(), CHATS, {"agent": answer})
    done = tuple(Outcome(step, Stage.DONE) for step in made.steps)
    assert f"Transferred {line}" in words_of(describe(Ticket(made, Stage.DONE, done)))
    assert "Transferred 1 of 2 chats to 1 agent" in words_of(describe(Ticket(made, Stage.DONE, done[:1])))


def test_distributing_counts_the_chats_already_planned() -> None:
    knowing = [agent(f"k-{number}", f"Knowing {number}") for number in range(6)]
    others = [agent(f"o-{number}", f"Other {number:02}", chats=("x",) * (number % 2)) for number in range(24)]
    dear = [chat(f"c-{number}", "u-gone", "billing") for number in range(30)]
    skills = (Skill(skill="billing", agents=tuple(each.id for each in knowing)),)
    at = situation(agents=(*knowing, *others), skills=skills)
    given = Counter(each.agent.id for _, each in spread(dear, at.render))
    loads = [(load(each) or 0) + given[each.id] for each in (*knowing, *others)]
    assert max(loads) - min(loads) <= 1
    assert all(given[each.id] == 2 for each in knowing), "of equal loads those with the skill come first"


def limited(most: int) -> Situation:
    usual = situation()
    return replace(usual, render=replace(usual.render, chats_per_agent=most))


def test_nobody_gets_more_chats_than_the_limit_and_those_left_are_counted() -> None:
    at = limited(2)
    room = sum(max(0, 2 - (each.load or 0)) for each in candidates(at.render, ()) if each.reachable)
    chats = [chat(f"p-{number}", "u-gone") for number in range(room + 1)]
    made = command(by_id("chats.transfer"), at, chats, {"agent": SPREAD})
    given = Counter(step.request.destination.id for step in made.steps if isinstance(step.request, TransferSupportChat))
    assert sum(given.values()) == room > 2
    assert all(given[each.agent.id] + (each.load or 0) <= 2 for each in candidates(at.render, ()) if each.reachable)
    assert made.skipped == "1 chat left unchanged."


def test_without_room_at_any_agent_the_reason_names_the_limit() -> None:
    chats = [chat(f"p-{number}", "u-gone") for number in range(3)]
    with pytest.raises(ValueError, match="has fewer than 0 chats"):
        plan("chats.transfer", limited(0), chats, agent=SPREAD)


@pytest.mark.parametrize(
    ("answer", "reason"), [("u-ana", "already holds it"), ("u-pat", "is not an agent"), ("", "is missing")]
)
def test_an_impossible_transfer_is_refused(answer: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        plan("chats.transfer", situation(), CHATS[:1], agent=answer)


def test_only_the_agent_of_the_chat_or_an_admin_can_transfer_it() -> None:
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
    fitting, skipped = applicable(transfer, at, [*others, *CHATS])
    assert [record.key for record in fitting] == ["c-1", "c-2"]
    assert skipped == "2 skipped: Only its agent, Bob, and admins can transfer this chat."
    assert blocked(transfer, at, others) == skipped.removeprefix("2 skipped: ")
    assert applicable(transfer, at, CHATS) == (CHATS, "")


def test_a_supervisor_transfers_the_chats_of_an_agent() -> None:
    asks = asks_of(by_id("agents.transfer"), situation(), (ANA_AGENT,))
    assert [ask.name for ask in asks if not callable(ask)] == ["chats", "agent"]
    assert isinstance(asks[0], ChoiceAsk)
    assert [each.value for each in asks[0].choices] == ["*", "c-2", "c-1"], "the oldest first"
    all_of_them = plan("agents.transfer", situation(), (ANA_AGENT,), chats=("*",), agent="u-dan")
    assert [each.key for each in all_of_them] == ["c-2", "c-1"]
    one = plan("agents.transfer", situation(chats=()), (ANA_AGENT,), chats=("c-1",), agent="u-dan")
    assert requests(one) == [TransferSupportChat(id="c-1", destination=DAN_TO)]


def test_an_agent_with_one_chat_is_transferred_without_a_picker() -> None:
    asks = asks_of(by_id("agents.transfer"), situation(), (BOB_AGENT,))
    assert [ask.name for ask in asks if not callable(ask)] == ["agent"]
    assert [each.key for each in plan("agents.transfer", situation(), (BOB_AGENT,), agent="u-dan")] == ["c-3"]


def test_only_the_agent_and_admins_can_transfer_the_chats_of_an_agent() -> None:
    assert blocked(by_id("agents.transfer"), situation(), (DAN_AGENT,)) == "Dan has no chats."
    assert "Only the agent and admins" in (blocked(by_id("agents.transfer"), situation(BOB), (ANA_AGENT,)) or "")
    assert blocked(by_id("agents.transfer"), situation(BOB), (BOB_AGENT,)) is None


def test_a_chat_is_started() -> None:
    skill, request_id = asks_of(by_id("chats.start"), situation(), ())
    assert isinstance(skill, ChoiceAsk)
    assert isinstance(request_id, TextAsk)
    assert request_id.initial.startswith("c-")
    assert requests(plan("chats.start", situation(), id="c-x", skill="billing")) == [
        StartSupportChat(id="c-x", context={"skill": "billing"})
    ]
    assert requests(plan("chats.start", situation(), id="c-x", skill="-")) == [StartSupportChat(id="c-x")]
