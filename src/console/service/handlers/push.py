"""Handlers for pushes, chat pushes and the log of clients (contract 4.8)."""

from __future__ import annotations

from console.api.operations.push import (
    BuildChatPush,
    DeletePushTokens,
    LogRemotely,
    RegisterChatPush,
    RegisterPushToken,
    SendPush,
    UnregisterChatPush,
)
from console.records.push import ChatPushNode
from console.records.responses import Acknowledgement
from console.service.auth.caller import Caller
from console.service.domain import push
from console.service.handlers.handler import DONE, bind, handles
from console.service.platform import Platform
from console.service.refusal import invalid
from console.service.store.transaction import Transaction


@handles(RegisterPushToken)
def register(request: RegisterPushToken, caller: Caller, platform: Platform) -> Acknowledgement:
    """Register a device."""
    if request.token is None:
        raise invalid("token", "is required: nothing else reaches the device", "required")
    device, kind = request.device_id or push.UNNAMED, request.token_type or push.UNNAMED
    push.register(platform, caller, device, kind, request.token)
    return DONE


def _has_device(tx: Transaction, caller: Caller, request: DeletePushTokens) -> bool:
    return caller.id in push.users_of(tx, request.device_id or push.UNNAMED)


def _has_token(tx: Transaction, caller: Caller, request: SendPush) -> bool:
    return request.token_id is None or push.need_token(tx, request.token_id).user == caller.id


@handles(SendPush, related=_has_token)
def send(request: SendPush, caller: Caller, platform: Platform) -> Acknowledgement:
    """Push to one device, or to all devices of the caller."""
    if request.token_id is not None:
        push.send(platform, request.token_id, request.notification)
    else:
        push.send_to_own(platform, caller, request.notification)
    return DONE


@handles(BuildChatPush)
def build(request: BuildChatPush, platform: Platform) -> Acknowledgement:
    """Push a notification about a chat message."""
    if request.node is None:
        raise invalid("node", "is required", "required")
    push.push_chat_message(
        platform,
        request.node,
        request.sender,
        request.body,
        file=request.oob,
        room=request.muc,
        room_name=request.muc_name,
        invite_from=request.muc_invite_from,
        is_invite=bool(request.is_muc_invite),
    )
    return DONE


@handles(RegisterChatPush)
def register_chat(request: RegisterChatPush, caller: Caller, platform: Platform) -> ChatPushNode:
    """Register a chat client."""
    if request.token is None:
        raise invalid("token", "is required: nothing else reaches the client", "required")
    return push.register_chat(platform, caller, request.token, request.token_type or push.UNNAMED, request.node)


def _has_node(tx: Transaction, caller: Caller, request: UnregisterChatPush) -> bool:
    return request.node is None or push.need_node(tx, request.node, request.token_type).user == caller.id


@handles(UnregisterChatPush, related=_has_node)
def unregister_chat(request: UnregisterChatPush, caller: Caller, platform: Platform, tx: Transaction) -> ChatPushNode:
    """Unregister a chat client."""
    node = request.node or push.only_node_of(tx, caller, request.token_type)
    return push.unregister_chat(platform, node, request.token_type)


bind(
    DeletePushTokens,
    push.forget_device,
    device=lambda request, _: request.device_id or push.UNNAMED,
    related=_has_device,
)
bind(LogRemotely, push.write_log, answer="logged")
