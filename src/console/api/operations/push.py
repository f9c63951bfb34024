"""Push tokens and pushes, chat pushes, and the log of clients (contract 4.8)."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from console.api.annotations import SECRET, Access, Change, Guard, InBody
from console.api.request import Request
from console.records.push import ChatPushNode
from console.records.responses import Acknowledgement

CHAT_PUSH_NAMESPACE = "urn:xmpp:push:0"
"""The XML namespace of chat pushes, which stands in braces before the names of their own inputs (contract 4.8)."""

LONGEST_MESSAGE = 64 * 1024
"""Characters of a chat message: a push shows only its beginning."""


def _in_namespace(name: str) -> str:
    return f"{{{CHAT_PUSH_NAMESPACE}}}{name}"


class RegisterPushToken(
    Request[Acknowledgement],
    name="push.register",
    section="4.8",
    row="Register push token",
    route="POST /push/tokens",
    change=Change(Guard.SMALL, done="registered"),
    access=Access.NAMED,
    says="No Content",
):
    """Let pushes reach one of the caller's devices; a device has one token of each type.

    A device or a type without a name is called `default`. Without a `token` it is refused with 400.
    """

    device_id: InBody[str | None] = Field(default=None, min_length=1, max_length=255)
    token_type: InBody[str | None] = Field(default=None, min_length=1, max_length=64)
    token: Annotated[InBody[str | None], SECRET] = Field(default=None, min_length=1, max_length=4096)


class DeletePushTokens(
    Request[Acknowledgement],
    name="push.delete",
    section="4.8",
    row="Delete push tokens of device",
    route="POST /push/tokens/delete",
    change=Change(Guard.WIDE, done="deleted", mass=True, warning="Pushes no longer reach the device."),
    access=Access.SELF_OR_ADMIN,
    says="No Content",
):
    """Let no more pushes reach a device.

    Without a `deviceId` it is the device that was registered without one.
    """

    device_id: InBody[str | None] = Field(default=None, min_length=1)


class SendPush(
    Request[Acknowledgement],
    name="push.send",
    section="4.8",
    row="Send push notification",
    route="POST /push",
    change=Change(Guard.SMALL, done="sent"),
    access=Access.SELF_OR_ADMIN,
    says="No Content",
):
    """Push a notification to the device whose token is named as it was registered.

    Without a `tokenId` it goes to all devices of the caller; without a `notification` it is empty and wakes them only.
    """

    token_id: Annotated[InBody[str | None], SECRET] = Field(default=None, min_length=1)
    notification: InBody[dict[str, Any]] = Field(default_factory=dict[str, Any])


class BuildChatPush(
    Request[Acknowledgement],
    name="chat-push.build",
    section="4.8",
    row="Build push notification for chat payload",
    route="POST /push/chat",
    change=Change(Guard.SMALL, done="sent"),
    access=Access.ADMIN,
    says="OK",
    error_shape="error",
):
    """Make a push of a chat message and send it to a node: what the chat server asks for, with an admin's login.

    `oob` is the address of a file that came with it, `muc` the room it was written in, `mucInviteFrom` who invites.
    A routes file gives these inputs other names where a deployment's namespace is another one. Without a `node` it is
    refused with 400.
    """

    node: InBody[str | None] = Field(default=None, min_length=1)
    sender: InBody[str | None] = Field(default=None, min_length=1, max_length=1024)
    body: InBody[str | None] = Field(default=None, max_length=LONGEST_MESSAGE)
    oob: InBody[str | None] = Field(default=None, alias=_in_namespace("oob"), max_length=1024)
    muc: InBody[str | None] = Field(default=None, alias=_in_namespace("muc"), max_length=1024)
    muc_name: InBody[str | None] = Field(default=None, alias=_in_namespace("muc-name"), max_length=1024)
    is_muc_invite: InBody[bool | None] = Field(default=None, alias=_in_namespace("is-muc-invite"))
    muc_invite_from: InBody[str | None] = Field(default=None, alias=_in_namespace("muc-invite-from"), max_length=1024)


class RegisterChatPush(
    Request[ChatPushNode],
    name="chat-push.register",
    section="4.8",
    row="Register chat push token",
    route="POST /push/chat/nodes",
    change=Change(Guard.SMALL, done="registered"),
    access=Access.NAMED,
    answers_secret=True,
):
    """Let chat pushes reach the caller under a node; without a name the node gets one, and each time a new secret.

    A type without a name is called `default`. Without a `token` it is refused with 400.
    """

    token: Annotated[InBody[str | None], SECRET] = Field(default=None, min_length=1, max_length=4096)
    token_type: InBody[str | None] = Field(default=None, min_length=1, max_length=64)
    node: InBody[str | None] = Field(default=None, min_length=1, max_length=255)


class UnregisterChatPush(
    Request[ChatPushNode],
    name="chat-push.unregister",
    section="4.8",
    row="Unregister chat push token",
    route="POST /push/chat/nodes/delete",
    change=Change(
        Guard.WIDE,
        done="unregistered",
        mass=True,
        warning="Chat pushes no longer reach the node, and its secret is lost.",
    ),
    access=Access.SELF_OR_ADMIN,
    answers_secret=True,
):
    """Let no more chat pushes reach a node; the answer is the node as it was.

    Without a `node` it is the caller's only one of that type, and refused with 400 when there are several.
    """

    node: InBody[str | None] = Field(default=None, min_length=1)
    token_type: InBody[str | None] = None


class LogRemotely(
    Request[Acknowledgement],
    name="log.write",
    section="4.8",
    row="Remote log",
    route="POST /log",
    change=Change(Guard.SMALL, done="wrote"),
):
    """Keep a line of a client's own log at the service.

    Without a `level` it is `info`, without a `text` it is empty.
    """

    level: InBody[str] = Field(default="info", min_length=1, max_length=32)
    file: InBody[str | None] = Field(default=None, max_length=1024)
    text: InBody[str] = Field(default="", max_length=8192)
