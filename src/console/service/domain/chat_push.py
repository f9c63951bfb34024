"""Nodes of chat pushes: addresses for notifications about chat messages to sleeping clients (contract 4.8)."""

from __future__ import annotations

import secrets
from typing import Any

import sqlalchemy as sa

from console.records.push import ChatPushNode
from console.service.auth.caller import Caller
from console.service.domain import push
from console.service.platform import Platform
from console.service.refusal import conflict, invalid, missing
from console.service.store.outbox import metadata
from console.service.store.transaction import Transaction

LONGEST_TEXT = 200
"""Most characters of a message in a push."""
MOST_NODES = 100
"""Most nodes of one user."""

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


def register(platform: Platform, caller: Caller, token: str, kind: str, node: str | None) -> ChatPushNode:
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


def unregister(platform: Platform, node: str, kind: str | None) -> ChatPushNode:
    """Delete a node and return it; refuse with 404 if there is none of this name and kind."""
    with platform.write() as tx:
        row = need_node(tx, node, kind)
        tx.run(sa.delete(chat_push_nodes).where(chat_push_nodes.c.node == node))
        return ChatPushNode(node=node, secret=platform.seals.unseal(_purpose(node), row.secret))


def build(
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
        push.put(platform, tx, row.token, row.type, node, notification, push.CHAT_PUSHED)


def _purpose(node: str) -> str:
    return f"chat push node {node}"
