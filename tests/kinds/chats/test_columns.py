"""The text of support chats and their details."""

from __future__ import annotations

from console.base.frozen import replace
from console.kinds.chats.columns import TABLE as CHATS
from console.kinds.chats.facts import all_chats, oldest_chat, started
from console.records.people import User
from console.records.record import Record
from console.records.support import (
    Agent,
    AgentChannels,
    AgentChat,
    ChatParticipant,
    SupportChat,
)
from tests.kinds.action_world import plan, situation
from tests.kinds.reading import M, known
from tests.kinds.wild import NOW, render_context


def test_chats_of_others_are_listed_through_their_agents() -> None:
    held = AgentChannels(chat=(AgentChat(chat_id="x1", timestamp=NOW - M, users=("u9",)),))
    own = SupportChat(chat_id="x2", agent=ChatParticipant(id="ana"), context={"subject": "bill"})
    seen = render_context(known(agents=[Agent(id="ana", display_name="Ana", channels=held)], chats=[own]))
    found = all_chats(seen)
    assert set(found) == {"x1", "x2"}
    assert started(found["x1"], seen) == NOW - M
    assert CHATS.column("agent").cell(found["x1"], seen).text == "Ana"
    assert CHATS.column("about").cell(own, seen).text == "bill"


def test_the_agent_of_a_chat_is_always_shown_and_of_an_own_one_it_is_you() -> None:
    assert CHATS.column("agent").priority == 0
    chat = SupportChat(chat_id="x2", agent=ChatParticipant(id="ana", username="ana"))
    texts = [CHATS.column("agent").cell(chat, replace(render_context(), me=me)).text for me in ("ana", "bob")]
    assert texts == ["you", "ana"]


def test_the_raw_record_of_another_agents_chat_is_the_entry_that_the_service_sent() -> None:
    ana = Agent.model_validate({"id": "ana", "channels": {"chat": [{"chatId": "x1", "users": ["u9"], "mood": "calm"}]}})
    seen = render_context(known(agents=[ana]))
    raw = next(section for section in CHATS.detail(all_chats(seen)["x1"], seen) if section.id == "raw")
    lines = ["".join(cell.text for cell in line).strip() for line in raw.lines]
    assert lines[0] == "in channels.chat of agent ana:"
    assert lines[1:] == ["{", '"chatId": "x1",', '"users": [', '"u9"', "],", '"mood": "calm"', "}"]


def test_the_age_of_an_own_chat_comes_from_its_agent() -> None:
    held = AgentChannels(chat=(AgentChat(chat_id="x2", timestamp=NOW - 2 * M),))
    own = SupportChat(chat_id="x2", agent=ChatParticipant(id="ana"))
    assert started(own, render_context(known(agents=[Agent(id="ana", channels=held)]))) == NOW - 2 * M
    assert started(own, render_context()) is None


def test_a_chat_is_called_by_the_name_of_its_customer_else_its_subject_and_never_by_a_login() -> None:
    chat = SupportChat(
        chat_id="x2",
        agent=ChatParticipant(id="ana", username="ana"),
        participants=(ChatParticipant(id="ana", username="ana"), ChatParticipant(id="u9", username="rnagy")),
        context={"subject": "bill"},
    )
    users: list[Record] = [User(id="u9", username="rnagy", alias="Rubén Nagy")]
    named = render_context(known(chats=[chat], users=users, agents=[Agent(id="u-dan")]))
    assert CHATS.name(chat, named) == "chat with Rubén Nagy"
    alone = chat.model_copy(update={"participants": chat.participants[:1]})
    assert CHATS.name(alone, named) == "chat about bill"
    (step,) = plan("chats.transfer", replace(situation(), render=named), [chat], agent="u-dan")
    assert step.words.startswith("transferred chat with Rubén Nagy to ")


def test_a_chat_of_unknown_time_is_not_the_oldest_even_if_the_clock_of_the_service_is_ahead() -> None:
    chats: list[Record] = [SupportChat(chat_id="a"), SupportChat(chat_id="b", context={"timestamp": NOW + M})]
    oldest = oldest_chat(render_context(known(chats=chats)))
    assert oldest is not None
    assert oldest.chat_id == "b"
