"""The text of support chats and their details."""

from __future__ import annotations

from console.kinds.chats.columns import TABLE as CHATS
from console.kinds.chats.facts import all_chats, started
from console.records.support import (
    Agent,
    AgentChannels,
    AgentChat,
    ChatParticipant,
    SupportChat,
)
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


def test_the_age_of_an_own_chat_comes_from_its_agent() -> None:
    held = AgentChannels(chat=(AgentChat(chat_id="x2", timestamp=NOW - 2 * M),))
    own = SupportChat(chat_id="x2", agent=ChatParticipant(id="ana"))
    assert started(own, render_context(known(agents=[Agent(id="ana", channels=held)]))) == NOW - 2 * M
    assert started(own, render_context()) is None
