"""Answers about pushes, chat pushes and the log of clients (contract 4.8)."""

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
from console.records.answers import Acknowledgement
from console.records.push import ChatPushNode
from console.service.answering import DONE, answers
from console.service.caller import Caller
from console.service.database import Transaction
from console.service.domain import chat_push, push, remote_log
from console.service.platform import Platform


@answers(RegisterPushToken)
def register(request: RegisterPushToken, caller: Caller, platform: Platform) -> Acknowledgement:
    """Remember how to reach a device."""
    push.register(platform, caller, request.device_id, request.token_type, request.token)
    return DONE


def _has_device(platform: Platform, tx: Transaction, caller: Caller, request: DeletePushTokens) -> bool:
    return caller.id in push.users_of(tx, request.device_id)


@answers(DeletePushTokens, related=_has_device)
def forget_device(request: DeletePushTokens, caller: Caller, platform: Platform) -> Acknowledgement:
    """Forget how to reach a device."""
    push.forget_device(platform, caller, request.device_id)
    return DONE


def _has_token(platform: Platform, tx: Transaction, caller: Caller, request: SendPush) -> bool:
    return push.need_token(tx, request.token_id).user == caller.id


@answers(SendPush, related=_has_token)
def send(request: SendPush, caller: Caller, platform: Platform) -> Acknowledgement:
    """Push to one device."""
    push.send(platform, request.token_id, request.notification)
    return DONE


@answers(BuildChatPush)
def build(request: BuildChatPush, caller: Caller, platform: Platform) -> Acknowledgement:
    """Push word of a chat message."""
    chat_push.build(
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


@answers(RegisterChatPush)
def register_chat(request: RegisterChatPush, caller: Caller, platform: Platform) -> ChatPushNode:
    """Remember how to reach a chat client."""
    return chat_push.register(platform, caller, request.token, request.token_type, request.node)


def _has_node(platform: Platform, tx: Transaction, caller: Caller, request: UnregisterChatPush) -> bool:
    return chat_push.need_node(tx, request.node, request.token_type).user == caller.id


@answers(UnregisterChatPush, related=_has_node)
def unregister_chat(request: UnregisterChatPush, caller: Caller, platform: Platform) -> ChatPushNode:
    """Forget how to reach a chat client."""
    return chat_push.unregister(platform, request.node, request.token_type)


@answers(LogRemotely)
def log_remotely(request: LogRemotely, caller: Caller, platform: Platform) -> Acknowledgement:
    """Keep a line of a client's log."""
    remote_log.write(platform, caller, request.level, request.file, request.text)
    return Acknowledgement(code=200, message="logged")
