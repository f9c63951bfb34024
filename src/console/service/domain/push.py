"""Push tokens of devices, nodes of chat clients, pushes to both, and the log of clients (contract 2.20, 4.8).

The service does not contact vendors' networks. A push is a delivery (`deliveries`) with the device's token as
recipient, sent by the webhook.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from console.records.push import ChatPushNode
from console.service.auth.caller import Caller
from console.service.domain.deliveries import deliver
from console.service.platform import Platform
from console.service.refusal import conflict, invalid, missing
from console.service.store.outbox import metadata
from console.service.store.transaction import Transaction
from console.service.transports.message import Message

LARGEST_NOTIFICATION = 16 * 1024
"""Most characters of a notification as JSON."""
PUSHED = "push"
CHAT_PUSHED = "chat push"
"""Kinds of deliveries for a push, and for one about a chat message."""
UNNAMED = "default"
"""Name of a device or token type that is registered without one."""
MOST_TOKENS = 100
"""Most tokens of one user."""
LONGEST_TEXT = 200
"""Most characters of a message in a push."""
MOST_NODES = 100
"""Most nodes of one user."""
MOST_LOG_LINES = 5000
"""Most lines in the log of clients. It has the newest, readable in the database."""

push_tokens = sa.Table(
    "push_tokens",
    metadata,
    sa.Column("user", sa.Text, primary_key=True),
    sa.Column("device", sa.Text, primary_key=True),
    sa.Column("type", sa.Text, primary_key=True),
    sa.Column("token", sa.Text, nullable=False, unique=True),
    sa.Column("registered", sa.Integer, nullable=False),
)
chat_push_nodes = sa.Table(
    "chat_push_nodes",
    metadata,
    sa.Column("node", sa.Text, primary_key=True),
    sa.Column("user", sa.Text, nullable=False, index=True),
    sa.Column("type", sa.Text, nullable=False),
    sa.Column("token", sa.Text, nullable=False),
    sa.Column("secret", sa.Text, nullable=False),
)
"""The secret is encrypted: the answer to unregistering contains it once more."""
remote_log = sa.Table(
    "remote_log",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("at", sa.Integer, nullable=False),
    sa.Column("user", sa.Text, nullable=False),
    sa.Column("level", sa.Text, nullable=False),
    sa.Column("file", sa.Text),
    sa.Column("text", sa.Text, nullable=False),
    sqlite_autoincrement=True,
)


# -- devices ---------------------------------------------------------------------------------------------------------


def register(platform: Platform, caller: Caller, device: str, kind: str, token: str) -> None:
    """Register a token for pushes of a kind to the caller's device. A token moves to the last user who registers it."""
    with platform.write() as tx:
        mine = push_tokens.c.user == caller.id
        same = sa.and_(mine, push_tokens.c.device == device, push_tokens.c.type == kind)
        tx.run(sa.delete(push_tokens).where(sa.or_(same, push_tokens.c.token == token)))
        if int(tx.value(sa.select(sa.func.count()).select_from(push_tokens).where(mine))) >= MOST_TOKENS:
            raise invalid("deviceId", f"one user may have at most {MOST_TOKENS} push tokens", "maxItems")
        tx.run(sa.insert(push_tokens).values(device=device, type=kind, token=token, user=caller.id, registered=tx.now))


def users_of(tx: Transaction, device: str) -> frozenset[str]:
    """Return the ids of the users with tokens of a device; refuse with 404 if there are none."""
    users = frozenset(tx.run(sa.select(push_tokens.c.user).where(push_tokens.c.device == device)).scalars())
    if not users:
        raise missing("device", device)
    return users


def forget_device(platform: Platform, caller: Caller, device: str) -> None:
    """Delete the caller's tokens of a device, as an admin all users' tokens; refuse with 404 if there are none."""
    with platform.write() as tx:
        users_of(tx, device)
        which = push_tokens.c.device == device
        if not caller.is_admin:
            which = sa.and_(which, push_tokens.c.user == caller.id)
        tx.run(sa.delete(push_tokens).where(which))


def need_token(tx: Transaction, token: str) -> sa.Row[Any]:
    """Return the stored row of a push token; refuse with 404 if there is none."""
    row = tx.row(sa.select(push_tokens).where(push_tokens.c.token == token))
    if row is None:
        raise missing("push token", "of that text")
    return row


def send(platform: Platform, token: str, notification: Mapping[str, Any]) -> None:
    """Push to the device of a registered token; refuse with 404 an unknown token."""
    with platform.write() as tx:
        row = need_token(tx, token)
        put(platform, tx, token, row.type, row.device, notification)


def send_to_own(platform: Platform, caller: Caller, notification: Mapping[str, Any]) -> None:
    """Push to all devices of the caller; refuse with 404 if there are none."""
    with platform.write() as tx:
        own = tx.rows(sa.select(push_tokens).where(push_tokens.c.user == caller.id))
        if not own:
            raise missing("push token of user", caller.id)
        for row in own:
            put(platform, tx, row.token, row.type, row.device, notification)


def owners_of(token: str) -> sa.Select[Any]:
    """Select the id of the user who registered a push token."""
    return sa.select(push_tokens.c.user).where(push_tokens.c.token == token)


