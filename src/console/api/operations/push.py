"""Datapipes (contract 4.7); push tokens and pushes, chat pushes, and the log of clients (contract 4.8)."""

from __future__ import annotations

from typing import Annotated, Any

from console.api.annotations import SECRET, Access, Change, Guard, InBody, InPath
from console.api.request import Request
from console.records.datapipes import Datapipe
from console.records.fields import field
from console.records.push import ChatPushNode
from console.records.responses import Acknowledgement


class ListDatapipes(
    Request[tuple[Datapipe, ...]],
    name="datapipes.list",
    section="4.7",
    row="List unfinished datapipes of user",
    route="GET /datapipes",
):
    """List the caller's datapipes with at least two participants left."""


class CreateDatapipe(
    Request[Datapipe],
    name="datapipes.create",
    section="4.7",
    row="Create datapipe",
    route="POST /datapipes",
    change=Change(Guard.SMALL, done="created", touches=("datapipes",)),
    access=Access.NAMED,
):
    """Open a datapipe to other users; the caller is connected."""

    label: InBody[str | None] = field(default=None, max_length=200)
    participants: InBody[tuple[str, ...] | None] = field(default=None, max_length=50)


class GetDatapipe(
    Request[Datapipe],
    name="datapipes.get",
    section="4.7",
    row="Get datapipe",
    route="GET /datapipes/{id}",
    access=Access.PARTICIPANT_OR_ADMIN,
):
    """Get a datapipe with the latest data."""

    id: InPath[str]


class SendData(
    Request[Acknowledgement],
    name="datapipes.send",
    label="send data to datapipe",
    section="4.7",
    row="Send data through datapipe",
    route="POST /datapipes/{id}/data",
    change=Change(Guard.SMALL, done="sent data to", touches=("datapipes",)),
    access=Access.PARTICIPANT,
):
    """Send data to all participants of a datapipe; the caller must be connected.

    Without `data`, an empty text is sent.
    """

    id: InPath[str]
    data: InBody[str] = field(default="", max_length=8192)


class UpdateDatapipe(
    Request[Datapipe],
    name="datapipes.update",
    label="connect to datapipe",
    section="4.7",
    row="Update datapipe",
    route="PUT /datapipes/{id}",
    change=Change(Guard.SMALL, done="changed", touches=("datapipes",)),
    access=Access.PARTICIPANT,
):
    """Connect to a datapipe with a session of the caller; without one, reject or leave it."""

    id: InPath[str]
    session: InBody[str | None] = None


CHAT_PUSH_NAMESPACE = "urn:xmpp:push:0"
"""The XML namespace of chat pushes, in braces before the names of their inputs (contract 4.8)."""

LONGEST_MESSAGE = 64 * 1024
"""Most characters of a chat message; a push shows its beginning."""


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
    """Register one of the caller's devices for pushes.

    A device has one token of each type. The default name of a device or type is `default`. A missing `token` is refused
    with 400.
    """

    device_id: InBody[str | None] = field(default=None, min_length=1, max_length=255)
    token_type: InBody[str | None] = field(default=None, min_length=1, max_length=64)
    token: Annotated[InBody[str | None], SECRET] = field(default=None, min_length=1, max_length=4096)


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
    """Unregister a device from pushes.

    The default `deviceId` is the device that was registered without one.
    """

    device_id: InBody[str | None] = field(default=None, min_length=1)


class SendPush(
    Request[Acknowledgement],
    name="push.send",
    label="send push",
    section="4.8",
    row="Send push notification",
    route="POST /push",
    change=Change(Guard.SMALL, done="sent"),
    access=Access.SELF_OR_ADMIN,
    says="No Content",
):
    """Push a notification to the device with a registered token.

    Without a `tokenId`, it is sent to all devices of the caller. Without a `notification`, it is empty and only wakes
    them.
    """

    token_id: Annotated[InBody[str | None], SECRET] = field(default=None, min_length=1)
    notification: InBody[dict[str, Any]] = field(default_factory=dict[str, Any])


class BuildChatPush(
    Request[Acknowledgement],
    name="chat-push.build",
    label="send chat push",
    section="4.8",
    row="Build push notification for chat payload",
    route="POST /push/chat",
    change=Change(Guard.SMALL, done="sent"),
    access=Access.ADMIN,
    says="OK",
    error_shape="error",
):
    """Send a push about a chat message to a node.

    For the chat server, with an admin's login. `oob` is the address of an attached file, `muc` the room of the message,
    `mucInviteFrom` the sender of an invitation. A routes file maps these inputs for another namespace. A missing `node`
    is refused with 400.
    """

    node: InBody[str | None] = field(default=None, min_length=1)
    sender: InBody[str | None] = field(default=None, min_length=1, max_length=1024)
    body: InBody[str | None] = field(default=None, max_length=LONGEST_MESSAGE)
    oob: InBody[str | None] = field(default=None, wire=_in_namespace("oob"), max_length=1024)
    muc: InBody[str | None] = field(default=None, wire=_in_namespace("muc"), max_length=1024)
    muc_name: InBody[str | None] = field(default=None, wire=_in_namespace("muc-name"), max_length=1024)
    is_muc_invite: InBody[bool | None] = field(default=None, wire=_in_namespace("is-muc-invite"))
    muc_invite_from: InBody[str | None] = field(default=None, wire=_in_namespace("muc-invite-from"), max_length=1024)


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
    """Register a node for chat pushes to the caller.

    The default name is generated; the secret is always new. The default type is `default`. A missing `token` is refused
    with 400.
    """

    token: Annotated[InBody[str | None], SECRET] = field(default=None, min_length=1, max_length=4096)
    token_type: InBody[str | None] = field(default=None, min_length=1, max_length=64)
    node: InBody[str | None] = field(default=None, min_length=1, max_length=255)


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
    """Unregister a node from chat pushes, and return it.

    The default `node` is the caller's only one of this type; with several, the request is refused with 400.
    """

    node: InBody[str | None] = field(default=None, min_length=1)
    token_type: InBody[str | None] = None


class LogRemotely(
    Request[Acknowledgement],
    name="log.write",
    label="write log entry",
    section="4.8",
    row="Remote log",
    route="POST /log",
    change=Change(Guard.SMALL, done="wrote", unnamed="a line of the log"),
):
    """Store a line of a client's log in the service.

    The default `level` is `info`, the default `text` empty.
    """

    level: InBody[str] = field(default="info", min_length=1, max_length=32)
    file: InBody[str | None] = field(default=None, max_length=1024)
    text: InBody[str] = field(default="", max_length=8192)
