"""Facts about support chats: owner and age (contract 2.16)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from console.records.support import SupportChat
from console.views import wording

if TYPE_CHECKING:
    from console.records.support import Agent, AgentChat
    from console.views.render_context import RenderContext

STARTED = ("timestamp", "createdAt", "startedAt", "date")
"""Fields of a chat or its context that may contain the start time."""


def started(chat: SupportChat, render: RenderContext) -> float | None:
    """Return when a chat started: by its own data, otherwise by its agent's record; None if unknown."""
    for source in (chat.model_extra or {}, chat.context or {}):
        for field in STARTED:
            at = wording.at(source.get(field))
            if at is not None:
                return at
    entry_shown = shown_by(chat, render)
    return wording.at(entry_shown[1].timestamp) if entry_shown is not None else None


def shown_by(chat: SupportChat, render: RenderContext) -> tuple[Agent, AgentChat] | None:
    """Return the record of the chat's agent with its entry of the chat, or None."""
    agent = cast("Agent | None", render.find("agents", chat.agent.id) if chat.agent and chat.agent.id else None)
    if agent is None:
        return None
    return next(((agent, entry) for entry in agent.channels.chat if entry.chat_id == chat.chat_id), None)


def mine(chat: SupportChat, render: RenderContext) -> bool:
    """Return whether the caller is the agent of a chat."""
    agent = chat.agent.id if chat.agent else None
    return bool(agent) and (wording.user_id(agent, render) or agent) == render.me


def all_chats(render: RenderContext) -> dict[str, SupportChat]:
    """Return the caller's own chats, and other agents' chats from the agents' records, by key.

    Others' chats have no context, which the service sends to their agents only.
    """
    support_chats = dict(cast("dict[str, SupportChat]", dict(render.lookup("chats"))))
    for agent in cast("Iterable[Agent]", render.lookup("agents").values()):
        for held in agent.channels.chat:
            if held.chat_id and held.chat_id not in support_chats:
                support_chats[held.chat_id] = SupportChat.model_validate(
                    {
                        "chatId": held.chat_id,
                        "agent": {"id": agent.id, "username": agent.display_name},
                        "participants": [{"id": user} for user in held.users],
                        "timestamp": held.timestamp,
                    }
                )
    return support_chats


def own_chats(render: RenderContext) -> dict[str, SupportChat]:
    """Return the caller's own chats, by key."""
    known = cast("dict[str, SupportChat]", render.lookup("chats"))
    return {key: chat for key, chat in known.items() if mine(chat, render)}


def oldest_chat(render: RenderContext) -> SupportChat | None:
    """Return the oldest chat of the caller, or otherwise of all known chats."""
    known = all_chats(render).values()
    own = [chat for chat in known if mine(chat, render)]

    return min(own or known, key=lambda chat: (wording.oldest_first(started(chat, render)), chat.chat_id), default=None)
