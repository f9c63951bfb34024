"""Agents, skills, support chats, alerts and templates (contract 4.7)."""

from __future__ import annotations

from typing import Annotated, Any

from console.api.annotations import (
    EARLIER_ONLY,
    IN_MS,
    LATER_ONLY,
    REQUIRED_LATER,
    Access,
    Change,
    Guard,
    InBody,
    InPath,
    InQuery,
    Variant,
)
from console.api.request import Request
from console.records.fields import field
from console.records.responses import Acknowledgement
from console.records.support import (
    Agent,
    AlertLists,
    AlertTemplate,
    ChatParticipant,
    Skill,
    SkillCreated,
    SupportChat,
)


class ListAgents(
    Request[tuple[Agent, ...]],
    name="agents.list",
    section="4.7",
    row="List agents",
    route="GET /agents",
    access=Access.NAMED,
    unwrap="agents",
):
    """List the agents and their current work."""


class ListSkills(
    Request[tuple[Skill, ...]],
    name="skills.list",
    section="4.7",
    row="List skills",
    route="GET /skills",
    access=Access.NAMED,
    unwrap="skills",
):
    """List the skills and their agents."""


class CreateSkill(
    Request[SkillCreated],
    name="skills.create",
    section="4.7",
    row="Create skill",
    route="POST /skills",
    change=Change(Guard.SMALL, done="created", touches=("skills", "agents")),
    access=Access.ADMIN,
    says="Created",
    says_in=Variant.LATER,
):
    """Create a skill; the earlier variant returns its agents."""

    skill: InBody[str] = field(min_length=1)
    agents: InBody[tuple[str, ...] | None] = None


class SetAgents(
    Request[Acknowledgement],
    name="agents.set",
    section="4.7",
    row="Set users as agents",
    route="POST /agents",
    change=Change(Guard.REVERSIBLE, done="made an agent of", unnamed="users", touches=("users", "agents", "skills")),
    access=Access.ADMIN,
    says="OK",
):
    """Make users agents: one in the later variant, several in the earlier one."""

    user_id: Annotated[InBody[str | None], LATER_ONLY, REQUIRED_LATER] = None
    user_ids: Annotated[InBody[tuple[str, ...] | None], EARLIER_ONLY] = None


class AttachAgent(
    Request[Acknowledgement],
    name="skills.attach",
    section="4.7",
    row="Attach agent to skill",
    route="POST /skills/attach",
    change=Change(Guard.REVERSIBLE, done="attached an agent to", touches=("skills", "agents")),
    access=Access.ADMIN,
    says="OK",
):
    """Give an agent a skill."""

    skill: InBody[str]
    agent: InBody[str]


class AttachAgents(
    Request[Acknowledgement],
    name="skills.attach-many",
    label="attach skill to several agents",
    section="4.7",
    row="Attach agents to skill",
    route="POST /skills/attach-several",
    change=Change(Guard.REVERSIBLE, done="attached agents to", touches=("skills", "agents")),
    access=Access.ADMIN,
    says="OK",
):
    """Give several agents a skill."""

    skill: InBody[str]
    agents: InBody[tuple[str, ...]] = field(min_length=1)


class DetachAgent(
    Request[Acknowledgement],
    name="skills.detach",
    section="4.7",
    row="Detach agent from skill",
    route="POST /skills/detach",
    change=Change(Guard.REVERSIBLE, done="detached an agent from", touches=("skills", "agents")),
    access=Access.ADMIN,
    says="OK",
):
    """Remove a skill from an agent."""

    skill: InBody[str]
    agent: InBody[str]


class StartSupportChat(
    Request[Acknowledgement],
    name="support-chats.start",
    label="start support chat",
    section="4.7",
    row="Start support chat request",
    route="POST /support-chats",
    change=Change(Guard.SMALL, done="asked for", touches=("chats", "agents")),
    access=Access.SIGNED_IN,
    error_shape="message",
    error_shape_earlier="code",
):
    """Start a support chat; the service assigns an agent by the context."""

    id: InBody[str] = field(min_length=1)
    context: InBody[dict[str, Any] | None] = None


class ListSupportChats(
    Request[tuple[SupportChat, ...]],
    name="support-chats.list",
    label="list own support chats",
    section="4.7",
    row="List own support chats",
    route="GET /support-chats",
    unwrap="chats",
    error_shape="message",
    error_shape_earlier="code",
):
    """List the caller's own support chats."""


class TransferSupportChat(
    Request[Acknowledgement],
    name="support-chats.transfer",
    label="transfer support chat",
    section="4.7",
    row="Transfer support chat to another agent",
    route="POST /support-chats/transfer",
    change=Change(
        Guard.SMALL,
        "transferred",
        ("chats", "agents"),
        "Only another transfer takes a chat back.",
        receiver=("destination", "agent"),
    ),
    access=Access.AGENT_OF_CHAT,
    error_shape="message",
    error_shape_earlier="code",
):
    """Transfer a support chat to another agent."""

    id: InBody[str]
    destination: InBody[ChatParticipant]


class ListAlerts(
    Request[AlertLists],
    name="alerts.list",
    section="4.7",
    row="List alerts",
    route="GET /alerts",
    error_shape="validation",
):
    """List the caller's alerts by state, or for admins all alerts.

    The three durations count back from now, in ms.
    """

    accepted_since: InQuery[int | None] = field(default=None, ge=0)
    expired_since: InQuery[int | None] = field(default=None, ge=0)
    canceled_since: InQuery[int | None] = field(default=None, ge=0)