def put(
    platform: Platform,
    tx: Transaction,
    token: str,
    kind: str,
    subject: str,
    notification: Mapping[str, Any],
    why: str = PUSHED,
) -> None:
    """Store a push for sending; `subject` is its device or node. Refuse with 400 one that is too large."""
    if len(json.dumps(notification)) > LARGEST_NOTIFICATION:
        raise invalid("notification", f"may have at most {LARGEST_NOTIFICATION} characters", "maxLength")
    content = {"tokenType": kind, "notification": dict(notification)}
    deliver(platform, tx, [Message("push", token, why, subject, content)])


# -- chat clients ----------------------------------------------------------------------------------------------------


def register_chat(platform: Platform, caller: Caller, token: str, kind: str, node: str | None) -> ChatPushNode:
    """Register a node for chat pushes to the caller's client; refuse with 409 if the node belongs to another user."""
    node = node or platform.new_id()
    secret = secrets.token_urlsafe(24)
    with platform.write() as tx:
        owner = tx.value(sa.select(chat_push_nodes.c.user).where(chat_push_nodes.c.node == node))
        if owner is not None and owner != caller.id:
            raise conflict(f"the node {node} is taken")
        tx.run(sa.delete(chat_push_nodes).where(chat_push_nodes.c.node == node))
        owned = sa.select(sa.func.count()).select_from(chat_push_nodes).where(chat_push_nodes.c.user == caller.id)
        if int(tx.value(owned)) >= MOST_NODES:
            raise invalid("node", f"one user may have at most {MOST_NODES}", "maxItems")
        sealed = platform.seals.seal(_purpose(node), secret)
        tx.run(sa.insert(chat_push_nodes).values(node=node, user=caller.id, type=kind, token=token, secret=sealed))
    return ChatPushNode(node=node, secret=secret)


def need_node(tx: Transaction, node: str, kind: str | None) -> sa.Row[Any]:
    """Return the stored row of a node; refuse with 404 if there is none of this name and kind."""
    row = tx.row(sa.select(chat_push_nodes).where(chat_push_nodes.c.node == node))
    if row is None or kind not in {None, row.type}:
        raise missing("node", node)
    return row


def only_node_of(tx: Transaction, caller: Caller, kind: str | None) -> str:
    """Return the name of the caller's only node; refuse with 404 if there is none, with 400 if there are several."""
    mine = [chat_push_nodes.c.user == caller.id, *([] if kind is None else [chat_push_nodes.c.type == kind])]
    nodes = tx.run(sa.select(chat_push_nodes.c.node).where(*mine).limit(2)).scalars().all()
    if not nodes:
        raise missing("node of user", caller.id)
    if len(nodes) > 1:
        raise invalid("node", "is needed: you have several", "required")
    return nodes[0]


def unregister_chat(platform: Platform, node: str, kind: str | None) -> ChatPushNode:
    """Delete a node and return it; refuse with 404 if there is none of this name and kind."""
    with platform.write() as tx:
        row = need_node(tx, node, kind)
        tx.run(sa.delete(chat_push_nodes).where(chat_push_nodes.c.node == node))
        return ChatPushNode(node=node, secret=platform.seals.unseal(_purpose(node), row.secret))


def push_chat_message(
    platform: Platform,
    node: str,
    sender: str | None,
    body: str | None,
    *,
    file: str | None = None,
    room: str | None = None,
    room_name: str | None = None,
    invite_from: str | None = None,
    is_invite: bool = False,
) -> None:
    """Build a notification of a chat message, a file or an invitation to a room, and send it to a node.

    Refuse with 404 if the node is unknown.
    """
    where = room_name or room
    title = " in ".join(each for each in (sender, where) if each) or "New message"
    if is_invite:
        text = f"{invite_from or sender or 'Somebody'} invites you to {where or 'a room'}"
    elif file is not None:
        text = body or "sent a file"
    else:
        text = body or ""
    notification: dict[str, Any] = {"title": title, "body": text[:LONGEST_TEXT]}
    optional = (("sender", sender), ("oob", file), ("muc", room), ("mucName", room_name))
    notification |= {name: value for name, value in optional if value is not None}
    if is_invite:
        notification |= {"isMucInvite": True}
        if inviter := invite_from or sender:
            notification["mucInviteFrom"] = inviter
    with platform.write() as tx:
        row = tx.row(sa.select(chat_push_nodes).where(chat_push_nodes.c.node == node))
        if row is None:
            raise missing("node", node)
        put(platform, tx, row.token, row.type, node, notification, CHAT_PUSHED)


def _purpose(node: str) -> str:
    return f"chat push node {node}"


# -- log of clients --------------------------------------------------------------------------------------------------


def write_log(platform: Platform, caller: Caller, level: str, file: str | None, text: str) -> None:
    """Store a line, and delete the oldest if there are too many."""
    with platform.write() as tx:
        inserted = tx.run(
            sa.insert(remote_log).values(at=tx.now, user=caller.id, level=level, file=file, text=text)
        ).inserted_primary_key
        number = int(inserted[0]) if inserted else 0
        tx.run(sa.delete(remote_log).where(remote_log.c.number <= number - MOST_LOG_LINES))
