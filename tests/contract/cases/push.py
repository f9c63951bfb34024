"""Push tokens, pushes, chat pushes and the log of clients (contract 4.8)."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from console.api.operations.push import (
    CHAT_PUSH_NAMESPACE,
    BuildChatPush,
    DeletePushTokens,
    LogRemotely,
    RegisterChatPush,
    RegisterPushToken,
    SendPush,
    UnregisterChatPush,
)
from console.service.caller import Caller
from console.service.domain import chat_push, people, push
from console.service.domain.chat_push import chat_push_nodes
from console.service.domain.deliveries import delivered
from console.service.domain.push import push_tokens
from console.service.domain.remote_log import remote_log
from tests.contract.case import Bad, CaseSetup, case

TOKEN = "token-of-the-device"


def _caller(setup: CaseSetup, name: str) -> Caller:
    with setup.platform.read() as tx:
        return Caller(people.need_user(tx, name))


def _device(setup: CaseSetup) -> str:
    """Register a device of ana with two kinds of tokens."""
    ana = _caller(setup, "ana")
    push.register(setup.platform, ana, "phone-1", "voip", f"{TOKEN}-voip")
    push.register(setup.platform, ana, "phone-1", "fcm", TOKEN)
    return "phone-1"


def _node(setup: CaseSetup) -> str:
    found = chat_push.register(setup.platform, _caller(setup, "ana"), TOKEN, "apns", "ana-chat")
    setup.notes["secret"] = found.secret
    return found.node or ""


def _tokens(setup: CaseSetup) -> list[tuple[str, ...]]:
    with setup.platform.read() as tx:
        columns = (push_tokens.c.user, push_tokens.c.device, push_tokens.c.type, push_tokens.c.token)
        registered = sa.select(*columns).where(push_tokens.c.token.startswith(TOKEN)).order_by(push_tokens.c.token)
        return [tuple(row) for row in tx.rows(registered)]


@case(
    RegisterPushToken,
    by="bob",
    asks=lambda setup: RegisterPushToken(device_id=_device(setup), token_type="fcm", token=TOKEN),
    not_for=("guest",),
    bad=(
        Bad({"deviceId": ""}),
        Bad({"token": None}),
        Bad({"tokenType": ""}),
        Bad({"token": ""}),
        Bad({"token": 3}),
        Bad({"token": "x" * 4097}),
    ),
)
def register(setup: CaseSetup, answer: Any) -> None:
    assert answer.message == "No Content"
    assert _tokens(setup) == [("bob", "phone-1", "fcm", TOKEN), ("ana", "phone-1", "voip", f"{TOKEN}-voip")]


@case(
    DeletePushTokens,
    by="ana",
    asks=lambda setup: DeletePushTokens(device_id=_device(setup)),
    not_for=("bob", "guest"),
    bad=(Bad({"deviceId": "none"}, 404), Bad({"deviceId": ""}), Bad({"deviceId": 3})),
)
def forget_device(setup: CaseSetup, answer: Any) -> None:
    assert answer.message == "No Content"
    assert _tokens(setup) == []


def _asks_send(setup: CaseSetup) -> SendPush:
    _device(setup)
    return SendPush(token_id=TOKEN, notification={"title": "Hello"})


@case(
    SendPush,
    asks=_asks_send,
    not_for=("bob", "guest"),
    bad=(
        Bad({"tokenId": "none"}, 404),
        Bad({"tokenId": ""}),
        Bad({"notification": "Hello"}),
        Bad({"tokenId": 3}),
        Bad({"notification": {"title": "x" * 20_000}}),
    ),
)
def send(setup: CaseSetup, answer: Any) -> None:
    assert answer.message == "No Content"
    with setup.platform.read() as tx:
        (notice,) = delivered(setup.platform, tx, "phone-1")
    assert (notice.mechanism, notice.recipient) == ("push", TOKEN)
    assert notice.content == {"tokenType": "fcm", "notification": {"title": "Hello"}}


def _asks_build(setup: CaseSetup) -> BuildChatPush:
    return BuildChatPush(
        node=_node(setup),
        sender="bob@desk.example",
        body="Are you there?",
        muc="night@rooms.desk.example",
        muc_name="Night shift",
        is_muc_invite=False,
    )


@case(
    BuildChatPush,
    asks=_asks_build,
    not_for=("ana", "guest"),
    bad=(
        Bad({"node": "none"}, 404),
        Bad({"node": None}),
        Bad({"sender": ""}),
        Bad({f"{{{CHAT_PUSH_NAMESPACE}}}is-muc-invite": "perhaps"}),
        Bad({f"{{{CHAT_PUSH_NAMESPACE}}}muc-name": 3}),
    ),
)
def build(setup: CaseSetup, answer: Any) -> None:
    assert answer.message == "OK"
    with setup.platform.read() as tx:
        (notice,) = delivered(setup.platform, tx, "ana-chat")
    assert (notice.mechanism, notice.recipient, notice.content["tokenType"]) == ("push", TOKEN, "apns")
    notification = notice.content["notification"]
    assert (notification["title"], notification["body"]) == ("bob@desk.example in Night shift", "Are you there?")
    assert notification["muc"] == "night@rooms.desk.example"


def _asks_register_chat(setup: CaseSetup) -> RegisterChatPush:
    _node(setup)
    return RegisterChatPush(token=TOKEN, token_type="apns", node="bob-chat")


@case(
    RegisterChatPush,
    by="bob",
    asks=_asks_register_chat,
    not_for=("guest",),
    bad=(
        Bad({"node": "ana-chat"}, 409),
        Bad({"node": ""}),
        Bad({"token": None}),
        Bad({"tokenType": ""}),
    ),
)
def register_chat(setup: CaseSetup, answer: Any) -> None:
    assert answer.node == "bob-chat"
    assert len(answer.secret) >= 24
    with setup.platform.read() as tx:
        row = tx.row(sa.select(chat_push_nodes).where(chat_push_nodes.c.node == "bob-chat"))
        assert row is not None
        assert (row.user, row.type, row.token) == ("bob", "apns", TOKEN)
        assert answer.secret not in row.secret


@case(
    UnregisterChatPush,
    by="ana",
    asks=lambda setup: UnregisterChatPush(node=_node(setup), token_type="apns"),
    not_for=("bob", "guest"),
    bad=(Bad({"node": "none"}, 404), Bad({"tokenType": "fcm"}, 404), Bad({"node": 3}), Bad({"node": ""})),
)
def unregister_chat(setup: CaseSetup, answer: Any) -> None:
    assert (answer.node, answer.secret) == ("ana-chat", setup.notes["secret"])
    with setup.platform.read() as tx:
        assert tx.row(sa.select(chat_push_nodes).where(chat_push_nodes.c.node == "ana-chat")) is None


@case(
    LogRemotely,
    by="pat",
    asks=lambda _: LogRemotely(level="error", file="call.js:12", text="no microphone"),
    bad=(
        Bad({"level": ""}),
        Bad({"level": 3}),
        Bad({"text": 3}),
        Bad({"text": "x" * 8193}),
        Bad({"file": 3}),
    ),
)
def log_remotely(setup: CaseSetup, answer: Any) -> None:
    assert answer.code == 200
    with setup.platform.read() as tx:
        (line,) = tx.rows(sa.select(remote_log))
    assert (line.level, line.file, line.text) == ("error", "call.js:12", "no microphone")
    assert (line.user, line.at) == ("pat", setup.clock.now_ms())
