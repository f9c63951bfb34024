"""What waits is listed by its time: the oldest first, and what tells no time last."""

from __future__ import annotations

from console.kinds.agents.columns import TABLE as AGENTS
from console.kinds.chats.actions import chats_of
from console.kinds.episodes.facts import attention
from console.kinds.notifications.facts import offers
from console.records.episodes import Episode
from console.records.notifications import Notification
from console.records.support import Agent
from tests.kinds.sample_records import NOW, render_context_of

TIMES = {"untimed": None, "young": NOW - 1000, "old": NOW - 60_000}
ORDER = ["old", "young", "untimed"]


def test_an_offer_without_a_time_is_the_last_of_its_kind() -> None:
    known = [Notification(id=name, kind="chat", created_at=at) for name, at in TIMES.items()]
    alert = Notification(id="alert", kind="alert", created_at=NOW - 90_000)
    shown = offers(render_context_of(notifications=[alert, *known]))
    assert [offer.id for offer in shown] == [*ORDER, "alert"]


def test_what_needs_attention_without_a_time_is_the_last_of_its_severity() -> None:
    known = [Episode(id=name, severity="warning", began_at=at) for name, at in TIMES.items()]
    worst = Episode(id="worst", severity="critical", began_at=NOW)
    assert [episode.id for episode in attention(render_context_of(episodes=[*known, worst]))] == ["worst", *ORDER]


def test_a_chat_without_a_time_is_the_last_of_its_agent() -> None:
    held = [{"chatId": name, "timestamp": at} for name, at in TIMES.items()]
    agent = Agent.model_validate({"id": "ana", "channels": {"chat": held}})
    render = render_context_of(agents=[agent])
    assert [chat.chat_id for chat in chats_of(agent, render)] == ORDER
    lines = next(section.lines for section in AGENTS.detail(agent, render) if section.id == "chat")
    assert [line[-1].text for line in lines] == ORDER
