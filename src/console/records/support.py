"""Presence, agents, skills, support chats and alerts (contract 2.11, 2.16, 2.17)."""

from __future__ import annotations

from typing import Any, ClassVar, cast

from console.records.fields import field
from console.records.record import Record
from console.records.responses import Acknowledgement
from console.records.state_words import CANCELLED_ALERT, normalized


class Presence(Record):
    """Presence of an address (contract 2.11)."""

    key_field: ClassVar[str] = "address"

    id: str | None = None
    address: str = ""
    online: bool | None = None
    activity: str | None = None
    mood: str | None = None
    note: str | None = None
    avatar: str | None = field(default=None, repr=False)
    avatar_url: str | None = None
    display_name: str | None = None
    username: str | None = None
    domain: str | None = None
    role: str | None = None

    @property
    def addresses(self) -> tuple[str | None, ...]:
        """All known addresses of the user, including the id."""
        return (self.id, self.address, f"{self.username}@{self.domain}")


class AgentChat(Record):
    """A support chat of an agent (contract 2.16). Time in ms since the epoch."""

    chat_id: str | None = None
    timestamp: int | float | None = None
    users: tuple[str, ...] = ()


class AgentConference(Record):
    """A voice or click-to-call conference of an agent (contract 2.16). Time in ms since the epoch."""

    conference_id: str | None = None
    timestamp: int | float | None = None
    users: tuple[str, ...] = ()


class AgentChannels(Record):
    """Current work of an agent, by channel (contract 2.16)."""

    chat: tuple[AgentChat, ...] = ()
    voice: tuple[AgentConference, ...] = ()
    c2c: tuple[AgentConference, ...] = field(default=(), wire="c2c")


class Agent(Record):
    """A user who handles support chats and calls (contract 2.16)."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    display_name: str | None = None
    activity: str | None = None
    online: bool | None = None
    channels: AgentChannels = field(default_factory=AgentChannels)


class Skill(Record):
    """A subject and its agents (contract 2.16)."""

    key_field: ClassVar[str] = "skill"

    skill: str = ""
    agents: tuple[str, ...] = ()


class SkillCreated(Acknowledgement):
    """Confirmation of a new skill (contract 4.7): a bare string, or in the earlier variant its agents."""

    agents: tuple[str, ...] | None = None


class ChatParticipant(Record):
    """A participant of a support chat (contract 2.16)."""

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
    """A call for help to several receivers (contract 2.17). Times in ms since the epoch."""

    key_field: ClassVar[str] = "alert_id"

    alert_id: str = ""
    from_: str | None = field(default=None, wire="from")
    title: str | None = None
    payload: str | None = None
    created_at: int | float | None = None
    resolved_at: int | float | None = None
    accepted_by: str | None = None
    state: str | None = None
    """Additional field: the list of the alert, `active`, `accepted`, `expired` or `canceled`."""


class AlertLists(Record):
    """Alerts by state (contract 4.7). `canceled` is an additional field, selected by `canceledSince`."""

    active: tuple[Alert, ...] = ()
    accepted: tuple[Alert, ...] = ()
    expired: tuple[Alert, ...] = ()
    canceled: tuple[Alert, ...] = ()

    @classmethod
    def prepared(cls, data: Any) -> Any:
        """Accept a single list, whose alerts have their own states; no state means active."""
        if not isinstance(data, list):
            return data
        lists: dict[str, list[Any]] = {name: [] for name in cls.declared_fields}
        for item in cast("list[Any]", data):
            said = cast("dict[str, Any]", item).get("state") if isinstance(item, dict) else None
            state = normalized(said) if isinstance(said, str) and said else "active"
            lists.setdefault("canceled" if state in CANCELLED_ALERT else state, []).append(item)
        return lists


class AlertTemplate(Record):
    """Text, repetition and expiry of alerts (contract 2.17). Times in ms."""

    key_field: ClassVar[str] = "template_id"

    template_id: str = ""
    title: str | None = None
    payload: str | None = None
    number_of_retries: int | float | None = None
    time_in_ms_between_retries: int | float | None = None
    time_to_expire: int | float | None = None
