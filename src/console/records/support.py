"""Presence, agents, skills, support chats and alerts (contract 2.11, 2.16, 2.17)."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import Field

from console.records.record import Record
from console.records.responses import Acknowledgement


class Presence(Record):
    """Whether and how an address can be reached (contract 2.11)."""

    key_field: ClassVar[str] = "address"

    id: str | None = None
    address: str = ""
    online: bool | None = None
    activity: str | None = None
    mood: str | None = None
    note: str | None = None
    avatar: str | None = Field(default=None, repr=False)
    avatar_url: str | None = None
    display_name: str | None = None
    username: str | None = None
    domain: str | None = None
    role: str | None = None

    @property
    def addresses(self) -> tuple[str | None, ...]:
        """Every address of the user that is known, the id among them."""
        return (self.id, self.address, f"{self.username}@{self.domain}")


class AgentChat(Record):
    """A support chat that an agent holds (contract 2.16). Time in ms since the epoch."""

    chat_id: str | None = None
    timestamp: int | float | None = None
    users: tuple[str, ...] = ()


class AgentConference(Record):
    """A voice or click-to-call conference that an agent is in (contract 2.16). Time in ms since the epoch."""

    conference_id: str | None = None
    timestamp: int | float | None = None
    users: tuple[str, ...] = ()


class AgentChannels(Record):
    """What an agent works on, by channel (contract 2.16)."""

    chat: tuple[AgentChat, ...] = ()
    voice: tuple[AgentConference, ...] = ()
    c2c: tuple[AgentConference, ...] = Field(default=(), alias="c2c")


class Agent(Record):
    """A user who takes support chats and calls (contract 2.16)."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    display_name: str | None = None
    activity: str | None = None
    online: bool | None = None
    channels: AgentChannels = Field(default_factory=AgentChannels)


class Skill(Record):
    """A subject and the agents who know it (contract 2.16)."""

    key_field: ClassVar[str] = "skill"

    skill: str = ""
    agents: tuple[str, ...] = ()


class SkillCreated(Acknowledgement):
    """That a skill was created (contract 4.7): a bare string, or in the earlier variant the agents who have it."""

    agents: tuple[str, ...] | None = None


class ChatParticipant(Record):
    """Somebody in a support chat (contract 2.16)."""

    id: str | None = None
    username: str | None = None
    domain: str | None = None


class SupportChat(Record):
    """A conversation between a customer and an agent (contract 2.16)."""

    key_field: ClassVar[str] = "chat_id"

    chat_id: str = ""
    chat_room_jid: str | None = None
    agent: ChatParticipant | None = None
    participants: tuple[ChatParticipant, ...] = ()
    context: dict[str, Any] | None = None


class Alert(Record):
    """A call for help that was sent to people (contract 2.17). Times in ms since the epoch."""

    key_field: ClassVar[str] = "alert_id"

    alert_id: str = ""
    from_: str | None = Field(default=None, alias="from")
    title: str | None = None
    payload: str | None = None
    created_at: int | float | None = None
    resolved_at: int | float | None = None
    accepted_by: str | None = None
    state: str | None = None
    """Our addition: which list it stands in, `active`, `accepted`, `expired` or `canceled`."""


class AlertLists(Record):
    """The alerts by state (contract 4.7). `canceled` is our own addition for what `canceledSince` selects."""

    active: tuple[Alert, ...] = ()
    accepted: tuple[Alert, ...] = ()
    expired: tuple[Alert, ...] = ()
    canceled: tuple[Alert, ...] = ()


class AlertTemplate(Record):
    """What an alert says, and how often and how long it is repeated (contract 2.17). Times in ms."""

    key_field: ClassVar[str] = "template_id"

    template_id: str = ""
    title: str | None = None
    payload: str | None = None
    number_of_retries: int | float | None = None
    time_in_ms_between_retries: int | float | None = None
    time_to_expire: int | float | None = None