class SendAlert(
    Request[Acknowledgement],
    name="alerts.send",
    section="4.7",
    row="Send alert from template",
    route="POST /alerts",
    change=Change(Guard.SMALL, done="sent", touches=("alerts",)),
    access=Access.NAMED,
    says="OK",
    error_shape="validation",
):
    """Send an alert to the receivers of a template."""

    template_id: InBody[str] = field(min_length=1)
    alert_id: InBody[str] = field(min_length=1)


class AcceptAlert(
    Request[Acknowledgement],
    name="alerts.accept",
    section="4.7",
    row="Accept alert",
    route="POST /alerts/accept",
    change=Change(Guard.SMALL, "accepted", ("alerts",), "The alert ends for everybody, and you take care of it."),
    access=Access.RECEIVER,
    says="OK",
    error_shape="validation",
):
    """Accept an alert, which ends it for all receivers; the first acceptance is final."""

    alert_id: InBody[str] = field(min_length=1)


class CancelAlert(
    Request[Acknowledgement],
    name="alerts.cancel",
    section="4.7",
    row="Cancel alert",
    route="DELETE /alerts/{id}",
    change=Change(
        Guard.WIDE, done="cancelled", touches=("alerts",), warning="The alert ends for everybody who received it."
    ),
    access=Access.SENDER,
    says="OK",
    error_shape="validation",
):
    """Cancel an alert that the caller has sent."""

    id: InPath[str]


class ListTemplates(
    Request[tuple[AlertTemplate, ...]],
    name="templates.list",
    section="4.7",
    row="List templates",
    route="GET /alert-templates",
    access=Access.NAMED,
    unwrap="alertTemplates",
    error_shape="validation",
):
    """List the alert templates."""


class CreateTemplate(
    Request[Acknowledgement],
    name="templates.create",
    section="4.7",
    row="Create template",
    route="POST /alert-templates",
    change=Change(Guard.REVERSIBLE, done="created", touches=("templates",)),
    access=Access.ADMIN,
    says="Created",
    error_shape="validation",
):
    """Create an alert template.

    Times in milliseconds.
    """

    template_id: InBody[str] = field(min_length=1)
    title: InBody[str] = field(min_length=1)
    payload: InBody[str] = field(title="Message")
    number_of_retries: InBody[int] = field(ge=0, title="Retries")
    time_in_ms_between_retries: Annotated[InBody[int], IN_MS] = field(ge=0, title="Repeat every")
    time_to_expire: Annotated[InBody[int | None], IN_MS] = field(default=None, ge=0, title="Expires after last retry")


class UpdateTemplate(
    Request[Acknowledgement],
    name="templates.update",
    section="4.7",
    row="Update template",
    route="PUT /alert-templates/{id}",
    change=Change(Guard.REVERSIBLE, done="changed", touches=("templates",)),
    access=Access.ADMIN,
    says="OK",
    error_shape="validation",
):
    """Change an alert template.

    Times in milliseconds.
    """

    id: InPath[str]
    title: InBody[str | None] = field(default=None, min_length=1)
    payload: InBody[str | None] = field(default=None, title="Message")
    number_of_retries: InBody[int | None] = field(default=None, ge=0, title="Retries")
    time_in_ms_between_retries: Annotated[InBody[int | None], IN_MS] = field(default=None, ge=0, title="Repeat every")
    time_to_expire: Annotated[InBody[int | None], IN_MS] = field(default=None, ge=0, title="Expires after last retry")


class DeleteTemplate(
    Request[Acknowledgement],
    name="templates.delete",
    section="4.7",
    row="Delete template",
    route="DELETE /alert-templates/{id}",
    change=Change(
        Guard.WIDE,
        done="deleted",
        touches=("templates",),
        mass=True,
        warning="The template is deleted, and its list of receivers is lost.",
    ),
    access=Access.ADMIN,
    says="Deleted",
    error_shape="validation",
):
    """Delete an alert template and its list of receivers."""

    id: InPath[str]


class AttachReceivers(
    Request[Acknowledgement],
    name="templates.attach-receivers",
    label="attach receivers to template",
    section="4.7",
    row="Attach receivers to template",
    route="POST /alert-templates/{id}/receivers",
    change=Change(Guard.SMALL, done="added receivers to", touches=("templates",)),
    access=Access.ADMIN,
    says="OK",
    error_shape="validation",
):
    """Add receivers to a template."""

    id: InPath[str]
    user_ids: InBody[tuple[str, ...]] = field(min_length=1)


class DetachReceivers(
    Request[Acknowledgement],
    name="templates.detach-receivers",
    label="detach receivers from template",
    section="4.7",
    row="Detach receivers / revoke authorized users of template",
    route="DELETE /alert-templates/{id}/receivers",
    change=Change(
        Guard.WIDE,
        done="removed all receivers from",
        touches=("templates",),
        warning="All receivers are removed; the service cannot say who they were.",
    ),
    access=Access.ADMIN,
    says="OK",
    error_shape="validation",
):
    """Remove all receivers from a template."""

    id: InPath[str]


class ResolveNotification(
    Request[Acknowledgement],
    name="notifications.resolve",
    section="4.7",
    row="Resolve pending notification",
    route="POST /notifications/{id}/resolve",
    change=Change(Guard.SMALL, done="resolved", touches=("notifications", "alerts", "agents", "chats")),
    says="OK",
):
    """Accept or dismiss a pending notification.

    The default `action` is to dismiss it.
    """

    id: InPath[str]
    action: InBody[str] = "dismiss"
