"""Push tokens of devices, and pushes to them (contract 2.20, 4.8).

The service does not contact vendors' networks. A push is a delivery (`deliveries`) with the device's token as
recipient, sent by the webhook.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from console.service.auth.caller import Caller
from console.service.domain.deliveries import deliver
from console.service.platform import Platform
from console.service.refusal import invalid, missing
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

push_tokens = sa.Table(
    "push_tokens",
    metadata,
    sa.Column("user", sa.Text, primary_key=True),
    sa.Column("device", sa.Text, primary_key=True),
    sa.Column("type", sa.Text, primary_key=True),
    sa.Column("token", sa.Text, nullable=False, unique=True),
    sa.Column("registered", sa.Integer, nullable=False),
)


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
    """Delete the caller's tokens of a device, as an admin those of all users; refuse with 404 if there are none."""
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
